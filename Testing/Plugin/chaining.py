"""What ParaView's own filters make feeds Lapilli's, and what Granular Flow hands out feeds ParaView's."""

import numpy as np
from paraview import simple
from paraview.servermanager import Fetch
from support import ROOT, check, load_plugin, point_arrays
from vtkmodules.util.numpy_support import vtk_to_numpy

RASTER = str(ROOT / "Data/maunga_whau.tif")


def cell_count(proxy):
    proxy.UpdatePipeline()
    return proxy.GetDataInformation().GetNumberOfCells()


def seeds_at(*places):
    """Points as a script of the user's makes them."""
    return simple.ProgrammableSource(Script=f"""
import vtk
points = vtk.vtkPoints()
points.SetDataTypeToDouble()
for place in {places!r}:
    points.InsertNextPoint(place)
self.GetOutputDataObject(0).SetPoints(points)
""")


def fall(terrain, place=(690, 300, 260), **properties):
    """Where a rock of 2 m is that fell onto a terrain, and the flow's report."""
    rock = seeds_at(place)
    # The speed that stiffness is derived from would follow the height of the terrain.
    settings = {"EndTime": 4, "FrameInterval": 4, "DefaultRadius": 2, "GreatestSpeed": 50, **properties}
    flow = simple.GranularFlow(Terrain=terrain, Sources=rock, **settings)
    arrays = point_arrays(flow, settings["EndTime"])
    return arrays.get("Points", [None])[0], flow


def check_terrains(terrain):
    """Each of these filters' outputs is a terrain."""
    whole, _ = fall(terrain)
    check(whole is not None, "the rock was lost on the whole terrain")

    clip = simple.Clip(Input=terrain, ClipType="Box")
    clip.ClipType.Position, clip.ClipType.Length = [600, 200, 0], [200, 200, 400]
    check(0 < cell_count(clip) < cell_count(terrain), "Clip has cut nothing")
    # ParaView cuts triangles at the box and leaves those inside as they are.
    apart = np.abs(fall(clip)[0] - whole).max()
    check(apart < 1e-4, f"on a clipped terrain the rock is {apart} m off")
    place, flow = fall(clip, DefaultVelocity=[60, 0, 0])
    check(place is None and "left the map" in flow.Report, f"beyond the clipped terrain the rock is at {place}")

    high = simple.Threshold(Input=simple.PointDatatoCellData(Input=terrain), Scalars=["CELLS", "elevation"])
    high.LowerThreshold, high.UpperThreshold = 110, 1000
    check(0 < cell_count(high) < cell_count(terrain), "Threshold has cut nothing")
    check(np.abs(fall(high)[0] - whole).max() < 1e-4, "on what Threshold left the rock goes elsewhere")

    surface = simple.ExtractSurface(Input=high)
    check(np.array_equal(fall(surface)[0], fall(high)[0]), "Extract Surface moves the rock")

    coarse = simple.Decimate(Input=terrain, TargetReduction=0.5)
    check(cell_count(coarse) < 0.7 * cell_count(terrain), "Decimate has taken nothing away")
    place, _ = fall(coarse)
    check(place is not None and np.abs(place - whole).max() < 100, f"on the coarser terrain the rock is at {place}")

    image = simple.TerrainReader(FileName=RASTER, Output="Height Field")
    warped = simple.WarpByScalar(Input=image, Scalars=["POINTS", "elevation"])
    check(np.array_equal(fall(warped)[0], whole), "on the warped image the rock goes elsewhere")

    # A volume of heights above the ground, from which Contour and Slice take surfaces.
    volume = simple.ProgrammableSource(OutputDataSetType="vtkImageData", Script="""
import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk
image = self.GetOutputDataObject(0)
image.SetDimensions(41, 41, 21)
image.SetSpacing(5, 5, 5)
x, y, z = np.meshgrid(np.arange(41) * 5.0, np.arange(41) * 5.0, np.arange(21) * 5.0, indexing="ij")
density = 40 + 0.2 * x - z
array = numpy_to_vtk(density.ravel(order="F"), deep=True)
array.SetName("density")
image.GetPointData().SetScalars(array)
""", ScriptRequestInformation="""
from paraview import util
util.SetOutputWholeExtent(self, [0, 40, 0, 40, 0, 20])
""")
    slope = simple.Contour(Input=volume, ContourBy=["POINTS", "density"], Isosurfaces=[0])
    # A plane that rises by 0.2; the rock rolls down it, against x.
    place, _ = fall(slope, place=(150, 100, 72.1), EndTime=2, FrameInterval=2, TerrainFriction=0.05)
    check(abs(place[2] - (40 + 0.2 * place[0] + 2 * np.sqrt(1 + 0.2 ** 2))) < 0.05, f"not on the contour: {place}")
    check(place[0] < 149, f"does not slide down the contour: {place}")

    level = simple.Slice(Input=volume, SliceType="Plane")
    level.SliceType.Origin, level.SliceType.Normal = [100, 100, 30], [0, 0, 1]
    place, _ = fall(level, place=(100, 100, 34), TerrainRestitution=0.1)
    check(abs(place[2] - 32) < 0.01, f"does not rest on the slice: {place}")

    # Two halves, appended; their seam is no edge.
    halves = []
    for inside in (1, 0):
        half = simple.Clip(Input=terrain, ClipType="Plane", Invert=inside)
        half.ClipType.Origin, half.ClipType.Normal = [690, 300, 0], [1, 0, 0]
        halves.append(half)
    joined = simple.AppendDatasets(Input=halves)
    check(np.abs(fall(joined)[0] - whole).max() < 1e-4, "over the seam of appended halves the rock goes elsewhere")

    script = simple.ProgrammableFilter(Input=terrain, Script="""
source = self.GetInputDataObject(0, 0)
output = self.GetOutputDataObject(0)
output.ShallowCopy(source)
""")
    check(np.array_equal(fall(script)[0], whole), "through a Programmable Filter the rock goes elsewhere")


