// Bad input: one sentence with name, value, limit and remedy; and what a run does with seeds it cannot take.
#include "Compare.h"
#include "Math/Random.h"
#include "Refusals.h"

using namespace lapilli;
using namespace lapilli::test;

TEST(GranularInput, DefaultsAreSound)
{
  EXPECT_NO_THROW(GranularFlowParameters{}.validate());
  EXPECT_NO_THROW(createGranularFlow(soundScene(), {}, kCpu));
}

TEST(GranularInput, EveryParameterOutsideItsRangeIsNamedWithValueAndRange)
{
  using P = GranularFlowParameters;
  EXPECT_TRUE(says(refusalOf(&P::restitution, 1.2), { "restitution is 1.2", "(0, 1]" }));
  EXPECT_TRUE(says(refusalOf(&P::restitution, 0), { "restitution is 0", "(0, 1]" }));
  EXPECT_TRUE(says(refusalOf(&P::restitution, -0.1), { "restitution is -0.1", "(0, 1]" }));
  EXPECT_TRUE(
    says(refusalOf(&P::terrainRestitution, 1.01), { "terrain restitution is 1.01", "(0, 1]" }));
  EXPECT_TRUE(says(refusalOf(&P::friction, -1), { "friction is -1", "[0, 10]" }));
  EXPECT_TRUE(
    says(refusalOf(&P::terrainFriction, 10.5), { "terrain friction is 10.5", "[0, 10]" }));
  EXPECT_TRUE(says(refusalOf(&P::greatestOverlap, 0.5), { "greatest overlap is 0.5", "0.3]" }));
  EXPECT_TRUE(says(refusalOf(&P::greatestSpeed, -1), { "greatest speed is -1", "m/s" }));
  EXPECT_TRUE(says(refusalOf(&P::stepsPerContact, 2), { "steps per contact is 2", "[8, 1000]" }));
  EXPECT_TRUE(says(refusalOf(&P::travelPerStep, 0), { "travel per step is 0", "(0, 0.5]" }));
  EXPECT_TRUE(says(refusalOf(&P::timeStepLimit, -1e-3), { "time step limit is -0.001", " s" }));
  EXPECT_TRUE(says(refusalOf(&P::skin, 5), { "skin is 5", "[0.01, 4]" }));
  EXPECT_TRUE(says(refusalOf(&P::frameInterval, 0), { "frame interval is 0", "(0, infinity) s" }));
  EXPECT_TRUE(
    says(refusalOf(&P::frameInterval, -1), { "frame interval is -1", "(0, infinity) s" }));
  EXPECT_TRUE(says(refusalOf(&P::restSpeed, -1), { "rest speed is -1" }));
  EXPECT_TRUE(says(
    refusalOf(&P::overlappingSeedsLimit, 1.5), { "overlapping seeds limit is 1.5", "[0, 1]" }));
  EXPECT_TRUE(says(refusalOf(&P::memoryLimit, -1), { "memory limit is -1", "bytes" }));
}

