"""What users hand over to other programs: a run saved as VTP, PVD, CSV and netCDF reads back with the numbers of its frames,
also where rocks come later and get lost; pathlines and the SPH interpolator work on its arrays.
"""

import csv
import warnings

import netCDF4
import numpy
import xarray
from paraview import servermanager
from paraview.servermanager import Fetch, vtkSMProxyManager
from support import OUTPUT, check, load_plugin, point_arrays, same_bits, simple, vtk_to_numpy


def thrown_over_the_edge():
    """Twenty rocks that lie on a small plate, and twelve that come one by one and fly off its edge."""
    plate = simple.Plane(Origin=[-10, -10, 0], Point1=[10, -10, 0], Point2=[-10, 10, 0], XResolution=4, YResolution=4)
    terrain = simple.TerrainSurface(Input=plate)
    terrain.UpdatePipeline()
    lying = simple.ParticleSource(Terrain=terrain, Shape="Disc", DiscCenter=[-6, 0, 0], DiscRadius=2, Radius=0.2)
    lying.NumberOfSeeds = 20
    thrown = simple.ParticleSource(Terrain=terrain, Mode="Emission", Shape="Point", Point=[6, 0, 2], DropOntoTerrain=0,
                                   Radius=0.2, Rate=16, Start=0.2, Stop=0.95, Speed=8, Direction=[1, 0, 0.1], SourceId=1)
    flow = simple.GranularFlow(Terrain=terrain, Sources=[lying, thrown])
    flow.EndTime, flow.FrameInterval, flow.Device = 1.5, 0.1, "CPU"
    return flow


def all_frames(proxy):
    proxy.UpdatePipelineInformation()
    return {time: point_arrays(proxy, time) for time in proxy.TimestepValues}


def read_vtp(frames):
    simple.SaveData(str(OUTPUT / "rocks.vtp"), flow, Writetimestepsasfileseries=1, DataMode="Binary")
    for index, time in enumerate(frames):
        back = simple.XMLPolyDataReader(FileName=[str(OUTPUT / f"rocks_{index}.vtp")])
        check(same_bits(frames[time], point_arrays(back, 0)), f"rocks_{index}.vtp differs")
    data = Fetch(back).GetPointData().GetArray("velocity")
    unit = data.GetInformation().Get(data.UNITS_LABEL())
    check(unit == "m/s", f"velocity in rocks.vtp has the unit {unit}")


def read_pvd(frames):
    simple.SaveData(str(OUTPUT / "rocks.pvd"), flow, WriteTimeSteps=1, DataMode="Binary")
    back = all_frames(simple.PVDReader(FileName=str(OUTPUT / "rocks.pvd")))
    check(len(back) == len(frames), f"{len(back)} times in rocks.pvd")
    for (time, expected), read in zip(frames.items(), back.values()):
        check(same_bits(expected, read), f"t = {time} s of rocks.pvd differs")


def read_csv(frames):
    """17 digits give doubles back to the bit; those that are usual, 5, do not."""
    simple.SaveData(str(OUTPUT / "rocks.csv"), flow, WriteTimeSteps=1, AddTime=1, Precision=17, UseScientificNotation=1)
    with open(OUTPUT / "rocks.csv", newline="") as file:
        header, *rows = csv.reader(file)
    column = {name: numpy.array([float(row[index]) for row in rows]) for index, name in enumerate(header)}
    check(len(rows) == sum(len(frame["radius"]) for frame in frames.values()), f"{len(rows)} rows in rocks.csv")
    for time, frame in frames.items():
        here = column["Time"] == time
        check(here.sum() == len(frame["radius"]), f"{here.sum()} rows at t = {time} s in rocks.csv")
        for name, values in frame.items():
            parts = {name: values} if values.ndim == 1 else {f"{name}:{i}": values[:, i] for i in range(3)}
            for part, expected in parts.items():
                check((column[part][here] == expected).all(), f"{part} at t = {time} s of rocks.csv differs")


def columns_of(frame):
    """The variables of a frame as the file has them, without those of coordinates and ids."""
    for name, values in frame.items():
        if name not in ("Points", "particle_id"):
            if values.ndim == 1:
                yield name, values
            else:
                yield from ((f"{name}_{axis}", values[:, i]) for i, axis in enumerate("xyz"))


