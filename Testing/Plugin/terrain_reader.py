"""Terrain Reader as users meet it: files are opened by their extension, properties are set by name, and what it reads feeds
Granular Flow, with the same rocks as through ParaView's GDAL Raster Reader and Terrain Surface.
"""

import numpy
from paraview import servermanager
from support import OUTPUT, ROOT, check, load_plugin, point_arrays, same_bits, simple

RASTER, TEXT = str(ROOT / "Data/maunga_whau.tif"), str(ROOT / "Data/maunga_whau.asc")


def rockfall(terrain):
    terrain.UpdatePipeline()
    rocks = simple.ParticleSource(Terrain=terrain, Shape="Disc", DiscCenter=[690, 300, 0], DiscRadius=25, Radius=2)
    rocks.NumberOfSeeds = 100
    flow = simple.GranularFlow(Terrain=terrain, Sources=rocks)
    flow.EndTime, flow.FrameInterval, flow.Device = 1.0, 0.5, "CPU"
    return flow


def write_text(name, heights, corner, cell, no_data):
    """An Esri ASCII grid, its first row in the north."""
    rows, columns = heights.shape
    header = [f"ncols {columns}", f"nrows {rows}", f"xllcorner {corner[0]}", f"yllcorner {corner[1]}",
              f"cellsize {cell}", f"NODATA_value {no_data}"]
    file = OUTPUT / name
    file.write_text("\n".join(header + [" ".join(str(z) for z in row) for row in heights]) + "\n", encoding="ascii")
    return str(file)


def readers_offered(file):
    """Labels of the readers that File > Open has for a file."""
    factory = servermanager.vtkSMProxyManager.GetProxyManager().GetReaderFactory()
    found = factory.GetReaders(file, servermanager.ActiveConnection.Session)
    return [found.GetString(row) for row in range(2, found.GetNumberOfStrings(), 3)]


load_plugin()
check(simple.OpenDataFile(TEXT).GetXMLLabel() == "Terrain Reader", "OpenDataFile takes another reader for .asc")
opened = simple.OpenDataFile(RASTER)
offered = readers_offered(RASTER)
check("Terrain Reader" in offered, f"File > Open offers for .tif: {offered}")

terrain = simple.TerrainReader(FileName=RASTER)
check(list(terrain.RasterSize) == [87, 61] and list(terrain.OutputSize) == [87, 61], "sizes before Apply")
check(0 < terrain.EstimatedMemory < 10, f"memory before Apply: {terrain.EstimatedMemory} MB")
through_paraview = simple.TerrainSurface(Input=simple.GDALRasterReader(FileName=RASTER))
flows = [rockfall(terrain), rockfall(through_paraview), rockfall(simple.TerrainReader(FileName=TEXT))]
for time in (0, 0.5, 1.0):
    one, other, text = [point_arrays(flow, time) for flow in flows]
    check(len(one["radius"]) == 100, f"{len(one['radius'])} rocks")
    check(same_bits(one, other), f"other rocks than through the GDAL Raster Reader at t = {time} s")
    check(same_bits(one, text), f"other rocks on the .asc at t = {time} s")
check(one["velocity"].any(), "the rocks do not move")

# A pool of no data inside, a sea of it beside, in degrees, with blanks and Cyrillic in the name.
heights = numpy.add.outer(3 * numpy.arange(60), 2 * numpy.arange(80)) + 100
heights[20:24, 30:33] = -9999
heights[:, 70:] = -9999
degrees = write_text("Рельеф в градусах.asc", heights, (10.0, 46.0), 0.001, -9999)
reader = simple.OpenDataFile(degrees)
reader.SourceEPSG, reader.FillHoles, reader.FillDistance = 4326, 1, 20
reader.UpdatePipeline()
check(reader.EPSG == 32632 and "zone 32N" in reader.CoordinateSystem, f"coordinates: {reader.CoordinateSystem}")
check(reader.NoDataCells == 12 + 600, f"{reader.NoDataCells} cells without data")
# A cell of the file is 77 m x 111 m, one of the terrain about 90 m x 90 m.
check(8 <= reader.FilledCells <= 18, f"{reader.FilledCells} filled")
check("Re-projected" in reader.Report and "filled" in reader.Report, reader.Report)
area = 0.001 ** 2 * 111.15e3 * 77.35e3 * (70 * 60 - 12)
check(abs(reader.ValidArea / area - 1) < 0.02, f"area {reader.ValidArea} m2, expected {area}")
check(0 < reader.MeshArea < area, f"area of triangles {reader.MeshArea} m2")
check(reader.Triangles > 5000 and reader.CellSize[0] == reader.CellSize[1], "triangles or cells")

reader.Clip, reader.ClipCoordinates, reader.ClipBox = 1, "File", [10.01, 10.02, 46.01, 46.02]
reader.UpdatePipeline()
check(abs(reader.ValidArea / (100 * 1e-6 * 111.15e3 * 77.35e3) - 1) < 0.15, f"area of a part {reader.ValidArea} m2")

reader.Clip, reader.Stride, reader.Band, reader.TargetEPSG, reader.HeightUnit = 0, 2, 1, 3035, "Foot"
reader.HeightRange, reader.MaximumCells, reader.MemoryLimit, reader.Subdataset = [0, 1000], 500, 100, "(automatic)"
reader.UpdatePipeline()
check(reader.EPSG == 3035, f"EPSG {reader.EPSG}")
check(reader.OutputSize[0] * reader.OutputSize[1] < 1000 and "0.3048" in reader.Report, reader.Report)

image = simple.TerrainReader(FileName=RASTER, Output="Height Field")
contour = simple.Contour(Input=image, ContourBy=["POINTS", "elevation"], Isosurfaces=[150.0])
contour.UpdatePipeline()
check(servermanager.Fetch(image).GetClassName() == "vtkImageData", "the height field is no image")
check(servermanager.Fetch(contour).GetNumberOfCells() > 50, "no contour lines on the height field")

with open("/proc/self/maps", encoding="ascii") as maps:
    libraries = {line.split()[-1] for line in maps if "/libgdal" in line}
check(len(libraries) == 1, f"several GDALs in one process: {libraries}")
print(f"OpenDataFile on .tif: {opened.GetXMLLabel()}; offered: {offered}; {reader.Report}")
