// Rigid blocks of spheres in a run: how they turn, hit, come to rest, are counted and lost.
#include "ClumpShapes.h"
#include "Clumps/ClumpBody.h"
#include "Compare.h"
#include "Integrators/RigidRotation.h"
#include "Particles/State.h"
#include "Runs.h"
#include "SummedSource.h"
#include "Terrains.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>
#include <map>

using namespace lapilli;
using namespace lapilli::test;

namespace
{

constexpr double kGravity = 9.81;

double massOf(double radius, double density)
{
  return density * 4 / 3 * M_PI * radius * radius * radius;
}

ClumpShape oneSphere()
{
  return { "ball", { 3, -2, 1 }, { 7 } };
}

/// All principal moments differ.
ClumpShape lump()
{
  return { "lump", { 0, 0, 0, 1.1, 0.2, -0.3, -0.4, 1.3, 0.5, 0.3, 0.1, 1.4, -1.2, -0.6, -0.5 },
    { 1, 0.8, 0.6, 0.9, 0.5 } };
}

GranularFlowParameters inTheVoid(double frameInterval)
{
  GranularFlowParameters parameters;
  parameters.gravity = { 0, 0, 0 };
  parameters.frameInterval = frameInterval;
  return parameters;
}

void addClump(Scene& scene, std::int32_t shape, const Vec3d& p, const Vec3d& v, double radius,
  const Quatd& q = {}, double density = 2600)
{
  scene.seeds.add({ p.x, p.y, p.z }, { v.x, v.y, v.z }, radius, density);
  scene.seeds.shapes.push_back(shape);
  scene.seeds.orientations.insert(scene.seeds.orientations.end(), { q.w, q.x, q.y, q.z });
}

Quatd turnAbout(const Vec3d& axis, double angle)
{
  const double s = std::sin(0.5 * angle);
  const Vec3d n = normalized(axis);
  return { std::cos(0.5 * angle), s * n.x, s * n.y, s * n.z };
}

/// A clump in a frame, from its spheres.
struct Block
{
  Block(const Snapshot& now, std::int64_t id)
  {
    for (std::size_t i = 0; i < now.count(); ++i)
    {
      if (now.id(i) != id)
        continue;
      const std::vector<float>& q = now.points.array("orientation").as<float>();
      orientation = { q[4 * i], q[4 * i + 1], q[4 * i + 2], q[4 * i + 3] };
      spin = now.spin(i);
      mass += now.scalar("mass", i);
      energy += now.scalar("kinetic_energy", i);
      pressureForce += now.scalar("pressure", i) * 4 * M_PI * std::pow(now.scalar("radius", i), 2);
      atRest = atRest && now.points.array("at_rest").as<std::uint8_t>()[i];
      lowest = std::min(lowest, now.position(i).z - now.scalar("radius", i));
      positions.push_back(now.position(i));
      velocities.push_back(now.velocity(i));
    }
  }
  /// The centre of mass by where it is from the first sphere.
  Vec3d center(const ClumpBody& body, double radius) const
  {
    return positions.at(0) -
           rotate(orientation * conjugate(body.principalAxes), radius * body.centers[0]);
  }
  Vec3d velocity(const ClumpBody& body, double radius) const
  {
    return velocities.at(0) + cross(spin, center(body, radius) - positions[0]);
  }
  Quatd orientation;
  Vec3d spin;
  double mass = 0, energy = 0, pressureForce = 0, lowest = 1e300;
  bool atRest = true;
  std::vector<Vec3d> positions, velocities;
};

/// Angular momentum about the origin.
Vec3d angularMomentum(const Block& block, const ClumpBody& body, double radius, double mass)
{
  const Quatd q = block.orientation * conjugate(body.principalAxes);
  const Vec3d w = rotateBack(q, block.spin);
  const Vec3d& j = body.inertia;
  const double unit = mass * radius * radius;
  return rotate(q, unit * Vec3d{ j.x * w.x, j.y * w.y, j.z * w.z }) +
         mass * cross(block.center(body, radius), block.velocity(body, radius));
}

} // namespace

class GranularClumps : public OnEveryDevice
{
};
LAPILLI_ON_EVERY_DEVICE(GranularClumps);

