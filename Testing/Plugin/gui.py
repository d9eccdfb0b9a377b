"""ParaView's own window: plugin loaded, pipeline built and played, default looks, window not blank."""

import json
import subprocess
from pathlib import Path
from support import OUTPUT, check, check_picture

log = subprocess.run([str(Path(__file__).with_name("gui.sh")), str(OUTPUT)], capture_output=True, text=True)
print(log.stdout, log.stderr)
check(log.returncode == 0, "the window did not come to its end")
for word in ("Traceback", "ERR|", "Error"):
    check(word not in log.stdout, f"ParaView's messages hold '{word}'")

played = json.loads((OUTPUT / "played.json").read_text())
print(played)
check(played["frames"] == 21 and abs(played["time"] - 4) < 1e-6, "it was not played to the end")
check(played["particles"] > 400, "particles are missing")
check(played["representation"] == "Particles" and played["scale_array"][-1] == "radius",
      "particles are not shown as spheres of their radius by default")
check(played["color_array"][-1] == "velocity", "particles are not coloured by velocity by default")
check(played["terrain_visible"], "the terrain was hidden")
check_picture(OUTPUT / "window.png", colors=2000)
