// Friction with and without history through whole runs: a spring and dashpot, or the dashpot alone.
#include "Compare.h"
#include "Runs.h"
#include "Terrains.h"

using namespace lapilli;
using namespace lapilli::test;

namespace
{

constexpr double kGravity = 9.81;
constexpr double kRadius = 0.5;
constexpr double kDensity = 2600;
constexpr double kYoungs = 1e7, kPoisson = 0.25;
constexpr double kSpeed = 5, kOverlap = 0.1;

/// The dashpots are critical: zeta 1, where e = exp(-2).
GranularFlowParameters blocks(ContactLaw law, TangentialLaw tangential)
{
  GranularFlowParameters parameters;
  parameters.contactLaw = law;
  parameters.tangentialLaw = tangential;
  parameters.restitution = parameters.terrainRestitution = std::exp(-2);
  parameters.friction = parameters.terrainFriction = 0.5;
  parameters.terrainYoungsModulus = 0;
  parameters.rotation = Rotation::Locked;
  parameters.greatestSpeed = kSpeed;
  parameters.greatestOverlap = kOverlap;
  parameters.stepsPerContact = 1000;
  return parameters;
}

/// A block that touches a plane, which falls along x.
Scene blockOnSlope(double angle, double away, double speed)
{
  Scene scene;
  scene.materials.push_back({ 0, kYoungs, kPoisson });
  scene.surfaces.push_back(cutPlane(Cut::Coarse, away + 100, 0, -std::tan(angle)));
  scene.seeds.add({ away, away, -std::tan(angle) * away + kRadius / std::cos(angle) },
    { speed * std::cos(angle), 0, -speed * std::sin(angle) }, kRadius, kDensity);
  return scene;
}

/// Speed at which a critical dashpot across the contact carries a block's weight along the slope [m/s].
double creepSpeed(ContactLaw law, double angle)
{
  const double mass = kDensity * 4 / 3 * M_PI * std::pow(kRadius, 3);
  if (law == ContactLaw::LinearSpring) // c = m omega0
    return kGravity * std::sin(angle) * kOverlap * kRadius / kSpeed;
  const double youngs = kYoungs / (1 - kPoisson * kPoisson);
  const double shear = kYoungs / (2 * (2 - kPoisson) * (1 + kPoisson));
  const double weight = mass * kGravity;
  const double overlap =
    std::pow(0.75 * weight * std::cos(angle) / (youngs * std::sqrt(kRadius)), 2.0 / 3);
  const double stiffness = 8 * shear * std::sqrt(kRadius * overlap);
  return weight * std::sin(angle) / (std::sqrt(5 * 2.0 / 3) * std::sqrt(mass * stiffness));
}

/// Spheres that fall on one another in a box.
Scene heap()
{
  Scene scene;
  scene.domain.used = true;
  scene.domain.upper = { 4, 4, 8 };
  scene.domain.sides.fill(DomainSide::Wall);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 5; ++k)
        scene.seeds.add({ 0.7 + 1.2 * i + 0.05 * k, 0.7 + 1.2 * j, 0.6 + 1.1 * k }, { 1, 0, -1 },
          kRadius, kDensity);
  return scene;
}

constexpr ContactLaw kLaws[] = { ContactLaw::LinearSpring, ContactLaw::HertzMindlin };

} // namespace

class TangentialLaws : public OnEveryDevice
{
};
LAPILLI_ON_EVERY_DEVICE(TangentialLaws);

