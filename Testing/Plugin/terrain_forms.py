"""One terrain in many forms: raster, image, quadrilaterals, triangles in any order, grids, several blocks. The rocks go the same
ways."""

import numpy as np
from paraview import simple
from paraview.servermanager import Fetch
from support import ROOT, check, load_plugin, point_arrays

RASTER = str(ROOT / "Data/maunga_whau.tif")
TIMES = (0.0, 3.0, 8.0)

# Runs in the Programmable Filter. What it makes of the height field is chosen by FORM.
MAKE = """
import numpy as np
import vtk
from vtkmodules.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray, vtk_to_numpy

image = self.GetInputDataObject(0, 0)
nx, ny, _ = image.GetDimensions()
z = vtk_to_numpy(image.GetPointData().GetScalars()).reshape(ny, nx)
x = image.GetOrigin()[0] + image.GetSpacing()[0] * np.arange(nx)
y = image.GetOrigin()[1] + image.GetSpacing()[1] * np.arange(ny)
places = np.stack([np.broadcast_to(x, (ny, nx)), np.broadcast_to(y[:, None], (ny, nx)), z], axis=-1)
number = np.arange(nx * ny).reshape(ny, nx)


def points_of(places):
    points = vtk.vtkPoints()
    points.SetData(numpy_to_vtk(np.ascontiguousarray(places.reshape(-1, 3)), deep=True))
    return points


def cells_of(corners):
    cells = vtk.vtkCellArray()
    size = corners.shape[1]
    cells.SetData(numpy_to_vtkIdTypeArray(np.arange(0, corners.size + 1, size), deep=True),
                  numpy_to_vtkIdTypeArray(np.ascontiguousarray(corners).ravel(), deep=True))
    return cells


def quads(columns=slice(None), clockwise=False):
    n = number[:, columns]
    corners = np.stack([n[:-1, :-1], n[:-1, 1:], n[1:, 1:], n[1:, :-1]], axis=-1).reshape(-1, 4)
    return corners[:, ::-1] if clockwise else corners


def sheet(corners, places=places):
    data = vtk.vtkPolyData()
    data.SetPoints(points_of(places))
    data.SetPolys(cells_of(corners))
    return data


def grid(columns):
    data = vtk.vtkStructuredGrid()
    part = places[:, columns]
    data.SetDimensions(part.shape[1], part.shape[0], 1)
    data.SetPoints(points_of(part))
    return data
"""

FORMS = {
    "quadrilaterals that wind downward": ("vtkPolyData", "output.ShallowCopy(sheet(quads(clockwise=True)))"),
    "quadrilaterals in any order": ("vtkPolyData", """
corners = quads()
np.random.default_rng(1).shuffle(corners)
output.ShallowCopy(sheet(corners))
"""),
    "triangle strips": ("vtkPolyData", """
strips = vtk.vtkCellArray()
for corners in quads():
    a, b, c, d = (int(p) for p in corners)
    # Of two triangles, cut along the shorter diagonal.
    length = lambda p, q: np.linalg.norm(places.reshape(-1, 3)[p] - places.reshape(-1, 3)[q])
    first, second, third, fourth = (b, c, a, d) if length(a, c) <= length(b, d) else (a, b, d, c)
    strips.InsertNextCell(4, [first, second, third, fourth])
data = sheet(quads()[:0])
data.SetStrips(strips)
output.ShallowCopy(data)
"""),
    "an unstructured grid of points that are not shared": ("vtkUnstructuredGrid", """
corners = quads()
output.SetPoints(points_of(places.reshape(-1, 3)[corners.ravel()]))
output.SetCells(vtk.VTK_QUAD, cells_of(np.arange(corners.size).reshape(-1, 4)))
"""),
    "a structured grid": ("vtkStructuredGrid", "output.ShallowCopy(grid(slice(None)))"),
    "blocks inside blocks, of several kinds": ("vtkMultiBlockDataSet", """
inner = vtk.vtkMultiBlockDataSet()
inner.SetBlock(0, grid(slice(60, None)))
inner.SetBlock(1, vtk.vtkPolyData())
output.SetBlock(0, sheet(quads(slice(0, 31))))
output.SetBlock(1, sheet(quads(slice(30, 61), clockwise=True)))
output.SetBlock(3, inner)
"""),
}


# Whose triangles begin at other corners.
ROUNDED = ("triangle strips",)


def programmable(source, kind, script):
    numbers = {"vtkPolyData": 0, "vtkStructuredGrid": 2, "vtkUnstructuredGrid": 4, "vtkMultiBlockDataSet": 13}
    filter = simple.ProgrammableFilter(Input=source, OutputDataSetType=numbers[kind], Script=MAKE + """
output = self.GetOutputDataObject(0)
""" + script)
    filter.UpdatePipeline()
    return filter


def ways(terrain):
    """Where the rocks are at some times, in the order of their numbers, and that they have met the ground."""
    seeds = simple.ProgrammableSource(Script="""
import vtk
points = vtk.vtkPoints()
points.SetDataTypeToDouble()
for i in range(60):
    points.InsertNextPoint(640 + 4 * (i % 10), 280 + 7.5 * (i // 10), 230 + i % 7)
self.GetOutputDataObject(0).SetPoints(points)
""")
    flow = simple.GranularFlow(Terrain=terrain, Sources=seeds, EndTime=TIMES[-1], FrameInterval=0.5, DefaultRadius=1.5)
    result = {}
    for time in TIMES:
        arrays = point_arrays(flow, time)
        order = np.argsort(arrays["particle_id"])
        result[time] = arrays["Points"][order]
    check(len(result[TIMES[-1]]) == 60, f"{60 - len(result[TIMES[-1]])} rocks were lost")
    check(np.linalg.norm(result[8.0] - result[3.0], axis=1).max() > 5, "nothing rolls")
    simple.Delete(flow)
    simple.Delete(seeds)
    return result


def main():
    load_plugin()
    image = simple.TerrainReader(FileName=RASTER, Output="Height Field")
    image.UpdatePipeline()
    forms = {
        "a height field": image,
        "triangles of the raster": simple.TerrainReader(FileName=RASTER),
        "cells of ParaView's own reader": simple.GDALRasterReader(FileName=RASTER),
        "a Terrain Surface of the image": simple.TerrainSurface(Input=image),
        "an Esri ASCII grid": simple.TerrainReader(FileName=str(ROOT / "Data/maunga_whau.asc")),
        "a warped sheet": simple.WarpByScalar(Input=image, Scalars=["POINTS", "elevation"]),
    }
    for name, (kind, script) in FORMS.items():
        forms[name] = programmable(image, kind, script)
    expected = None
    for name, terrain in forms.items():
        terrain.UpdatePipeline()
        found = ways(terrain)
        expected = expected or found
        apart = np.max([np.abs(found[time] - expected[time]) for time in TIMES])
        print(f"{name}: {apart:.3g} m apart from the height field's")
        # Corners of triangles in another order, as strips and shuffled points have them, round otherwise in the sixteenth digit.
        check(apart <= 1e-5, f"{name}: rocks are {apart} m apart from where they are on the height field")
        check(apart == 0 or name in ROUNDED, f"{name}: {apart} m, although nothing is in another order")


main()
