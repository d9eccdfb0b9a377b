"""A Vulcanian explosion throws bombs from the crater of Maunga Whau (Mount Eden), Auckland.

Three pulses within four seconds, each slower than the one before, throw blocks of lava in a cone about the
vertical. They fly through wind with drag and land on the slopes. Lengths are metres, times seconds, in the
coordinates of the map.
"""

import scene

options = scene.start(__doc__)  # OUTPUT_DIR [--quick]

from paraview.simple import *

scene.load_lapilli(globals())

# The terrain: a raster of heights, as a surface of triangles that face up.
heights = GDALRasterReader(FileName=scene.data("maunga_whau.tif"))
terrain = TerrainSurface(Input=heights)
terrain.UpdatePipeline()

# The vent: a disc of 10 m radius above the crater's floor. Bombs of 0.1 to 0.6 m radius leave within 30 degrees of
# the vertical. A row of the table is a pulse: start [s], stop [s], rate [1/s], speed [m/s].
share = 0.15 if options.quick else 1
bombs = ParticleSource(Terrain=terrain, Mode="Emission", Shape="Disc", DiscCenter=[595, 318, 170], DiscRadius=10,
                       RadiusLaw="Log-normal", MedianRadius=0.25, RadiusSpread=1.35, Density=2300,
                       Direction=[0, 0, 1], Spread=30)
bombs.Pulses = [0.0, 1.0, 900 * share, 65,
                1.5, 2.5, 600 * share, 55,
                3.0, 4.0, 300 * share, 45]

# The run. A sphere has a drag coefficient that follows from its Reynolds number; the wind blows to the north-east
# and grows with height: a row is height [m] and velocity [m/s].
flow = GranularFlow(Terrain=terrain, Sources=[bombs])
flow.EndTime = 16 if options.quick else 24
flow.FrameInterval = 0.5 if options.quick else 0.2
flow.TerrainRestitution = 0.2  # scoria is soft
flow.TerrainFriction = 0.7
flow.TerrainRollingFriction = 0.3
flow.GreatestOverlap = 0.3  # soft contacts: a third of the time steps, and of the impact pressures
flow.AirDensity = 1.2
flow.DragLaw = "Schiller-Naumann"
flow.Wind = [100, 3, 3, 0,
             400, 8, 8, 0]

view = None
if options.pictures:
    view = scene.make_view(camera=[1150, -330, 420], focus=[590, 320, 190])
    scene.show_terrain(terrain, view, contour_interval=10)
    scene.show_particles(flow, view, greatest_speed=60, magnified=8)

scene.record(flow, options, "Bombs from the crater of Maunga Whau, drawn eight times as large", view, picture_at=0.2)

# What a hazard map is drawn from: how hard each triangle was hit. (Energies and passes also count bombs that fly over.)
impacts, history = OutputPort(flow, 1), OutputPort(flow, 2)
scene.say(f"farthest from the vent: {scene.greatest(history, 'front_distance'):.0f} m")
scene.say(f"hardest impact: {scene.greatest(impacts, 'impact_pressure') / 1e6:.2f} MPa")
if options.pictures:
    scene.draw_map({"Bombs from the crater of Maunga Whau": impacts}, terrain, options, "impacts", "impact_pressure",
                   title="greatest impact pressure [MPa]", levels=[0.1, 1, 10, 100], scale=1e-6, contour_interval=10)
