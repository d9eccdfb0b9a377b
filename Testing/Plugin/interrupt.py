"""An interrupt from the keyboard while a run is marched: what was computed stays, and the next start goes on from it.

The script starts itself again with "default" or "python", which handle the signal in their own way.
"""

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from support import OUTPUT, check, load_plugin, small_rockfall

CACHE = OUTPUT / "cache"


def frames():
    return {int(file.name[-8:]): file.stat().st_mtime_ns for file in CACHE.glob("*/frame-*")}


def interrupt_after_some_frames():
    while len(frames()) < 5:
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGINT)


def run(how):
    load_plugin()
    _, _, flow = small_rockfall(1000, end_time=4, frame_interval=0.05)
    flow.CacheFolder = str(CACHE)
    if how == "python":
        signal.signal(signal.SIGINT, signal.default_int_handler)
    else:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    flow.UpdatePipeline(0)
    threading.Thread(target=interrupt_after_some_frames, daemon=True).start()
    try:
        flow.UpdatePipeline(4)
        time.sleep(0.1)  # Python raises it at its next step
    except KeyboardInterrupt:
        print("interrupted at", len(frames()), "frames")
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        flow.UpdatePipeline(4)
        check(flow.GetDataInformation().GetTime() == 4, "it did not go on")
        print("went on")
        sys.exit()
    print("nothing came")


if len(sys.argv) > 1:
    run(sys.argv[1])
    sys.exit()

for how in ("default", "python"):
    shutil.rmtree(CACHE, ignore_errors=True)
    done = subprocess.run([os.readlink("/proc/self/exe"), sys.argv[0], how], capture_output=True, text=True,
                          timeout=120)
    print(how, done.returncode, done.stdout, done.stderr)
    check("nothing came" not in done.stdout, "the run was too short to be interrupted")
    kept = frames()
    if how == "python":
        check(done.returncode == 0 and "went on" in done.stdout, "the script did not get its KeyboardInterrupt")
        check(len(kept) == 81, f"{len(kept)} frames of 81")
    else:
        check(done.returncode == -signal.SIGINT, f"ended with {done.returncode}")
        check(5 <= len(kept) < 81, f"{len(kept)} frames are on disk")
        check(max(kept) == len(kept) - 1, f"holes in {sorted(kept)}")
        # Another process goes on from there.
        load_plugin()
        _, _, flow = small_rockfall(1000, end_time=4, frame_interval=0.05)
        flow.CacheFolder = str(CACHE)
        flow.UpdatePipeline(4)
        from paraview import simple
        simple.Delete(flow)
        del flow
        after = frames()
        check(len(after) == 81 and all(after[i] == kept[i] for i in kept), "frames were computed again")
