// The table "history": a row for each frame from the first on, with the numbers of the report.
#include "Compare.h"
#include "Math/Random.h"
#include "Runs.h"
#include "Terrains.h"

using namespace lapilli;
using namespace lapilli::test;

namespace
{

Table historyOf(const Simulation& run)
{
  Frame frame;
  run.read(frame);
  return frame.table("history");
}

double value(const Table& table, const std::string& column, std::size_t row)
{
  const Array& array = table.column(column);
  return std::holds_alternative<std::vector<double>>(array.values)
           ? array.as<double>()[row]
           : static_cast<double>(array.as<std::int64_t>()[row]);
}

/// Spheres thrown about on a small hummocky map, which some leave.
Scene tossed()
{
  Scene scene;
  scene.surfaces.push_back(gridTerrain(
    -10, 10, 20, -10, 10, 20, [](double x, double y) { return 0.3 * std::sin(x) * std::cos(y); }));
  RandomStream random(9, RandomStream::Positions);
  for (int k = 0; k < 100; ++k)
    scene.seeds.add({ -8 + 1.6 * (k % 10), -8 + 1.6 * (k / 10), 1.5 },
      { random.uniform(-6, 6), random.uniform(-6, 6), 0 }, random.uniform(0.2, 0.5), 2600);
  return scene;
}

GranularFlowParameters tossedParameters()
{
  GranularFlowParameters parameters;
  parameters.frameInterval = 0.1;
  return parameters;
}

/// Column, and what the report says.
struct Said
{
  const char* column;
  double value;
};

std::vector<Said> saidBy(const Report& r)
{
  return { { "time", r.time }, { "steps", double(r.steps) }, { "time_step", r.timeStep },
    { "particles", double(r.particles) }, { "particles_at_rest", double(r.particlesAtRest) },
    { "mass", r.mass }, { "mass_in", r.massIn }, { "mass_at_rest", r.massAtRest },
    { "kinetic_energy", r.kineticEnergy }, { "rotational_energy", r.rotationalEnergy },
    { "potential_energy", r.potentialEnergy }, { "momentum_x", r.momentum[0] },
    { "momentum_y", r.momentum[1] }, { "momentum_z", r.momentum[2] },
    { "support_force_x", r.supportForce[0] }, { "support_force_y", r.supportForce[1] },
    { "support_force_z", r.supportForce[2] }, { "greatest_speed", r.greatestSpeed },
    { "front_distance", r.frontDistance },
    { "lost_mass_left_the_map", lossOf(r, "left the map").mass },
    { "lost_mass_fell_into_a_hole", lossOf(r, "fell into a hole").mass },
    { "lost_mass_went_through_the_terrain", lossOf(r, "went through the terrain").mass } };
}

} // namespace

class GranularHistory : public OnEveryDevice
{
};
LAPILLI_ON_EVERY_DEVICE(GranularHistory);

TEST_P(GranularHistory, SaysInEachRowWhatTheReportSaidThen)
{
  auto run = createGranularFlow(tossed(), tossedParameters(), device());
  std::vector<std::vector<Said>> rows{ saidBy(run->report()) };
  for (int frame = 1; frame <= 20; ++frame)
  {
    advance(*run, 0.1 * frame);
    rows.push_back(saidBy(run->report()));
    EXPECT_EQ(historyOf(*run).rows(), rows.size());
  }
  const Table table = historyOf(*run);
  ASSERT_EQ(table.rows(), 21u);
  for (std::size_t row = 0; row < rows.size(); ++row)
    for (const Said& said : rows[row])
      EXPECT_EQ(value(table, said.column, row), said.value) << said.column << " " << row;
  for (const char* name : { "steps", "particles", "particles_at_rest" })
    EXPECT_NO_THROW(table.column(name).as<std::int64_t>());
  // Not all the same: a table of zeros would agree with a report of zeros.
  EXPECT_GT(value(table, "rotational_energy", 20), 0);
  EXPECT_GT(value(table, "support_force_z", 20), 0);
  EXPECT_LT(value(table, "particles", 20), 100);
}

TEST_P(GranularHistory, EachObstacleHasForceAndImpulseUnderItsOwnName)
{
  Scene scene = tossed();
  const std::pair<const char*, const char*> names[] = { { "M\u00e4uer/1, x", "M\u00e4uer_1__x" },
    { "north wall", "north_wall" } };
  for (int k = 0; k < 2; ++k)
  {
    Surface slab = moved(planeTerrain(4), k == 0 ? -5 : 5, 0, 0.6);
    slab.role = SurfaceRole::Obstacle;
    slab.name = names[k].first;
    scene.surfaces.push_back(slab);
  }
  auto run = createGranularFlow(scene, tossedParameters(), device());
  Vec3d sum[2];
  for (int frame = 1; frame <= 10; ++frame)
  {
    advance(*run, 0.1 * frame);
    for (int k = 0; k < 2; ++k)
    {
      const ObstacleForce force = run->report().obstacles.at(k);
      sum[k] += 0.1 * Vec3d{ force.force[0], force.force[1], force.force[2] };
    }
  }
  const Table table = historyOf(*run);
  for (int k = 0; k < 2; ++k)
  {
    const std::string name = names[k].second;
    EXPECT_EQ(columnName(names[k].first), name);
    const ObstacleForce force = run->report().obstacles.at(k);
    const Vec3d impulse{ value(table, name + "_impulse_x", 10),
      value(table, name + "_impulse_y", 10), value(table, name + "_impulse_z", 10) };
    EXPECT_TRUE(agrees(impulse, sum[k], 1e-9, length(sum[k])));
    EXPECT_LT(impulse.z, 0);
    EXPECT_EQ(impulse.z, force.impulse[2]);
    EXPECT_EQ(table.column(name + "_impulse_z").unit, "N s");
    EXPECT_EQ(value(table, name + "_force_z", 10), force.force[2]);
    EXPECT_EQ(value(table, name + "_greatest_force", 10), force.greatestForce);
  }
}

