"""Rocks fall from the crater rim of Maunga Whau (Mount Eden), Auckland.

The rim collapses all around: blocks of 1.8 to 2.6 metres across roll down the outer flanks and back into the
crater. Lengths are metres, times seconds, in the coordinates of the map.
"""

import scene

options = scene.start(__doc__)  # OUTPUT_DIR [--quick]

from paraview.simple import *

scene.load_lapilli(globals())

# The terrain: a raster of heights, as a surface of triangles that face up.
heights = GDALRasterReader(FileName=scene.data("maunga_whau.tif"))
terrain = TerrainSurface(Input=heights)
terrain.UpdatePipeline()  # from here on its extent is known: sources start in the middle of it unless told otherwise

# The rocks: a loose layer along the crest, some ten metres thick. Each Particle Source fills a disc, seen from
# above, and drops its rocks onto the terrain; where the ground is taken they lie on one another.
crest = [(692, 318), (690, 378), (645, 425), (587, 445), (535, 415), (515, 355),
         (485, 300), (510, 247), (570, 240), (628, 222), (676, 255)]  # x, y [m]
rocks = [ParticleSource(Terrain=terrain, Shape="Disc", DiscCenter=[x, y, 200], DiscRadius=27,
                        NumberOfSeeds=200 if options.quick else 1820, RandomSeed=number, SourceId=number,
                        RadiusLaw="Uniform", SmallestRadius=0.9, LargestRadius=1.3, Density=2700)
         for number, (x, y) in enumerate(crest, start=1)]

# The run. Restitution and friction are those of basalt blocks on weathered scoria. The stiffness is made for
# impacts of 30 m/s, which saves time steps against the free fall from rim to plain that is assumed otherwise;
# the few that are faster overlap a little more.
flow = GranularFlow(Terrain=terrain, Sources=rocks)
flow.EndTime = 8 if options.quick else 20
flow.FrameInterval = 0.4 if options.quick else 0.2
flow.TerrainRestitution = 0.35
flow.TerrainFriction = 0.6
flow.GreatestSpeed = 30

# The picture: map colours with contour lines every 10 m, rocks in true size coloured by speed.
view = None
if options.pictures:
    view = scene.make_view(camera=[1100, -100, 500], focus=[615, 318, 138])
    scene.show_terrain(terrain, view, contour_interval=10)
    scene.show_particles(flow, view, greatest_speed=25)

scene.record(flow, options, "Rockfall from the crater rim of Maunga Whau", view, picture_at=0.4)