TEST_P(GranularClumps, OneParticleOfManySpheresInAllSums)
{
  Scene scene;
  for (const std::string& name : standardShapeNames())
    scene.shapes.push_back(standardShape(name));
  for (int k = 0; k < 4; ++k)
    addClump(scene, k, { 5.0 * k, 0, 0 }, { 0, 0, 3.0 + k }, 0.5 + 0.1 * k);
  addClump(scene, -1, { -5, 0, 0 }, { 1, 2, 3 }, 0.4);
  auto run = march(scene, {}, device(), 0.5);
  const Report report = run->report();
  EXPECT_EQ(report.particles, 5);
  const Snapshot now(*run);
  std::map<std::int64_t, std::vector<std::int32_t>> membersOf;
  double energies = 0, masses = 0;
  for (std::size_t i = 0; i < now.count(); ++i)
  {
    membersOf[now.id(i)].push_back(now.points.array("clump_sphere").as<std::int32_t>()[i]);
    energies += now.scalar("kinetic_energy", i);
    masses += now.scalar("mass", i);
  }
  ASSERT_EQ(membersOf.size(), 5u);
  for (int k = 0; k < 5; ++k)
  {
    const std::size_t count = k < 4 ? scene.shapes[k].count() : 1;
    ASSERT_EQ(membersOf[k].size(), count);
    for (std::size_t m = 0; m < count; ++m)
      EXPECT_EQ(
        membersOf[k][m], static_cast<std::int32_t>(m)); // a frame's order is that of the shape
    const Block block(now, k);
    const double mass = massOf(k < 4 ? 0.5 + 0.1 * k : 0.4, 2600);
    EXPECT_TRUE(agrees(block.mass, mass, 1e-6));
    const Quatd q = block.orientation;
    EXPECT_TRUE(agrees(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, 1, 1e-6));
  }
  EXPECT_TRUE(agrees(masses, report.mass, 1e-6));
  EXPECT_TRUE(agrees(energies, report.kineticEnergy + report.rotationalEnergy, 1e-6));
}

TEST_P(GranularClumps, FallOnTheParabolaAsSpheresDo)
{
  Scene scene;
  scene.shapes = { standardShape("tetrapod") };
  addClump(scene, -1, { 0, 0, 100 }, { 3, -4, 20 }, 0.5);
  addClump(scene, 0, { 10, 0, 100 }, { 3, -4, 20 }, 0.5, turnAbout({ 1, 2, 3 }, 1));
  auto run = march(scene, {}, device(), 4);
  const Snapshot now(*run);
  const ClumpBody body = makeClumpBody(scene.shapes[0]);
  const Vec3d expected{ 12, -16, 100 + 80 - 0.5 * kGravity * 16 };
  const Vec3d reached = Block(now, 1).center(body, 0.5) - Vec3d{ 10, 0, 0 };
  EXPECT_TRUE(agrees(now.position(0), expected, 1e-9, 100));
  EXPECT_TRUE(agrees(reached, expected, 1e-7, 100)); // the orientation is in single precision
  EXPECT_EQ(Block(now, 1).spin.x, 0);
}

TEST_P(GranularClumps, GivenOrientationIsHonoured)
{
  Scene scene;
  scene.shapes = { standardShape("bar"), lump() };
  const Quatd alongY = turnAbout({ 0, 0, 1 }, M_PI / 2), any = turnAbout({ 1, -2, 0.5 }, 2);
  addClump(scene, 0, { 0, 0, 0 }, {}, 0.5, { 2 * alongY.w, 0, 0, 2 * alongY.z }); // any length
  addClump(scene, 1, { 10, 0, 0 }, {}, 0.7, any);
  auto run = createGranularFlow(scene, inTheVoid(0.1), device());
  const Snapshot now(*run);
  const Block bar(now, 0), other(now, 1);
  ASSERT_EQ(bar.positions.size(), 5u);
  const double spacing = 1.5 * 0.5 * makeClumpBody(scene.shapes[0]).scale;
  for (int k = 0; k < 5; ++k)
    EXPECT_TRUE(agrees(bar.positions[k], Vec3d{ 0, (k - 2) * spacing, 0 }, 1e-4, 1));
  // Its spheres as the shape has them, scaled, turned by the quaternion about the centre of mass.
  const ClumpBody body = makeClumpBody(scene.shapes[1]);
  for (int k = 0; k < 5; ++k)
  {
    const double* c = &scene.shapes[1].centers[3 * k];
    const Vec3d asked = Vec3d{ 10, 0,
      0 } + 0.7 * body.scale * rotate(any, Vec3d{ c[0], c[1], c[2] } - body.centerOfMass);
    EXPECT_TRUE(agrees(other.positions[k], asked, 1e-6, 1));
  }
  // And comes out as it was put in.
  EXPECT_TRUE(agrees(std::abs(other.orientation.w * any.w + other.orientation.x * any.x +
                              other.orientation.y * any.y + other.orientation.z * any.z),
    1, 1e-6));
  // Not given: each in its own direction, the same in every run.
  scene.seeds.orientations.clear();
  addClump(scene, 0, { 0, 10, 0 }, {}, 0.5);
  scene.seeds.orientations.clear();
  auto random = createGranularFlow(scene, inTheVoid(0.1), device());
  auto again = createGranularFlow(scene, inTheVoid(0.1), device());
  EXPECT_EQ(hashOf(*random), hashOf(*again));
  const Snapshot turned(*random);
  const Vec3d a = Block(turned, 0).positions[4] - Block(turned, 0).positions[0];
  const Vec3d b = Block(turned, 2).positions[4] - Block(turned, 2).positions[0];
  EXPECT_GT(length(cross(a, b)), 0.01);
}

