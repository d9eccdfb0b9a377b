"""One picture of a run, as it looks by default: not blank, and the rocks are in it."""

from support import OUTPUT, check, check_picture, load_plugin, simple, small_rockfall

load_plugin()
terrain, _, flow = small_rockfall()
view = simple.CreateView("RenderView")
view.ViewSize = [800, 500]
simple.Show(terrain, view)
without = OUTPUT / "terrain.png"
simple.ResetCamera(view)
view.CameraPosition, view.CameraFocalPoint = [1150, -420, 620], [520, 300, 140]
view.CameraViewUp = [0, 0, 1]
simple.SaveScreenshot(str(without), view)
check_picture(without, colors=20)

simple.Show(flow, view)
view.ViewTime = flow.TimestepValues[-1]
with_rocks = OUTPUT / "rocks.png"
simple.SaveScreenshot(str(with_rocks), view)
colors, _ = check_picture(with_rocks, colors=200)
check(without.read_bytes() != with_rocks.read_bytes(), "the rocks are not to be seen")
print(f"{colors} colours")
