"""Local Coordinates in two processes: of a run, which is in the first, and of data that are in both; nobody waits for another."""

from paraview import simple
from support import check, load_plugin, small_rockfall
from vtkmodules.vtkParallelCore import vtkMultiProcessController

load_plugin()
controller = vtkMultiProcessController.GetGlobalController()
check(controller.GetNumberOfProcesses() == 2, "two processes are needed")

_, _, flow = small_rockfall(particles=50, end_time=0.2)
near = simple.LocalCoordinates(Input=flow)
for time in flow.TimestepValues:
    near.UpdatePipeline(time)
count = near.GetDataInformation().GetNumberOfPoints()
check(count == 50, f"{count} of 50 rocks came through")

# The first asks for the whole, the others for nothing, after all have had their pieces.
body = simple.LocalCoordinates(Input=simple.Sphere(Radius=20, Center=[0, 0, 30]), AutomaticOrigin=0, Origin=[1000, 0, 0])
body.UpdatePipeline()
magma = simple.ParticleSource(Shape="Bodies", Geometry=body, Radius=2)
magma.UpdatePipeline()
seeds = magma.GetDataInformation().GetNumberOfPoints()
check(seeds > 100, f"{seeds} seeds in the body")
print("both processes came through")
