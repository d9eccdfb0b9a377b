"""ParaView's own window with Live: what is shown grows by itself and the window stays alive. Compute All Frames; Undo."""

from support import OUTPUT, check, check_picture, digest, in_the_window, load_plugin, small_rockfall

found = in_the_window("gui_live.py")

live = found["live"]
check(live["live"] == 1 and live["runs"] == 1, "Live was not switched on by its box and Apply")
check(live["is_there"] and live["times"] == [0, 1, 2, 3], f"the times that were shown: {live['times']}")
check(live["view_time"] == 3 and live["computed_until"] == 3, f"view at {live['view_time']} s, not at its last frame")
# Alive: also while one interval was marched, it did other things many times.
check(live["longest_gap"] < min(1, max(live["intervals"]) / 2),
      f"the window stood still for {live['longest_gap']} s; the intervals took {live['intervals']} s")

button = found["button"]
check(button["before"] == [0, 0], f"before Compute All Frames it is computed until, and shows {button['before']}")
check(button["after"] == [3, 0], f"after Compute All Frames it is computed until, and shows {button['after']}")

first, changed, undone, redone = (found["undo"][moment] for moment in ("first", "changed", "undone", "redone"))
for moment, truth in found["undo"].items():
    check(truth["time"] == 3, f"{moment}: {truth}")
check(changed["panel"] == ["0.9"] and undone["panel"] == ["0.4"] and redone["panel"] == ["0.9"], str(found["undo"]))
check(first["points"] == undone["points"] != changed["points"] == redone["points"], str(found["undo"]))
check([truth["runs"] for truth in (first, changed, undone, redone)] == [1, 2, 3, 4], str(found["undo"]))

# The same numbers as without a window and without Live.
load_plugin()
for particles, frames in ((20000, live["frames"]), (200, button["frames"])):
    flow = small_rockfall(particles, end_time=3.0, frame_interval=1.0)[-1]
    check(digest(flow, (1, 3)) == frames, f"the frames of {particles} particles differ from those of a run without Live")
check_picture(OUTPUT / "window.png", colors=2000)
