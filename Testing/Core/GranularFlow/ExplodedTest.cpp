// A run whose neighbours become too many ends with a message that names a particle, place and time.
#include "GranularFlow/GranularFlowPlan.h"
#include "Runs.h"

#include <cstdio>

using namespace lapilli;
using namespace lapilli::test;

TEST(GranularExploded, NamesTheParticleAsItsUserKnowsIt)
{
  // From all sides to one place far from the origin.
  const Vec3d middle{ 523000, 4187000, 1250 };
  GranularFlowParameters parameters;
  parameters.gravity = { 0, 0, 0 };
  parameters.frameInterval = 0.1;
  Scene scene;
  for (int k = 0; k < 48; ++k)
  {
    const double up = (k + 0.5) / 24 - 1, turn = 2.4 * k, out = std::sqrt(1 - up * up);
    const Vec3d direction{ out * std::cos(turn), out * std::sin(turn), up };
    const Vec3d place = middle + 12.0 * direction, velocity = -10.0 * direction;
    scene.seeds.add(
      { place.x, place.y, place.z }, { velocity.x, velocity.y, velocity.z }, 0.5, 2600);
  }
  const auto plan = planGranularFlow(scene, parameters);
  plan->mostNeighbors = 200;
  const auto run = cpu::startGranularFlow(plan, 1);
  const std::string message = messageOf<Diverged>([&] { advance(*run, 2); });

  double time = 0;
  Vec3d place;
  long step = 0, id = -1, neighbors = 0;
  ASSERT_EQ(std::sscanf(message.c_str(),
              "diverged at time %lf s, step %ld: particle %ld, at (%lf, %lf, %lf) m, has %ld "
              "neighbours",
              &time, &step, &id, &place.x, &place.y, &place.z, &neighbors),
    7)
    << message;
  EXPECT_NE(message.find("all particles together more than 200; check where particles start"),
    std::string::npos)
    << message;
  const Report report = run->report();
  EXPECT_NEAR(time, report.time, 1e-9);
  EXPECT_EQ(step, report.steps);
  EXPECT_GT(neighbors, 4);
  // It meets others on its way in.
  EXPECT_GT(time, 0.5);
  EXPECT_LT(time, 1.3);
  const Snapshot now(*run);
  bool isThere = false;
  for (std::size_t i = 0; i < now.count(); ++i)
    if (now.id(i) == id)
    {
      isThere = true;
      EXPECT_LT(length(now.position(i) - place), 1e-2); // ten digits of the farthest coordinate
    }
  EXPECT_TRUE(isThere);
}
