"""The panel shows the numbers of the frame that is shown, at once, and only what applies."""

from support import OUTPUT, check, check_picture, in_the_window

found = in_the_window("gui_panel.py")
steps = []
for moment, truth in found["numbers"].items():
    panel = truth["panel"]
    for name, value in (("Particles", truth["particles"]), ("Steps", truth["steps"]), ("TimeStep", truth["time_step"])):
        check(float(panel[name][0]) == value, f"after {moment} {name} shows {panel[name]}, the frame has {value}")
    check(panel["TimeStepLimitedBy"][0] == (truth["limited_by"] or "none yet"), f"after {moment}: {panel}")
    check(panel["DeviceUsed"][0].startswith("CPU"), f"after {moment}: {panel}")
    check(panel["Report"][0] == truth["report"], f"after {moment} the report is\n{panel['Report'][0]}")
    check(float(panel["EstimatedMemory"][0]) > 0 and float(panel["CacheUsed"][0]) > 0, f"after {moment}: {panel}")
    steps.append(truth["steps"])
check(steps[0] == 0 < steps[1] != steps[2], f"the frames do not differ: {steps}")

# Groups and what does not apply: a property that shows where it should not, or does not where it should.
SHOWN = {
    "default": ("Restitution EndTime AirDensity Particles", "DragLaw Wind DomainLower XLower GreatestOverlap Device MaterialPairs"),
    "advanced, with air and domain": ("DragLaw DragCoefficient DomainLower XLower GreatestOverlap Device",
                                      "AirViscosity DefaultYoungsModulus Cohesion RayleighFraction"),
    "Hertz-Mindlin": ("DefaultYoungsModulus Cohesion RayleighFraction", "GreatestOverlap"),
    "seeds": ("NumberOfSeeds Radius Velocity",
              "NumberOfNozzles Rate SmallestRadius MedianRadius Geometry Spacing UseFillLevel FillLevel FilledVolume LeakArea"),
    "emission from a disc": ("Rate Speed", "NumberOfSeeds NumberOfNozzles Velocity"),
    "emission from a sphere": ("Rate NumberOfNozzles", "NumberOfSeeds DiscRadius"),
    "emission along lines": ("Geometry NumberOfNozzles", "NumberOfSeeds Spacing"),
    "seeds on a surface": ("Geometry NumberOfSeeds", "Spacing KeepInside FilledVolume"),
    "bodies": ("Geometry Spacing Lattice KeepInside UseFillLevel FilledVolume BodyVolume LeakArea BodiesFilled",
               "NumberOfSeeds Clearance FillLevel DiscRadius"),
    "bodies with clearance and level": ("Clearance FillLevel", "NumberOfSeeds"),
    "lake": ("FillLevel Spacing BodyVolume", "Geometry UseFillLevel LeakArea NumberOfSeeds Clearance")}
for moment, (present, absent) in SHOWN.items():
    names = found["shown"][moment]
    check(set(present.split()) <= set(names), f"{moment}: of {present} some are hidden: {names}")
    check(not set(absent.split()) & set(names), f"{moment}: of {absent} some are shown: {names}")
order = found["shown"]["default"]
wanted = "TerrainRole DefaultRadius ContactLaw Restitution TerrainRestitution Gravity EndTime Particles Report".split()
check([name for name in order if name in wanted] == wanted, f"the order is {order}")

check(found["report"] == ["LapilliReportRepresentation", "Courier", "Upper Left Corner"], str(found["report"]))
check_picture(OUTPUT / "window.png", colors=2000)
