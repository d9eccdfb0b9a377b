"""What the example scenes share: finding the plugin, pictures, files, progress.

A scene calls start() first, load_lapilli() next, builds its pipeline with paraview.simple, and hands
the simulation to record(), which plays it and writes everything as it goes.
"""

import argparse
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class Options:
    """What the command line asked for."""

    def __init__(self, name, output, data, quick, pictures):
        self.name = name          # of the scene and of all its files
        self.output = output      # folder
        self.data = data          # folder with files that are not part of the project; None where none are needed
        self.quick = quick        # a small run, for a first look and for tests
        self.pictures = pictures  # whether anything can be drawn here


def say(text):
    """Prints a line at once: pvpython's own print waits, in a file or a pipe, until much has been said."""
    os.write(1, (text + "\n").encode())


def start(description, data=None):
    """Reads `OUTPUT_DIR [--quick]`, makes the folder and sees to it that pictures can be drawn.

    `data` says what is in the folder DATA_DIR, for scenes that need one.
    """
    script = Path(sys.argv[0])
    parser = argparse.ArgumentParser(prog=f"pvpython {script}", description=description,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", metavar="OUTPUT_DIR", help="folder for the results")
    if data:
        parser.add_argument("data", metavar="DATA_DIR", nargs="?", default=".", help=f"folder with {data}")
    parser.add_argument("--quick", action="store_true",
                        help="fewer particles and frames: under a minute")
    arguments = parser.parse_args()

    pictures = bool(os.environ.get("DISPLAY")) or _start_again_with_x_server()
    if not pictures:
        say("No X server here, and xvfb-run (Debian: apt-get install xvfb xauth) cannot start one: "
            "no pictures and no movie will be made.")
    output = Path(arguments.output).resolve()
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        sys.exit(f"OUTPUT_DIR {output} cannot be made ({error.strerror}): name another folder.")
    return Options(script.stem, output, Path(arguments.data).resolve() if data else None, arguments.quick, pictures)


def _start_again_with_x_server():
    """Replaces this process by itself under a virtual X server; returns False where there is none.

    ParaView crashes, rather than fails, when it draws without an X server: so first try.
    """
    xvfb = shutil.which("xvfb-run")

    def under_x(attempt, *command):  # -n: two runs that start at once must not choose one display
        return [xvfb, "-a", "-n", str(100 + 2 * (os.getpid() % 5000) + attempt), *command]

    works = xvfb and subprocess.run(under_x(0, "true"), stdout=subprocess.DEVNULL,
                                    stderr=subprocess.DEVNULL).returncode == 0
    if works:
        # On a busy machine, threads that wait by spinning make a run ten times slower.
        os.environ.setdefault("GOMP_SPINCOUNT", "10000")
        this_program = os.readlink("/proc/self/exe")  # pvpython or pvbatch
        os.execv(xvfb, under_x(1, this_program, *sys.argv))
    return False


def load_lapilli(namespace):
    """Loads the plugin; its filters become functions in `namespace`, as in load_lapilli(globals()).

    Looks where LAPILLI_PLUGIN points, else for the newest build in this source tree.
    """
    from paraview.simple import LoadPlugin
    asked = os.environ.get("LAPILLI_PLUGIN")
    built = [asked] if asked else sorted((ROOT / "build").glob("*/lib/*/plugins/Lapilli/Lapilli.so"),
                                         key=os.path.getmtime)
    if not built or not Path(built[-1]).is_file():
        sys.exit(f"Lapilli's plugin is missing ({asked or ROOT / 'build'}): build it with "
                 f"{ROOT}/Plugin/demo.sh, or let LAPILLI_PLUGIN name the file Lapilli.so.")
    LoadPlugin(str(built[-1]), remote=False, ns=namespace)


def data(name):
    """Path of a file in the project's folder Data."""
    return str(ROOT / "Data" / name)


# ------------------------------------------------------------------------------- how things look

def make_view(camera, focus):
    """A view of 1600 x 900 pixels from `camera` to `focus` [m], north or up where it should be."""
    from paraview.simple import CreateView
    view = CreateView("RenderView")
    view.ViewSize = [1600, 900]
    view.CameraPosition, view.CameraFocalPoint, view.CameraViewUp = camera, focus, [0, 0, 1]
    view.OrientationAxesVisibility = 0
    view.UseColorPaletteForBackground = 0
    view.BackgroundColorMode = "Gradient"
    view.Background, view.Background2 = [0.94, 0.95, 0.96], [0.60, 0.72, 0.85]  # horizon, sky
    view.KeyLightWarmth = 0.55
    return view


def show_terrain(terrain, view, contour_interval):
    """The terrain in the colours of a map, with a contour line every so many metres."""
    from paraview.simple import ColorBy, GenerateSurfaceNormals, GetColorTransferFunction, Show
    terrain.UpdatePipeline()
    low, high = terrain.GetDataInformation().GetBounds()[4:6]

    smooth = GenerateSurfaceNormals(Input=terrain, Splitting=0)  # shading without facets
    surface = Show(smooth, view)
    ColorBy(surface, ("POINTS", "elevation"))
    surface.SetScalarBarVisibility(view, False)
    surface.Specular = 0
    green, olive, sand, brown, grey = ([0.36, 0.47, 0.31], [0.50, 0.57, 0.37], [0.68, 0.64, 0.47],
                                       [0.65, 0.54, 0.42], [0.82, 0.78, 0.72])
    colors = GetColorTransferFunction("elevation")
    colors.ColorSpace = "Lab"
    colors.RGBPoints = [value for share, color in ((0, green), (0.2, olive), (0.45, sand),
                                                   (0.7, brown), (1, grey))
                        for value in (low + share * (high - low), *color)]

    _show_heights(terrain, view, contour_interval)


def show_particles(flow, view, greatest_speed, magnified=1):
    """Every particle as a sphere of so many times its true radius, coloured by speed [m/s]; with a legend."""
    from paraview.simple import ColorBy, GetColorTransferFunction, Show
    particles = Show(flow, view)
    particles.SetRepresentationType("Point Gaussian")
    particles.ShaderPreset = "Sphere"
    particles.GaussianRadius = magnified
    particles.ScaleByArray = 1
    particles.SetScaleArray = ["POINTS", "radius"]
    particles.UseScaleFunction = 0
    ColorBy(particles, ("POINTS", "velocity", "Magnitude"))

    colors = GetColorTransferFunction("velocity")
    colors.ColorSpace = "Lab"
    stone, ember, orange, pale = ([0.30, 0.29, 0.30], [0.62, 0.16, 0.12], [0.95, 0.55, 0.12],
                                  [1.00, 0.95, 0.65])
    colors.RGBPoints = [value for share, color in ((0, stone), (0.3, ember), (0.65, orange), (1, pale))
                        for value in (share * greatest_speed, *color)]
    colors.AutomaticRescaleRangeMode = "Never"

    legend = _legend(colors, view, "speed [m/s]")
    legend.Position, legend.ScalarBarLength = [0.71, 0.03], 0.26
    legend.LabelFormat = legend.RangeLabelFormat = "%.0f"
    particles.SetScalarBarVisibility(view, True)


def show_depths(places, view, deepest, radius):
    """Points below the ground as spheres of a radius, from pale to purple down to `deepest` [m]."""
    from paraview.simple import Calculator, ColorBy, GetColorTransferFunction, Show
    depth = Calculator(Input=places, ResultArrayName="depth", Function="-coordsZ/1000")
    shown = Show(depth, view)
    shown.SetRepresentationType("Point Gaussian")
    shown.ShaderPreset = "Sphere"
    shown.GaussianRadius = radius
    shown.ScaleByArray = 0
    ColorBy(shown, ("POINTS", "depth"))
    colors = GetColorTransferFunction("depth")
    colors.ColorSpace = "Lab"
    colors.RGBPoints = [value for share, color in ((0, [0.98, 0.62, 0.45]), (0.5, [0.70, 0.20, 0.42]),
                                                   (1, [0.22, 0.10, 0.38]))
                        for value in (share * deepest / 1000, *color)]
    colors.AutomaticRescaleRangeMode = "Never"
    legend = _legend(colors, view, "depth [km]")
    legend.Position, legend.ScalarBarLength = [0.71, 0.16], 0.26
    legend.LabelFormat = legend.RangeLabelFormat = "%.0f"
    shown.SetScalarBarVisibility(view, True)


def show_body(body, view, position=(0, 0, 0)):
    """An obstacle, in dark grey."""
    from paraview.simple import Show
    shown = Show(body, view)
    shown.SetRepresentationType("Surface")
    shown.ColorArrayName = [None, ""]
    shown.AmbientColor = shown.DiffuseColor = [0.35, 0.36, 0.38]
    shown.Position = position


def _show_heights(terrain, view, contour_interval, position=(0, 0, 0)):
    """Contour lines of the terrain, one every so many metres."""
    low, high = terrain.GetDataInformation().GetBounds()[4:6]
    first, last = int(low // contour_interval) + 1, int(high // contour_interval)
    drawn = _show_contours(terrain, view, "elevation",
                           [step * contour_interval for step in range(first, last + 1)], position)
    drawn.AmbientColor = drawn.DiffuseColor = [0.25, 0.20, 0.15]
    drawn.Opacity = 0.45
    drawn.LineWidth = 1


def _show_contours(surface, view, array, values, position):
    from paraview.simple import Contour, Show
    lines = Contour(Input=surface, ContourBy=["POINTS", array], Isosurfaces=values, ComputeScalars=0)
    drawn = Show(lines, view)
    drawn.ColorArrayName = [None, ""]
    drawn.Position = [position[0], position[1], position[2] + 0.2]  # just above the surface
    return drawn


def _legend(colors, view, title):
    from paraview.simple import GetScalarBar
    legend = GetScalarBar(colors, view)
    legend.Title, legend.ComponentTitle = title, ""
    legend.Orientation = "Horizontal"
    legend.WindowLocation = "Any Location"
    legend.TitleFontSize, legend.LabelFontSize = 22, 20
    legend.TitleColor = legend.LabelColor = [0.1, 0.1, 0.1]
    return legend


def _write(view, words, position, size=26):
    """Text in the picture; returns what holds its words."""
    from paraview.simple import Show, Text
    text = Text(Text=words)
    shown = Show(text, view)
    shown.WindowLocation = "Any Location"
    shown.Position = position
    shown.FontSize = size
    shown.Color = [0.1, 0.1, 0.1]
    shown.Justification = "Left"
    return text


# ------------------------------------------------------------------------------ maps and charts

def draw_map(maps, terrain, options, name, array, title, levels, contour_interval, scale=1, lines=(), bodies=None):
    """NAME.png: an array of the output Terrain Maps, seen from above, in classes between `levels`.

    `maps` holds the outputs by caption, drawn side by side; `bodies` the obstacle of those that have one. Lines are
    drawn at the levels in `lines`. Below the first level the terrain stays grey, above the last one the highest class
    goes on. `scale` brings the array to the unit of title and levels.
    """
    from paraview.simple import (Calculator, CellDatatoPointData, ColorBy, CreateView, GetColorTransferFunction, Show,
                                 Threshold)
    x0, x1, y0, y1, low, high = terrain.GetDataInformation().GetBounds()
    gap = 0.06 * (x1 - x0)
    width, height = len(maps) * (x1 - x0 + gap) - gap, y1 - y0
    half = max(height / 1.7, width / 2.5)  # of what the picture shows from bottom to top [m]
    view = CreateView("RenderView")
    view.ViewSize = [1600, 1000]
    view.OrientationAxesVisibility = 0
    view.UseColorPaletteForBackground = 0
    view.Background = [1, 1, 1]
    view.ViewTime = max(next(iter(maps.values())).TimestepValues)
    x, y = x0 - 0.1 * half + 1.6 * half, (y0 + y1) / 2 + 0.04 * half  # the legend is on the right
    view.CameraFocalPoint, view.CameraPosition, view.CameraViewUp = [x, y, low], [x, y, high + 1000], [0, 1, 0]
    view.CameraParallelProjection, view.CameraParallelScale = 1, half

    colors = GetColorTransferFunction(f"{name}_class")
    colors.InterpretValuesAsCategories = 1
    colors.Annotations = [text for number, (least, most) in enumerate(zip(levels, [*levels[1:], None]), start=1)
                          # Away from the legend's tick, which else reads as a minus.
                          for text in (str(number), f"  {least:g} to {most:g}" if most else f"  above {least:g}")]
    palette = [[1.00, 0.95, 0.62], [0.99, 0.77, 0.32], [0.94, 0.47, 0.20], [0.76, 0.13, 0.16], [0.36, 0.03, 0.22]]
    first = max(0, 4 - len(levels))
    colors.IndexedColors = [part for color in palette[first:first + len(levels)] for part in color]
    value_class = "+".join(f"if({name}_map>={level},1,0)" for level in levels)

    for number, (caption, output) in enumerate(maps.items()):
        place = [number * (x1 - x0 + gap), 0, 0]
        _show_relief(terrain, view, place)
        _show_heights(terrain, view, contour_interval, place)
        scaled = Calculator(Input=output, AttributeType="Cell Data", ResultArrayName=f"{name}_map",
                            Function=f"{array}*{scale}")
        classed = Calculator(Input=scaled, AttributeType="Cell Data", ResultArrayName=f"{name}_class",
                             Function=value_class)
        reached = Threshold(Input=classed, Scalars=["CELLS", f"{name}_map"])
        reached.ThresholdMethod = "Above Upper Threshold"
        reached.UpperThreshold = levels[0]  # set after the array, whose range would else replace it
        drawn = Show(reached, view)
        ColorBy(drawn, ("CELLS", f"{name}_class"))
        drawn.Position, drawn.Opacity = [place[0], 0, 0.3], 0.8  # hills shine through
        drawn.Ambient, drawn.Diffuse, drawn.Specular = 1, 0, 0
        if lines:
            drawn = _show_contours(CellDatatoPointData(Input=scaled), view, f"{name}_map", lines, (place[0], 0, 1))
            drawn.AmbientColor = drawn.DiffuseColor = [0.1, 0.1, 0.1]
            drawn.LineWidth = 1.5
        if bodies and caption in bodies:
            show_body(bodies[caption], view, [place[0], 0, 5])
        _write(view, caption, [(0.1 * half + place[0]) / (3.2 * half), 0.5 + (y1 - y) / (2 * half) + 0.012])
    legend = _legend(colors, view, "")  # its own title would be centred over the bar, into the map
    legend.Orientation, legend.TextPosition = "Vertical", "Ticks left/bottom, annotations right/top"
    legend.Position, legend.ScalarBarLength, legend.ScalarBarThickness = [0.83, 0.4], 0.06 * len(levels), 30
    _write(view, title.replace(" [", "\n["), [0.83, 0.42 + 0.06 * len(levels)], size=22)
    legend.Visibility = 1
    _show_scale(view, [x0, y0 - 0.06 * half, high], half)
    _save(view, f"{options.output / options.name}_{name}.png")


def _show_scale(view, place, half):
    """A bar of 100 m from a place on."""
    from paraview.simple import Line, Show
    bar = Show(Line(Point1=place, Point2=[place[0] + 100, *place[1:]]), view)
    bar.ColorArrayName = [None, ""]
    bar.AmbientColor = bar.DiffuseColor = [0.1, 0.1, 0.1]
    bar.LineWidth = 5
    _write(view, "100 m, north is up", [(0.14 * half + 100) / (3.2 * half), 0.02], size=20)


def _show_relief(terrain, view, position):
    """The terrain in greys, as if lit from the north-west."""
    from paraview.simple import Calculator, ColorBy, GenerateSurfaceNormals, GetColorTransferFunction, Show
    normals = GenerateSurfaceNormals(Input=terrain, Splitting=0)
    shade = Calculator(Input=normals, ResultArrayName="shade", Function="0.7*Normals_Z-0.5*Normals_X+0.5*Normals_Y")
    ground = Show(shade, view)
    ColorBy(ground, ("POINTS", "shade"))
    ground.Ambient, ground.Diffuse, ground.Specular = 1, 0, 0
    ground.Position = position
    ground.SetScalarBarVisibility(view, False)
    colors = GetColorTransferFunction("shade")
    colors.RGBPoints = [0, 0.60, 0.60, 0.60, 1, 0.99, 0.99, 0.98]
    colors.AutomaticRescaleRangeMode = "Never"


def draw_chart(options, name, title, across, left, right=None):
    """NAME.png: a chart of columns over another one. `across` is a pair of label and values; `left` and `right` hold
    the values of the lines by label, for the axes on either side.
    """
    from paraview.simple import CreateView, PVTrivialProducer, Show
    from vtkmodules.util.numpy_support import numpy_to_vtk
    from vtkmodules.vtkCommonDataModel import vtkTable
    from vtkmodules.vtkRenderingFreeType import vtkFreeTypeTools
    # Text in a view of another kind leaves this off, and then charts draw specks below their labels.
    vtkFreeTypeTools.GetInstance().SetScaleToPowerTwo(True)
    right = right or {}
    if right:
        left = {f"{label}, left axis": values for label, values in left.items()}
        right = {f"{label}, right axis": values for label, values in right.items()}
    table = vtkTable()
    for label, values in [across, *left.items(), *right.items()]:
        column = numpy_to_vtk(values, deep=True)
        column.SetName(label)
        table.AddColumn(column)
    producer = PVTrivialProducer()
    producer.GetClientSideObject().SetOutput(table)
    producer.UpdatePipeline()

    view = CreateView("XYChartView")
    view.ViewSize = [1600, 900]
    view.ChartTitle, view.BottomAxisTitle, view.BottomAxisTitleBold = title, across[0], 0
    view.ChartTitleFontSize = view.BottomAxisTitleFontSize = 24
    view.LegendFontSize, view.LegendLocation = 22, "TopLeft"
    view.LeftAxisLabelFontSize = view.BottomAxisLabelFontSize = view.RightAxisLabelFontSize = 20
    shown = Show(producer, view, "XYChartRepresentation")
    shown.AttributeType, shown.UseIndexForXAxis, shown.XArrayName = "Row Data", 0, across[0]
    shown.SeriesVisibility = [*left, *right]
    palette = ["0.75", "0.12", "0.16", "0.15", "0.30", "0.55", "0.3", "0.3", "0.3"]
    shown.SeriesColor = [item for number, label in enumerate([*left, *right])
                         for item in (label, *palette[3 * number:3 * number + 3])]
    shown.SeriesLineThickness = [item for label in [*left, *right] for item in (label, "3")]
    shown.SeriesPlotCorner = [item for label in left for item in (label, "0")] + \
                             [item for label in right for item in (label, "1")]
    _save(view, f"{options.output / options.name}_{name}.png")


def _save(view, file):
    from paraview.simple import SaveScreenshot
    SaveScreenshot(file, view)
    say(f"written: {file}")


# ------------------------------------------------------------------------------------- obstacles

def highest(terrain):
    """The highest point (x, y, z) of a terrain [m]."""
    from paraview.servermanager import Fetch
    from vtkmodules.util.numpy_support import vtk_to_numpy
    places = vtk_to_numpy(Fetch(terrain).GetPoints().GetData())
    return places[places[:, 2].argmax()]


def contour(terrain, height, south, north, count=50):
    """So many places (x, y, z) along the terrain's contour line of a height [m], which runs from south to north."""
    import numpy
    from paraview.servermanager import Fetch
    from paraview.simple import Contour
    from vtkmodules.util.numpy_support import vtk_to_numpy
    line = Contour(Input=terrain, ContourBy=["POINTS", "elevation"], Isosurfaces=[height])
    x, y = vtk_to_numpy(Fetch(line).GetPoints().GetData())[:, :2].T
    order = numpy.argsort(y)
    return [(numpy.interp(place, y[order], x[order]), place, height)
            for place in numpy.linspace(south, north, count)]


def wall(foot, height, thickness, name):
    """A wall along places (x, y, z) on the ground [m]: a closed body, to be an obstacle called `name`."""
    import numpy
    from paraview.simple import PVTrivialProducer
    from vtkmodules.vtkCommonCore import vtkPoints, vtkStringArray
    from vtkmodules.vtkCommonDataModel import VTK_HEXAHEDRON, vtkUnstructuredGrid
    foot = numpy.array(foot)
    along = numpy.gradient(foot[:, :2], axis=0)
    aside = thickness / 2 * numpy.stack([along[:, 1], -along[:, 0]], axis=1) / numpy.hypot(*along.T)[:, None]
    points, grid, title = vtkPoints(), vtkUnstructuredGrid(), vtkStringArray()
    points.SetDataTypeToDouble()
    for (x, y, z), (dx, dy) in zip(foot, aside):
        for side, level in ((-1, -thickness), (1, -thickness), (1, height), (-1, height)):  # it is let into the slope
            points.InsertNextPoint(x + side * dx, y + side * dy, z + level)
    grid.SetPoints(points)
    for first in range(0, 4 * (len(foot) - 1), 4):
        grid.InsertNextCell(VTK_HEXAHEDRON, 8, list(range(first, first + 8)))
    title.SetName("name")
    title.InsertNextValue(name)
    grid.GetFieldData().AddArray(title)
    body = PVTrivialProducer()
    body.GetClientSideObject().SetOutput(grid)
    body.UpdatePipeline()
    return body


# ------------------------------------------------------------------------------------- recording

def record(flow, options, title, view=None, picture_at=0.5):
    """Plays the simulation from its first to its last frame and writes, as it goes,

    NAME.pvd with its files (the series for ParaView), NAME.png (the frame at the share `picture_at` of
    the run) and a movie; at the end it prints the run's summary.
    """
    flow.UpdatePipelineInformation()
    times = list(flow.TimestepValues)
    series = _Series(options, flow)
    movie = _Movie(options, view) if view and options.pictures else None
    caption = _write(view, "", [0.025, 0.89]) if movie else None
    started = time.monotonic()

    for index, now in enumerate(times):
        flow.UpdatePipeline(now)
        reached = field(flow, "time")
        if reached is None or abs(reached - now) > 1e-6 * max(1, now):
            sys.exit(f"The run stopped before t = {now:g} s; the frames until then are in {options.output}.")
        series.add(now)
        if movie:
            caption.Text = f"{title}\nt = {now:.1f} s"
            movie.add(now, picture=index == round(picture_at * (len(times) - 1)))

        passed = time.monotonic() - started
        left = passed / (index + 1) * (len(times) - index - 1)
        say(f"frame {index + 1}/{len(times)}  t = {now:.2f} s  {field(flow, 'particles'):,.0f} particles  "
            f"{field(flow, 'steps'):,.0f} steps  {_clock(left)} to go")

    files = [series.path]
    if movie:
        files += movie.finish()
    wall_time = time.monotonic() - started
    say(f"\n{flow.Report}\nwall time: {wall_time:.1f} s")
    for file in files:
        say(f"written: {file}")


def field(flow, name):
    """The value of a field-data array of one number, None where it is absent."""
    array = flow.FieldData[name]
    return array.GetRange()[0] if array else None


def greatest(port, name):
    """The greatest value of a cell array of Terrain Maps or of a column of History."""
    information = port.GetDataInformation()
    arrays = information.GetCellDataInformation().GetArrayInformation(name) or \
        information.GetRowDataInformation().GetArrayInformation(name)
    return arrays.GetComponentRange(0)[1]


def points(flow):
    """The particles' arrays and their places "x", "y", "z", as numpy arrays by name."""
    from paraview.servermanager import Fetch
    from vtkmodules.util.numpy_support import vtk_to_numpy
    data = Fetch(flow)
    return {**_arrays(data.GetPointData()), **dict(zip("xyz", vtk_to_numpy(data.GetPoints().GetData()).T))}


def history(flow):
    """The columns of the output History as numpy arrays by name."""
    from paraview.servermanager import Fetch
    return _arrays(Fetch(flow, idx=2).GetRowData())


def _arrays(attributes):
    from vtkmodules.util.numpy_support import vtk_to_numpy
    arrays = [attributes.GetArray(number) for number in range(attributes.GetNumberOfArrays())]
    return {array.GetName(): vtk_to_numpy(array) for array in arrays if array}


def _clock(seconds):
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


class _Series:
    """NAME.pvd and one file a frame in the folder NAME; can be opened while it grows."""

    def __init__(self, options, proxy):
        from paraview.simple import CreateWriter
        self.path = options.output / f"{options.name}.pvd"
        self.folder = options.output / options.name
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()
        self.entries = []
        # Inline binary: the readers of Debian 12's ParaView fail on the default, appended data.
        self.writer = CreateWriter(str(self.folder / "frame.vtp"), proxy, DataMode="Binary",
                                   CompressorType="ZLib", CompressionLevel="1")

    def add(self, now):
        file = f"{self.folder.name}/{self.folder.name}_{len(self.entries):04d}.vtp"
        self.writer.FileName = str(self.path.parent / file)
        self.writer.UpdatePipeline(now)
        self.entries.append(f'    <DataSet timestep="{now!r}" part="0" file="{file}"/>\n')
        unfinished = self.path.with_suffix(".tmp")
        unfinished.write_text('<?xml version="1.0"?>\n<VTKFile type="Collection" version="0.1">\n'
                              "  <Collection>\n" + "".join(self.entries) +
                              "  </Collection>\n</VTKFile>\n")
        unfinished.replace(self.path)  # a reader never meets half a file


class _Movie:
    """One picture a frame, and at the end a movie of them."""

    FRAMES_PER_SECOND = 20

    def __init__(self, options, view):
        self.view = view
        self.name = options.output / options.name
        self.folder = options.output / f"{options.name}_pictures"
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()
        self.count = 0

    def add(self, now, picture):
        from paraview.simple import SaveScreenshot
        self.view.ViewTime = now
        file = self.folder / f"{self.count:04d}.png"
        SaveScreenshot(str(file), self.view, CompressionLevel="1")
        if picture:
            shutil.copy(file, f"{self.name}.png")
        self.count += 1

    def finish(self):
        picture, ffmpeg = f"{self.name}.png", shutil.which("ffmpeg")
        if ffmpeg:
            movie = f"{self.name}.mp4"
            subprocess.run([ffmpeg, "-y", "-loglevel", "error", "-framerate", str(self.FRAMES_PER_SECOND),
                            "-i", f"{self.folder}/%04d.png", "-pix_fmt", "yuv420p", "-crf", "20",
                            "-movflags", "+faststart", movie], check=True, stdin=subprocess.DEVNULL)
        else:  # ParaView's own: larger, and every frame is drawn again
            from paraview.simple import GetAnimationScene, SaveAnimation
            movie = f"{self.name}.ogv"
            GetAnimationScene().UpdateAnimationUsingDataTimeSteps()
            SaveAnimation(movie, self.view, FrameRate=self.FRAMES_PER_SECOND)
        shutil.rmtree(self.folder)
        return [picture, movie]
