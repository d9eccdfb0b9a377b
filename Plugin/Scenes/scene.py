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

    def __init__(self, name, output, quick, pictures):
        self.name = name          # of the scene and of all its files
        self.output = output      # folder
        self.quick = quick        # a small run, for a first look and for tests
        self.pictures = pictures  # whether anything can be drawn here


def say(text):
    """Prints a line at once: pvpython's own print waits, in a file or a pipe, until much has been said."""
    os.write(1, (text + "\n").encode())


def start(description):
    """Reads `OUTPUT_DIR [--quick]`, makes the folder and sees to it that pictures can be drawn."""
    script = Path(sys.argv[0])
    parser = argparse.ArgumentParser(prog=f"pvpython {script}", description=description,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", metavar="OUTPUT_DIR", help="folder for the results")
    parser.add_argument("--quick", action="store_true",
                        help="fewer particles and frames: under a minute")
    arguments = parser.parse_args()

    pictures = bool(os.environ.get("DISPLAY")) or _start_again_with_x_server()
    if not pictures:
        say("No X server here, and xvfb-run (Debian: apt-get install xvfb xauth) cannot start one: "
            "no pictures and no movie will be made.")
    output = Path(arguments.output).resolve()
    output.mkdir(parents=True, exist_ok=True)
    return Options(script.stem, output, arguments.quick, pictures)


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
    from paraview.simple import (ColorBy, Contour, GenerateSurfaceNormals, GetColorTransferFunction,
                                 Show)
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

    lines = Contour(Input=terrain, ContourBy=["POINTS", "elevation"], ComputeScalars=0)
    first = int(low // contour_interval) + 1
    lines.Isosurfaces = [step * contour_interval
                         for step in range(first, int(high // contour_interval) + 1)]
    drawn = Show(lines, view)
    drawn.ColorArrayName = [None, ""]
    drawn.AmbientColor = drawn.DiffuseColor = [0.25, 0.20, 0.15]
    drawn.Opacity = 0.45
    drawn.LineWidth = 1
    drawn.Position = [0, 0, 0.2]  # just above the surface


def show_particles(flow, view, greatest_speed, magnified=1):
    """Every particle as a sphere of so many times its true radius, coloured by speed [m/s]; with a legend."""
    from paraview.simple import ColorBy, GetColorTransferFunction, GetScalarBar, Show
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

    legend = GetScalarBar(colors, view)
    legend.Title, legend.ComponentTitle = "speed [m/s]", ""
    legend.Orientation = "Horizontal"
    legend.WindowLocation = "Any Location"
    legend.Position, legend.ScalarBarLength = [0.71, 0.03], 0.26
    legend.LabelFormat = legend.RangeLabelFormat = "%.0f"
    legend.TitleFontSize, legend.LabelFontSize = 22, 20
    legend.TitleColor = legend.LabelColor = [0.1, 0.1, 0.1]
    particles.SetScalarBarVisibility(view, True)


def draw_map(maps, terrain, options, name, array, scale, title, levels, contour_interval):
    """NAME.png: an array of Granular Flow's Terrain Maps, seen from above, in classes between `levels`.

    Triangles without a value stay grey. `scale` brings the array to the unit of title and levels.
    """
    from paraview.simple import (Calculator, ColorBy, Contour, CreateView, GetColorTransferFunction, GetScalarBar,
                                 SaveScreenshot, Show, Threshold)
    view = CreateView("RenderView")
    view.ViewSize = [1600, 1000]
    view.OrientationAxesVisibility = 0
    view.UseColorPaletteForBackground = 0
    view.Background = [1, 1, 1]
    x0, x1, y0, y1, low, high = terrain.GetDataInformation().GetBounds()
    view.CameraParallelProjection = 1
    view.CameraFocalPoint = [(x0 + x1) / 2, (y0 + y1) / 2, low]
    view.CameraPosition = [(x0 + x1) / 2, (y0 + y1) / 2, high + 1000]
    view.CameraViewUp = [0, 1, 0]
    view.ViewTime = max(maps.TimestepValues)
    view.CameraParallelScale = 0.56 * max(y1 - y0, (x1 - x0) / 1.6)

    ground = Show(terrain, view)
    ground.ColorArrayName = [None, ""]
    ground.AmbientColor = ground.DiffuseColor = [0.88, 0.88, 0.86]
    touched = Threshold(Input=maps, Scalars=["CELLS", array])
    touched.ThresholdMethod = "Between"  # set after the array, whose range would else replace the limits
    touched.LowerThreshold, touched.UpperThreshold = 1e-9, 1e30
    scaled = Calculator(Input=touched, AttributeType="Cell Data", ResultArrayName=f"{name}_map",
                        Function=f"{array}*{scale}")
    drawn = Show(scaled, view)
    ColorBy(drawn, ("CELLS", f"{name}_map"))
    drawn.Position = [0, 0, 0.3]

    colors = GetColorTransferFunction(f"{name}_map")
    classes = [[1.00, 0.96, 0.70], [0.99, 0.78, 0.36], [0.95, 0.50, 0.20], [0.80, 0.20, 0.16], [0.45, 0.05, 0.20]]
    colors.RGBPoints = [value for level, color in zip(levels, classes) for value in (level, *color)]
    colors.UseLogScale = 1
    colors.AutomaticRescaleRangeMode = "Never"
    legend = GetScalarBar(colors, view)
    legend.Title, legend.ComponentTitle = title, ""
    legend.Orientation = "Horizontal"
    legend.WindowLocation = "Any Location"
    legend.Position, legend.ScalarBarLength = [0.66, 0.03], 0.30
    legend.UseCustomLabels, legend.CustomLabels = 1, levels
    legend.AddRangeLabels = 0
    legend.LabelFormat = "%g"
    legend.TitleFontSize, legend.LabelFontSize = 22, 18
    legend.TitleColor = legend.LabelColor = [0.1, 0.1, 0.1]
    drawn.SetScalarBarVisibility(view, True)

    lines = Contour(Input=terrain, ContourBy=["POINTS", "elevation"], ComputeScalars=0)
    first = int(low // contour_interval) + 1
    lines.Isosurfaces = [step * contour_interval for step in range(first, int(high // contour_interval) + 1)]
    relief = Show(lines, view)
    relief.ColorArrayName = [None, ""]
    relief.AmbientColor = relief.DiffuseColor = [0.35, 0.30, 0.25]
    relief.Opacity = 0.6
    relief.Position = [0, 0, 1]

    file = f"{options.output / options.name}_{name}.png"
    SaveScreenshot(file, view)
    say(f"written: {file}")


def _caption(view):
    """Text in the upper left corner, to be filled for every frame."""
    from paraview.simple import Show, Text
    text = Text()
    shown = Show(text, view)
    shown.WindowLocation = "Any Location"
    shown.Position = [0.025, 0.89]
    shown.FontSize = 26
    shown.Color = [0.1, 0.1, 0.1]
    shown.Justification = "Left"
    return text


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
    caption = _caption(view) if movie else None
    started = time.monotonic()

    for index, now in enumerate(times):
        flow.UpdatePipeline(now)
        reached = _field(flow, "time")
        if reached is None or abs(reached - now) > 1e-6 * max(1, now):
            sys.exit(f"The run stopped before t = {now:g} s; the frames until then are in {options.output}.")
        series.add(now)
        if movie:
            caption.Text = f"{title}\nt = {now:.1f} s"
            movie.add(now, picture=index == round(picture_at * (len(times) - 1)))

        passed = time.monotonic() - started
        left = passed / (index + 1) * (len(times) - index - 1)
        say(f"frame {index + 1}/{len(times)}  t = {now:.2f} s  {_field(flow, 'particles'):,.0f} particles  "
            f"{_field(flow, 'steps'):,.0f} steps  {_clock(left)} to go")

    files = [series.path]
    if movie:
        files += movie.finish()
    wall_time = time.monotonic() - started
    flow.UpdatePropertyInformation()
    say(f"\n{flow.Report}\nwall time: {wall_time:.1f} s")
    for file in files:
        say(f"written: {file}")


def _field(flow, name):
    """The value of a field-data array of one number, None where it is absent."""
    array = flow.FieldData[name]
    return array.GetRange()[0] if array else None


def greatest(port, name):
    """The greatest value of a cell array of Terrain Maps or of a column of History."""
    information = port.GetDataInformation()
    arrays = information.GetCellDataInformation().GetArrayInformation(name) or \
        information.GetRowDataInformation().GetArrayInformation(name)
    return arrays.GetComponentRange(0)[1]


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
