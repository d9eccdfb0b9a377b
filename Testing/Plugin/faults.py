"""Inputs and properties that change, go bad or go away while a run is played: nothing is lost and nothing crashes.

After each fault the frames have the bits of a fresh run; what is bad is told in one sentence.
"""

import shutil
from support import (OUTPUT, Messages, check, check_same, load_plugin, play, point_arrays, runs, same_bits, simple,
                     small_rockfall)

CACHE = OUTPUT / "cache"
TIMES = [index / 10 for index in range(11)]

shutil.rmtree(CACHE, ignore_errors=True)
load_plugin()
messages = Messages()


def files_on_disk():
    return {str(file): file.stat().st_mtime_ns for file in CACHE.glob("*/frame-*")}


def changed_while_playing():
    terrain, rocks, flow = small_rockfall()
    play(flow, TIMES[:5])
    rocks.RandomSeed = 7
    later = play(flow, TIMES[5:])
    _, other_rocks, fresh = small_rockfall()
    other_rocks.RandomSeed = 7
    expected = play(fresh, TIMES)
    check_same(later, expected[5:], "other sources")
    check_same(play(flow, TIMES), expected, "other sources, from the start")
    check(runs(flow) == 2, f"{runs(flow)} runs")

    terrain.VerticalScale = 0.3048
    later = play(flow, TIMES[5:])
    other_terrain, other_rocks, fresh = small_rockfall()
    other_terrain.VerticalScale, other_rocks.RandomSeed = 0.3048, 7
    expected = play(fresh, TIMES)
    check_same(later, expected[5:], "another terrain")
    check_same(play(flow, TIMES), expected, "another terrain, from the start")
    check(runs(flow) == 3, f"{runs(flow)} runs")
    messages.check_none("changed inputs")


def emptied_while_playing(expected):
    terrain, rocks, flow = small_rockfall()
    part = simple.Threshold(Input=terrain, Scalars=["POINTS", "elevation"], LowerThreshold=-1e3, UpperThreshold=1e4)
    seeds = simple.Threshold(Input=rocks, Scalars=["POINTS", "radius"], LowerThreshold=1, UpperThreshold=3)
    flow.Terrain, flow.Sources = part, [seeds]
    check_same(play(flow, TIMES[:5]), expected[:5], "parts that are the whole")
    for some, name in ((part, "terrain"), (seeds, "source")):
        usual = some.LowerThreshold
        some.LowerThreshold = some.UpperThreshold
        empty = point_arrays(flow, 0.5)
        check("Points" not in empty and "velocity" in empty, f"without {name} there are {empty.keys()}")
        messages.check_one(f"{name} emptied", name)
        check("Points" not in point_arrays(flow, 0.6), f"without {name} there are rocks at 0.6 s")
        messages.check_one(f"{name} still empty", name)
        some.LowerThreshold = usual
        check_same(play(flow, TIMES[5:]), expected[5:], f"{name} restored")
        check_same(play(flow, TIMES), expected, f"{name} restored, from the start")
    check(runs(flow) == 1, f"{runs(flow)} runs: a slip that is corrected starts nothing anew")
    messages.check_none("restored inputs")


def deleted_while_used(expected):
    terrain, rocks, flow = small_rockfall()
    check_same(play(flow, TIMES[:5]), expected[:5], "before inputs are deleted")
    count = len(simple.GetSources())
    simple.Delete(terrain)
    simple.Delete(rocks)
    del terrain, rocks
    check(len(simple.GetSources()) == count - 2, "the inputs are still there")
    check_same(play(flow, TIMES[5:]), expected[5:], "inputs deleted")
    # Taken off as well, there is nothing to compute with until others come.
    flow.Sources = []
    flow.UpdatePipeline(0.6)
    messages.check_one("source taken off", "source")
    _, rocks, fresh = small_rockfall()
    flow.Sources = [rocks]
    check_same(play(flow, TIMES), expected, "another source that is the same")
    check(runs(flow) == 1, f"{runs(flow)} runs")

    simple.Delete(fresh)
    simple.Delete(flow)
    del flow, fresh
    messages.check_none("deleted inputs")


