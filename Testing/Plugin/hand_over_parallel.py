"""Two processes of pvbatch write one netCDF file: of a run, which the first holds, and of points that lie on both."""

import netCDF4
import numpy
from support import OUTPUT, check, load_plugin, simple, small_rockfall


def write():
    load_plugin()
    _, _, flow = small_rockfall(particles=50, end_time=0.3)
    simple.SaveData(str(OUTPUT / "run.nc"), flow)
    cells = simple.CellCenters(Input=simple.Wavelet(WholeExtent=[0, 9, 0, 9, 0, 9]), VertexCells=1)
    numbers = simple.Calculator(Input=cells, ResultArrayName="particle_id",
                                Function="floor(coordsX) + 10 * floor(coordsY) + 100 * floor(coordsZ)")
    numbers.UpdatePipeline()
    check(numbers.GetDataInformation().GetNumberOfPoints() == 729, "not all points are there")
    simple.SaveData(str(OUTPUT / "spread.nc"), numbers)


def read():
    with netCDF4.Dataset(OUTPUT / "run.nc") as data:
        check(len(data.dimensions["obs"]) == 200 and len(data.dimensions["frame"]) == 4, "run.nc is not whole")
        check(numpy.array_equal(data["particle_id"][:], numpy.arange(50)), "ids in run.nc")
    with netCDF4.Dataset(OUTPUT / "spread.nc") as data:
        numbers = data["particle_id"][:][data["trajectoryIndex"][:]]
        x, y, z = (numpy.floor(data[axis][:]) for axis in "xyz")
        check(len(set(numbers)) == 729 and (numbers == x + 10 * y + 100 * z).all(), "points of both processes in spread.nc")


write()
read()