TEST_P(TangentialLaws, SlidingBlockIsSlowedByCoulombsForce)
{
  for (const ContactLaw law : kLaws)
    for (const TangentialLaw tangential : { TangentialLaw::Spring, TangentialLaw::Dashpot })
      for (const double away : { 0.0, kFar })
      {
        auto run = createGranularFlow(blockOnSlope(0, away, 4), blocks(law, tangential), device());
        advance(*run, 0.2); // has settled on the ground
        const double early = Snapshot(*run).velocity(0).x;
        advance(*run, 0.5);
        const double reached = (early - Snapshot(*run).velocity(0).x) / 0.3;
        const std::string name =
          std::string(nameOf(law)) + ", " + nameOf(tangential) + awayName(away);
        EXPECT_TRUE(agrees(reached, 0.5 * kGravity, 1e-3)) << name;
        verify("Sliding block, mu 0.5, " + name, "4.905 m/s^2, 0.1 %", shown(reached, 6) + " m/s^2",
          "mu g");
      }
}

TEST_P(TangentialLaws, BlockOnASlopeRestsOnTheSpringAndCreepsOnTheDashpot)
{
  const double angle = 20 * M_PI / 180;
  for (const ContactLaw law : kLaws)
    for (const double away : { 0.0, kFar })
    {
      auto rests =
        march(blockOnSlope(angle, away, 0), blocks(law, TangentialLaw::Spring), device(), 2);
      EXPECT_LT(length(Snapshot(*rests).velocity(0)), 1e-5);
      auto creeps =
        march(blockOnSlope(angle, away, 0), blocks(law, TangentialLaw::Dashpot), device(), 2);
      const Vec3d velocity = Snapshot(*creeps).velocity(0);
      const double expected = creepSpeed(law, angle);
      const std::string name = std::string(nameOf(law)) + awayName(away);
      EXPECT_TRUE(agrees(length(velocity), expected, 5e-3)) << name;
      EXPECT_GT(velocity.x, 0);
      verify(
        "Block at rest on a slope of 20 degrees, mu 0.5, critical dashpot without history, " + name,
        shown(expected) + " m/s, 0.5 %", shown(length(velocity)) + " m/s", "m g sin b / c");
    }
}

TEST_P(TangentialLaws, DashpotTakesLessMemoryAndGoesOnFromACheckpointWithTheSameBits)
{
  for (const ContactLaw law : kLaws)
  {
    GranularFlowParameters parameters = blocks(law, TangentialLaw::Dashpot);
    parameters.rotation = Rotation::Free;
    parameters.stepsPerContact = 20;
    auto run = march(heap(), parameters, device(), 0.6);
    auto other = createGranularFlow(heap(), parameters, device());
    restoreBytes(*other, savedBytes(*run));
    advance(*run, 1);
    advance(*other, 1);
    EXPECT_EQ(hashOf(*other), hashOf(*run)) << nameOf(law);

    parameters.tangentialLaw = TangentialLaw::Spring;
    auto remembers = march(heap(), parameters, device(), 1);
    EXPECT_NE(hashOf(*remembers), hashOf(*run)) << nameOf(law);
    EXPECT_LT(run->report().memory, remembers->report().memory) << nameOf(law);
    EXPECT_NE(messageOf<InvalidInput>([&] { restoreBytes(*remembers, savedBytes(*run)); }), "");
  }
}

TEST(TangentialLaw, ThatGivesNoFrictionIsNoted)
{
  const auto hasNote = [](double restitution, double friction, TangentialLaw tangential)
  {
    GranularFlowParameters parameters = blocks(ContactLaw::LinearSpring, tangential);
    parameters.terrainRestitution = restitution;
    parameters.terrainFriction = friction;
    const Report report = createGranularFlow(heap(), parameters, { DeviceKind::Cpu, 1 })->report();
    return std::any_of(report.notes.begin(), report.notes.end(),
      [](const std::string& note)
      { return note.find("friction by a dashpot alone is none") != std::string::npos; });
  };
  EXPECT_TRUE(hasNote(1, 0.5, TangentialLaw::Dashpot));
  EXPECT_FALSE(hasNote(1, 0.5, TangentialLaw::Spring));
  EXPECT_FALSE(hasNote(1, 0, TangentialLaw::Dashpot));
  EXPECT_FALSE(hasNote(0.9, 0.5, TangentialLaw::Dashpot));
}