def check_sources_and_obstacles(terrain):
    """Points and bodies of ParaView's own."""
    line = simple.Line(Point1=[640, 300, 250], Point2=[740, 300, 250], Resolution=4)
    calculator = simple.Calculator(Input=line, ResultArrayName="radius", Function="1 + coordsX / 1000")
    both = simple.AppendGeometry(Input=[calculator, simple.Calculator(
        Input=seeds_at((700, 350, 250)), ResultArrayName="radius", Function="2.5")])
    cloud = simple.ConvertToPointCloud(Input=both, CellGenerationMode="Vertex cells")  # Threshold keeps cells
    part = simple.Threshold(Input=cloud, Scalars=["POINTS", "radius"])
    part.LowerThreshold, part.UpperThreshold = 1.66, 3
    ball = simple.Sphere(Center=[690, 300, 170], Radius=30, ThetaResolution=24, PhiResolution=24)
    flow = simple.GranularFlow(Terrain=terrain, Sources=part, Obstacles=[ball], EndTime=5, FrameInterval=0.5)
    start = point_arrays(flow, 0)
    expected = [1 + x / 1000 for x in (665, 690, 715, 740)] + [2.5]
    check(np.allclose(sorted(start["radius"]), expected, atol=1e-6), f"radii are {sorted(start['radius'])}")
    point_arrays(flow, 5)
    force = Fetch(flow).GetFieldData().GetArray("obstacle_0_impulse")
    check(np.linalg.norm(force.GetTuple3(0)) > 1000, "the ball was not hit")


