"""Particle Source from geology, chained as users chain it: a clipped crater floor, a fissure, a mapped polygon, bodies from
Threshold, Contour and a multi-block, a lake; and Granular Flow on them, which keeps the bodies' names.
"""

import numpy
from paraview.servermanager import Fetch
from support import ROOT, Messages, check, load_plugin, point_arrays, simple

load_plugin()
messages = Messages()


def names_of(proxy, array):
    """The strings of a field data array."""
    strings = Fetch(proxy).GetFieldData().GetAbstractArray(array)
    return [strings.GetValue(index) for index in range(strings.GetNumberOfValues())] if strings else []


def seeds(shape, **properties):
    """Positions, source ids and the updated source."""
    source = simple.ParticleSource(Shape=shape)
    for name, value in properties.items():
        setattr(source, name, value)
    arrays = point_arrays(source, 0)
    messages.check_none(shape)
    return arrays["Points"], arrays["source_id"], source


def nearest(points):
    """The least distance of two points."""
    return min(numpy.sort(numpy.linalg.norm(points - point, axis=1))[1] for point in points)


terrain = simple.TerrainSurface(Input=simple.GDALRasterReader(FileName=str(ROOT / "Data/maunga_whau.tif")))
terrain.UpdatePipeline()

# Nobody's active source is connected by itself.
simple.SetActiveSource(terrain)
alone = simple.ParticleSource()
check(alone.Geometry is None and alone.Terrain is None, f"connected without being asked: {alone.Geometry}")

# The crater floor: what Clip has left inside a sphere.
clip = simple.Clip(Input=terrain, ClipType="Sphere")
clip.ClipType.Center, clip.ClipType.Radius = [575, 335, 150], 60
floor, _, on_floor = seeds("Surface", Geometry=clip, NumberOfSeeds=300, Radius=0.5)
check(len(floor) == 300 and on_floor.SeedsStacked == 0, f"{len(floor)} seeds on the crater floor")
check(numpy.linalg.norm(floor - [575, 335, 150], axis=1).max() < 60.6, "seeds beside the crater floor")
check(nearest(floor) >= 1, "seeds overlap")

# A fissure with bends, drawn as a polyline, on the terrain.
fissure = simple.PolyLineSource(Points=[300, 200, 0, 420, 300, 0, 430, 420, 0])
along, _, on_fissure = seeds("Lines", Geometry=fissure, Terrain=terrain, NumberOfSeeds=60, Radius=1)
check(len(along) == 60 and (numpy.diff(along[:, 0] + along[:, 1]) > 0).all(), "the fissure's seeds are not in order")
check(nearest(along) >= 2 and along[:, 2].min() > 90, "the fissure's seeds overlap or are not on the terrain")
nozzles, _, emitting = seeds("Lines", Geometry=fissure, Terrain=terrain, Mode="Emission", NumberOfNozzles=7)
check(len(nozzles) == 7 == emitting.NozzlesPlaced, f"{len(nozzles)} nozzles")

# A mapped polygon, as a closed line: a square of 100 m.
outline = simple.PolyLineSource(Points=[500, 200, 0, 600, 200, 0, 600, 300, 0, 500, 300, 0], Closed=1)
inside, _, _ = seeds("Map Area", Geometry=outline, Terrain=terrain, NumberOfSeeds=200, Radius=1)
check(len(inside) == 200 and inside[:, 0].min() >= 500 and inside[:, 1].max() <= 300, "seeds beside the polygon")

# Bodies: of a density volume by Contour, and by Threshold.
volume = simple.Wavelet()
contour = simple.Contour(Input=volume, ContourBy=["POINTS", "RTData"], Isosurfaces=[200.0])
filled = {}
for what, body in (("Contour", contour), ("Threshold", simple.Threshold(
        Input=volume, Scalars=["POINTS", "RTData"], ThresholdMethod="Above Upper Threshold", UpperThreshold=200.0))):
    points, ids, source = seeds("Bodies", Geometry=body, Radius=0.2, Spacing=0.5, Lattice="Cubic", SourceId=4)
    check(len(points) > 100 and (ids == 4).all() and source.BodiesFilled == 1, f"{what}: {len(points)} seeds")
    check(abs(nearest(points[:300]) - 0.5) < 1e-9, f"{what}: spacing {nearest(points[:300])}")
    check(abs(source.FilledVolume / source.BodyVolume - 1) < 0.1 and source.LeakArea == 0,
          f"{what}: {source.FilledVolume} of {source.BodyVolume} m^3, leak {source.LeakArea} m^2")
    filled[what] = source
    print(what, source.Report)

