"""An interrupt from the keyboard while a run is marched: what was computed stays, and the next start goes on from it.

The script starts itself again with "default" or "python", which handle the signal in their own way.
"""

import os
import shutil
import signal
import sys
import time
from support import OUTPUT, check, load_plugin, simple, small_rockfall, start

CACHE = OUTPUT / "cache"


def frames():
    return {int(file.name[-8:]): file.stat().st_mtime_ns for file in CACHE.glob("*/frame-*")}


def run(how):
    load_plugin()
    _, _, flow = small_rockfall(1000, end_time=4, frame_interval=0.05)
    flow.CacheFolder = str(CACHE)
    if how == "python":
        signal.signal(signal.SIGINT, signal.default_int_handler)
    else:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    flow.UpdatePipeline(0)
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
    script = start([os.readlink("/proc/self/exe"), sys.argv[0], how])
    while len(frames()) < 5 and script.poll() is None:
        time.sleep(0.01)
    script.send_signal(signal.SIGINT)
    told = script.communicate(timeout=120)[0]
    print(how, script.returncode, told)
    check("nothing came" not in told, "the run was too short to be interrupted")
    kept = frames()
    if how == "python":
        check(script.returncode == 0 and "went on" in told, "the script did not get its KeyboardInterrupt")
        check(len(kept) == 81, f"{len(kept)} frames of 81")
    else:
        check(script.returncode == -signal.SIGINT, f"ended with {script.returncode}")
        check(5 <= len(kept) < 81, f"{len(kept)} frames are on disk")
        check(max(kept) == len(kept) - 1, f"holes in {sorted(kept)}")
        # Another process goes on from there.
        load_plugin()
        _, _, flow = small_rockfall(1000, end_time=4, frame_interval=0.05)
        flow.CacheFolder = str(CACHE)
        flow.UpdatePipeline(4)
        simple.Delete(flow)
        del flow
        after = frames()
        check(len(after) == 81 and all(after[i] == kept[i] for i in kept), "frames were computed again")
