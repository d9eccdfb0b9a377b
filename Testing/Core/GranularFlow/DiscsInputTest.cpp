// What has no meaning in a plane is refused with one sentence.
#include "ClumpShapes.h"
#include "Planes.h"
#include "Refusals.h"

using namespace lapilli;
using namespace lapilli::test;

namespace
{

Scene soundDiscs(const PlaneAxes& plane)
{
  Scene scene;
  addDisc(scene, plane, { 0, 0 }, { 1, 2 }, 0.5);
  addDisc(scene, plane, { 3, 0 }, { 0, 0 }, 0.5);
  Nozzle nozzle;
  nozzle.position = plane.of(9, 9, kAcross);
  nozzle.direction = plane.of(1, 1);
  nozzle.pulses = { { 0, 1, 10, 1 } };
  scene.nozzles.push_back(nozzle);
  return scene;
}

} // namespace

TEST(DiscsInput, LawsOfSpheresAreRefused)
{
  GranularFlowParameters parameters = ofDiscs(kPlaneXZ);
  EXPECT_NO_THROW(createGranularFlow(soundDiscs(kPlaneXZ), parameters, kCpu));
  parameters.contactLaw = ContactLaw::HertzMindlin;
  EXPECT_TRUE(says(refusal(soundDiscs(kPlaneXZ), parameters),
    { "contact law is Hertz-Mindlin", "of spheres", "linear spring", "three dimensions" }));
  parameters.contactLaw = ContactLaw::LinearSpring;
  parameters.dragLaw = DragLaw::SchillerNaumann;
  EXPECT_NO_THROW(parameters.validate()) << "there is no air";
  parameters.airDensity = 1.2;
  EXPECT_TRUE(says(refusal(soundDiscs(kPlaneXZ), parameters),
    { "drag law is Schiller-Naumann", "of spheres", "constant coefficient", "three dimensions" }));
  parameters.dimensions = static_cast<Dimensions>(7);
  parameters.dragLaw = DragLaw::ConstantCoefficient;
  EXPECT_TRUE(says(refusal(soundDiscs(kPlaneXZ), parameters), { "dimensions is 7", "0", "3" }));
}

TEST(DiscsInput, SourcesMustLieInOnePlane)
{
  for (const PlaneAxes& plane : kPlanes)
  {
    const std::string name =
      std::string("plane ") + plane.name + " at " + "xyz"[plane.across] + " = 3.25 m";
    Scene scene = soundDiscs(plane);
    double& seed = scene.seeds.positions[3 + plane.across];
    seed = kAcross + 0.4e-6; // of a radius of 0.5 m
    const auto run = createGranularFlow(scene, ofDiscs(plane), kCpu);
    EXPECT_EQ(plane.out(Snapshot(*run).position(1)), kAcross);
    seed = kAcross + 1e-6;
    EXPECT_TRUE(
      says(refusal(scene, ofDiscs(plane)), { "seed 1 lies at (", name, "three dimensions" }));
    seed = kAcross;
    scene.nozzles[0].position[plane.across] += 0.1;
    EXPECT_TRUE(says(refusal(scene, ofDiscs(plane)), { "nozzle 0 lies at (", name }));
  }
}

TEST(DiscsInput, NothingMayBeThrownOutOfThePlane)
{
  for (const PlaneAxes& plane : kPlanes)
  {
    Scene scene = soundDiscs(plane);
    scene.seeds.velocities[plane.across] = 0.1;
    EXPECT_TRUE(says(refusal(scene, ofDiscs(plane)), { "velocity of seed 0 is (", "must be 0" }));
    scene = soundDiscs(plane);
    scene.nozzles[0].direction[plane.across] = -0.1;
    EXPECT_TRUE(
      says(refusal(scene, ofDiscs(plane)), { "direction of nozzle 0 is (", "must be 0" }));
    scene = soundDiscs(plane);
    scene.nozzles[0].openingNormal = plane.of(1, 0, 1);
    EXPECT_TRUE(says(refusal(scene, ofDiscs(plane)), { "normal of the opening of nozzle 0 is (" }));
  }
}

TEST(DiscsInput, ClumpsAreRefused)
{
  Scene scene = soundDiscs(kPlaneYZ);
  scene.shapes.push_back(standardShape("bar"));
  EXPECT_NO_THROW(createGranularFlow(scene, ofDiscs(kPlaneYZ), kCpu)) << "nobody has it";
  scene.seeds.shapes = { -1, 0 };
  EXPECT_TRUE(says(refusal(scene, ofDiscs(kPlaneYZ)), { "seed 1", "shape of a clump", "discs" }));
  scene.seeds.shapes.clear();
  scene.nozzles[0].shape = 0;
  EXPECT_TRUE(says(refusal(scene, ofDiscs(kPlaneYZ)), { "nozzle 0", "shape of a clump" }));
}

TEST(DiscsInput, ADomainThatRepeatsAcrossThePlaneIsRefused)
{
  for (const PlaneAxes& plane : kPlanes)
  {
    Scene scene = soundDiscs(plane);
    scene.domain =
      planeDomain(plane, { -20, -20 }, { 20, 20 }, DomainSide::Periodic, DomainSide::Periodic);
    EXPECT_NO_THROW(createGranularFlow(scene, ofDiscs(plane), kCpu));
    scene.domain.sides[2 * plane.across] = scene.domain.sides[2 * plane.across + 1] =
      DomainSide::Periodic;
    EXPECT_TRUE(says(refusal(scene, ofDiscs(plane)),
      { std::string("periodic along ") + "xyz"[plane.across], "across the plane", "open" }));
  }
}

TEST(DiscsInput, MassesAreThoseOfDiscs)
{
  Scene scene = soundDiscs(kPlaneXZ);
  scene.nozzles.clear();
  scene.seeds.radii[1] = 1e-5; // a sphere of 1e-11 kg
  scene.seeds.densities[1] = 1e-10;
  EXPECT_TRUE(says(refusal(scene, ofDiscs(kPlaneXZ)), { "mass", "3.14159e-20" }));
}
