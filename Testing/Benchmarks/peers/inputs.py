"""Start positions and terrains that ContactBenchmark and its peers share; needs numpy.

    inputs.py box TILE.txt N NX NY OUT   NX x NY settled tiles of 0.25 m, cut to N spheres
    inputs.py settled DUMP.txt OUT       the places of a dump (id x y z [vx vy vz]), with its velocities
    inputs.py mixed BOX.bin OUT          the same box with eight spheres ten times as large
    inputs.py unequal N RATIO OUT        a cubic lattice of N spheres that nearly touch, with eight that are larger in the
                                         place of those they would meet
    inputs.py terrain GRID.asc K OUT     a grid of heights, scaled by 1/500, its cells divided K x K
    inputs.py above GRID.asc N OUT       N spheres in layers just above that terrain

Spheres have a radius of 5 mm. OUT.data is for LAMMPS and LIGGGHTS; OUT.bin (places), OUT.velocities.bin and
OUT.radii.bin are float64 for ContactBenchmark, OUT.size its box; OUT.stl and OUT.obj are meshes.
"""

import sys
import numpy as np

RADIUS, DENSITY, SCALE = 0.005, 2500, 1 / 500


def write_spheres(out, places, width, velocities=None, radii=None):
    """Places within 0..width[0] x 0..width[1], and their box; of RADIUS, if no radii are given."""
    diameters = np.full(len(places), 2 * RADIUS) if radii is None else 2 * radii
    numbers = np.arange(1, len(places) + 1)
    top = places[:, 2].max() + 0.2
    with open(out + ".data", "w") as file:
        file.write(f"spheres\n\n{len(places)} atoms\n1 atom types\n\n0 {width[0]:.9g} xlo xhi\n0 {width[1]:.9g} ylo yhi\n"
                   f"-0.02 {top:.9g} zlo zhi\n\nAtoms\n\n")
        np.savetxt(file, np.column_stack([numbers, np.ones(len(places)), diameters, places]),
                   fmt=f"%d %d %.9g {DENSITY} %.9g %.9g %.9g")
        if velocities is not None:
            file.write("\nVelocities\n\n")
            np.savetxt(file, np.column_stack([numbers, velocities]), fmt="%d %.9g %.9g %.9g 0 0 0")
    places.astype("<f8").tofile(out + ".bin")
    if velocities is not None:
        velocities.astype("<f8").tofile(out + ".velocities.bin")
    if radii is not None:
        radii.astype("<f8").tofile(out + ".radii.bin")
    with open(out + ".size", "w") as file:
        file.write(f"{width[0]:.9g},{width[1]:.9g},{top + 1:.9g}\n")


def read_dump(path):
    """Columns after the id, and the width of the box."""
    with open(path) as file:
        head = [next(file) for _ in range(9)]
    return np.loadtxt(path, skiprows=9)[:, 1:], [float(line.split()[1]) for line in head[5:7]]


def box(tile, count, nx, ny, out):
    side = 0.25
    block, _ = read_dump(tile)
    block = block[:, :3]
    block[:, :2] %= side
    places = np.concatenate([block + np.array([i * side, j * side, 0]) for i in range(nx) for j in range(ny)])
    width = [nx * side, ny * side]
    inside = np.all((places[:, :2] >= RADIUS) & (places[:, :2] <= np.array(width) - RADIUS), axis=1)
    places = places[inside]
    places = places[np.argsort(places[:, 2], kind="stable")]
    if len(places) < count:
        sys.exit(f"the tiles have only {len(places)} spheres")
    places = places[:count]
    np.random.default_rng(1).shuffle(places)  # the order in the file is none in space
    write_spheres(out, places, width)


def settled(dump, out):
    columns, width = read_dump(dump)
    write_spheres(out, columns[:, :3], width, columns[:, 3:6] if columns.shape[1] >= 6 else None)


def mixed(source, out):
    places = np.fromfile(source, "<f8").reshape(-1, 3)
    width = np.array([float(w) for w in open(source[:-4] + ".size").read().split(",")])
    large = 10 * RADIUS
    centres = np.array([[x * width[0], y * width[1], z * places[:, 2].max()]
                        for x in (0.25, 0.75) for y in (0.25, 0.75) for z in (0.27, 0.73)])
    for centre in centres:
        places = places[np.linalg.norm(places - centre, axis=1) > large + RADIUS]
    radii = np.concatenate([np.full(len(places), RADIUS), np.full(len(centres), large)])
    write_spheres(out, np.concatenate([places, centres]), width, radii=radii)