TEST_P(GranularClumps, OfOneSphereIsTheSphere)
{
  // Rolling, bouncing on a plane, hitting another.
  Scene balls, clumps;
  for (Scene* scene : { &balls, &clumps })
  {
    const std::int32_t shape = scene == &clumps ? 0 : -1;
    scene->surfaces.push_back(planeTerrain(30));
    scene->shapes = { oneSphere() };
    addClump(*scene, shape, { 0, 0, 1 }, { 4, 0.3, -2 }, 0.5);
    addClump(*scene, shape, { 2.5, 0.1, 0.5 }, { 0, 0, 0 }, 0.5);
    addClump(*scene, shape, { -3, 0, 0.5 }, { 8, 0, 0 }, 0.5);
  }
  GranularFlowParameters parameters;
  parameters.greatestSpeed = 20;
  parameters.timeStepLimit = 2e-5; // beyond any difference of the allowance for clumps
  auto a = march(balls, parameters, device(), 1), b = march(clumps, parameters, device(), 1);
  const Snapshot now(*a), same(*b);
  double worst = 0;
  for (std::size_t i = 0; i < 3; ++i)
  {
    EXPECT_TRUE(agrees(same.position(i), now.position(i), 1e-4, 1));
    EXPECT_TRUE(agrees(same.velocity(i), now.velocity(i), 1e-4, 8));
    EXPECT_TRUE(agrees(same.spin(i), now.spin(i), 1e-4, 16));
    worst = std::max(worst, length(same.position(i) - now.position(i)));
  }
  EXPECT_GT(length(now.spin(1)), 0.5);
  verify("Clump of one sphere against the sphere: impact, rolling and a collision, 1 s",
    "0, 1e-4 m", shown(worst, 2) + " m", "the same body");
}

TEST_P(GranularClumps, TurnFreelyAsAFineIntegrationSays)
{
  // Set turning by another that hits it off its centre, and then left alone.
  Scene scene;
  scene.shapes = { lump() };
  const double radius = 1, mass = massOf(radius, 2600);
  addClump(scene, 0, { 0, 0, 0 }, { 0, 0, 0 }, radius, turnAbout({ 1, 2, -1 }, 0.7));
  addClump(scene, -1, { -3, 0.9, 0.8 }, { 20, 0, 0 }, 0.7);
  GranularFlowParameters parameters = inTheVoid(0.25);
  parameters.friction = 0.8;
  parameters.restitution = 0.9;
  auto run = march(scene, parameters, device(), 0.5);
  const ClumpBody body = makeClumpBody(scene.shapes[0]);
  const Block before(Snapshot(*run), 0);
  const double rotation = run->report().rotationalEnergy;
  EXPECT_GT(length(before.spin), 3);
  advance(*run, 5.5);
  const Block after(Snapshot(*run), 0);
  // Euler's equations by Runge-Kutta, 1e-5 s.
  Quatd q = before.orientation * conjugate(body.principalAxes);
  Vec3d w = rotateBack(q, before.spin);
  const Vec3d j = body.inertia;
  const auto slope = [&](const Vec3d& u)
  {
    return Vec3d{ (j.y - j.z) * u.y * u.z / j.x, (j.z - j.x) * u.z * u.x / j.y,
      (j.x - j.y) * u.x * u.y / j.z };
  };
  const auto turning = [](const Quatd& p, const Vec3d& u)
  {
    const Quatd d = p * Quatd{ 0, u.x, u.y, u.z };
    return Quatd{ 0.5 * d.w, 0.5 * d.x, 0.5 * d.y, 0.5 * d.z };
  };
  const auto plus = [](const Quatd& p, const Quatd& d, double h) {
    return Quatd{ p.w + h * d.w, p.x + h * d.x, p.y + h * d.y, p.z + h * d.z };
  };
  constexpr int kSteps = 500000;
  const double h = 5.0 / kSteps;
  for (int k = 0; k < kSteps; ++k)
  {
    const Vec3d w1 = slope(w), w2 = slope(w + 0.5 * h * w1), w3 = slope(w + 0.5 * h * w2),
                w4 = slope(w + h * w3);
    const Quatd q1 = turning(q, w), q2 = turning(plus(q, q1, 0.5 * h), w + 0.5 * h * w1),
                q3 = turning(plus(q, q2, 0.5 * h), w + 0.5 * h * w2),
                q4 = turning(plus(q, q3, h), w + h * w3);
    w += (h / 6) * (w1 + 2.0 * w2 + 2.0 * w3 + w4);
    q = plus(plus(plus(plus(q, q1, h / 6), q2, h / 3), q3, h / 3), q4, h / 6);
    q = normalised(q);
  }
  const Vec3d spin = rotate(q, w);
  const Quatd shape = q * body.principalAxes;
  const double cosine = std::abs(shape.w * after.orientation.w + shape.x * after.orientation.x +
                                 shape.y * after.orientation.y + shape.z * after.orientation.z);
  const double off = 2 * std::acos(std::min(1.0, cosine)) * 180 / M_PI;
  EXPECT_TRUE(agrees(after.spin, spin, 2e-3, length(spin)));
  EXPECT_LT(off, 0.5);
  const Vec3d l0 = angularMomentum(before, body, radius, mass);
  const Vec3d l1 = angularMomentum(after, body, radius, mass);
  EXPECT_TRUE(agrees(l1, l0, 1e-5, length(l0)));
  EXPECT_TRUE(agrees(run->report().rotationalEnergy, rotation, 1e-4));
  verify("Free rotation of a lump, 5 s against Runge-Kutta of Euler's equations: orientation; spin",
    "0.5 degrees; 0.2 %",
    shown(off, 2) + " degrees; " + shown(100 * length(after.spin - spin) / length(spin), 2) + " %",
    "Euler's equations");
}