def check_outputs(terrain):
    """Filters of ParaView's on the particles."""
    rocks = simple.ParticleSource(Terrain=terrain, Shape="Disc", DiscCenter=[690, 300, 0], DiscRadius=25, Radius=2,
                                  NumberOfSeeds=150)
    flow = simple.GranularFlow(Terrain=terrain, Sources=rocks, EndTime=4, FrameInterval=0.25)
    end = point_arrays(flow, 4)
    times = list(flow.TimestepValues)
    count = len(end["Points"])
    speed = np.linalg.norm(end["velocity"], axis=1)

    fast = simple.Threshold(Input=flow, Scalars=["POINTS", "age"])  # all, until another array is chosen
    fast.UpdatePipeline(4)
    check(Fetch(fast).GetNumberOfPoints() == count, f"Threshold keeps {Fetch(fast).GetNumberOfPoints()} of {count}")
    fast.Scalars, fast.LowerThreshold, fast.UpperThreshold = ["POINTS", "kinetic_energy"], 1e6, 1e12
    fast.UpdatePipeline(4)
    found = Fetch(fast).GetNumberOfPoints()
    check(0 < found == (end["kinetic_energy"] >= 1e6).sum() < count, f"Threshold keeps {found} fast rocks")

    energy = simple.Calculator(Input=flow, ResultArrayName="energy", Function="0.5 * mass * mag(velocity)^2")
    energy.UpdatePipeline(4)
    values = vtk_to_numpy(Fetch(energy).GetPointData().GetArray("energy"))
    check(np.allclose(values, 0.5 * end["mass"] * speed ** 2, rtol=1e-6), "Calculator's energies are others")

    statistics = simple.TemporalStatistics(Input=flow)
    statistics.UpdatePipeline()
    mean = vtk_to_numpy(Fetch(statistics).GetPointData().GetArray("age_average"))
    check(len(mean) == count and np.allclose(mean, np.mean(times)), f"mean age is {mean}")

    plot = simple.PlotDataOverTime(Input=flow, FieldAssociation="Points", OnlyReportSelectionStatistics=1)
    plot.UpdatePipeline()
    table = Fetch(plot)
    table = table.GetBlock(0) if hasattr(table, "GetBlock") else table
    check(table.GetNumberOfRows() == len(times), f"Plot Data Over Time has {table.GetNumberOfRows()} rows")

    ways = simple.TemporalParticlesToPathlines(Input=flow, Selection=None, IdChannelArray="particle_id", MaskPoints=1,
                                               MaxTrackLength=500, MaxStepDistance=[50, 50, 50])
    for time in times:
        ways.UpdatePipeline(time)
    check(Fetch(ways).GetNumberOfLines() == count, f"{Fetch(ways).GetNumberOfLines()} pathlines")

    bulk = simple.SPHVolumeInterpolator(Input=flow, Source="Bounded Volume", Kernel="SPHQuinticKernel",
                                        DensityArray="density", MassArray="mass")
    bulk.Kernel.SpatialStep = 4
    low, high = end["Points"].min(axis=0) - 12, end["Points"].max(axis=0) + 12
    bulk.Source.Origin, bulk.Source.Scale, bulk.Source.Resolution = list(low), list(high - low), [20, 20, 10]
    bulk.UpdatePipeline(4)
    check(Fetch(bulk).GetPointData().GetArray("pressure") is not None, "SPH has no pressure")

    image = simple.ResampleToImage(Input=simple.OutputPort(flow, 1), SamplingDimensions=[20, 20, 20])
    image.UpdatePipeline(4)
    check(Fetch(image).GetNumberOfPoints() == 8000, "Resample To Image has another size")
    probe = simple.ResampleWithDataset(SourceDataArrays=bulk, DestinationMesh=flow)
    probe.UpdatePipeline(4)
    valid = vtk_to_numpy(Fetch(probe).GetPointData().GetArray("vtkValidPointMask"))
    density = vtk_to_numpy(Fetch(probe).GetPointData().GetArray("density"))
    check(len(valid) == count and valid.all(), f"the volume is found at {valid.sum()} of {count} rocks")
    check(density.min() > 0, f"density at the rocks is {density.min()} kg/m3 and more")


def main():
    load_plugin()
    terrain = simple.TerrainReader(FileName=RASTER)
    terrain.UpdatePipeline()
    check_terrains(terrain)
    check_sources_and_obstacles(terrain)
    check_outputs(terrain)


main()