def unequal(count, ratio, out):
    distance = 0.999 * 2 * RADIUS
    side = round(count ** (1 / 3))
    large = ratio * RADIUS
    along = RADIUS + distance * np.arange(side)
    places = np.stack(np.meshgrid(along, along, along, indexing="ij"), -1).reshape(-1, 3)
    width = 2 * RADIUS + distance * (side - 1)
    centres = width * np.array([[x, y, z] for x in (0.25, 0.75) for y in (0.25, 0.75) for z in (0.25, 0.75)])
    for centre in centres:
        places = places[np.linalg.norm(places - centre, axis=1) > large + RADIUS]
    radii = np.concatenate([np.full(len(places), RADIUS), np.full(len(centres), large)])
    write_spheres(out, np.concatenate([places, centres]), [width, width], radii=radii)


def read_heights(grid):
    """z[i, j] at (i, j) times the distance of the points, from 0 upwards."""
    with open(grid) as file:
        head = {key.lower(): float(value) for key, value in (next(file).split() for _ in range(6))}
        z = np.loadtxt(file)[::-1].T  # the file begins in the north
    return (z - z.min()) * SCALE, head["cellsize"] * SCALE


def divided(z, k):
    """Bilinear."""
    u, v = (np.linspace(0, n - 1, (n - 1) * k + 1) for n in z.shape)
    i, j = np.minimum(u.astype(int), z.shape[0] - 2)[:, None], np.minimum(v.astype(int), z.shape[1] - 2)[None, :]
    u, v = u[:, None] - i, v[None, :] - j
    return z[i, j] * (1 - u) * (1 - v) + z[i + 1, j] * u * (1 - v) + z[i, j + 1] * (1 - u) * v + z[i + 1, j + 1] * u * v


def terrain(grid, k, out):
    z, h = read_heights(grid)
    z, h = divided(z, k), h / k
    nx, ny = z.shape
    x, y = np.meshgrid(np.arange(nx) * h, np.arange(ny) * h, indexing="ij")
    points = np.stack([x, y, z], -1).reshape(-1, 3)
    i, j = np.meshgrid(np.arange(nx - 1), np.arange(ny - 1), indexing="ij")
    a = (i * ny + j).ravel()
    triangles = np.stack([a, a + ny, a + ny + 1, a, a + ny + 1, a + 1], -1).reshape(-1, 3)
    corners = points[triangles]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    facet = ("facet normal %.7g %.7g %.7g\n outer loop\n  vertex %.9g %.9g %.9g\n  vertex %.9g %.9g %.9g\n"
             "  vertex %.9g %.9g %.9g\n endloop\nendfacet\n")
    with open(out + ".stl", "w") as file:
        file.write("solid terrain\n")
        file.writelines(facet % tuple(row) for row in np.concatenate([normals, corners.reshape(-1, 9)], 1))
        file.write("endsolid terrain\n")
    with open(out + ".obj", "w") as file:
        np.savetxt(file, points, fmt="v %.9g %.9g %.9g")
        np.savetxt(file, triangles + 1, fmt="f %d %d %d")


def above(grid, count, out):
    coarse, h = read_heights(grid)
    width = [(n - 1) * h for n in coarse.shape]
    z, h = divided(coarse, 10), h / 10
    distance = 2.1 * RADIUS
    x, y = np.meshgrid(np.arange(0.012, width[0] - 0.012, distance), np.arange(0.012, width[1] - 0.012, distance),
                       indexing="ij")
    reach = int(np.ceil(RADIUS / h)) + 1
    i, j = np.rint(x / h).astype(int), np.rint(y / h).astype(int)
    ground = np.full(x.shape, -1.0)  # the highest under each sphere
    for a in range(-reach, reach + 1):
        for b in range(-reach, reach + 1):
            ground = np.maximum(ground, z[np.clip(i + a, 0, z.shape[0] - 1), np.clip(j + b, 0, z.shape[1] - 1)])
    random = np.random.default_rng(3)
    layers = []
    while sum(map(len, layers)) < count:
        layer = np.stack([x, y, ground + 1.05 * RADIUS + len(layers) * 1.25 * distance], -1).reshape(-1, 3)
        layers.append(layer + random.uniform(-1e-4, 1e-4, layer.shape))
    write_spheres(out, np.concatenate(layers)[:count], width)


if __name__ == "__main__":
    command, *arguments = sys.argv[1:]
    {"box": box, "settled": settled, "mixed": mixed, "unequal": unequal, "terrain": terrain, "above": above}[command](
        *(int(a) if a.isdigit() else a for a in arguments))