TEST_P(GranularClumps, CollisionKeepsMomentumAndAngularMomentum)
{
  Scene scene;
  scene.shapes = { standardShape("bar"), standardShape("tetrapod") };
  addClump(scene, 0, { 0, 0, 0 }, { 1, 0, 0.5 }, 0.5, turnAbout({ 0, 1, 1 }, 0.8));
  addClump(scene, 1, { 3, 0.6, 0.3 }, { -6, 0.2, 0 }, 0.7, turnAbout({ 1, 0, 2 }, 2));
  GranularFlowParameters parameters = inTheVoid(0.25);
  parameters.rollingFriction = 0.1;
  auto run = createGranularFlow(scene, parameters, device());
  const ClumpBody bodies[2] = { makeClumpBody(scene.shapes[0]), makeClumpBody(scene.shapes[1]) };
  const double radii[2] = { 0.5, 0.7 };
  const auto sum = [&]
  {
    const Snapshot now(*run);
    Vec3d l;
    for (int k = 0; k < 2; ++k)
      l += angularMomentum(Block(now, k), bodies[k], radii[k], massOf(radii[k], 2600));
    return l;
  };
  const Vec3d before = sum();
  const auto p0 = run->report().momentum;
  advance(*run, 2);
  const auto p1 = run->report().momentum;
  const double scale = massOf(0.7, 2600) * 6;
  EXPECT_GT(length(Block(Snapshot(*run), 0).spin), 0.5);
  for (int k = 0; k < 3; ++k)
    EXPECT_TRUE(agrees(p1[k], p0[k], 1e-9, scale));
  // Velocities, spins and orientations of a frame are in single precision.
  const Vec3d after = sum();
  EXPECT_TRUE(agrees(after, before, 2e-6, scale));
  verify("Collision of a bar and a tetrapod: momentum; angular momentum", "kept, 1e-9; 2e-6",
    shown(std::hypot(p1[0] - p0[0], p1[1] - p0[1], p1[2] - p0[2]) / scale, 2) + "; " +
      shown(length(after - before) / scale, 2),
    "conservation; frames hold single precision");
}

TEST_P(GranularClumps, ABarThatFallsOnItsEndReboundsAsARigidRod)
{
  // A frictionless plane: impulse P = (1 + e) v / (1/m + a^2/I), a the lever of the contact.
  Scene model;
  model.shapes = { standardShape("bar") };
  const ClumpBody body = makeClumpBody(model.shapes[0]);
  const double radius = 0.5, mass = massOf(radius, 2600), speed = 3;
  double worst = 0;
  for (const double e : { 0.3, 0.5, 0.9 })
  {
    for (const double degrees : { 20.0, 45.0, 70.0, 90.0 })
    {
      Scene scene = model;
      scene.surfaces.push_back(planeTerrain(20));
      const double angle = degrees * M_PI / 180;
      const Quatd q = turnAbout({ 0, -1, 0 }, angle); // its end at +x up
      const double end = 3 * radius * body.scale, r = radius * body.scale;
      // Where a ball around it would touch: seeds are placed no lower.
      const double gap = end + r + 1e-3 - (end * std::sin(angle) + r);
      addClump(scene, 0, { 0, 0, end + r + 1e-3 }, { 0, 0, -speed }, radius, q);
      GranularFlowParameters parameters = inTheVoid(gap / speed + 0.02);
      parameters.friction = parameters.terrainFriction = 0;
      parameters.terrainRestitution = e;
      parameters.greatestOverlap = 0.005;
      parameters.greatestSpeed = speed;
      auto run = march(scene, parameters, device(), parameters.frameInterval);
      const Block block(Snapshot(*run), 0);
      const double lever = end * std::cos(angle);
      const Vec3d moments = (mass * radius * radius) * body.inertia;
      const double inertia = std::max({ moments.x, moments.y, moments.z }); // across the bar
      const double impulse = (1 + e) * speed / (1 / mass + lever * lever / inertia);
      const double velocity = -speed + impulse / mass, spin = impulse * lever / inertia;
      EXPECT_TRUE(agrees(block.velocity(body, radius).z, velocity, 0.02, speed))
        << e << " " << degrees;
      // The lower end is at -x, pushed up: about +y.
      EXPECT_TRUE(agrees(block.spin, Vec3d{ 0, spin, 0 }, 0.02, speed / radius))
        << e << " " << degrees;
      // Normal velocity of the point that touched.
      const double rebound = block.velocity(body, radius).z + lever * block.spin.y;
      worst = std::max(worst, std::abs(rebound / speed - e) / e);
      EXPECT_TRUE(agrees(rebound, e * speed, 0.02, speed)) << e << " " << degrees;
      EXPECT_EQ(run->report().notes.size(),
        createGranularFlow(scene, parameters, device())->report().notes.size());
    }
  }
  verify(
    "Restitution at the end of a bar that hits a smooth plane at 20 to 90 degrees, e 0.3, 0.5, 0.9",
    "e, 2 % of the impact", "within " + shown(100 * worst, 2) + " % of e",
    "rigid rod: P = (1 + e) v / (1/m + a^2/I)");
}

