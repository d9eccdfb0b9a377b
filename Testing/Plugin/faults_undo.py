"""ParaView's undo stack, and a plugin that is loaded twice: every frame has the bits of a fresh run."""

import gc
import shutil
from paraview import servermanager
from paraview.modules.vtkRemotingServerManager import vtkSMUndoStack, vtkSMUndoStackBuilder
from support import (OUTPUT, PLUGIN, Messages, check, check_same, load_plugin, play, runs, same_bits, show, simple,
                     small_rockfall)

TIMES = (0, 0.5, 1)

load_plugin()
messages = Messages()
expected = play(small_rockfall()[2], TIMES)

stack, builder = vtkSMUndoStack(), vtkSMUndoStackBuilder()
builder.SetUndoStack(stack)
servermanager.vtkSMProxyManager.GetProxyManager().SetUndoStackBuilder(builder)


class Undoable:
    """What happens inside is one entry of the undo stack."""

    def __enter__(self):
        builder.Begin("changes")

    def __exit__(self, *_):
        builder.EndAndPushToStack()


def undo():
    stack.Undo()
    servermanager.ProxyManager().UpdateRegisteredProxiesInOrder(0)  # as the window does after it


def redo():
    stack.Redo()
    servermanager.ProxyManager().UpdateRegisteredProxiesInOrder(0)


def frames(flow, live):
    flow.Live = live
    if live:
        show(flow, 1)
        flow.Live = 0  # goes on from the step reached
    return play(flow, TIMES)


def properties(live):
    terrain, rocks, flow = small_rockfall()
    frames(flow, live)
    with Undoable():
        flow.TerrainRestitution = 0.9
    with Undoable():
        rocks.RandomSeed = 7
        terrain.VerticalScale = 0.3048
    all_changed = frames(flow, live)
    check(not same_bits(all_changed[-1], expected[-1]), "the changes make no difference")
    for _ in range(2):
        undo()
        check(rocks.RandomSeed == 1 and flow.TerrainRestitution == 0.9, "the last change is not undone")
        one_changed = frames(flow, live)
        undo()
        check(flow.TerrainRestitution == 0.4, "the first change is not undone")
        check_same(frames(flow, live), expected, "all undone")
        redo()
        check_same(frames(flow, live), one_changed, "one redone")
        redo()
        check_same(frames(flow, live), all_changed, "all redone")
    check(runs(flow) == 10, f"{runs(flow)} runs: each change starts one")
    messages.check_none("properties undone and redone")
    stack.Clear()


def creation():
    terrain, rocks, _ = small_rockfall()
    count = len(simple.GetSources())
    with Undoable():
        flow = simple.GranularFlow(Terrain=terrain, Sources=rocks, EndTime=1, FrameInterval=0.1, Device="CPU",
                                   registrationName="Made")
    check_same(play(flow, TIMES), expected, "made")
    for live in (0, 1):
        flow.Live = live
        show(flow, 1)  # with Live on it goes while it marches
        del flow
        gc.collect()
        undo()
        check(len(simple.GetSources()) == count and not simple.FindSource("Made"), "its creation is not undone")
        redo()
        flow = simple.FindSource("Made")
        check(flow is not None, "its creation is not redone")
        flow.Live = 0
        check_same(play(flow, TIMES), expected, "made again")
    with Undoable():
        simple.Delete(flow)
        del flow
        gc.collect()
    check(not simple.FindSource("Made"), "it is not deleted")
    undo()
    check_same(play(simple.FindSource("Made"), TIMES), expected, "its deletion undone")
    messages.check_none("creation undone and redone")


def loaded_twice():
    flow = small_rockfall()[2]
    play(flow, TIMES[:2])
    load_plugin()
    check_same(play(flow, TIMES), expected, "the same file loaded again")
    check_same(play(small_rockfall()[2], TIMES), expected, "a filter made after that")
    for name in ("Lapilli.so", "Other.so"):
        copy = OUTPUT / "copy" / name
        copy.parent.mkdir(exist_ok=True)
        shutil.copy(PLUGIN, copy)
        simple.LoadPlugin(str(copy), remote=False, ns=vars(simple))
        with open("/proc/self/maps") as maps:
            check(str(copy) in maps.read(), f"{copy} was not loaded")
        other = small_rockfall()[2]
        check_same(play(flow, TIMES), expected, f"a copy loaded as {name}")
        check_same(play(other, TIMES), expected, "a filter made after that")
        check(runs(flow) == 1, f"{runs(flow)} runs")
    messages.check_none("loaded twice")


properties(live=0)
properties(live=1)
creation()
loaded_twice()
