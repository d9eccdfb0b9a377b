"""Mount Tambora, Indonesia, at its true coordinates: its magma chamber filled, and a collapse of its caldera's rim.

The relief and the chamber, a closed body that reaches down to 26 km, come from the geologists' own files, in metres of UTM zone
50 south, where single precision steps by 1 m. They are not part of the project: DATA_DIR is a folder with
tambora_terrain_utm50s.ply and tambora_chamber_utm50s.stl, or both with .gz, as
https://github.com/AlexeyPechnikov/ParaView-Blender-AR has them. Lengths are metres, times seconds.
"""

import gzip
import shutil
import sys
import tempfile
from pathlib import Path

import scene

ORIGIN = "https://github.com/AlexeyPechnikov/ParaView-Blender-AR"

options = scene.start(__doc__, data="the relief and the chamber of Tambora")  # OUTPUT_DIR DATA_DIR [--quick]

unpacked = tempfile.TemporaryDirectory()


def file(name):
    """Path of a file in DATA_DIR, unpacked into a folder that is gone at the end if need be."""
    plain, packed = options.data / name, options.data / f"{name}.gz"
    if not plain.is_file() and packed.is_file():
        plain = Path(unpacked.name) / name
        try:
            with gzip.open(packed) as source, open(plain, "wb") as target:
                shutil.copyfileobj(source, target)
        except (OSError, EOFError) as error:
            sys.exit(f"{packed} cannot be unpacked ({error}): get it anew from {ORIGIN}.")
    if not plain.is_file():
        scene.say(f"skipped: {options.data} has neither {name} nor {name}.gz; get them from {ORIGIN} and name their "
                  "folder as DATA_DIR.")
        sys.exit(0)
    return str(plain)


relief_file, chamber_file = file("tambora_terrain_utm50s.ply"), file("tambora_chamber_utm50s.stl")

from paraview.simple import *

scene.load_lapilli(globals())

# The relief: polygons of up to nine corners with float coordinates become triangles that face up.
terrain = TerrainSurface(Input=PLYReader(FileNames=[relief_file]))
terrain.UpdatePipeline()
scene.say(f"relief: {terrain.Report}")

# The chamber, filled with places for magma on the densest lattice.
chamber = STLReader(FileNames=[chamber_file])
magma = ParticleSource(Geometry=chamber, Shape="Bodies", Lattice="Face-centered", Spacing=1200 if options.quick else 600,
                       RadiusLaw="Constant", Radius=600 if options.quick else 300, Density=2500, Temperature=1273)
magma.UpdatePipeline()
scene.say(f"chamber: {magma.Report}")

if terrain.Triangles == 0 or magma.SeedsPlaced == 0:
    sys.exit(f"{relief_file} or {chamber_file} is damaged, see above: get it anew from {ORIGIN}.")

# A part of the caldera's rim gives way: blocks of 15 to 40 m around the highest place.
x, y, z = scene.highest(terrain)
scene.say(f"highest place: {z:.0f} m at {x:.0f}, {y:.0f}")
blocks = ParticleSource(Terrain=terrain, Shape="Disc", DiscCenter=[x, y, z], DiscRadius=600,
                        RadiusLaw="Uniform", SmallestRadius=15, LargestRadius=40, Density=2500,
                        NumberOfSeeds=60 if options.quick else 600)
flow = GranularFlow(Terrain=terrain, Sources=[blocks])
flow.EndTime = 40 if options.quick else 150
flow.FrameInterval = 2 if options.quick else 1
flow.Restitution = 0.3
flow.TerrainRestitution = 0.2
flow.TerrainFriction = 0.4
flow.TerrainRollingFriction = 0.15
flow.GreatestOverlap = 0.3
flow.Coordinates = "Local"  # the run is on the map; what is drawn is near the origin, and does not jitter

view = None
if options.pictures:
    near = LocalCoordinates(Input=terrain)
    near.UpdatePipeline()
    magma_near = LocalCoordinates(Input=magma, AutomaticOrigin=0, Origin=near.OriginUsed)
    view = scene.make_view(camera=[-36000, -66000, 15000], focus=[2500, 300, -11000])
    scene.show_terrain(near, view, contour_interval=250)
    scene.show_depths(magma_near, view, deepest=26000, radius=600 if options.quick else 300)
    scene.show_particles(flow, view, greatest_speed=80, magnified=10)

scene.record(flow, options, "Tambora: its chamber filled, blocks of the caldera's rim drawn ten times as large", view,
             picture_at=0.4)

places = scene.points(flow)
left = scene.field(flow, "lost_particles")
scene.say(f"blocks: {len(places['x'])} on the relief, {left:.0f} beyond it, down to {places['z'].min():.0f} m")