def read_netcdf4(file, frames):
    with netCDF4.Dataset(file) as data:
        data.set_auto_mask(False)
        check(data.Conventions == "CF-1.9" and data.featureType == "trajectory", "not a file of CF trajectories")
        check("Granular Flow" in data.source and "Lapilli" in data.history, f"source: {data.source}, {data.history}")
        check(data["trajectoryIndex"].instance_dimension == "trajectory", "trajectoryIndex has no instance_dimension")
        check(data["particle_id"].cf_role == "trajectory_id", "particle_id has no cf_role")
        check([data[axis].axis for axis in "xyz"] == ["X", "Y", "Z"] and data["z"].positive == "up", "axes")
        check(data["time"].standard_name == "time" and data["time"].units.startswith("seconds since "), "time")
        units = {name: data[name].units for name in ("velocity_x", "pressure", "density", "temperature", "x")}
        check(units == {"velocity_x": "m/s", "pressure": "Pa", "density": "kg/m^3", "temperature": "K", "x": "m"},
              f"units: {units}")
        check(all(data[name].filters()["zlib"] and data[name].filters()["shuffle"] for name in ("time", "x", "mass")),
              "not compressed")
        check((data["frame_time"][:] == list(frames)).all(), "times of frames")
        starts = list(data["frame_start"][:]) + [len(data.dimensions["obs"])]
        ids = data["particle_id"][:][data["trajectoryIndex"][:]]
        for (time, frame), begin, end in zip(frames.items(), starts, starts[1:]):
            check((data["time"][begin:end] == time).all(), f"time of the rows at t = {time} s")
            check(numpy.array_equal(ids[begin:end], frame["particle_id"]), f"ids at t = {time} s")
            for i, axis in enumerate("xyz"):
                check(numpy.array_equal(data[axis][begin:end], frame["Points"][:, i]), f"{axis} at t = {time} s")
            for name, values in columns_of(frame):
                check(data[name].dtype == values.dtype, f"{name} is {data[name].dtype}")
                check(numpy.array_equal(data[name][begin:end], values), f"{name} at t = {time} s")
                if values.dtype.kind == "f":
                    check(numpy.isnan(data[name].getncattr("_FillValue")), f"{name} has no fill value")


