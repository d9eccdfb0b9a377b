"""The example scene rockfall.py --quick as a user runs it, and numbers in what it leaves."""

import xml.etree.ElementTree as ElementTree

import numpy
from scene_run import SceneRun
from support import OUTPUT, ROOT, check, check_picture, load_plugin, point_arrays, simple
from vtkmodules.vtkCommonCore import mutable
from vtkmodules.vtkCommonDataModel import vtkStaticCellLocator

from paraview.servermanager import Fetch

FIELDS = ("time", "steps", "particles", "kinetic_energy", "rotational_energy", "potential_energy",
          "lost_particles", "mass", "mass_in")


def field(proxy, name):
    array = proxy.FieldData[name]
    check(array is not None, f"no field data {name}")
    return array.GetRange()[0]


def heights_above(surface, points):
    """Signed distance of points to triangles that face up [m]: positive above."""
    locator = vtkStaticCellLocator()
    locator.SetDataSet(surface)
    locator.BuildLocator()
    closest, cell, part, square = [0.0] * 3, mutable(0), mutable(0), mutable(0.0)
    distances = []
    for point in points:
        locator.FindClosestPoint(point, closest, cell, part, square)
        distances.append(numpy.copysign(float(square) ** 0.5, point[2] - closest[2]))
    return numpy.array(distances)


frames = SceneRun("rockfall").frames

# What it writes, read back with ParaView's own reader.
load_plugin()
series = ElementTree.parse(OUTPUT / "rockfall.pvd").getroot().findall(".//DataSet")
check(len(series) == frames == len(list((OUTPUT / "rockfall").glob("*.vtp"))),
      f"{len(series)} files in the series of {frames} frames")
back = simple.PVDReader(FileName=str(OUTPUT / "rockfall.pvd"))
back.UpdatePipelineInformation()
times = list(back.TimestepValues)

# Energy only goes down. It is taken with the particles that are there; nobody is lost in the quick run.
energies = []
for time in times:
    back.UpdatePipeline(time)
    values = {name: field(back, name) for name in FIELDS}
    check(abs(values["time"] - time) < 1e-9, f"the file of t = {time} tells t = {values['time']}")
    check(values["particles"] == back.GetDataInformation().GetNumberOfPoints(), "particles miscounted")
    energies.append([values["kinetic_energy"] + values["rotational_energy"] + values["potential_energy"],
                     values["kinetic_energy"], values["lost_particles"], values["particles"]])
total, kinetic, lost, particles = numpy.array(energies).T
check(1000 <= particles[0] and numpy.all(particles + lost == particles[0] + lost[0]), "particles got lost uncounted")
check(kinetic.max() > 0.02 * total[0] and kinetic[0] < 1e-3 * total[0], "nothing fell")
grown = numpy.diff(total) / total[0]
check(grown.max() <= 1e-4, f"energy grew by {grown.max():.2e} of the whole in a frame")
check(total[-1] < 0.99 * total[0], "nothing was dissipated")

# Rocks are above the terrain: none deeper than the greatest overlap allows.
first, last = point_arrays(back, times[0]), point_arrays(back, times[-1])
for name, components in (("velocity", 3), ("pressure", 1), ("pressure_max", 1), ("radius", 1), ("mass", 1),
                         ("particle_id", 1), ("source_id", 1), ("age", 1), ("at_rest", 1)):
    check(name in last and last[name].reshape(len(last["Points"]), -1).shape[1] == components,
          f"array {name} is missing or has another number of components")
    check(numpy.isfinite(last[name]).all(), f"{name} is not a number somewhere")
check(last["pressure_max"].max() > 0 and (last["pressure_max"] >= 0).all(), "no rock was ever pressed")
check((numpy.diff(last["particle_id"]) > 0).all(), "particles are not in the order of their ids")
heights = simple.GDALRasterReader(FileName=str(ROOT / "Data/maunga_whau.tif"))
terrain = simple.TerrainSurface(Input=heights)
terrain.UpdatePipeline()
above = heights_above(Fetch(terrain), last["Points"]) / last["radius"]
check(above.min() > 0.7, f"a rock's centre is at {above.min():.2f} of its radius above the terrain")
check(above.max() < 500 and (above < 1.5).mean() > 0.02, "no rock is anywhere near the ground")
moved = numpy.linalg.norm(last["Points"].mean(0) - first["Points"].mean(0))
check(moved > 5, f"the rocks' middle moved by {moved:.1f} m only")

colors, share = check_picture(OUTPUT / "rockfall.png", colors=5000)
movies = [file for file in OUTPUT.glob("rockfall.*") if file.suffix in (".mp4", ".ogv", ".avi")]
check(len(movies) == 1 and movies[0].stat().st_size > 20000, f"movie: {movies}")
print(f"{frames} frames, {particles[0]:.0f} to {particles[-1]:.0f} particles, lowest centre at {above.min():.3f} radii, "
      f"greatest growth of energy {grown.max():.1e}, moved {moved:.1f} m, {colors} colours")