TEST(GranularInput, WhatIsNotANumberIsRefusedEverywhere)
{
  using P = GranularFlowParameters;
  for (const auto field : { &P::restitution, &P::friction, &P::terrainRestitution,
         &P::terrainFriction, &P::greatestOverlap, &P::greatestSpeed, &P::stepsPerContact,
         &P::travelPerStep, &P::timeStepLimit, &P::skin, &P::frameInterval, &P::restSpeed,
         &P::overlappingSeedsLimit, &P::memoryLimit })
  {
    EXPECT_TRUE(says(refusalOf(field, kNaN), { "nan" }));
    EXPECT_TRUE(says(refusalOf(field, kInfinity), { "inf" }));
  }
  for (int axis = 0; axis < 3; ++axis)
  {
    GranularFlowParameters parameters;
    parameters.gravity[axis] = kNaN;
    EXPECT_TRUE(says(refusal(soundScene(), parameters), { "gravity", "nan" }));
  }
  for (const double bad : { kNaN, kInfinity, -kInfinity })
  {
    for (int axis = 0; axis < 3; ++axis)
    {
      Scene scene = soundScene();
      scene.seeds.positions[3 + axis] = bad;
      EXPECT_TRUE(says(refusal(scene), { "1 of 2 seeds", "coordinate", "first seed 1", "remove" }));
      scene = soundScene();
      scene.seeds.velocities[3 + axis] = bad;
      EXPECT_TRUE(says(refusal(scene), { "1 of 2 seeds", "velocity", "first seed 1", "mend" }));
      scene = soundScene();
      scene.surfaces[0].points[6 + axis] = bad;
      EXPECT_TRUE(says(refusal(scene), { "terrain point 2", "not finite", "Terrain Surface" }));
    }
    Scene scene = soundScene();
    scene.seeds.radii[0] = bad;
    EXPECT_TRUE(says(refusal(scene), { "1 of 2 seeds", "radius", "first seed 0", "mend" }));
    scene = soundScene();
    scene.seeds.densities[0] = bad;
    EXPECT_TRUE(says(refusal(scene), { "density", "first seed 0" }));
    scene = soundScene();
    scene.seeds.temperatures[0] = bad;
    EXPECT_TRUE(says(refusal(scene), { "temperature", "first seed 0" }));
  }
}

TEST(GranularInput, RadiusZeroNegativeOrLargerThanTheTerrainIsRefused)
{
  Scene scene = soundScene();
  scene.seeds.radii[1] = 0;
  EXPECT_TRUE(says(refusal(scene), { "1 of 2 seeds", "radius", "first seed 1 with 0", "mend" }));
  scene.seeds.radii[1] = -2;
  EXPECT_TRUE(says(refusal(scene), { "first seed 1 with -2" }));
  scene.seeds.radii[1] = 21;
  EXPECT_TRUE(says(refusal(scene), { "radius of seed 1 is 21 m", "below 20 m", "units" }));
}

TEST(GranularInput, MassesBeyondSinglePrecisionAreRefused)
{
  for (const double density : { 1e-300, 1e-19, 1e30, 1e300 })
  {
    Scene scene = soundScene();
    scene.seeds.densities[1] = density;
    EXPECT_TRUE(
      says(refusal(scene), { "1 of 2 seeds", "mass outside [1e-18, 1e18] kg", "first seed 1" }));
  }
}

TEST(GranularInput, ScenesWithoutSeedsOrTrianglesAreRefused)
{
  Scene scene = soundScene();
  scene.seeds = {};
  EXPECT_TRUE(says(refusal(scene), { "no seeds", "Particle Source" }));
  scene = soundScene();
  scene.seeds.radii.push_back(1);
  EXPECT_TRUE(says(refusal(scene), { "different lengths" }));
  scene = soundScene();
  scene.surfaces[0].triangles.clear();
  EXPECT_TRUE(says(refusal(scene), { "no triangles", "Terrain Surface" }));
  scene = soundScene();
  scene.surfaces[0].triangles = { 0, 0, 1, 2, 2, 2 };
  EXPECT_TRUE(says(refusal(scene), { "no triangles" }));
  for (const std::int64_t bad : { -1, 4, 1 << 30 })
  {
    scene = soundScene();
    scene.surfaces[0].triangles[4] = bad;
    EXPECT_TRUE(says(refusal(scene), { "triangle 1", std::to_string(bad) }));
  }
}

