"""ParaView's own window: plugin loaded, pipeline built and played, default looks, window not blank."""

from support import OUTPUT, check, check_picture, in_the_window

played = in_the_window("gui_pipeline.py")
check(played["frames"] == 21 and abs(played["time"] - 4) < 1e-6, "it was not played to the end")
check(played["particles"] > 400, "particles are missing")
check(played["representation"] == "Particles" and played["scale_array"][-1] == "radius",
      "particles are not shown as spheres of their radius by default")
check(played["color_array"][-1] == "velocity", "particles are not coloured by velocity by default")
check(played["terrain_visible"], "the terrain was hidden")
check_picture(OUTPUT / "window.png", colors=2000)
