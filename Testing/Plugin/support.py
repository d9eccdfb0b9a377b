"""What the scripts that test the plugin share. A failed check raises, and the script ends non-zero."""

import json
import os
import subprocess
import sys
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


def same_bits(one, other):
    """Whether two results of point_arrays() agree in every bit."""
    return one.keys() == other.keys() and all(
        one[name].dtype == other[name].dtype and one[name].tobytes() == other[name].tobytes()
        for name in one)


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
