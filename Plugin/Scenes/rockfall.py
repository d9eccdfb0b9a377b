"""Rocks fall from the crater rim of Maunga Whau (Mount Eden), Auckland.

The eastern rim collapses: rocks of one to three metres across run down the outer flank and back into
the crater. Lengths are metres, times seconds, in the coordinates of the map.
"""

import scene

options = scene.start(__doc__)  # OUTPUT_DIR [--quick]

from paraview.simple import *

scene.load_lapilli(globals())

# The terrain: a raster of heights, as a surface of triangles that face up.
heights = GDALRasterReader(FileName=scene.data("maunga_whau.tif"))
terrain = TerrainSurface(Input=heights)
terrain.UpdatePipeline()  # from here on its extent is known, and sets the defaults of what follows

# The rocks: heaps along the crest of the rim, dropped onto it from above. Each Particle Source fills a disc;
# the larger the number, the higher the heap.
rim = [(668, 225), (683, 275), (690, 325), (668, 385)]  # x, y on the crest
heaps = [ParticleSource(Terrain=terrain, Shape="Disc", DiscCenter=[x, y, 200], DiscRadius=30,
                        NumberOfSeeds=500 if options.quick else 5000, RandomSeed=number,
                        RadiusLaw="Uniform", SmallestRadius=0.8, LargestRadius=1.6)
         for number, (x, y) in enumerate(rim, start=1)]

# The run. Restitution and friction are those of basalt blocks on weathered scoria.
flow = GranularFlow(Terrain=terrain, Sources=heaps)
flow.EndTime = 8 if options.quick else 20
flow.FrameInterval = 0.4 if options.quick else 0.2
flow.TerrainRestitution = 0.35
flow.TerrainFriction = 0.6

# The picture: map colours with contour lines every 10 m, rocks in true size coloured by speed.
view = None
if options.pictures:
    view = scene.make_view(camera=[1120, -130, 470], focus=[640, 310, 135])
    scene.show_terrain(terrain, view, contour_interval=10)
    scene.show_particles(flow, view, greatest_speed=25)

scene.record(flow, options, "Rockfall from the crater rim of Maunga Whau", view, picture_at=0.4)
