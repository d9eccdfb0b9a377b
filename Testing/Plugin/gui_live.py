"""Runs inside ParaView's own window: Live from the panel, Compute All Frames, Undo and Redo."""

import hashlib
import json
import time
import window
from PySide2.QtCore import QTimer
from support import OUTPUT, digest, load_plugin, runs, simple, small_rockfall, vtk_to_numpy

END, INTERVAL = 3.0, 1.0


def shown(flow):
    """The time of the frame that the window has; nothing is asked of the filter for it."""
    return flow.GetDataInformation().GetTime()


def computed_until(flow):
    flow.UpdatePropertyInformation()
    return flow.ComputedUntil


def live_from_the_panel():
    terrain, _, flow = small_rockfall(20000, END, INTERVAL)
    view = simple.GetActiveViewOrCreate("RenderView")
    simple.Show(terrain, view)
    simple.SetActiveSource(flow)
    simple.Show(flow, view)
    simple.ResetCamera(view)
    view.CameraPosition, view.CameraFocalPoint, view.CameraViewUp = [1150, -420, 620], [520, 300, 140], [0, 0, 1]
    simple.GetAnimationScene().UpdateAnimationUsingDataTimeSteps()
    window.tick("Live")
    window.press("Accept")

    beats, changes = [], []

    def beat():
        beats.append(time.monotonic())
        if not changes or changes[-1][1] != shown(flow):
            changes.append((beats[-1], shown(flow)))

    timer = QTimer()
    timer.timeout.connect(beat)
    timer.start(10)  # [ms]
    start = time.monotonic()
    window.choose("actionVCRLastFrame")
    asked = time.monotonic() - start
    is_there = window.wait_until(lambda: changes and changes[-1][1] == END, 60)
    timer.stop()
    return view, flow, {
        "live": flow.Live, "asked": asked, "is_there": is_there, "view_time": view.ViewTime,
        "times": [when for _, when in changes],
        "intervals": [later[0] - earlier[0] for earlier, later in zip(changes, changes[1:])],
        "longest_gap": max(later - earlier for earlier, later in zip(beats, beats[1:])),
        "computed_until": computed_until(flow), "runs": runs(flow), "frames": digest(flow, (1, 3))}


def all_frames_by_the_button(view):
    window.choose("actionVCRFirstFrame")
    _, _, flow = small_rockfall(200, END, INTERVAL)
    simple.Show(flow, view)
    simple.SetActiveSource(flow)
    simple.GetAnimationScene().UpdateAnimationUsingDataTimeSteps()
    window.press("Accept")
    before = computed_until(flow), shown(flow)
    window.press("Compute All Frames")
    window.wait_until(lambda: computed_until(flow) == END, 30)
    return flow, {"before": before, "after": (computed_until(flow), shown(flow)), "frames": digest(flow, (1, 3))}


def undo_from_the_menu(view, flow):
    simple.SetActiveSource(flow)
    window.choose("actionVCRLastFrame")
    steps = {}

    def note(moment):
        # Straight from the filter: fetching makes proxies, and those would stand on the undo stack.
        points = flow.GetClientSideObject().GetOutputDataObject(0).GetPoints().GetData()
        steps[moment] = {"panel": window.shown()["TerrainRestitution"], "runs": runs(flow), "time": shown(flow), "view_time": view.ViewTime,
                         "points": hashlib.sha256(vtk_to_numpy(points).tobytes()).hexdigest()}

    note("first")
    window.enter("TerrainRestitution", "0.9")
    window.press("Accept")
    note("changed")
    window.choose("actionEditUndo")
    note("undone")
    window.choose("actionEditRedo")
    note("redone")
    return steps


load_plugin()
render_view, live_flow, live = live_from_the_panel()
small_flow, button = all_frames_by_the_button(render_view)
undo = undo_from_the_menu(render_view, small_flow)
simple.Hide(small_flow, render_view)
simple.SetActiveSource(live_flow)
window.choose("actionVCRLastFrame")
(OUTPUT / "found.json").write_text(json.dumps({"live": live, "button": button, "undo": undo}))
