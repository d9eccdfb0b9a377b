"""The example scene bombs.py --quick as a user runs it: what it prints adds up, its pictures show something."""

from scene_run import SceneRun
from support import OUTPUT, check, check_picture

run = SceneRun("bombs")
number = run.number

# 15 % of 900 + 600 + 300 bombs, none of which waits; each is there or has left the map.
check(number(r"emitted +(\d+),") == 270, "not all bombs came out")
check(number(r"(\d+) wait for room") == 0, "bombs wait")
check(number(r"  particles +(\d+),") + number(r"lost +(\d+) left the map") == 270, "bombs are missing")
check(100 < number(r"farthest from the vent: (\d+) m") < 600, "bombs fly too far or not at all")
check(number(r"hardest impact: ([\d.]+) MPa") > 0, "nothing was hit")
for name in ("bombs.png", "bombs_impacts.png"):
    check_picture(OUTPUT / name)
