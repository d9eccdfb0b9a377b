"""A state file, opened in another process, gives the same particles to the bit: found on disk, and computed.

The script starts itself again with the argument "load".
"""

import json
import os
import shutil
import subprocess
import sys
from support import OUTPUT, check, load_plugin, point_arrays, simple, small_rockfall

STATE, DIGEST, CACHE = OUTPUT / "rockfall.pvsm", OUTPUT / "digest.json", OUTPUT / "cache"


def digest(flow):
    """Every array of two frames, as text that can be compared."""
    return {f"{time} {name}": [str(values.dtype), values.tobytes().hex()]
            for time in (0.0, 0.5) for name, values in point_arrays(flow, time).items()}


def files_on_disk():
    """Every frame and state, with the time at which it was written."""
    return {str(file): file.stat().st_mtime_ns for file in CACHE.glob("*/*-*")}


load_plugin()
if sys.argv[1:] == ["load"]:
    simple.LoadState(str(STATE))
    check(len(simple.GetSources()) == 4, f"the state file gave {list(simple.GetSources())}")
    flow = simple.FindSource("Flow")
    check(flow is not None and flow.Restitution == 0.3, "Granular Flow or its property was lost")
    simple.FindSource("Rocks").UpdatePipeline()
    result = digest(flow)
    expected = json.loads(DIGEST.read_text())
    check(result.keys() == expected.keys(), "other arrays than before")
    for name in expected:
        check(result[name] == expected[name], f"{name} differs after the state file was opened")
else:
    shutil.rmtree(CACHE, ignore_errors=True)
    _, rocks, flow = small_rockfall()
    flow.Restitution = 0.3
    flow.CacheFolder = str(CACHE)
    simple.RenameSource("Flow", flow)
    simple.RenameSource("Rocks", rocks)
    result = digest(flow)
    check(len(result) > 20 and result["0.0 Points"] != result["0.5 Points"], "nothing moved")
    DIGEST.write_text(json.dumps(result))
    simple.SaveState(str(STATE))
    simple.Delete(flow)  # its last frames are written
    del flow

    def load():
        check(subprocess.run([os.readlink("/proc/self/exe"), sys.argv[0], "load"]).returncode == 0, "not the same")

    before = files_on_disk()
    check(len([name for name in before if "/frame-" in name]) == 6, f"on disk: {sorted(before)}")
    load()
    check(files_on_disk() == before, "frames were computed that are on disk")
    shutil.rmtree(CACHE)
    load()
    check(files_on_disk().keys() == before.keys(), "what was computed again is not on disk")
