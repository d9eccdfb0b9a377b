"""A run saved as a series in ParaView's own formats reads back with the same bits."""

from support import OUTPUT, check, load_plugin, point_arrays, same_bits, simple, small_rockfall

load_plugin()
_, _, flow = small_rockfall()
flow.UpdatePipelineInformation()
times = list(flow.TimestepValues)
check(len(times) == 11, f"{len(times)} frames of 11")
simple.GetAnimationScene().UpdateAnimationUsingDataTimeSteps()

file = OUTPUT / "rocks.pvd"
simple.SaveData(str(file), flow, WriteTimeSteps=1, DataMode="Binary")
back = simple.PVDReader(FileName=str(file))
back.UpdatePipelineInformation()
check(len(back.TimestepValues) == len(times), f"{len(back.TimestepValues)} times in {file}")
for time in (times[0], times[5], times[-1]):
    original, restored = point_arrays(flow, time), point_arrays(back, time)
    check(len(original["Points"]) > 100, "hardly any particles")
    check(same_bits(original, restored), f"frame t = {time} differs after {file}")
check(not same_bits(point_arrays(back, times[0]), point_arrays(back, times[-1])),
      "the frames do not differ from one another")