def read_xarray(file, frames):
    """As a user would: one trajectory, one time; with dates."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # what xarray cannot decode it only warns of
        data = xarray.open_dataset(file)
    check(set(data.coords) == {"time", "x", "y", "z"}, f"coordinates: {list(data.coords)}")
    check(data.at_rest.dtype == numpy.uint8 and data.source_id.dtype == numpy.int32, "integers came back as others")
    seconds = (data.time - numpy.datetime64("2026-02-03T04:05:06")) / numpy.timedelta64(1, "s")
    everyone = data.particle_id.values[data.trajectoryIndex.values]
    for particle in data.particle_id.values:
        one = data.isel(obs=everyone == particle)
        seen = [(time, numpy.flatnonzero(frame["particle_id"] == particle)[0]) for time, frame in frames.items()
                if particle in frame["particle_id"]]
        check(len(one.obs) == len(seen), f"particle {particle}: {len(one.obs)} observations of {len(seen)}")
        # xarray's dates are whole nanoseconds.
        check(numpy.abs(seconds.values[everyone == particle] - [time for time, _ in seen]).max() < 2e-9,
              f"dates of particle {particle}")
        expected = numpy.array([frames[time]["Points"][row] for time, row in seen])
        check(numpy.array_equal(numpy.stack([one.x, one.y, one.z], 1), expected), f"way of particle {particle}")
        lived = len(seen) if particle in frames[max(frames)]["particle_id"] else -len(seen)
        yield lived


def pathlines(frames):
    """ParaView draws them while it plays; a rock that lies adds no points, and the line of a lost one goes with it."""
    lines = simple.TemporalParticlesToPathlines(Input=flow, Selection=None, IdChannelArray="particle_id", MaskPoints=1,
                                                MaxTrackLength=len(frames) + 1, MaxStepDistance=[2, 2, 2])
    ways, drawn, longest = {}, 0, 0
    for time, frame in frames.items():
        lines.UpdatePipeline(time)
        data = Fetch(lines)
        points, ids = (vtk_to_numpy(data.GetPoints().GetData()), vtk_to_numpy(data.GetPointData().GetArray("particle_id")))
        offsets = vtk_to_numpy(data.GetLines().GetOffsetsArray())
        corners = vtk_to_numpy(data.GetLines().GetConnectivityArray())
        shown = {}
        for begin, end in zip(offsets, offsets[1:]):
            line = corners[begin:end]
            check(len(set(ids[line])) == 1, f"a line at t = {time} s joins the particles {set(ids[line])}")
            shown[ids[line[0]]] = points[line]
        for row, particle in enumerate(frame["particle_id"]):
            ways.setdefault(particle, []).append(frame["Points"][row])
        flying = [p for row, p in enumerate(frame["particle_id"]) if frame["source_id"][row] == 1 and len(ways[p]) > 1]
        check({p for p in shown if p >= 20} == set(flying), f"lines at t = {time} s: {sorted(shown)} of {flying}")
        for particle in flying:
            way = numpy.array(ways[particle])
            check(shown[particle].shape == way.shape, f"{len(shown[particle])} points of {len(way)} of {particle}")
            # vtkPoints of the filter are floats.
            check(numpy.abs(shown[particle] - way).max() < 1e-5, f"the line of {particle} goes elsewhere at t = {time} s")
            drawn, longest = drawn + 1, max(longest, len(way))
    check(longest >= 5, f"the longest line has {longest} points")
    return drawn


def bulk_density():
    """Interpolated in a heap: that of rock times the share of space that the rocks fill."""
    floor = simple.Plane(Origin=[-2, -2, 0], Point1=[2, -2, 0], Point2=[-2, 2, 0], XResolution=2, YResolution=2)
    terrain = simple.TerrainSurface(Input=floor)
    terrain.UpdatePipeline()
    rocks = simple.ParticleSource(Terrain=terrain, Shape="Box", BoxPosition=[-0.9, -0.9, 0.1], BoxScale=[1.8, 1.8, 4],
                                  RadiusLaw="Uniform", SmallestRadius=0.09, LargestRadius=0.11)
    rocks.NumberOfSeeds = 1100
    heap = simple.GranularFlow(Terrain=terrain, Sources=rocks, Domain=1, DomainLower=[-1, -1, -1], DomainUpper=[1, 1, 9],
                               XLower="Wall", XUpper="Wall", YLower="Wall", YUpper="Wall")
    heap.EndTime, heap.FrameInterval, heap.Device = 1.5, 0.5, "CPU"

    def interpolated(**names):
        volume = simple.SPHVolumeInterpolator(Input=heap, Source="Bounded Volume", Kernel="SPHQuinticKernel", **names)
        # The kernel reaches over three spatial steps: farther than that from the walls and from the top.
        volume.Kernel.SpatialStep = 0.2
        volume.Source.Origin, volume.Source.Scale, volume.Source.Resolution = [-0.3, -0.3, 0.7], [0.6, 0.6, 0.6], [9, 9, 9]
        volume.UpdatePipeline(1.5)
        return vtk_to_numpy(Fetch(volume).GetPointData().GetArray("density")).mean()

    bulk = interpolated(DensityArray="density", MassArray="mass")
    # Equal spheres fill 0.55 (loosest) to 0.64 (densest) of the space at random: Onoda & Liniger, Phys. Rev. Lett. 64 (1990)
    # 2727; Scott & Kilgour, J. Phys. D 2 (1969) 863.
    check(0.55 * 2600 <= bulk <= 0.64 * 2600, f"bulk density {bulk} kg/m3 of rocks with 2600 kg/m3")
    # Without the names the filter takes every rock for a cube of the spatial step.
    check(interpolated() > 0.75 * 2600, "the names of the arrays make no difference")
    return bulk


load_plugin()
flow = thrown_over_the_edge()
frames = all_frames(flow)
counts = [len(frame["particle_id"]) for frame in frames.values()]
check(len(frames) == 16 and counts[0] == 20 and max(counts) > 25 and counts[-1] < 25, f"rocks a frame: {counts}")

offered = vtkSMProxyManager.GetProxyManager().GetWriterFactory().GetSupportedFileTypes(flow.SMProxy, 0)
check("Lapilli trajectories" in offered, "Save Data does not offer netCDF")
shown = set(servermanager.writers.TrajectoryWriter().ListProperties())
check(shown >= {"WriteTimeSteps", "IdArray", "ReferenceTime", "Title", "CompressionLevel"}, f"properties: {shown}")

read_vtp(frames)
read_pvd(frames)
read_csv(frames)

name = str(OUTPUT / "rocks.nc")
simple.SaveData(name, flow, ReferenceTime="2026-02-03 04:05:06", Title="Over the edge", CompressionLevel=4)
read_netcdf4(name, frames)
lives = list(read_xarray(name, frames))
check(len(lives) == 32 and lives.count(16) == 20, f"observations of each rock, negative if lost: {lives}")
check(sum(-16 < life < 0 for life in lives) >= 5, f"too few rocks were lost: {lives}")
with netCDF4.Dataset(name) as data:
    check(data.title == "Over the edge" and data["x"].filters()["complevel"] == 4, "Title or CompressionLevel")

# A filter in between, other names, one time.
renamed = simple.Calculator(Input=simple.Threshold(Input=flow, Scalars=["POINTS", "source_id"], LowerThreshold=1,
                                                   UpperThreshold=1), Function="particle_id", ResultArrayName="grain")
renamed.UpdatePipeline(0.9)
simple.SaveData(str(OUTPUT / "some.nc"), renamed, IdArray="grain", WriteTimeSteps=0)
with netCDF4.Dataset(OUTPUT / "some.nc") as data:
    flying = frames[0.9]["particle_id"][frames[0.9]["source_id"] == 1]
    check((data["time"][:] == 0.9).all() and len(flying) > 5, "WriteTimeSteps=0 wrote another time")
    check(numpy.array_equal(data["particle_id"][:], flying), "the ids of IdArray differ")
    check(data["velocity_x"].units == "m/s", "the unit got lost in the filters")

print(f"{counts} rocks a frame, {pathlines(frames)} lines, bulk density {bulk_density():.0f} kg/m3")
