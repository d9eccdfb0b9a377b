"""Rockfall hazard on the eastern flank of Maunga Whau (Mount Eden), Auckland, without and with a wall.

Cubes and bars of rock break loose below the crest for a quarter of a minute, fall and leap down the flank. The same
blocks come down once on the open slope and once against a wall along a contour line: maps of their energy and of how
high they bounce, in classes; how many the wall stops; and its load over time. Lengths are metres, times seconds, in
the coordinates of the map.
"""

import numpy
import scene

options = scene.start(__doc__)  # OUTPUT_DIR [--quick]

from paraview.simple import *

scene.load_lapilli(globals())

# The terrain: of the map, whole metres every 10 m, the eastern flank; subdivided it is smooth, and its triangles, which
# are the cells of the hazard maps, are 2.5 m wide.
heights = GDALRasterReader(FileName=scene.data("maunga_whau.tif"))
smooth = LoopSubdivision(Input=TerrainSurface(Input=heights), NumberofSubdivisions=2)
flank = Clip(Input=smooth, ClipType="Box", Invert=1)
flank.ClipType.Position, flank.ClipType.Length = [690, 185, 0], [168, 275, 500]  # corner and edges [m]
terrain = TerrainSurface(Input=flank)
terrain.UpdatePipeline()

# The blocks break loose at ten places below the crest, by turns cubes and bars, and fall 3 m. A radius is that of a
# sphere of the same volume: cubes have edges of 0.8 to 1.5 m, bars are 0.5 to 0.8 m thick; 0.7 to 8 t.
stop = 6 if options.quick else 16
blocks = []
for number, (x, y, z) in enumerate(scene.contour(terrain, 172, south=260, north=350, count=10)):
    kind, least, most = (("Cube", 0.5, 0.9), ("Bar", 0.4, 0.7))[number % 2]
    blocks.append(ParticleSource(Mode="Emission", Shape="Disc", DiscCenter=[x, y, z + 3], DiscNormal=[1, 0, 2],
                                 DiscRadius=3, BlockShape=kind, RadiusLaw="Uniform", SmallestRadius=least,
                                 LargestRadius=most, Density=2700, Rate=0.5 if options.quick else 2, Speed=2,
                                 Spread=20, Start=0.05 * number, Stop=stop, SourceId=number % 2, RandomSeed=number))

# The wall: 6 m high, along a contour line.
foot = 128  # its height [m]
wall = scene.wall(scene.contour(terrain, foot, south=210, north=415), height=6, thickness=1.5, name="wall")


def rockfall(obstacles):
    """Restitution is that of scree (Dorren, Rockyfor3D v5.2 revealed, 2016: soil type 3), the friction that of its
    angle of repose; the rolling friction stands for what soft ground takes besides.
    """
    flow = GranularFlow(Terrain=terrain, Sources=blocks, Obstacles=obstacles)
    flow.EndTime = stop + 9
    flow.FrameInterval = 0.5 if options.quick else 0.25
    flow.TerrainRestitution, flow.TerrainFriction, flow.TerrainRollingFriction = 0.33, 0.6, 0.2
    flow.GreatestSpeed, flow.GreatestOverlap = 15, 0.3  # soft contacts, which save time steps
    return flow


open_slope, protected = rockfall([]), rockfall([wall])
view = None
if options.pictures:
    view = scene.make_view(camera=[930, 190, 240], focus=[770, 313, 145])
    scene.show_terrain(terrain, view, contour_interval=5)
    scene.show_body(wall, view)
    scene.show_particles(protected, view, greatest_speed=25, magnified=1.5)
scene.record(protected, options, "Rockfall against a wall 6 m high", view, picture_at=0.5)
scene.say("\nThe same without the wall ...")
open_slope.UpdatePipeline(protected.EndTime)


