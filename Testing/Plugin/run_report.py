"""Run Report: the report of the frame that is shown, line by line; one sentence where there is none."""

import re
from support import check, load_plugin, simple, small_rockfall
from paraview.servermanager import Fetch

load_plugin()
terrain, rocks, flow = small_rockfall(particles=20, end_time=1.0, frame_interval=0.5)
report = simple.RunReport(Input=flow)


def text_of(proxy, time=None):
    proxy.UpdatePipeline(*([] if time is None else [time]))
    table = Fetch(proxy)
    check(table.IsA("vtkTable") and table.GetNumberOfRows() == 1 and table.GetNumberOfColumns() == 1,
          f"not one text: {table}")
    return table.GetColumnByName("report").GetValue(0)


for time in (1.0, 0.5):
    flow.UpdatePipeline(time)
    text = text_of(report, time)
    check(re.search(rf"^  time              {time:g} s in \d+ steps$", text, re.MULTILINE),
          f"at {time} s another time is reported:\n{text}")
    check(text.split() == flow.Report.split(), f"{text}\nis not\n{flow.Report}")

# Long notes are broken, and go on below the values.
flow.Wind = [0, 10, 0, 0]
lines = text_of(report, 0.5).splitlines()
note = next(index for index, line in enumerate(lines) if line.startswith("  note"))
check(max(map(len, lines)) <= 88 and re.match(r" {20}\S", lines[note + 1]), "\n".join(lines))

check("Heights are cell array 'Elevation'." in " ".join(text_of(simple.RunReport(Input=terrain)).split()),
      "a Terrain Surface has another report")
none = text_of(simple.RunReport(Input=simple.Sphere()))
check(re.fullmatch(r"the input has no report; connect [^\n]*Granular Flow\n", none), none)
# A table is no particles either, and has no report of its own.
check(text_of(simple.RunReport(Input=simple.OutputPort(flow, 2)), 0.5) == none, "History has a report")
print(none)