TEST(ColumnName, KeepsLettersAndTurnsAllElseIntoUnderscores)
{
  EXPECT_EQ(columnName("left the map"), "left_the_map");
  EXPECT_EQ(columnName("a/b,c\td-e.f"), "a_b_c_d_e_f");
  EXPECT_EQ(columnName("Wall_9"), "Wall_9");
  EXPECT_EQ(columnName("\u58c1 \u00e9 \U0001f3d4"), "\u58c1_\u00e9_\U0001f3d4");
  EXPECT_EQ(columnName("\xe4uer \xc3"), "_uer__"); // not UTF-8
  EXPECT_EQ(columnName(""), "");
}

TEST_P(GranularHistory, MassThatCameInIsThereOrLost)
{
  const Scene scene = tossed();
  double given = 0;
  for (const double r : scene.seeds.radii)
    given += 2600.0 * 4 / 3 * M_PI * r * r * r;
  const Table table = historyOf(*march(scene, tossedParameters(), device(), 2));
  for (std::size_t row = 0; row < table.rows(); ++row)
  {
    const double in = value(table, "mass_in", row);
    EXPECT_EQ(in, value(table, "mass", row) + value(table, "lost_mass_left_the_map", row) +
                    value(table, "lost_mass_fell_into_a_hole", row) +
                    value(table, "lost_mass_went_through_the_terrain", row));
    EXPECT_TRUE(agrees(in, given, 1e-13)) << row;
    if (row > 0)
    {
      // Sums of another order differ in their last bits.
      EXPECT_LE(value(table, "mass", row), value(table, "mass", row - 1) * (1 + 1e-14));
    }
  }
  EXPECT_LT(value(table, "mass", 20), 0.99 * given);
}

TEST_P(GranularHistory, EnergyAndMomentumOfAFlightAreThoseOfGalilei)
{
  Scene scene;
  scene.seeds.add({ 5, 5, 0 }, { 3, 4, 20 }, 0.5, 2600);
  scene.seeds.add({ -5, -5, 0 }, { 3, 4, 20 }, 0.5, 2600);
  GranularFlowParameters parameters;
  parameters.frameInterval = 0.1;
  const Table table = historyOf(*march(scene, parameters, device(), 1));
  ASSERT_EQ(table.rows(), 11u);
  const double mass = 2 * 2600 * 4.0 / 3 * M_PI * 0.125;
  for (std::size_t row = 0; row < 11; ++row)
  {
    const double t = 0.1 * static_cast<double>(row), vz = 20 - 9.81 * t;
    EXPECT_TRUE(agrees(value(table, "momentum_x", row), 3 * mass, 1e-12));
    EXPECT_TRUE(agrees(value(table, "momentum_y", row), 4 * mass, 1e-12));
    EXPECT_TRUE(agrees(value(table, "momentum_z", row), vz * mass, 1e-9, 20 * mass));
    EXPECT_TRUE(agrees(value(table, "kinetic_energy", row) + value(table, "potential_energy", row),
      0.5 * mass * 425, 1e-9));
    EXPECT_EQ(value(table, "rotational_energy", row), 0);
    // The middle of the two is the origin; the first flies away from it along x + y, 5 m/s across.
    const double front = std::hypot(5 + 3 * t, 5 + 4 * t);
    EXPECT_TRUE(agrees(value(table, "front_distance", row), front, 1e-6));
    EXPECT_TRUE(agrees(value(table, "greatest_speed", row), std::sqrt(25 + vz * vz), 1e-6));
  }
}

TEST_P(GranularHistory, IsCompleteAfterARestart)
{
  auto straight = march(tossed(), tossedParameters(), device(), 1.5);
  auto half = march(tossed(), tossedParameters(), device(), 0.7);
  auto other = createGranularFlow(tossed(), tossedParameters(), device());
  restoreBytes(*other, savedBytes(*half));
  EXPECT_EQ(historyOf(*other).rows(), 8u);
  advance(*other, 1.5);
  const Table a = historyOf(*straight), b = historyOf(*other);
  ASSERT_EQ(a.rows(), 16u);
  ASSERT_EQ(b.rows(), 16u);
  for (const Array& column : a.columns)
    EXPECT_TRUE(column.values == b.column(column.name).values) << column.name;
  // Back in time the later rows go.
  restoreBytes(*other, savedBytes(*half));
  EXPECT_EQ(historyOf(*other).rows(), 8u);
}

TEST_P(GranularHistory, CountsWhatRests)
{
  Scene scene;
  scene.surfaces.push_back(planeTerrain(20));
  scene.seeds.add({ 0, 0, 0.5 }, { 0, 0, 0 }, 0.5, 2600);
  scene.seeds.add({ 3, 0, 0.5 }, { 0, 5, 0 }, 0.5, 2600);
  GranularFlowParameters parameters;
  parameters.terrainFriction = 0;
  parameters.frameInterval = 0.1;
  parameters.restSpeed = 0.2; // the first settles into its contact at g/omega0, 0.1 m/s
  const Table table = historyOf(*march(scene, parameters, device(), 0.5));
  const double mass = 2600 * 4.0 / 3 * M_PI * 0.125;
  for (std::size_t row = 0; row < table.rows(); ++row)
  {
    const double resting = row == 0 ? 0 : 1; // at the start nothing has touched anything yet
    EXPECT_EQ(value(table, "particles_at_rest", row), resting) << row;
    EXPECT_TRUE(agrees(value(table, "mass_at_rest", row), resting * mass, 1e-14, mass)) << row;
  }
}
