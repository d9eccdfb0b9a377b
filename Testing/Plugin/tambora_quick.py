"""The example scene tambora.py --quick: its chamber is full, its rocks fall; without its data it says so and is skipped."""

import os
import tempfile
from pathlib import Path

from scene_run import SceneRun, run_scene
from support import OUTPUT, check, check_picture

with tempfile.TemporaryDirectory() as empty:
    said = run_scene("tambora", empty)
    check(said.startswith("skipped: ") and empty in said and "tambora_terrain_utm50s.ply" in said and "https://" in said,
          "without data the scene does not say what is missing")

data = Path(os.environ.get("LAPILLI_SHARED_DATA", ""))
if not (data / "tambora_chamber_utm50s.stl.gz").is_file():
    print("skipped: LAPILLI_SHARED_DATA names no folder with the relief and the chamber of Tambora")
else:
    run = SceneRun("tambora", str(data))
    number = run.number
    check("a single-valued sheet" in run.text, "the relief is not recognised")
    # 5,694.17 km3 by the divergence theorem over the chamber's triangles, which are closed.
    volume, mesh = number(r"particles, ([\d.e+]+) m\^3"), number(r"the mesh has ([\d.e+]+) m")
    check(abs(mesh / 5.69417e12 - 1) < 1e-5, f"the chamber's mesh has {mesh} m3")
    check(abs(volume / mesh - 1) < 0.02, f"{volume} m3 were filled")
    check(abs(number(r"highest place: ([\d.]+) m") - 2610) < 1, "the summit has another height")
    check(number(r"blocks: (\d+) on the relief") + number(r"relief, (\d+) beyond it") == 60, "blocks are missing")
    check(number(r"down to ([-\d.]+) m") < 2200, "nothing falls")
    check_picture(OUTPUT / "tambora.png")