TEST_P(GranularClumps, ACubeComesToRestFlatOnAPlane)
{
  Scene scene;
  scene.shapes = { standardShape("cube") };
  scene.surfaces.push_back(planeTerrain(20));
  addClump(scene, 0, { 0, 0, 1.2 }, { 0.5, 0, 0 }, 0.5, turnAbout({ 1, 2, 0.3 }, 0.6));
  GranularFlowParameters parameters;
  parameters.frameInterval = 0.5;
  parameters.greatestSpeed = 5;
  auto run = march(scene, parameters, device(), 6);
  const Block cube(Snapshot(*run), 0);
  const Report report = run->report();
  EXPECT_TRUE(cube.atRest);
  EXPECT_EQ(report.particlesAtRest, 1);
  EXPECT_TRUE(agrees(report.massAtRest, report.mass, 1e-12));
  EXPECT_LT(std::sqrt(2 * (report.kineticEnergy + report.rotationalEnergy) / report.mass), 1e-3);
  const double weight = report.mass * kGravity;
  EXPECT_TRUE(agrees(cube.pressureForce, weight, 0.005));
  EXPECT_TRUE(agrees(report.supportForce[2], weight, 0.005));
  // One of its axes is upright, within the flatness of its faces.
  const Quatd& q = cube.orientation;
  double upright = 0;
  for (const Vec3d& axis : { Vec3d{ 1, 0, 0 }, Vec3d{ 0, 1, 0 }, Vec3d{ 0, 0, 1 } })
    upright = std::max(upright, std::abs(rotate(q, axis).z));
  const double tilt = std::acos(std::min(1.0, upright)) * 180 / M_PI;
  EXPECT_LT(tilt, 6);
  verify("Cube dropped on a plane: force of its spheres over weight; tilt of its face at rest",
    "1, 0.5 %; 6 degrees",
    shown(cube.pressureForce / weight, 5) + "; " + shown(tilt, 2) + " degrees",
    "balance of forces; flatness of the shape");
}

TEST_P(GranularClumps, ABarRollsAcrossTheSlopeAndStaysAlongIt)
{
  const double slope = 0.25, radius = 0.5, tilt = std::atan(slope);
  // Set down from a hand's height; acceleration along the slope from 2 to 4 s.
  const auto accelerationOf = [&](const char* shape, const Quatd& q, double& sideways)
  {
    Scene scene;
    scene.shapes = { standardShape(shape) };
    scene.surfaces.push_back(planeTerrain(100, [=](double x, double) { return -slope * x; }));
    const ClumpBody body = makeClumpBody(scene.shapes[0]);
    const double gap = radius * body.boundingRadius * 1.001;
    addClump(scene, 0, { gap * std::sin(tilt), 0, gap * std::cos(tilt) }, {}, radius, q);
    GranularFlowParameters parameters;
    parameters.greatestSpeed = 15;
    parameters.terrainRestitution = 0.1;
    auto run = march(scene, parameters, device(), 2);
    const Vec3d down{ std::cos(tilt), 0, -std::sin(tilt) };
    const double before = dot(Block(Snapshot(*run), 0).velocity(body, radius), down);
    advance(*run, 4);
    const Block after(Snapshot(*run), 0);
    sideways = after.center(body, radius).y;
    return (dot(after.velocity(body, radius), down) - before) / 2;
  };
  double sideways = 0;
  // Along the slope it would slide, and friction 0.6 holds it.
  EXPECT_LT(std::abs(accelerationOf("bar", turnAbout({ 0, 1, 0 }, tilt), sideways)), 1e-3);
  // Across it rolls about its long axis: a = g sin b / (1 + I/(m r^2)).
  const double pull = kGravity * std::sin(tilt);
  const ClumpBody bar = makeClumpBody(standardShape("bar"));
  const double least = std::min({ bar.inertia.x, bar.inertia.y, bar.inertia.z });
  const double asked = pull / (1 + least / (bar.scale * bar.scale));
  const double rolled = accelerationOf("bar", turnAbout({ 0, 0, 1 }, M_PI / 2), sideways);
  EXPECT_TRUE(agrees(rolled, asked, 0.01));
  EXPECT_LT(std::abs(sideways), 0.05);
  // A disc on its rim of twelve spheres rattles, and goes slower than a smooth one.
  const ClumpBody disc = makeClumpBody(standardShape("disc"));
  const double most = std::max({ disc.inertia.x, disc.inertia.y, disc.inertia.z });
  const double smooth = pull / (1 + most / (9 * disc.scale * disc.scale));
  const double wheel = accelerationOf("disc", turnAbout({ 1, 0, 0 }, M_PI / 2), sideways);
  EXPECT_GT(wheel, 0.2 * smooth);
  EXPECT_LT(wheel, 1.02 * smooth);
  verify("Bar that rolls about its long axis down a slope of 1 in 4, acceleration",
    shown(asked) + " m/s^2, 1 %", shown(rolled) + " m/s^2", "a = g sin b/(1 + I/(m r^2))");
  verify(
    "Disc on its rim of 12 spheres down the same slope, acceleration over that of a smooth one",
    "0.2 to 1.02", shown(wheel / smooth, 3), "it rolls, and rattles");
}