# Every property that is about filling.
points, _, source = seeds("Bodies", Geometry=simple.Sphere(Radius=10, ThetaResolution=32, PhiResolution=32), Radius=0.5)
all_inside = len(points)
source.KeepInside, source.Clearance = 0, 2
check(len(point_arrays(source, 0)["Points"]) < all_inside, "Clearance is without effect")
source.UseFillLevel, source.FillLevel = 1, -3
check(point_arrays(source, 0)["Points"][:, 2].max() <= -3, "Fill Level is without effect")
source.Lattice = "Face-centered"
source.Spacing = 1.5
check(abs(nearest(point_arrays(source, 0)["Points"]) - 1.5) < 1e-9, "Spacing is without effect")

# Two bodies in a multi-block keep their names, into the frames of Granular Flow and with another source beside.
spheres = [simple.Sphere(Center=[440 + 60 * index, 300, 260], Radius=15) for index in range(2)]
chambers = simple.GroupDatasets(Input=spheres, BlockNames=["upper chamber", "lower chamber"])
points, ids, bodies = seeds("Bodies", Geometry=chambers, Radius=2, SourceId=10)
check(names_of(bodies, "body_name") == ["upper chamber", "lower chamber"], str(names_of(bodies, "body_name")))
check(((ids == 10) == (points[:, 0] < 470)).all() and set(ids) == {10, 11}, "source ids are not the bodies'")
counts = Fetch(bodies).GetFieldData().GetArray("body_particles")
check([counts.GetValue(0), counts.GetValue(1)] == [(ids == 10).sum(), (ids == 11).sum()], "body_particles")
flow = simple.GranularFlow(Terrain=terrain, Sources=[bodies, on_fissure])
flow.EndTime, flow.FrameInterval, flow.Device = 0.5, 0.25, "CPU"
last = point_arrays(flow, 0.5)
check(names_of(flow, "source_name") == ["upper chamber", "lower chamber"], str(names_of(flow, "source_name")))
numbers = Fetch(flow).GetFieldData().GetArray("source_id")
check([numbers.GetValue(0), numbers.GetValue(1)] == [10, 11], "source_id of the names")
check(set(last["source_id"]) == {0, 10, 11} and last["velocity"].any(), "the bodies do not fall")
upper = simple.Threshold(Input=flow, Scalars=["POINTS", "source_id"], LowerThreshold=10, UpperThreshold=10)
upper.UpdatePipeline(0.5)
check(Fetch(upper).GetNumberOfPoints() == (ids == 10).sum(), "Threshold by source_id")

# A lake in the crater of Maunga Whau.
lake, _, source = seeds("Lake", Terrain=terrain, LakePoint=[575, 335, 0], FillLevel=160, Radius=1)
check(lake[:, 2].max() <= 160 and source.BodyVolume > 1000 and names_of(source, "body_name") == ["lake"], source.Report)
print("Lake", source.Report)

# What goes wrong is one sentence.
for shape, properties, words in (
        ("Surface", {}, ["geometry is missing", "Surface"]),
        ("Lines", {"Geometry": spheres[0]}, ["geometry has 0 lines"]),
        ("Map Area", {"Geometry": fissure}, ["loose ends", "close the line"]),
        ("Bodies", {"Geometry": clip}, ["body 0"]),
        ("Bodies", {"Geometry": spheres[0], "Mode": "Emission"}, ["mode is Emission", "Seeds at the start"])):
    bad = simple.ParticleSource(Shape=shape, **properties)
    bad.UpdatePipeline()
    messages.check_one(shape, *words)
