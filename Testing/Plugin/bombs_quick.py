"""The example scene bombs.py --quick as a user runs it: what it prints adds up, its pictures show something."""

import os
import re
import subprocess

from support import OUTPUT, ROOT, check, check_picture

run = subprocess.run([os.readlink("/proc/self/exe"), str(ROOT / "Plugin/Scenes/bombs.py"), str(OUTPUT),
                      "--quick"], capture_output=True, text=True)
print(run.stdout, run.stderr)
check(run.returncode == 0, "the scene failed")


def number(pattern):
    found = re.search(pattern, run.stdout)
    check(found is not None, f"nothing printed like {pattern}")
    return float(found.group(1))


# 15 % of 900 + 600 + 300 bombs, none of which waits; each is there or has left the map.
check(number(r"emitted +(\d+),") == 270, "not all bombs came out")
check(number(r"(\d+) wait for room") == 0, "bombs wait")
check(number(r"  particles +(\d+),") + number(r"lost +(\d+) left the map") == 270, "bombs are missing")
check(100 < number(r"farthest from the vent: (\d+) m") < 600, "bombs fly too far or not at all")
check(number(r"hardest impact: ([\d.]+) MPa") > 0, "nothing was hit")
for name in ("bombs.png", "bombs_impacts.png"):
    check_picture(OUTPUT / name)