TEST_P(GranularClumps, LaidOnTheGroundTheyStayThere)
{
  Scene scene;
  scene.shapes = { standardShape("bar") };
  scene.surfaces.push_back(planeTerrain(20));
  const ClumpBody body = makeClumpBody(scene.shapes[0]);
  const double radius = 0.5, thick = radius * body.scale;
  addClump(scene, 0, { 0, 0, thick }, {}, radius);
  addClump(scene, 0, { 5, 0, 4 * thick }, {}, radius, turnAbout({ 0, 1, 0 }, M_PI / 2)); // upright
  auto run = createGranularFlow(scene, {}, device());
  EXPECT_TRUE(agrees(Block(Snapshot(*run), 0).lowest, 0, 1e-6, thick));
  EXPECT_TRUE(agrees(Block(Snapshot(*run), 1).lowest, 0, 1e-6, thick));
  for (const std::string& note : run->report().notes)
    EXPECT_EQ(note.find("moved out"), std::string::npos) << note;
  advance(*run, 1);
  EXPECT_TRUE(agrees(Block(Snapshot(*run), 0).center(body, radius).z, thick, 0.02));
  EXPECT_TRUE(Block(Snapshot(*run), 0).atRest);
  // One whose end is below the ground, beyond its spheres' reach, is moved out of it.
  addClump(scene, 0, { -5, 0, 1.5 * thick }, {}, radius, turnAbout({ 0, 1, 0 }, M_PI / 2));
  auto lifted = createGranularFlow(scene, {}, device());
  EXPECT_GE(Block(Snapshot(*lifted), 2).lowest, -1e-6);
  bool isSaid = false;
  for (const std::string& note : lifted->report().notes)
    isSaid = isSaid || note.find("1 seeds reached into the terrain") != std::string::npos;
  EXPECT_TRUE(isSaid);
}

TEST_P(GranularClumps, LockedRotationKeepsThemAsTheyAre)
{
  Scene scene;
  scene.shapes = { standardShape("bar") };
  scene.surfaces.push_back(planeTerrain(20));
  const Quatd q = turnAbout({ 0, 1, 0 }, 0.5);
  addClump(scene, 0, { 0, 0, 1.5 }, { 1, 0, 0 }, 0.5, q);
  GranularFlowParameters parameters;
  parameters.rotation = Rotation::Locked;
  parameters.terrainRestitution = 0.5;
  auto run = march(scene, parameters, device(), 2);
  const Block block(Snapshot(*run), 0);
  EXPECT_EQ(length(block.spin), 0);
  EXPECT_EQ(run->report().rotationalEnergy, 0);
  EXPECT_TRUE(agrees(block.orientation.w, q.w, 1e-6));
  EXPECT_TRUE(agrees(block.orientation.y, q.y, 1e-6));
  EXPECT_GT(block.lowest, -0.05);
}

TEST_P(GranularClumps, AreLostWholeAndTheOthersGoOn)
{
  // Five slide apart on a smooth plane; two of them leave it.
  const auto sceneOf = [](const std::vector<int>& which)
  {
    Scene scene;
    scene.shapes = { standardShape("cube"), standardShape("bar") };
    scene.surfaces.push_back(planeTerrain(6));
    for (const int k : which)
      addClump(scene, k % 2, { -4.0 + 2 * k, 0, 1 },
        { 0,
          k == 1   ? 9.0
          : k == 3 ? -7.0
                   : 0.3,
          0 },
        0.3 + 0.05 * k);
    return scene;
  };
  GranularFlowParameters parameters;
  parameters.terrainFriction = 0.2;
  parameters.frameInterval = 0.25;
  parameters.greatestSpeed = 10;
  parameters.timeStepLimit = 2e-4;
  auto run = march(sceneOf({ 0, 1, 2, 3, 4 }), parameters, device(), 3);
  const Report report = run->report();
  const Loss& loss = test::lossOf(report, "left the map");
  EXPECT_EQ(loss.count, 2);
  EXPECT_EQ(report.particles, 3);
  EXPECT_TRUE(agrees(loss.mass, massOf(0.35, 2600) + massOf(0.45, 2600), 1e-12));
  EXPECT_EQ(loss.firstIds, (std::vector<std::int64_t>{ 1, 3 }));
  const Snapshot now(*run);
  std::map<std::int64_t, int> spheres;
  for (std::size_t i = 0; i < now.count(); ++i)
    ++spheres[now.id(i)];
  const Scene all = sceneOf({ 0, 1, 2, 3, 4 });
  EXPECT_EQ(spheres, (std::map<std::int64_t, int>{ { 0, static_cast<int>(all.shapes[0].count()) },
                       { 2, static_cast<int>(all.shapes[0].count()) },
                       { 4, static_cast<int>(all.shapes[0].count()) } }));
  // Those that stay never met the others: they are where they are without them.
  auto alone = march(sceneOf({ 0, 2, 4 }), parameters, device(), 3);
  const Snapshot same(*alone);
  for (int k = 0; k < 3; ++k)
  {
    const Block one(now, 2 * k), other(same, k);
    for (std::size_t i = 0; i < one.positions.size(); ++i)
      EXPECT_TRUE(agrees(one.positions[i], other.positions[i], 2e-3, 1)) << k;
  }
}