def switched_there_and_back():
    terrain, rocks, flow = small_rockfall()
    other = simple.TerrainSurface(Input=terrain.Input, VerticalScale=0.3048)
    flow.CacheFolder = str(CACHE)
    on_one = play(flow, TIMES)
    flow.Terrain = other
    on_other = play(flow, TIMES)
    check(not same_bits(on_one[-1], on_other[-1]), "the terrains do not differ")
    flow.Terrain = terrain
    check_same(play(flow, TIMES[::-1]), on_one[::-1], "back on the first terrain")
    before = files_on_disk()
    check(len(before) == 22, f"{len(before)} frames of two runs on disk")
    for there, frames in ((other, on_other), (terrain, on_one), (other, on_other)):
        flow.Terrain = there
        check_same(play(flow, TIMES), frames, "switched again")
    check(runs(flow) == 6, f"{runs(flow)} runs")
    simple.Delete(flow)
    del flow  # what waits is written
    check(files_on_disk() == before, "frames were computed that are on disk")
    messages.check_none("switched terrains")


def another_end_and_interval(expected):
    _, _, flow = small_rockfall()
    flow.CacheFolder = str(CACHE / "ends")
    play(flow, TIMES[:8])
    flow.EndTime = 0.5
    flow.UpdatePipelineInformation()
    check(len(flow.TimestepValues) == 6, f"{len(flow.TimestepValues)} frames until 0.5 s")
    check_same(play(flow, TIMES[:6]), expected[:6], "an earlier end")
    check_same([point_arrays(flow, 0.9)], expected[5:6], "beyond the end its last frame")
    flow.EndTime = 2
    check_same(play(flow, TIMES), expected, "a later end")
    _, _, longer = small_rockfall(end_time=2)
    check_same([point_arrays(flow, 2)], [point_arrays(longer, 2)], "the later end itself")
    check(runs(flow) == 1, f"{runs(flow)} runs: the end is no physics")

    flow.FrameInterval = 0.25
    _, _, fresh = small_rockfall(end_time=2, frame_interval=0.25)
    check_same(play(flow, [0.75, 1, 2]), play(fresh, [0.75, 1, 2]), "another interval")
    flow.FrameInterval = 0.1
    check_same(play(flow, TIMES), expected, "the interval before")
    check(runs(flow) == 3, f"{runs(flow)} runs")
    messages.check_none("ends and intervals")
    for bad, words in ((-1, ("frame interval", "-1")), (1e-9, ("frames", "at most"))):
        flow.FrameInterval = bad
        flow.UpdatePipeline(0.5)
        messages.check_one(f"interval {bad}", *words)
    flow.FrameInterval = 0.1
    check_same(play(flow, TIMES), expected, "after bad intervals")
    check(runs(flow) == 3, f"{runs(flow)} runs")


def two_by_turns(expected):
    terrain, rocks, one = small_rockfall()
    same, bouncing = (simple.GranularFlow(Terrain=terrain, Sources=rocks) for _ in range(2))
    for flow in (one, same, bouncing):
        flow.EndTime, flow.FrameInterval, flow.Device = 1, 0.1, "CPU"
        flow.CacheFolder = str(CACHE / "turns")
    bouncing.TerrainRestitution = 0.9
    by_turns = [[point_arrays(flow, time) for flow in (one, same, bouncing)] for time in TIMES]
    for number, what in enumerate(("one of three", "its twin")):
        check_same([frames[number] for frames in by_turns], expected, what)
    _, _, fresh = small_rockfall()
    fresh.TerrainRestitution = 0.9
    check_same([frames[2] for frames in by_turns], play(fresh, TIMES), "the other one")
    check(not same_bits(by_turns[-1][0], by_turns[-1][2]), "the restitution makes no difference")
    check([runs(flow) for flow in (one, same, bouncing)] == [1, 1, 1], "one of them was started anew")
    messages.check_none("filters by turns")


reference = play(small_rockfall()[2], TIMES)
messages.check_none("the fresh run")
changed_while_playing()
emptied_while_playing(reference)
deleted_while_used(reference)
switched_there_and_back()
another_end_and_interval(reference)
two_by_turns(reference)
