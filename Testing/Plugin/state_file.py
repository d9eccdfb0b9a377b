"""A state file, opened in another process, gives the same particles to the bit.

The script starts itself again with the argument "load".
"""

import json
import os
import subprocess
import sys
from support import OUTPUT, check, load_plugin, point_arrays, simple, small_rockfall

STATE, DIGEST = OUTPUT / "rockfall.pvsm", OUTPUT / "digest.json"


def digest(flow):
    """Every array of two frames, as text that can be compared."""
    return {f"{time} {name}": [str(values.dtype), values.tobytes().hex()]
            for time in (0.0, 0.5) for name, values in point_arrays(flow, time).items()}


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
    _, rocks, flow = small_rockfall()
    flow.Restitution = 0.3
    simple.RenameSource("Flow", flow)
    simple.RenameSource("Rocks", rocks)
    result = digest(flow)
    check(len(result) > 20 and result["0.0 Points"] != result["0.5 Points"], "nothing moved")
    DIGEST.write_text(json.dumps(result))
    simple.SaveState(str(STATE))
    this_program = os.readlink("/proc/self/exe")
    sys.exit(subprocess.run([this_program, sys.argv[0], "load"]).returncode)