TEST_P(GranularClumps, CrossPeriodicSides)
{
  // The same two bars in a box that repeats and, its collision in the middle, in one that is wide.
  const auto reached = [&](double at, double length)
  {
    Scene scene;
    scene.shapes = { standardShape("bar") };
    scene.domain.used = true;
    scene.domain.lower = { -length, -50, -50 };
    scene.domain.upper = { length, 50, 50 };
    scene.domain.sides[0] = scene.domain.sides[1] = DomainSide::Periodic;
    const auto wrapped = [=](double x)
    { return x - 2 * length * std::floor((x + length) / (2 * length)); };
    addClump(scene, 0, { wrapped(at - 2.5), 0, 0 }, { 3, 0, 0 }, 0.5);
    addClump(
      scene, 0, { wrapped(at + 2.5), 0.3, 0.2 }, { -3, 0, 0 }, 0.5, turnAbout({ 0, 1, 0 }, 0.4));
    auto run = march(scene, inTheVoid(0.25), device(), 2);
    const Snapshot now(*run);
    EXPECT_EQ(run->report().particles, 2);
    EXPECT_GT(run->report().rotationalEnergy, 1);
    const ClumpBody body = makeClumpBody(scene.shapes[0]);
    std::vector<Vec3d> values;
    for (int k = 0; k < 2; ++k)
    {
      const Block block(now, k);
      const Vec3d center = block.center(body, 0.5);
      EXPECT_LE(std::abs(center.x), length + 1.6 + 1e-6); // wrapped with the lists, a skin late
      values.push_back({ std::remainder(center.x - at, 2 * length), center.y, center.z });
      values.push_back(block.spin);
    }
    return values;
  };
  const auto middle = reached(0, 8), side = reached(8, 8), wide = reached(0, 40);
  for (std::size_t k = 0; k < middle.size(); ++k)
  {
    EXPECT_TRUE(agrees(side[k], middle[k], 1e-3, 3)) << k;
    EXPECT_TRUE(agrees(wide[k], middle[k], 1e-3, 3)) << k;
  }
  // Round and round.
  Scene scene;
  scene.shapes = { standardShape("cube") };
  scene.domain.used = true;
  scene.domain.lower = { -8, -8, -8 };
  scene.domain.upper = { 8, 8, 8 };
  scene.domain.sides.fill(DomainSide::Periodic);
  addClump(scene, 0, { 1, 2, 3 }, { 40, -25, 13 }, 0.5);
  auto run = march(scene, inTheVoid(0.25), device(), 4);
  const Block block(Snapshot(*run), 0);
  const Vec3d center = block.center(makeClumpBody(scene.shapes[0]), 0.5);
  const Vec3d expected{ 1 + 160 - 160, 2 - 100 + 96, 3 + 52 - 48 };
  EXPECT_TRUE(agrees(std::remainder(center.x - expected.x, 16), 0, 1e-6, 1));
  EXPECT_TRUE(agrees(std::remainder(center.y - expected.y, 16), 0, 1e-6, 1));
  EXPECT_TRUE(agrees(std::remainder(center.z - expected.z, 16), 0, 1e-6, 1));
  for (const double c : { center.x, center.y, center.z })
    EXPECT_LE(std::abs(c), 8 + 1.5);
}

namespace
{

/// Blocks and spheres thrown onto a bumpy terrain.
Scene mixture()
{
  Scene scene;
  scene.surfaces.push_back(gridTerrain(-5, 5, 20, -5, 5, 20,
    [](double x, double y) { return 0.3 * std::sin(x) * std::cos(1.3 * y) - 0.1 * x; }));
  for (const std::string& name : standardShapeNames())
    scene.shapes.push_back(standardShape(name));
  for (int k = 0; k < 50; ++k)
  {
    const double x = -3.5 + 1.4 * (k % 5), y = -3.5 + 1.4 * (k / 5 % 5), z = 2 + 1.3 * (k / 25);
    scene.seeds.add({ x, y, z }, { 3 - 0.1 * k, 0.1 * k - 2, 0 }, 0.2 + 0.003 * k, 2600);
    scene.seeds.shapes.push_back(k % 5 - 1);
  }
  return scene;
}

GranularFlowParameters mixtureParameters()
{
  GranularFlowParameters parameters;
  parameters.greatestSpeed = 10;
  parameters.frameInterval = 0.125;
  parameters.rollingFriction = parameters.terrainRollingFriction = 0.05;
  return parameters;
}

} // namespace

