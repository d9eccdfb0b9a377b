"""Runs inside ParaView's own window: plays, presses Apply, and writes down what the panel shows."""

import json
import window
from support import OUTPUT, Fetch, load_plugin, simple, small_rockfall

load_plugin()
terrain, rocks, flow = small_rockfall(particles=100, end_time=4.0, frame_interval=0.2)
view = simple.GetActiveViewOrCreate("RenderView")
simple.Show(terrain, view)
simple.SetActiveSource(flow)  # its panel is there before its data are
window.settle()
found = {}


def note(moment):
    """What the panel shows, and what the frame that is shown tells."""
    window.settle()
    fields = Fetch(flow).GetFieldData()
    found[moment] = {
        "panel": window.shown(),
        "particles": fields.GetArray("particles").GetValue(0),
        "steps": fields.GetArray("steps").GetValue(0),
        "time_step": fields.GetArray("time_step").GetValue(0),
        "limited_by": fields.GetAbstractArray("time_step_limited_by").GetValue(0),
        "report": fields.GetAbstractArray("report").GetValue(0)}


simple.Show(flow, view)
simple.Render(view)
note("it was shown")
animation = simple.GetAnimationScene()
animation.UpdateAnimationUsingDataTimeSteps()
animation.GoToNext()
animation.GoToNext()
note("two frames on")
window.enter("FrameInterval", "0.3")
window.press("Accept")
note("another interval and Apply")

shown = {"default": list(window.shown())}
window.enter("AirDensity", "1.2")
flow.Domain = 1
flow.DomainUpper = [1000, 1000, 1000]
window.advanced(True)
shown["advanced, with air and domain"] = list(window.shown())
flow.ContactLaw = "Hertz-Mindlin"
shown["Hertz-Mindlin"] = list(window.shown())
window.advanced(False)
window.press("Reset")
simple.SetActiveSource(rocks)
shown["seeds"] = list(window.shown())
rocks.Mode = "Emission"
shown["emission from a disc"] = list(window.shown())
rocks.Shape = "Sphere"
shown["emission from a sphere"] = list(window.shown())
rocks.Mode, rocks.Shape = "Seeds at the start", "Disc"

from_geology = simple.ParticleSource(Mode="Emission", Shape="Lines")  # not shown: there is no geometry
simple.SetActiveSource(from_geology)
shown["emission along lines"] = list(window.shown())
from_geology.Mode, from_geology.Shape = "Seeds at the start", "Surface"
shown["seeds on a surface"] = list(window.shown())
from_geology.Shape = "Bodies"
shown["bodies"] = list(window.shown())
from_geology.KeepInside, from_geology.UseFillLevel = 0, 1
shown["bodies with clearance and level"] = list(window.shown())
from_geology.KeepInside, from_geology.Shape = 1, "Lake"
shown["lake"] = list(window.shown())

report = simple.RunReport(Input=flow)
text = simple.Show(report, view)
simple.SetActiveSource(flow)
flow.Domain, flow.ContactLaw = 0, "Linear spring"
simple.Render(view)
(OUTPUT / "found.json").write_text(json.dumps({
    "numbers": found, "shown": shown,
    "report": [text.SMProxy.GetXMLName(), text.FontFamily.GetData(), text.WindowLocation.GetData()]}))