TEST(GranularInput, SeedsBelowOrOutsideAreCountedAndListed)
{
  Scene scene = soundScene();
  scene.seeds.add({ 0, 5, -1 }, { 0, 0, 0 }, 0.5, 2600);
  scene.seeds.add({ 25, 0, 3 }, { 0, 0, 0 }, 0.5, 2600);
  scene.seeds.add({ 0, -21, 3 }, { 0, 0, 0 }, 0.5, 2600);
  auto run = march(scene, {}, kCpu, 0.1);
  const Report report = run->report();
  EXPECT_EQ(report.particles, 2);
  const Loss& outside = test::lossOf(report, "were placed outside the map");
  const Loss& below = test::lossOf(report, "were placed below the terrain");
  EXPECT_EQ(outside.count, 2);
  EXPECT_EQ(outside.firstIds, (std::vector<std::int64_t>{ 3, 4 }));
  EXPECT_EQ(outside.firstPosition[0], 25);
  EXPECT_EQ(below.count, 1);
  EXPECT_EQ(below.firstIds, std::vector<std::int64_t>{ 2 });
  EXPECT_EQ(below.firstPosition[2], -1);
  ASSERT_GE(report.notes.size(), 2u);
  const Snapshot now(*run);
  EXPECT_EQ(now.id(0), 0);
  EXPECT_EQ(now.id(1), 1);

  scene.seeds = {};
  scene.seeds.add({ 25, 0, 3 }, { 0, 0, 0 }, 0.5, 2600);
  EXPECT_TRUE(says(refusal(scene), { "all 1 seeds", "(25, 0, 3)", "place the source" }));
}

TEST(GranularInput, TwoSeedsAtOnePlaceAreRefused)
{
  Scene scene = soundScene();
  scene.seeds.add({ 3, 0, 1 }, { 0, 0, 0 }, 0.5, 2600);
  EXPECT_TRUE(says(refusal(scene), { "seeds 1 and 2", "(3, 0, 1)", "twice" }));
}

TEST(GranularInput, OverlappingSeedsAreRefusedAboveTheLimitWithTheirFraction)
{
  Scene scene = soundScene();
  scene.seeds.add({ 3.4, 0, 1 }, { 0, 0, 0 }, 0.5, 2600);
  GranularFlowParameters parameters;
  parameters.overlappingSeedsLimit = 0.6;
  EXPECT_TRUE(
    says(refusal(scene, parameters), { "2 of 3 seeds overlap", "0.666", "0.6", "smaller radii" }));
}

