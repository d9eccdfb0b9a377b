"""Three named outputs, each a time series; tables of rows reach the objects and come back."""

from support import check, load_plugin, simple, small_rockfall
from paraview.servermanager import Fetch

load_plugin()
terrain, rocks, flow = small_rockfall(particles=20, end_time=0.3)
flow.MaterialPairs = [0, -1, 0.4, 0.5, 0, 0, 0, 0, 0.4, 0.5, 0, 0]
flow.Wind = [0, 1, 2, 3]
flow.UpdateVTKObjects()
live = flow.GetClientSideObject()
check(live.GetNumberOfMaterialPairs() == 2 and live.GetNumberOfWindLayers() == 1, "rows did not reach the filter")
flow.MaterialPairs, flow.Wind = [], []
flow.UpdateVTKObjects()
check(live.GetNumberOfMaterialPairs() == 0 and live.GetNumberOfWindLayers() == 0, "rows stayed")

names = [flow.SMProxy.GetOutputPortName(port) for port in range(flow.SMProxy.GetNumberOfOutputPorts())]
check(names == ["Particles", "Terrain Maps", "History"], f"the outputs are called {names}")
for port, kind in ((1, "vtkPolyData"), (2, "vtkTable"), (0, "vtkPolyData")):
    flow.SMProxy.UpdatePipeline(0.2)
    data = live.GetOutputDataObject(port)
    check(data.IsA(kind), f"output {port} is {data.GetClassName()}")
    check(abs(data.GetInformation().Get(data.DATA_TIME_STEP()) - 0.2) < 1e-9, f"output {port} has no time")
check(live.GetOutputDataObject(1).GetNumberOfCells() > 1000, "Terrain Maps has no triangles")

rocks.Mode, rocks.Shape, rocks.Pulses = "Emission", "Disc", [0, 1, 5, 2, 3, 4, 5, 2]
rocks.UpdatePipeline()
check(Fetch(rocks).GetNumberOfPoints() == 2, "one nozzle with two pulses is not two points")
print(names)
