"""What the scripts that test the plugin share. A failed check raises, and the script ends non-zero."""

import hashlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path

from paraview import simple
from paraview.servermanager import Fetch
from vtkmodules.util.numpy_support import vtk_to_numpy

ROOT = Path(__file__).resolve().parents[2]
OUTPUT = Path(os.environ["LAPILLI_OUTPUT"])
PLUGIN = os.environ["LAPILLI_PLUGIN"]


def load_plugin():
    """Loads the plugin under test; its proxies become functions of paraview.simple."""
    simple.LoadPlugin(PLUGIN, remote=False, ns=vars(simple))


def check(condition, sentence):
    if not condition:
        raise AssertionError(sentence)


def start(command, processes=1, **options):
    """Starts a command, as an MPI job where it has several processes."""
    launcher = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-np", str(processes)] if processes > 1 else []
    # Without what MPI has told this process: it is no part of its job.
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("OMPI_", "PMIX_"))}
    return subprocess.Popen([*launcher, *command], env=environment, text=True, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, **options)


def show(flow, time):
    """An update as in ParaView's window, which also asks all the time whether Live has more to show."""
    flow.SMProxy.InvokeCommand("NeedsUpdate")
    flow.UpdatePipeline(time)


def small_rockfall(particles=200, end_time=1.0, frame_interval=0.1):
    """Terrain Surface, Particle Source and Granular Flow on Maunga Whau, not yet updated."""
    heights = simple.GDALRasterReader(FileName=str(ROOT / "Data/maunga_whau.tif"))
    terrain = simple.TerrainSurface(Input=heights)
    terrain.UpdatePipeline()
    rocks = simple.ParticleSource(Terrain=terrain, Shape="Disc", DiscCenter=[690, 300, 0], DiscRadius=25,
                                  Radius=2)
    rocks.NumberOfSeeds = particles
    flow = simple.GranularFlow(Terrain=terrain, Sources=rocks)
    flow.EndTime, flow.FrameInterval = end_time, frame_interval
    flow.Device = "CPU"
    return terrain, rocks, flow


def point_arrays(proxy, time):
    """All point arrays at a time, and the positions as "Points", as numpy arrays."""
    proxy.UpdatePipeline(time)
    data = Fetch(proxy)
    arrays = {"Points": vtk_to_numpy(data.GetPoints().GetData())} if data.GetNumberOfPoints() else {}
    for index in range(data.GetPointData().GetNumberOfArrays()):
        array = data.GetPointData().GetArray(index)
        arrays[array.GetName()] = vtk_to_numpy(array)
    return arrays


def digest(proxy, times):
    """All point arrays at these times, as short texts that can be compared."""
    return {f"{time} {name}": f"{values.dtype} {hashlib.sha256(values.tobytes()).hexdigest()}"
            for time in times for name, values in point_arrays(proxy, time).items()}


def same_bits(one, other):
    """Whether two results of point_arrays() agree in every bit."""
    return one.keys() == other.keys() and all(
        one[name].dtype == other[name].dtype and one[name].tobytes() == other[name].tobytes()
        for name in one)


def runs(flow):
    """How often the filter has started a run."""
    flow.UpdatePropertyInformation()
    return flow.Runs


def play(flow, times):
    return [point_arrays(flow, time) for time in times]


def check_same(ones, others, what):
    """Two results of play() agree in every bit, and are no trivial ones."""
    check(len(ones) == len(others) > 0, f"{what}: {len(ones)} and {len(others)} frames")
    for index, (one, other) in enumerate(zip(ones, others)):
        check(len(one["Points"]) > 100 and same_bits(one, other), f"{what}: frame {index} differs")
    check(len(ones) < 2 or not same_bits(ones[0], ones[-1]), f"{what}: nothing moved")


def wait_for_march(flow):
    """Until it has made frames of its own; the end is far away then."""
    deadline = time.monotonic() + 30
    while flow.ComputedUntil == 0:
        check(time.monotonic() < deadline, "nothing is marched in the background")
        time.sleep(0.05)
        flow.UpdatePropertyInformation()
    check(flow.ComputedUntil < 5, "the run is too short")


class Messages:
    """Errors and warnings of VTK and ParaView from now on: kept here, no longer printed."""

    def __init__(self):
        from vtkmodules.vtkCommonCore import vtkLogger, vtkOutputWindow
        self._told = []
        vtkLogger.SetStderrVerbosity(vtkLogger.VERBOSITY_OFF)
        for event in ("ErrorEvent", "WarningEvent"):
            def keep(_window, _event, text):
                self._told.append(text)
            keep.CallDataType = "string0"
            vtkOutputWindow.GetInstance().AddObserver(event, keep)

    def check_none(self, what):
        check(not self._told, f"{what}: {self._told}")

    def check_one(self, what, *words):
        """One sentence that holds these words was told since this was last asked."""
        told, self._told = [text.split("): ", 1)[-1].strip() for text in self._told], []
        check(len(told) == 1 and "\n" not in told[0] and all(word in told[0] for word in words), f"{what}: {told}")
        print(f"{what}: {told[0]}")


def check_picture(file, colors=1000, commonest=0.7):
    """A picture that shows something has many colours, and none of them almost everywhere."""
    import numpy
    from vtkmodules.vtkIOImage import vtkPNGReader
    check(Path(file).is_file(), f"{file} was not written")
    reader = vtkPNGReader()
    reader.SetFileName(str(file))
    reader.Update()
    pixels = vtk_to_numpy(reader.GetOutput().GetPointData().GetScalars())
    check(len(pixels) > 10000, f"{file} has {len(pixels)} pixels")
    codes = pixels[:, :3].astype(numpy.int64) @ numpy.array([65536, 256, 1])
    _, counts = numpy.unique(codes, return_counts=True)
    share = counts.max() / len(codes)
    check(len(counts) >= colors and share <= commonest,
          f"{file} looks blank: {len(counts)} colours, the commonest on {100 * share:.0f} % of it")
    return len(counts), share


def in_the_window(script):
    """Runs a script in ParaView's own window; what it has left in found.json."""
    run = subprocess.run([str(Path(__file__).with_name("gui.sh")), str(OUTPUT), script], capture_output=True, text=True)
    print(run.stdout, run.stderr)
    check(run.returncode == 0, "the window did not come to its end")
    for word in ("Traceback", "ERR|", "Error"):
        check(word not in run.stdout, f"ParaView's messages hold '{word}'")
    found = json.loads((OUTPUT / "found.json").read_text())
    print(found)
    return found
