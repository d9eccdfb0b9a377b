"""pvbatch in MPI jobs of two and three processes: the same particles once, every process with the same arrays.

The script starts itself again in each job, with the file that the job shall leave.
"""

import re
import shutil
import sys
from support import OUTPUT, check, load_plugin, point_arrays, same_bits, simple, small_rockfall, start

import numpy

TIMES = (0.0, 0.7, 0.3)


def pipeline():
    """Two sources with ids of their own, one of them a nozzle, and an obstacle: all that adds arrays."""
    load_plugin()
    terrain, rocks, flow = small_rockfall(100)
    vent = simple.ParticleSource(Terrain=terrain, Shape="Disc", DiscCenter=[500, 420, 0], DiscRadius=25, Radius=2)
    vent.NumberOfSeeds = 20
    vent.Mode, vent.RateUnit, vent.Rate = "Emission", "Particles per second", 50
    wall = simple.Box(Center=[650, 250, 150], XLength=100, YLength=10, ZLength=300)
    flow.Sources = [rocks, vent]
    flow.Obstacles = [wall]
    return flow


def job(file):
    flow = pipeline()
    frames = [point_arrays(flow, time) for time in TIMES]
    told = flow.GetDataInformation().GetPointDataInformation()
    for i in range(told.GetNumberOfArrays()):
        array = told.GetArrayInformation(i)
        check(not array.GetIsPartial(), f"{array.GetName()} is not in every process")
    numpy.savez(file, **{f"{i} {name}": values for i, frame in enumerate(frames) for name, values in frame.items()})
    simple.SaveData(str(file.with_suffix(".pvd")), flow, DataMode="Ascii")


def compare():
    flow = pipeline()
    alone = [point_arrays(flow, time) for time in TIMES]
    check(len(alone[1]["Points"]) > len(alone[0]["Points"]) > 50, "nothing is emitted")
    for count in (2, 3):
        name = f"job{count}.npz"
        started = start([shutil.which("pvbatch"), sys.argv[0], name], count)
        print(started.communicate(timeout=120)[0])
        check(started.returncode == 0, f"{count} processes failed")
        frames = numpy.load(OUTPUT / name)
        for i in range(len(TIMES)):
            together = {key.split(" ", 1)[1]: frames[key] for key in frames if key.startswith(f"{i} ")}
            check(same_bits(alone[i], together), f"{count} processes have other particles at t = {TIMES[i]}")
        # The pieces that each process has written.
        pieces = sorted((OUTPUT / f"job{count}").glob("*.vtp"))
        texts = [piece.read_text() for piece in pieces]
        points = [int(re.search(r'NumberOfPoints="(\d+)"', text).group(1)) for text in texts]
        check(sum(points) == len(alone[-1]["Points"]), f"points of {count} processes: {points}")
        print(count, "processes:", points, "points in pieces")


if len(sys.argv) > 1:
    job(OUTPUT / sys.argv[1])
else:
    compare()
