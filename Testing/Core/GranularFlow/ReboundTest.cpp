// Head-on impacts of two spheres, and of one on a plane: the restitution that was asked for.
#include "Compare.h"
#include "Runs.h"
#include "Terrains.h"

#include <algorithm>

using namespace lapilli;
using namespace lapilli::test;

namespace
{

constexpr double kRadius = 0.5;
constexpr double kDensity = 2600;
constexpr ContactLaw kLaws[] = { ContactLaw::LinearSpring, ContactLaw::HertzMindlin };

GranularFlowParameters bouncing(ContactLaw law, double restitution, double speed)
{
  GranularFlowParameters parameters;
  parameters.gravity = { 0, 0, 0 };
  parameters.contactLaw = law;
  parameters.restitution = parameters.terrainRestitution = restitution;
  parameters.friction = parameters.terrainFriction = 0;
  parameters.greatestSpeed = speed;
  parameters.rayleighFraction = 1; // the contact time decides
  return parameters;
}

/// What came out of impacts that begin at many phases of the step.
struct Rebounds
{
  double mean = 0, lowest = 2, highest = 0;

  void add(double rebound, int of)
  {
    mean += rebound / of;
    lowest = std::min(lowest, rebound);
    highest = std::max(highest, rebound);
  }
  void add(const Rebounds& others, int of)
  {
    mean += others.mean / of;
    lowest = std::min(lowest, others.lowest);
    highest = std::max(highest, others.highest);
  }
};

struct Impact
{
  bool onPlane = false;
  double away = 0;  ///< [m], from the origin
  double ratio = 1; ///< of the second sphere's radius to the first's
  int phases = 24;
};

/// @param parameters with the speed of approach as their greatest speed
Rebounds headOn(GranularFlowParameters parameters, const Impact& impact, const Device& device)
{
  const double speed = parameters.greatestSpeed;
  Rebounds rebounds;
  for (int phase = 0; phase < impact.phases; ++phase)
  {
    Scene scene;
    if (impact.onPlane)
      scene.surfaces.push_back(planeTerrain(impact.away + 50));
    else
      scene.domain = wideDomain();
    const auto addSphere = [&](double z, double velocity, double radius) {
      scene.seeds.add({ impact.away, impact.away, z }, { 0, 0, velocity }, radius, kDensity);
    };
    addSphere(1, impact.onPlane ? -speed : -speed / 2, kRadius);
    if (!impact.onPlane)
      addSphere(-impact.ratio * kRadius, speed / 2, impact.ratio * kRadius);
    // The gap is what varies, by up to two steps of travel.
    const double step = estimateGranularFlow(scene, parameters).timeStep;
    scene.seeds.positions[2] = kRadius + (20 + 2 * (phase + 0.5) / impact.phases) * speed * step;
    parameters.frameInterval = 8 * parameters.stepsPerContact * step; // outlasts the contact
    const auto run = createGranularFlow(scene, parameters, device);
    double rebound = -1;
    for (int frame = 1; frame <= 200 && rebound < 0; ++frame)
    {
      advance(*run, frame * parameters.frameInterval);
      const Snapshot now(*run);
      const double apart = now.velocity(0).z - (impact.onPlane ? 0 : now.velocity(1).z);
      if (apart > 0 && now.scalar("pressure", 0) == 0)
        rebound = apart / speed;
    }
    rebounds.add(rebound, impact.phases);
  }
  return rebounds;
}

} // namespace

class GranularRebound : public OnEveryDevice
{
};
LAPILLI_ON_EVERY_DEVICE(GranularRebound);

TEST_P(GranularRebound, HasTheAskedRestitution)
{
  for (const ContactLaw law : kLaws)
  {
    for (const double asked : { 0.1, 0.5, 0.9 })
    {
      Rebounds everywhere[2]; // of pairs, on the plane
      for (const double speed : { 0.3, 5.0, 80.0 })
      {
        for (const double away : { 0.0, kFar })
        {
          for (const bool onPlane : { false, true })
          {
            const Rebounds reached =
              headOn(bouncing(law, asked, speed), { onPlane, away }, device());
            // The time of touch within the step is not resolved: a few 0.1 % at 20 steps per contact.
            const std::string at = nameOf(law) + (" at " + shown(speed)) + " m/s" + awayName(away);
            EXPECT_TRUE(agrees(reached.mean, asked, 0.015)) << at;
            EXPECT_NEAR(reached.lowest, asked, 0.007) << at;
            EXPECT_NEAR(reached.highest, asked, 0.007) << at;
            everywhere[onPlane].add(reached, 6);
          }
        }
      }
      const auto range = [](const Rebounds& r)
      { return shown(r.mean) + " (" + shown(r.lowest) + " to " + shown(r.highest) + ")"; };
      verify("Head-on restitution " + shown(asked) + " at 0.3, 5 and 80 m/s, mean of 24 phases, " +
               nameOf(law) + ", at the origin and 20 km away",
        shown(asked) + ", 1.5 % (each phase 0.007)",
        "pair " + range(everywhere[0]) + ", plane " + range(everywhere[1]), "parameter");
    }
  }
}

TEST_P(GranularRebound, IsNearlyNothingIfSoAsked)
{
  for (const ContactLaw law : kLaws)
  {
    for (const double asked : { 0.05, 0.01, 1e-3, 1e-6 })
    {
      for (const bool onPlane : { false, true })
      {
        const Rebounds reached = headOn(bouncing(law, asked, 5), { onPlane, 0, 1, 8 }, device());
        EXPECT_NEAR(reached.mean, asked, 0.01) << nameOf(law);
        EXPECT_LE(reached.highest, asked + 0.015) << nameOf(law);
      }
    }
  }
}

TEST_P(GranularRebound, KeepsTheSpeedIfElastic)
{
  for (const ContactLaw law : kLaws)
  {
    const Rebounds pair = headOn(bouncing(law, 1, 10), {}, device());
    EXPECT_NEAR(pair.lowest, 1, 3e-3); // phase of the touch within a step
    EXPECT_NEAR(pair.highest, 1, 3e-3);
    EXPECT_NEAR(pair.mean, 1, 1e-3);
  }
}

TEST_P(GranularRebound, OfUnequalRadiiHasTheAskedRestitution)
{
  for (const ContactLaw law : kLaws)
  {
    const Rebounds pair = headOn(bouncing(law, 0.5, 10), { false, 0, 1.0 / 3 }, device());
    EXPECT_TRUE(agrees(pair.mean, 0.5, 0.015)) << nameOf(law);
  }
}

TEST_P(GranularRebound, ConvergesWithTheStep)
{
  // The scatter over the phases falls at least with the step.
  for (const ContactLaw law : kLaws)
  {
    const auto scatter = [&](double stepsPerContact)
    {
      GranularFlowParameters parameters = bouncing(law, 0.5, 5);
      parameters.stepsPerContact = stepsPerContact;
      const Rebounds pair = headOn(parameters, { false, 0, 1, 16 }, device());
      return std::max(std::abs(pair.highest - 0.5), std::abs(pair.lowest - 0.5));
    };
    EXPECT_LT(scatter(40), scatter(10) / 4) << nameOf(law);
  }
}