def below(flow):
    """How many blocks came below the contour line of the wall, or left the map, which nearly all do there."""
    particles = scene.points(flow)
    return scene.field(flow, "emitted") - ((particles["clump_sphere"] == 0) & (particles["z"] > foot)).sum()


def moving(flow):
    return scene.field(flow, "particles") - scene.field(flow, "particles_at_rest")


def energy(history):
    """Of translation and rotation."""
    return history["kinetic_energy"] + history["rotational_energy"]


# What came of it. Along the line of the wall the map of the open slope tells what a wall must bear.
maps = {"without the wall": OutputPort(open_slope, 1), "with the wall": OutputPort(protected, 1)}
high = Elevation(Input=maps["without the wall"])
high.LowPoint, high.HighPoint, high.ScalarRange = [0, 0, 0], [0, 0, 999], [0, 999]  # set after the input, whose height
line = Contour(Input=high, ContourBy=["POINTS", "Elevation"], Isosurfaces=[foot])  # would else replace them
line.UpdatePipeline(protected.EndTime)
reached, passed = below(open_slope), below(protected)
told, bare = scene.history(protected), scene.history(open_slope)
load = numpy.array([told[f"wall_force_{axis}"] for axis in "xyz"])  # mean over the time since the last row [N]
impulse = numpy.linalg.norm([told[f"wall_impulse_{axis}"][-1] for axis in "xyz"])  # since the start [N s]
scene.say(f"""
blocks               {scene.field(protected, 'emitted'):.0f}
reach the line       {reached:.0f} without the wall
get past the wall    {passed:.0f}, which stops {100 * (1 - passed / max(reached, 1)):.0f} %
still on the way     {moving(open_slope):.0f} without the wall, {moving(protected):.0f} with it, when the time is up
energy at the line   up to {scene.greatest(line, 'kinetic_energy') / 1e3:,.0f} kJ
bounce at the line   up to {scene.greatest(line, 'bounce_height'):.1f} m
energy on the slope  up to {scene.greatest(maps['without the wall'], 'kinetic_energy') / 1e3:,.0f} kJ
force on the wall    up to {told['wall_greatest_force'].max() / 1e6:.1f} MN
impulse on the wall  {impulse / 1e3:,.0f} kN s
The peak of the force follows the stiffness that was chosen: it is proportional to GreatestSpeed over GreatestOverlap.
The impulse does not depend on it. To design a wall, take the energies, or the impulse over a time that its material gives.""")
SaveData(str(options.output / "hazard_history.csv"), OutputPort(protected, 2), Precision=9)
scene.say(f"written: {options.output / 'hazard_history.csv'}")

# Maps in the classes of hazard maps: of energy those of the Swiss intensities (FOEN, Protection against Mass Movement
# Hazards, 2016), weak below 30 kJ, strong above 300 kJ; 1000 kJ is a class of rockfall
# nets (ETAG 027).
if options.pictures:
    style = dict(terrain=terrain, options=options, contour_interval=5, bodies={"with the wall": wall})
    scene.draw_map(maps, name="energy", array="kinetic_energy", scale=1e-3, title="greatest energy [kJ]",
                   levels=[1, 30, 300, 1000], lines=[30, 300, 1000], **style)
    scene.draw_map(maps, name="bounce", array="bounce_height", title="greatest bounce height [m]",
                   levels=[0.25, 1, 2, 4], lines=[1, 2, 4], **style)
    scene.draw_map(maps, name="passes", array="passes", title="blocks that came by", levels=[1, 3, 10, 30], **style)
    time = ("time [s]", told["time"])
    scene.draw_chart(options, "force", "Load on the wall", time,
                     {"greatest force [MN]": told["wall_greatest_force"] / 1e6},
                     {"mean force [MN]": numpy.linalg.norm(load, axis=0) / 1e6})
    scene.draw_chart(options, "energies", "Kinetic energy of all blocks [MJ]", time,
                     {"without the wall": energy(bare) / 1e6, "with the wall": energy(told) / 1e6})
