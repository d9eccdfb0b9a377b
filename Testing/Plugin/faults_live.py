"""With Live on, inputs and properties change, go bad or go away while the run marches in the background."""

import gc
import os
import time
from support import (Messages, check, check_same, load_plugin, play, point_arrays, runs, same_bits, show,
                     simple, small_rockfall)

END, STEP = 2.0, 0.05
TIMES = (0.5, 1.0, END)

load_plugin()
messages = Messages()


def pipeline(live=True):
    terrain, rocks, flow = small_rockfall(2000, end_time=END, frame_interval=STEP)
    flow.Live = live
    return terrain, rocks, flow


def shown(flow, when):
    """The time of the frame that a request gets now."""
    flow.GetClientSideObject().Modified()  # as the window does when it polls
    flow.SMProxy.MarkModified(flow.SMProxy)
    show(flow, when)
    return flow.GetDataInformation().GetTime()


def start_marching(flow, when=END):
    check(shown(flow, when) < when, "it was not marched in the background")


def wait(flow, when=END):
    """Asks again until the frame is there; how often another one was shown on the way."""
    deadline, times = time.monotonic() + 60, set()
    while (now := shown(flow, when)) < when - 1e-9:
        check(time.monotonic() < deadline, f"it stands at {now} s")
        check(not times or now >= max(times), f"the time that is shown went back to {now} s")
        times.add(now)
        time.sleep(0.01)
    return len(times)


def check_end(flow, expected, what, times=TIMES):
    start = time.monotonic()
    grew = wait(flow, times[-1])
    check_same(play(flow, times), expected, what)
    print(f"{what}: {grew} times shown on the way, {time.monotonic() - start:.1f} s")


def threads():
    return len(os.listdir("/proc/self/task"))


def fresh(change=None, times=TIMES):
    parts = pipeline(live=False)
    if change:
        change(*parts)
    return play(parts[-1], times)


def changed_while_marching(expected):
    terrain, rocks, flow = pipeline()
    start_marching(flow)
    rocks.RandomSeed = 7
    start_marching(flow)
    terrain.VerticalScale = 0.3048
    start_marching(flow)
    flow.TerrainRestitution = 0.8
    start_marching(flow)

    def change(terrain, rocks, flow):
        terrain.VerticalScale, rocks.RandomSeed, flow.TerrainRestitution = 0.3048, 7, 0.8

    check_end(flow, fresh(change), "sources, terrain and property changed")
    terrain.VerticalScale, rocks.RandomSeed, flow.TerrainRestitution = 1, 1, 0.4
    start_marching(flow)
    check_end(flow, expected, "and back")
    check(runs(flow) == 5, f"{runs(flow)} runs")
    messages.check_none("changes")


def emptied_while_marching(expected):
    terrain, rocks, flow = pipeline()
    part = simple.Threshold(Input=terrain, Scalars=["POINTS", "elevation"], LowerThreshold=-1e3, UpperThreshold=1e4)
    seeds = simple.Threshold(Input=rocks, Scalars=["POINTS", "radius"], LowerThreshold=1, UpperThreshold=3)
    flow.Terrain, flow.Sources = part, [seeds]
    start_marching(flow)
    for some, name in ((part, "terrain"), (seeds, "source")):
        usual = some.LowerThreshold
        some.LowerThreshold = some.UpperThreshold
        check("Points" not in point_arrays(flow, END), f"there are rocks without {name}")
        messages.check_one(f"{name} emptied", name)
        some.LowerThreshold = usual
        shown(flow, END)
    check_end(flow, expected, "emptied and restored")
    check(runs(flow) == 1, f"{runs(flow)} runs")
    messages.check_none("restored")


def deleted_while_used(expected):
    terrain, rocks, flow = pipeline()
    start_marching(flow)
    simple.Delete(terrain)
    simple.Delete(rocks)
    del terrain, rocks
    check_end(flow, expected, "inputs deleted")
    messages.check_none("deleted inputs")


def deleted_while_marching():
    gc.collect()
    before = threads()
    for _ in range(5):
        _, _, flow = pipeline()
        start_marching(flow)
        check(threads() > before, "nothing marches")
        start = time.monotonic()
        simple.Delete(flow)
        del flow
        check(time.monotonic() - start < 2, "its end took long")
        check(threads() == before, f"{threads()} threads of {before}: it marches on")
    messages.check_none("deleted filters")


def another_end_and_interval(expected):
    _, _, flow = pipeline()
    start_marching(flow)
    flow.EndTime = 0.5
    check_end(flow, expected[:1], "an earlier end", TIMES[:1])
    flow.EndTime = END
    check_end(flow, expected, "a later end")
    check(runs(flow) == 1, f"{runs(flow)} runs")

    flow.FrameInterval = 0.1
    start_marching(flow)
    flow.FrameInterval = 0.04
    start_marching(flow)

    def change(_terrain, _rocks, flow):
        flow.FrameInterval = 0.04

    check_end(flow, fresh(change), "another interval")
    flow.FrameInterval = -1
    check("Points" not in point_arrays(flow, END), "there are rocks")
    messages.check_one("interval -1", "frame interval", "-1")
    flow.FrameInterval = STEP
    check_end(flow, expected, "the interval before")
    check(runs(flow) == 4, f"{runs(flow)} runs")
    messages.check_none("intervals")


def two_at_once(expected):
    terrain, rocks, one = pipeline()
    other = simple.GranularFlow(Terrain=terrain, Sources=rocks)
    other.EndTime, other.FrameInterval, other.Device, other.Live = END, STEP, "CPU", 1
    other.TerrainRestitution = 0.9

    def change(_terrain, _rocks, flow):
        flow.TerrainRestitution = 0.9

    bouncing = fresh(change)
    start_marching(one)
    start_marching(other)
    check_end(one, expected, "one of two")
    check_end(other, bouncing, "the other")
    check(not same_bits(expected[-1], bouncing[-1]), "the restitution makes no difference")
    messages.check_none("two at once")


def switched_off_and_on(expected):
    _, _, flow = pipeline()
    start_marching(flow)
    flow.Live = 0
    check_same(play(flow, TIMES[:2]), expected[:2], "switched off")
    flow.Live = 1
    start_marching(flow)
    check_end(flow, expected, "switched on again")
    check(runs(flow) == 1, f"{runs(flow)} runs")
    messages.check_none("switches")


reference = fresh()
changed_while_marching(reference)
emptied_while_marching(reference)
deleted_while_used(reference)
deleted_while_marching()
another_end_and_interval(reference)
two_at_once(reference)
switched_off_and_on(reference)
