"""Three named outputs, each a time series; tables of rows reach the objects and come back."""

from support import check, load_plugin, simple, small_rockfall
from paraview.servermanager import Fetch

load_plugin()
terrain, rocks, flow = small_rockfall(particles=20, end_time=0.3)


def runs():
    flow.UpdatePipeline(0)
    return flow.Runs


# Rows that reach the filter change the run, and without them it is the first one again.
check(runs() == 1, "no run was started")
flow.MaterialPairs = [0, -1, 0.4, 0.5, 0, 0, 0, 0, 0.4, 0.5, 0, 0]
check(list(flow.MaterialPairs)[6:9] == [0, 0, 0.4] and runs() == 2, "rows of Material Pairs did not reach the filter")
flow.MaterialPairs = []
check(runs() == 3, "rows of Material Pairs stayed")
flow.Wind = [0, 1, 2, 3]
check(runs() == 4, "rows of Wind did not reach the filter")
live = flow.GetClientSideObject()

names = [flow.SMProxy.GetOutputPortName(port) for port in range(flow.SMProxy.GetNumberOfOutputPorts())]
check(names == ["Particles", "Terrain Maps", "History"], f"the outputs are called {names}")
flow.UpdatePipeline(0.2)
for port, kind in ((1, "vtkPolyData"), (2, "vtkTable"), (0, "vtkPolyData")):
    data = live.GetOutputDataObject(port)
    check(data.IsA(kind), f"output {port} is {data.GetClassName()}")
    check(abs(data.GetInformation().Get(data.DATA_TIME_STEP()) - 0.2) < 1e-9, f"output {port} has another time")
check(live.GetOutputDataObject(1).GetNumberOfCells() > 1000, "Terrain Maps has no triangles")

rocks.Mode, rocks.Shape, rocks.Pulses = "Emission", "Disc", [0, 1, 5, 2, 3, 4, 5, 2]
rocks.UpdatePipeline()
check(Fetch(rocks).GetNumberOfPoints() == 2, "one nozzle with two pulses is not two points")
print(names)
