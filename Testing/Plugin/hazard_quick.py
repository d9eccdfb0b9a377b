"""The example scene hazard.py --quick as a user runs it: what it prints, its table and its pictures; and what it says
of loads, with one rock against one wall."""

import csv

import numpy
from scene_run import SceneRun
from support import OUTPUT, check, check_picture, load_plugin, simple, vtk_to_numpy

from paraview.servermanager import Fetch

run = SceneRun("hazard")
number = run.number

# Every block is there, and a wall stops some of those that would come past its line, but not more than all.
blocks, reached, passed = (number(rf"^{words} +(\d+)") for words in ("blocks", "reach the line", "get past the wall"))
check(20 <= blocks <= 30, f"{blocks} blocks came out")
check(0 < reached <= blocks and passed < reached, f"{reached} of {blocks} reach the line, {passed} pass")
check("went through" not in run.text, "blocks went through the terrain")

# No block has more energy than it can have got: the heaviest, of 0.9 m radius, falling from 3 m and some above the
# contour line of 172 m to the lowest place of the flank, 101 m. Some have enough for lines between the classes.
most = 2700 * 4 / 3 * numpy.pi * 0.9**3 * (9.81 * (177 - 101) + 2**2 / 2) / 1000
energy, at_line = number(r"energy on the slope +up to ([\d,]+) kJ"), number(r"energy at the line +up to ([\d,]+) kJ")
check(300 < energy < most and 30 < at_line <= energy, f"energies of {energy} and {at_line} kJ, possible are {most:.0f}")
check(0 < number(r"bounce at the line +up to ([\d.]+) m") < 20, "a block bounces too high or not at all")

# The table: its forces over time are the impulse that is told, and no mean is above the greatest of its time.
rows = list(csv.DictReader(open(OUTPUT / "hazard_history.csv")))
check(len(rows) == run.frames, f"{len(rows)} rows of history")
time, x, y, z, greatest = (numpy.array([float(row[name]) for row in rows])
                           for name in ("time", "wall_force_x", "wall_force_y", "wall_force_z", "wall_greatest_force"))
mean = numpy.sqrt(x**2 + y**2 + z**2)
check((mean <= greatest * (1 + 1e-6)).all() and greatest.max() > 0, "a mean force is above the greatest")
check(abs(greatest.max() / 1e6 - number(r"force on the wall +up to ([\d.]+) MN")) < 0.06, "another force is told")
impulse = numpy.linalg.norm([numpy.sum(force[1:] * numpy.diff(time)) for force in (x, y, z)]) / 1000
check(abs(impulse - number(r"impulse on the wall +([\d,]+) kN s")) < 1 + 1e-3 * impulse, "another impulse is told")
check(x[-1] >= 0 and x.sum() > 0, "blocks push the wall uphill")

for name in ("hazard", "hazard_energy", "hazard_bounce", "hazard_passes"):
    check_picture(OUTPUT / f"{name}.png")
for name in ("force", "energies"):
    check_picture(OUTPUT / f"hazard_{name}.png", colors=20, commonest=0.99)


def hit(overlap):
    """Impulse [N s] and greatest force [N] of a rock of 1 m that flies against a wall at 10 m/s, without gravity."""
    ground = simple.Plane(Origin=[-20, -20, 0], Point1=[20, -20, 0], Point2=[-20, 20, 0])
    block = simple.Box(Center=[5, 0, 5], XLength=1, YLength=20, ZLength=10)
    rock = simple.ParticleSource(Shape="Point", Point=[0, 0, 5], NumberOfSeeds=1, Radius=0.5, Density=2700,
                                 Velocity=[10, 0, 0])
    flow = simple.GranularFlow(Terrain=ground, Sources=rock, Obstacles=block)
    flow.Gravity, flow.EndTime, flow.TerrainRestitution = [0, 0, 0], 1, 0.5
    flow.GreatestSpeed, flow.GreatestOverlap = 10, overlap
    flow.UpdatePipeline(1)
    table = Fetch(flow, idx=2).GetRowData()
    force, peak = (vtk_to_numpy(table.GetArray(f"obstacle_0_{name}")) for name in ("force_x", "greatest_force"))
    return force.sum() * flow.FrameInterval, peak.max()


# Momentum: m v (1 + e), whatever the stiffness. The peak is as the speed over the overlap that are asked for, within a
# tenth: it rises in the first of the contact's 20 steps, and falls there on the steps as chance will.
load_plugin()
(soft, low), (stiff, high) = hit(0.3), hit(0.1)
asked = 2700 * 4 / 3 * numpy.pi * 0.5**3 * 10 * 1.5
check(max(abs(soft / asked - 1), abs(stiff / asked - 1)) < 0.015, f"impulses {soft} and {stiff}, asked {asked} N s")
check(abs(high / low / 3 - 1) < 0.1, f"three times as stiff, the peak is {high / low:.2f} times as high")
print(f"impulse {soft:.0f} and {stiff:.0f} N s of {asked:.0f}, peaks {low / 1e6:.2f} and {high / 1e6:.2f} MN")
