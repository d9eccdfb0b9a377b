"""A process that ends while a run marches in the background ends at once and as it should: pvpython, and the window.

The script starts itself again with what to do at the end.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from support import OUTPUT, check, load_plugin, simple, small_rockfall, start, wait_for_march

ENDS = ("end", "exit", "delete", "disk")


def march(how):
    """Starts a march of about a minute, and then ends."""
    load_plugin()
    _, _, flow = small_rockfall(20000, end_time=10, frame_interval=0.1)
    flow.Live = 1
    flow.CacheFolder = str(OUTPUT / "cache") if how == "disk" else ""
    flow.UpdatePipeline(0)
    wait_for_march(flow)
    print("at", time.time(), flush=True)
    if how == "delete":
        simple.Delete(flow)
        del flow
    if how == "exit":
        sys.exit(0)


def check_end(name, command):
    script = start(command, start_new_session=True)
    try:
        told = script.communicate(timeout=60)[0]
    except subprocess.TimeoutExpired:
        os.killpg(script.pid, signal.SIGKILL)
        raise
    ended = time.time()
    print(name, script.returncode, told.strip())
    times = [float(line.split()[1]) for line in told.splitlines() if line.startswith("at ")]
    check(len(times) == 1, f"{name}: it did not come to its end")
    check(script.returncode == 0, f"{name}: ended with {script.returncode}")
    check("ERR|" not in told and "Traceback" not in told, f"{name}: there were errors")
    check(ended - times[0] < 10, f"{name}: {ended - times[0]:.1f} s until the process had gone")
    print(f"{name}: gone after {ended - times[0]:.1f} s")


if len(sys.argv) > 1:
    march(sys.argv[1])
else:
    for how in ENDS:
        check_end(how, [os.readlink("/proc/self/exe"), __file__, how])
    OUTPUT.chmod(0o700)
    os.environ["HOME"] = os.environ["XDG_RUNTIME_DIR"] = str(OUTPUT)  # nobody's own settings
    os.environ["PYTHONPATH"] = str(Path(__file__).parent)
    check_end("window", ["xvfb-run", "-a", "-n", str(100 + os.getpid() % 10000), "-s", "-screen 0 1400x900x24", "paraview", "--dr",
                         f"--script={Path(__file__).with_name('gui_quit.py')}"])
