"""Runs inside ParaView's own window: deletes a filter while it marches in the background, and quits while another does."""

import gc
import os
import time
import window
from PySide2.QtCore import QTimer
from support import check, load_plugin, simple, small_rockfall, wait_for_march


def march():
    flow = small_rockfall(20000, end_time=10, frame_interval=0.1)[-1]
    flow.Live = 1
    simple.Show(flow, simple.GetActiveViewOrCreate("RenderView"))
    simple.Render()
    simple.SetActiveSource(flow)
    window.settle()
    wait_for_march(flow)


def threads():
    return set(os.listdir("/proc/self/task"))


def end():
    print("at", time.time(), flush=True)
    window.choose("actionFileExit")


load_plugin()
before = threads()
march()
marching = threads() - before
check(marching, "nothing marches")
window.press("Delete")
gc.collect()
check(not simple.FindSource("GranularFlow1"), "it is not deleted")
check(window.wait_until(lambda: marching - threads(), 5), "it marches on")
march()
QTimer.singleShot(100, end)