TEST_P(GranularClumps, GoOnFromACheckpointWithTheSameBits)
{
  const double middle = 0.5;
  {
    auto run = march(mixture(), mixtureParameters(), device(), middle);
    const std::vector<std::uint8_t> bytes = savedBytes(*run);
    auto other = createGranularFlow(mixture(), mixtureParameters(), device());
    restoreBytes(*other, bytes);
    EXPECT_EQ(savedBytes(*other), bytes);
    EXPECT_EQ(hashOf(*other), hashOf(*run));
    advance(*run, 1.75);
    advance(*other, 1.75);
    EXPECT_EQ(hashOf(*other), hashOf(*run)) << middle;
    EXPECT_EQ(savedBytes(*other), savedBytes(*run)) << middle;
    EXPECT_GT(test::lossOf(run->report(), "left the map").count, 0);
    EXPECT_EQ(run->report().particles + test::lossOf(run->report(), "left the map").count, 50);
  }
}

TEST_P(GranularClumps, ACheckpointWithASphereTwiceIsRefused)
{
  auto run = createGranularFlow(mixture(), mixtureParameters(), device());
  std::vector<std::uint8_t> bytes = savedBytes(*run);
  bytes.resize(bytes.size() - sizeof(std::uint64_t));
  // The last two arrays of the section are the traits and the clumps' numbers.
  const std::string name = "clumps";
  const auto section =
    std::search(bytes.begin(), bytes.end(), name.begin(), name.end()) - bytes.begin();
  const std::size_t spheres = Snapshot(*run).count();
  const auto end = static_cast<std::size_t>(section) - spheres * sizeof(std::int32_t);
  const std::size_t traits = end - sizeof(std::uint64_t) - spheres * sizeof(Traits);
  const auto memberOf = [&](std::size_t sphere)
  { return traits + sphere * sizeof(Traits) + offsetof(Traits, member); };
  std::size_t second = 0;
  std::int16_t member = 0;
  for (; member != 1; ++second)
    std::memcpy(&member, bytes.data() + memberOf(second), sizeof(member));
  member = 0;
  std::memcpy(bytes.data() + memberOf(second - 1), &member, sizeof(member));
  SummedSource source(bytes);
  CheckpointReader reader(source);
  const std::string text = messageOf<InvalidInput>([&] { run->restore(reader); });
  EXPECT_NE(text.find("clumps contradict"), std::string::npos) << text;
}

TEST(GranularClumpsThreads, DoNotChangeABit)
{
  std::vector<std::uint64_t> hashes;
  for (const int threads : { 1, 2, 3 })
    hashes.push_back(
      hashOf(*march(mixture(), mixtureParameters(), { DeviceKind::Cpu, threads }, 0.75)));
  EXPECT_EQ(hashes[1], hashes[0]);
  EXPECT_EQ(hashes[2], hashes[0]);
}

TEST(GranularClumpsInput, BadShapesAreRefused)
{
  const auto refusal = [](const auto& change)
  {
    Scene scene;
    scene.shapes = { standardShape("bar") };
    addClump(scene, 0, {}, {}, 0.5);
    addClump(scene, 0, { 9, 0, 0 }, {}, 0.5);
    change(scene);
    return messageOf<InvalidInput>([&] { createGranularFlow(scene, {}, { DeviceKind::Cpu, 1 }); });
  };
  const auto expect = [&](const auto& change, const std::string& word)
  {
    const std::string text = refusal(change);
    EXPECT_NE(text.find(word), std::string::npos) << word << " in: " << text;
  };
  const double nan = std::nan("");
  expect([](Scene& s) { s.shapes[0] = { "none", {}, {} }; }, "none");
  expect(
    [](Scene& s)
    {
      s.shapes[0].radii.assign(1001, 1);
      s.shapes[0].centers.assign(3003, 0);
    },
    "1000");
  expect([](Scene& s) { s.shapes[0].radii[2] = -1; }, "-1");
  expect([=](Scene& s) { s.shapes[0].centers[4] = nan; }, "bar");
  expect([](Scene& s) { s.shapes[0].centers.pop_back(); }, "bar");
  expect([](Scene& s) { s.seeds.shapes[1] = 1; }, "shape");
  expect([](Scene& s) { s.seeds.shapes[1] = -2; }, "shape");
  expect([](Scene& s) { s.seeds.shapes.pop_back(); }, "'shape'");
  expect([](Scene& s) { s.seeds.orientations.pop_back(); }, "'orientation'");
  expect([](Scene& s) { std::fill_n(s.seeds.orientations.begin() + 4, 4, 0); }, "orientation");
  expect([=](Scene& s) { s.seeds.orientations[5] = nan; }, "orientation");
  expect([](Scene& s) { s.shapes.clear(); }, "shape");
}
