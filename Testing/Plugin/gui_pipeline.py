"""Runs inside ParaView's own window: loads the plugin, builds the pipeline, plays it."""

import json
from support import OUTPUT, load_plugin, simple, small_rockfall

load_plugin()
terrain, rocks, flow = small_rockfall(particles=500, end_time=4.0, frame_interval=0.2)
view = simple.GetActiveViewOrCreate("RenderView")

simple.Show(terrain, view)
simple.SetActiveSource(flow)
shown = simple.Show(flow, view)  # as it looks by default: nothing is set here
simple.ResetCamera(view)
view.CameraPosition, view.CameraFocalPoint = [1150, -420, 620], [520, 300, 140]
view.CameraViewUp = [0, 0, 1]

animation = simple.GetAnimationScene()
animation.UpdateAnimationUsingDataTimeSteps()
animation.Play()
# At t = 0 nothing moved yet: colours follow the speeds that are there now.
shown.RescaleTransferFunctionToDataRange(False, True)
shown.SetScalarBarVisibility(view, True)
simple.Render(view)


(OUTPUT / "found.json").write_text(json.dumps({
    "time": view.ViewTime,
    "frames": len(flow.TimestepValues),
    "particles": flow.GetDataInformation().GetNumberOfPoints(),
    "representation": shown.SMProxy.GetProperty("Representation").GetElement(0),
    "scale_array": list(shown.ParticleRadiusArray),
    "color_array": list(shown.ColorArrayName),
    "terrain_visible": bool(simple.GetDisplayProperties(terrain, view).Visibility)}))