TEST(GranularInput, OverlappingSeedsArePushedApartWithoutAnExplosion)
{
  // A crowd of 200 in a box that they overfill threefold, on terrain, some in the ground.
  Scene scene;
  scene.surfaces.push_back(
    gridTerrain(-20, 20, 20, -20, 20, 20, [](double x, double) { return 0.1 * std::abs(x); }));
  RandomStream random(51, RandomStream::Positions);
  for (int i = 0; i < 200; ++i)
    scene.seeds.add({ random.uniform(-3, 3), random.uniform(-3, 3), random.uniform(0.35, 2.5) },
      { 0, 0, 0 }, random.uniform(0.3, 0.6), 2600);
  GranularFlowParameters parameters;
  parameters.overlappingSeedsLimit = 1;
  parameters.gravity = { 0, 0, 0 };
  parameters.greatestSpeed = 5;
  auto run = createGranularFlow(scene, parameters, kCpu);
  EXPECT_TRUE(says(
    run->report().notes.at(run->report().notes.size() - 1), { "of 200 seeds", "pushed apart" }));
  advance(*run, 2);
  const Report report = run->report();
  EXPECT_EQ(report.particles, 200);
  // Without gravity nothing may move: overlaps left are 1e-6 of a radius.
  EXPECT_LT(std::sqrt(2 * report.kineticEnergy / report.mass), 1e-4);
  const Snapshot now(*run);
  for (std::size_t i = 0; i < now.count(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_GT(length(now.position(i) - now.position(j)),
        (now.scalar("radius", i) + now.scalar("radius", j)) * (1 - 1e-4));
}

TEST(GranularInput, MoreThanTheMemoryLimitIsRefusedBeforeAnythingIsAllocated)
{
  GranularFlowParameters parameters;
  parameters.memoryLimit = 2000;
  EXPECT_TRUE(says(refusal(soundScene(), parameters),
    { "2 particles need about", "MiB", "memory limit", "raise the limit" }));
  EXPECT_THROW(estimateGranularFlow(soundScene(), parameters), InvalidInput);
}

TEST(GranularInput, EstimateNamesTheStepThatTheRunTakes)
{
  const Scene scene = soundScene();
  const GranularFlowParameters parameters;
  const GranularFlowEstimate estimate = estimateGranularFlow(scene, parameters);
  auto run = march(scene, parameters, kCpu, 0.1);
  EXPECT_GT(estimate.memory, 0);
  EXPECT_TRUE(agrees(run->report().timeStep, estimate.timeStep, 0.05)); // fitted to the frame
  EXPECT_EQ(run->report().timeStepLimitedBy, estimate.timeStepLimitedBy);
  // The drop from the highest seed to the plane, 1 m.
  EXPECT_TRUE(agrees(estimate.greatestSpeed, std::sqrt(2 * 9.81), 1e-9));
  EXPECT_TRUE(agrees(
    estimate.contactTime, M_PI * parameters.greatestOverlap * 0.5 / estimate.greatestSpeed, 1e-9));
}

TEST(GranularInput, EstimatedMemoryIsThatOfTheRun)
{
  // A settled, dense crowd: the estimate must not be below what is held, nor thrice as much.
  Scene scene;
  scene.surfaces.push_back(boxContainer({ -6, -6, 0 }, { 6, 6, 24 }, true));
  for (int k = 0; k < 20; ++k)
    for (int j = 0; j < 20; ++j)
      for (int i = 0; i < 20; ++i)
        scene.seeds.add(
          { -5.5 + 0.55 * i, -5.5 + 0.55 * j, 0.3 + 0.52 * k }, { 0, 0, 0 }, 0.25, 2600);
  GranularFlowParameters parameters;
  parameters.greatestSpeed = 5;
  auto run = march(scene, parameters, kCpu, kSanitized ? 0.1 : 0.5);
  const double estimate = estimateGranularFlow(scene, parameters).memory;
  EXPECT_GE(estimate, run->report().memory);
  EXPECT_LE(estimate, 3 * run->report().memory);
}

TEST(GranularInput, DeviceCudaWithoutAGpuSaysWhy)
{
  if (cudaAvailability().usable)
    GTEST_SKIP() << "this machine has a GPU: " << cudaAvailability().reason;
  const std::string text = messageOf<BackendError>(
    [] {
      createGranularFlow(soundScene(), {}, { DeviceKind::Cuda, 0 });
    });
  EXPECT_TRUE(
    says(text, { "device is Cuda", cudaAvailability().reason, "automatic device or the CPU" }));
  auto run = createGranularFlow(soundScene(), {}, { DeviceKind::Auto, 1 });
  ASSERT_EQ(run->report().notes.size(), 1u);
  EXPECT_TRUE(says(run->report().notes[0], { "runs on the CPU", cudaAvailability().reason }));
}

TEST(GranularInput, TimesOffTheGridOrInThePastAreRefused)
{
  auto run = createGranularFlow(soundScene(), {}, kCpu);
  for (const double bad : { 0.05, -0.1, kNaN, kInfinity, 1e300 })
    EXPECT_TRUE(says(
      messageOf<InvalidInput>([&] { advance(*run, bad); }), { "time is", "frame interval", "0.1" }))
      << bad;
  advance(*run, 0.2);
  EXPECT_TRUE(says(messageOf<InvalidInput>([&] { advance(*run, 0.1); }), { "not before 0.2" }));
  advance(*run, 0.2); // where it stands
  EXPECT_EQ(run->time(), 0.2);
}

TEST(GranularInput, ContactsThatAreTooSoftForTheirSpeedAreNoted)
{
  Scene scene;
  scene.surfaces.push_back(planeTerrain(20));
  scene.seeds.add({ 0, 0, 40 }, { 0, 0, 0 }, 0.5, 2600);
  GranularFlowParameters parameters;
  parameters.greatestSpeed = 0; // derived from the drop
  auto run = createGranularFlow(scene, parameters, kCpu);
  advance(*run, 4);
  EXPECT_TRUE(run->report().notes.empty()) << run->report().notes[0];

  parameters.greatestSpeed = 0.5;
  run = createGranularFlow(scene, parameters, kCpu);
  EXPECT_TRUE(run->report().notes.empty());
  advance(*run, 4);
  ASSERT_EQ(run->report().notes.size(), 1u);
  EXPECT_TRUE(says(run->report().notes[0],
    { "too soft", "impacts of 0.5 m/s (greatest speed)", "raise the greatest speed" }));
}

class GranularDivergence : public OnEveryDevice
{
};
LAPILLI_ON_EVERY_DEVICE(GranularDivergence);

TEST_P(GranularDivergence, SaysTimeStepAndParticleAndEarlierFramesStayReadable)
{
  // A force that no step can follow.
  for (const double g : { 1e200, 1e307, 1e30 })
  {
    GranularFlowParameters parameters;
    parameters.gravity = { 0, 0, -g };
    parameters.greatestSpeed = 1;
    Scene scene = soundScene();
    auto run = createGranularFlow(scene, parameters, device());
    Frame before;
    run->read(before);
    const std::string text = messageOf<Diverged>([&] { advance(*run, 100); });
    EXPECT_TRUE(
      says(text, { "diverged at time", " s", "step", "particle", "check gravity", "lower" }))
      << g;
    EXPECT_EQ(before.pointSet("particles").count(), 2u);
    EXPECT_EQ(before.pointSet("particles").positions[2], 1);
    EXPECT_NO_THROW(Snapshot{ *run });
    EXPECT_NO_THROW(run->report().summary());
  }
}

TEST_P(GranularDivergence, OfADerivedSpeedBeyondAllStepsEnds)
{
  GranularFlowParameters parameters;
  parameters.gravity = { 0, 0, -1e200 };
  const std::string text = messageOf<Error>([&] { march(soundScene(), parameters, device(), 1); });
  EXPECT_TRUE(says(text, { "diverged at time" }));
}

TEST_P(GranularDivergence, BeforeAnythingIsThereEndsToo)
{
  // Of nozzles alone, before the first has emitted anything.
  for (const double limit : { 1e-300, 0.0 })
  {
    GranularFlowParameters parameters;
    parameters.timeStepLimit = limit;
    parameters.greatestSpeed = limit > 0 ? 1 : 1e200;
    Scene scene;
    Nozzle nozzle;
    nozzle.position = { 0, 0, 5 };
    nozzle.pulses = { { 0.5, 1, 10, 1 } };
    scene.nozzles.push_back(nozzle);
    const std::string text = messageOf<Error>([&] { march(scene, parameters, device(), 1); });
    EXPECT_TRUE(says(text, { "diverged at time 0 s", "too short to move the time" })) << text;
    EXPECT_FALSE(says(text, { "particle" })) << text;
  }
}

TEST_P(GranularDivergence, OfAStepTooShortToMoveTheTimeNamesTheStepAndWhatLimitsIt)
{
  GranularFlowParameters parameters;
  parameters.timeStepLimit = 1e-300;
  EXPECT_TRUE(says(messageOf<Diverged>([&] { march(soundScene(), parameters, device(), 1); }),
    { "limited by given limit, is 1e-300 s", "too short", "raise the time step limit" }));
  parameters.timeStepLimit = 0;
  parameters.greatestSpeed = 1e300;
  EXPECT_TRUE(says(messageOf<Diverged>([&] { march(soundScene(), parameters, device(), 1); }),
    { "limited by contact time, is", "too short", "lower the greatest speed" }));
}

TEST_P(GranularDivergence, OfSeedsBeyondAllNumbersEnds)
{
  for (const double far : { 1e160, 1e300 })
  {
    Scene scene;
    scene.seeds.add({ far, 0, 0 }, { 0, 0, 0 }, 0.5, 2600);
    scene.seeds.add({ 0, 0, 0 }, { 0, 0, 0 }, 0.5, 2600);
    EXPECT_THROW(march(scene, {}, device(), 0.1), Error) << far;
    scene.seeds = {};
    scene.seeds.add({ 0, 0, 0 }, { far, 0, 0 }, 0.5, 2600);
    EXPECT_THROW(march(scene, {}, device(), 0.1), Error) << far;
  }
}
