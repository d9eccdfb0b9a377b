// Nozzles: how many come by when, how heavy, where from and where to, and what is refused.
#include "Particles/Emitter.h"

#include "Compare.h"
#include "Math/Random.h"
#include "Runs.h"

#include <limits>

using namespace lapilli;
using namespace lapilli::test;

namespace
{

constexpr double kForever = std::numeric_limits<double>::infinity();

Nozzle nozzleOf(const std::vector<Pulse>& pulses, RateUnit unit = RateUnit::ParticlesPerSecond)
{
  Nozzle nozzle;
  nozzle.pulses = pulses;
  nozzle.rateUnit = unit;
  nozzle.density = 1000;
  return nozzle;
}

double volumeOf(double radius)
{
  return 4 * M_PI / 3 * radius * radius * radius;
}

/// Takes all that is due.
std::vector<EmittedParticle> takeUntil(Emitter& emitter, double time, int n = 0)
{
  std::vector<EmittedParticle> taken;
  while (emitter.dueTime(n) <= time)
  {
    taken.push_back(emitter.head(n, 0));
    emitter.pop(n);
  }
  return taken;
}

std::int64_t countBy(const Nozzle& nozzle, double time)
{
  Emitter emitter({ nozzle }, {});
  return static_cast<std::int64_t>(takeUntil(emitter, time).size());
}

std::vector<RadiusDistribution> threeLaws()
{
  RadiusDistribution constant, uniform, logNormal;
  constant.radius = 0.2;
  uniform.radiusLaw = RadiusLaw::Uniform;
  uniform.smallestRadius = 0.1;
  uniform.largestRadius = 0.4;
  logNormal.radiusLaw = RadiusLaw::LogNormal;
  logNormal.medianRadius = 0.2;
  logNormal.radiusSpread = 1.6;
  return { constant, uniform, logNormal };
}

std::string refusal(const Nozzle& nozzle, std::size_t shapes = 0)
{
  return messageOf<InvalidInput>(
    [&] {
      checkNozzles({ nozzleOf({ { 0, 1, 1, 0 } }), nozzle }, shapes);
    });
}

} // namespace

TEST(Emitter, CountIsTheWholePartOfTheIntegralOfTheRate)
{
  struct Case
  {
    double time;
    std::int64_t count;
  };
  // 2.5 a second until 2, nothing, 10 a second from 3 to 3.55, none at rate 0, 1 a second without end.
  const Nozzle nozzle =
    nozzleOf({ { 0.5, 2, 2.5, 1 }, { 3, 3.55, 10, 2 }, { 4, 5, 0, 3 }, { 6, kForever, 1, 4 } });
  // The integral: 3.75 at 2, 9.25 at 3.55.
  for (const Case& c : { Case{ 0, 0 }, Case{ 0.5, 0 }, Case{ 0.89, 0 }, Case{ 0.9, 1 },
         Case{ 1.29, 1 }, Case{ 1.3, 2 }, Case{ 1.7, 3 }, Case{ 2, 3 }, Case{ 3, 3 },
         Case{ 3.02, 3 }, Case{ 3.025, 4 }, Case{ 3.2, 5 }, Case{ 3.55, 9 }, Case{ 5.9, 9 },
         Case{ 6.74, 9 }, Case{ 6.7501, 10 }, Case{ 7.7501, 11 }, Case{ 106.7501, 110 } })
    EXPECT_EQ(countBy(nozzle, c.time), c.count) << c.time;
  EXPECT_TRUE(agrees(expectedCount(nozzle, 3.55), 3.75 + 5.5, 1e-14));
}

TEST(Emitter, DueTimesAreExactForRatesThatAreNotWholeNumbers)
{
  for (const double rate : { 0.1, 0.3, 1.0 / 3, 7.7, 1e3 / 7, 12345.678 })
  {
    Emitter emitter({ nozzleOf({ { 0.7, kForever, rate, 0 } }) }, {});
    for (int k = 1; k <= 2000; ++k)
    {
      const double due = 0.7 + k / rate;
      EXPECT_TRUE(agrees(emitter.dueTime(0), due, 1e-14)) << rate << " " << k;
      emitter.pop(0);
    }
  }
  // All of whole numbers of particles come, though 0.1 * 30 is not 3 to the bit.
  for (int n = 1; n <= 300; ++n)
  {
    EXPECT_EQ(countBy(nozzleOf({ { 0, 10.0 * n, 0.1, 0 } }), 1e9), n) << n;
    EXPECT_EQ(countBy(nozzleOf({ { 1000.1, 1000.1 + 0.1 * n, 10, 0 } }), 1e9), n) << n;
  }
}

TEST(Emitter, NozzlesThatTakeTurnsGiveWhatOneWould)
{
  double worst = 0;
  for (const RateUnit unit : { RateUnit::ParticlesPerSecond, RateUnit::KilogramsPerSecond })
  {
    for (const RadiusDistribution& radii : threeLaws())
    {
      for (const int count : { 2, 3, 7, 60, 101, 200 })
      {
        // 100 particles in the first pulse and about 37 in the second.
        const double one = unit == RateUnit::ParticlesPerSecond ? 1 : 1000 * volumeOf(0.2);
        std::vector<Nozzle> nozzles;
        for (int k = 0; k < count; ++k)
        {
          Nozzle nozzle =
            nozzleOf({ { 0, 10, 10 * one / count, 1 }, { 12, 12.5, 75 * one / count, 1 } }, unit);
          nozzle.radii = radii;
          nozzle.turn = k;
          nozzle.turns = count;
          nozzles.push_back(nozzle);
        }
        Emitter emitter(nozzles, {});
        double mass = 0, lastDue = 0;
        std::int64_t number = 0;
        for (double time = 0.05; time < 13; time += 0.1)
        {
          const double amount = 10 * one * std::min(time, 10.0) +
                                75 * one * std::clamp(time - 12, 0.0, 0.5) + 1e-9 * one;
          std::int64_t waiting = 0;
          for (int n = 0; n < count; ++n)
            waiting += emitter.waiting(n, time);
          std::int64_t came = 0;
          for (bool some = true; some;)
          {
            // One after another, each from the nozzle whose turn it is.
            some = false;
            const int n = static_cast<int>(number % count);
            if (emitter.dueTime(n) <= time)
            {
              EXPECT_EQ(emitter.dueTime(n), emitter.nextDueTime());
              EXPECT_GE(emitter.dueTime(n), lastDue);
              lastDue = emitter.dueTime(n);
              mass += emitter.head(n, 0).mass;
              emitter.pop(n);
              ++number, ++came;
              some = true;
            }
          }
          EXPECT_GT(emitter.nextDueTime(), time); // nor is any other due
          if (unit == RateUnit::ParticlesPerSecond)
          {
            EXPECT_EQ(emitter.emitted(), static_cast<std::int64_t>(amount)) << count << " " << time;
            EXPECT_EQ(waiting, came);
            continue;
          }
          const int next = static_cast<int>(number % count);
          EXPECT_LE(mass, amount);
          EXPECT_GT(mass + emitter.head(next, 0).mass, amount * (1 - 1e-9)) << count << " " << time;
          EXPECT_TRUE(agrees(emitter.massEmitted(), mass, 1e-12, amount));
          worst = std::max(worst, (amount - mass) / emitter.head(next, 0).mass);
        }
        if (unit == RateUnit::ParticlesPerSecond)
        {
          EXPECT_EQ(emitter.emitted(), 137);
        }
      }
    }
  }
  verify("Mass from nozzles that take turns: what is due and has not come, over the next particle",
    "below 1", "at most " + shown(worst, 2), "as of one nozzle");
}

TEST(Emitter, ABlockedNozzleHoldsBackItsOwnTurnsAlone)
{
  for (const RateUnit unit : { RateUnit::ParticlesPerSecond, RateUnit::KilogramsPerSecond })
  {
    std::vector<Nozzle> nozzles;
    for (int k = 0; k < 3; ++k)
    {
      Nozzle nozzle =
        nozzleOf({ { 0, 4, unit == RateUnit::ParticlesPerSecond ? 5 : 200.0, 1 } }, unit);
      nozzle.radii = threeLaws()[1];
      nozzle.turn = k;
      nozzle.turns = 3;
      nozzles.push_back(nozzle);
    }
    Emitter free(nozzles, {}), stuck(nozzles, {});
    std::vector<std::vector<EmittedParticle>> all;
    for (int n = 0; n < 3; ++n)
      all.push_back(takeUntil(free, 4, n));
    for (const int n : { 2, 0, 1 }) // 1 had no room until the end
    {
      const auto same = takeUntil(stuck, 4, n);
      ASSERT_EQ(same.size(), all[static_cast<std::size_t>(n)].size());
      ASSERT_GT(same.size(), 3u);
      for (std::size_t k = 0; k < same.size(); ++k)
        EXPECT_EQ(
          std::memcmp(&same[k], &all[static_cast<std::size_t>(n)][k], sizeof(EmittedParticle)), 0);
      // And after a checkpoint in between.
      MemorySink sink;
      CheckpointWriter writer(sink);
      stuck.save(writer);
      Emitter other(nozzles, {});
      MemorySource source(sink.bytes);
      CheckpointReader reader(source);
      other.restore(reader);
      for (int m = 0; m < 3; ++m)
        EXPECT_EQ(other.dueTime(m), stuck.dueTime(m));
    }
  }
}

TEST(Emitter, DoesNotDependOnHowOftenItIsAsked)
{
  for (const RateUnit unit : { RateUnit::ParticlesPerSecond, RateUnit::KilogramsPerSecond })
  {
    for (const RadiusDistribution& radii : threeLaws())
    {
      Nozzle nozzle = nozzleOf({ { 0, 2, 700, 3 }, { 2, 3, 1000, 5 } }, unit);
      nozzle.radii = radii;
      nozzle.openingRadius = 1;
      nozzle.spread = 30;
      Emitter atOnce({ nozzle }, {}), often({ nozzle }, {});
      const auto all = takeUntil(atOnce, 3);
      std::vector<EmittedParticle> parts;
      for (int k = 1; k <= 3000; ++k)
        for (const EmittedParticle& p : takeUntil(often, k * 0.001))
          parts.push_back(p);
      ASSERT_EQ(all.size(), parts.size());
      ASSERT_GT(all.size(), 5u);
      for (std::size_t k = 0; k < all.size(); ++k)
        EXPECT_EQ(std::memcmp(&all[k], &parts[k], sizeof(EmittedParticle)), 0) << k;
      EXPECT_EQ(atOnce.massEmitted(), often.massEmitted());
      EXPECT_EQ(atOnce.emitted(0), static_cast<std::int64_t>(all.size()));
    }
  }
}

TEST(Emitter, MassNeverExceedsTheIntegralAndLacksLessThanTheNextParticle)
{
  // From ash of 10 micrometres to blocks.
  for (const double scale : { 1e-5, 1e-3, 1.0, 20.0 })
  {
    for (RadiusDistribution radii : threeLaws())
    {
      for (double* length :
        { &radii.radius, &radii.smallestRadius, &radii.largestRadius, &radii.medianRadius })
        *length *= scale;
      const double rate = 500 * 1000 * volumeOf(0.2 * scale);
      Nozzle nozzle =
        nozzleOf({ { 1, 2, rate, 0 }, { 2.5, 3, 2.3 * rate, 0 } }, RateUnit::KilogramsPerSecond);
      nozzle.radii = radii;
      Emitter emitter({ nozzle }, {});
      double mass = 0;
      for (int k = 0; k <= 400; ++k)
      {
        const double time = 0.01 * k;
        const double asked =
          rate * (std::clamp(time - 1, 0.0, 1.0)) + 2.3 * rate * std::clamp(time - 2.5, 0.0, 0.5);
        for (const EmittedParticle& p : takeUntil(emitter, time))
        {
          EXPECT_TRUE(agrees(p.mass, 1000 * volumeOf(p.radius), 1e-14));
          mass += p.mass;
        }
        const double next = emitter.head(0, 0).mass;
        EXPECT_TRUE(agrees(emitter.massEmitted(), mass, 1e-12, mass + next));
        ASSERT_LE(mass, asked + 2e-3 * next) << scale << " at " << time;
        ASSERT_GT(mass, asked - next * (1 + 1e-9) - 1e-12 * asked) << scale << " at " << time;
      }
      EXPECT_EQ(emitter.dueTime(0), kForever);
    }
  }
}

TEST(Emitter, ExpectedCountIsTheMeanOfTheActual)
{
  double worst = 0;
  for (const RadiusDistribution& radii : threeLaws())
  {
    Nozzle nozzle = nozzleOf({ { 0, 10, 80000, 0 } }, RateUnit::KilogramsPerSecond);
    nozzle.radii = radii;
    const double expected = expectedCount(nozzle, 10);
    const double actual = static_cast<double>(countBy(nozzle, 10));
    // 10,000 particles: 1 % for each per cent that single masses scatter by 100 %.
    EXPECT_GT(actual, 5000);
    EXPECT_TRUE(agrees(actual, expected, radii.radiusLaw == RadiusLaw::Constant ? 2e-4 : 0.06));
    worst = std::max(worst, std::abs(actual / expected - 1));
  }
  EXPECT_EQ(expectedCount(nozzleOf({ { 1, 3, 7.25, 0 } }), 2), 7.25);
  EXPECT_EQ(expectedCount(nozzleOf({ { 1, 3, 7.25, 0 } }), 0.5), 0);
  verify("Particles emitted by mass over those expected from the law of radii", "1, 6 %",
    "within " + shown(100 * worst, 2) + " %", "mean volume of the law");
}

TEST(Emitter, SpeedIsThatOfThePulseThatGivesTheParticle)
{
  // The tenth is due at the end of the first pulse, which is the start of the second.
  Emitter emitter({ nozzleOf({ { 0, 1, 10, 3 }, { 1, 2, 0, 77 }, { 2, 3, 1e18, 5 } }) }, {});
  for (int k = 1; k <= 12; ++k)
  {
    const EmittedParticle p = emitter.head(0, 0);
    EXPECT_TRUE(agrees(length(p.velocity), k <= 10 ? 3 : 5, 1e-14)) << k;
    EXPECT_TRUE(agrees(p.dueTime, k <= 10 ? 0.1 * k : 2, 1e-14)) << k;
    emitter.pop(0);
  }
  // The rest of the first pulse is carried into the second.
  Emitter carried({ nozzleOf({ { 0, 1, 1.5, 3 }, { 1, 2, 1.5, 5 } }) }, {});
  carried.pop(0);
  EXPECT_TRUE(agrees(carried.dueTime(0), 1 + 0.5 / 1.5, 1e-14));
  EXPECT_TRUE(agrees(length(carried.head(0, 0).velocity), 5, 1e-14));
}

TEST(Emitter, PlacesAreUniformInTheOpeningAndDirectionsInTheCone)
{
  constexpr int kCount = 20000;
  double worst = 0;
  for (const double spread : { 0.0, 5.0, 30.0, 90.0 })
  {
    for (const Vec3d& direction : { Vec3d{ 0, 0, 1 }, Vec3d{ 0, 0, -3 }, Vec3d{ 1, -2, 0.5 },
           Vec3d{ 1e-200, 0, 1e-200 }, Vec3d{ 0, -1e200, 0 } })
    {
      Nozzle nozzle = nozzleOf({ { 0, kForever, 1, 7 } });
      nozzle.position = { 600010, -20, 30 };
      nozzle.direction = { direction.x, direction.y, direction.z };
      nozzle.openingRadius = 2;
      nozzle.spread = spread;
      const Vec3d origin{ 600000, 0, 0 };
      const double size =
        std::max({ std::abs(direction.x), std::abs(direction.y), std::abs(direction.z) });
      const Vec3d axis =
        normalized(Vec3d{ direction.x / size, direction.y / size, direction.z / size });
      Emitter emitter({ nozzle }, origin);
      const double cap = 1 - std::cos(spread * M_PI / 180);
      double squares = 0, heights = 0, heightSquares = 0;
      Vec3d places, ways;
      for (int k = 0; k < kCount; ++k)
      {
        const EmittedParticle p = emitter.head(0, 0);
        const Vec3d off = p.position - Vec3d{ 10, -20, 30 };
        ASSERT_LT(std::abs(dot(off, axis)), 1e-12);
        ASSERT_LE(length(off), 2 + 1e-12);
        ASSERT_TRUE(agrees(length(p.velocity), 7, 1e-12));
        const double height = (1 - dot(p.velocity, axis) / 7); // uniform in [0, cap]
        ASSERT_GE(height, -1e-14);
        ASSERT_LE(height, cap + 1e-12);
        squares += squaredLength(off) / 4; // uniform in [0, 1]
        places += off;
        ways += (1.0 / 7) * p.velocity - (1 - height) * axis;
        heights += height;
        heightSquares += height * height;
        emitter.pop(0);
      }
      // Five standard errors of uniform numbers: 5 sqrt(1/12/20000) = 0.0102.
      EXPECT_TRUE(agrees(squares / kCount, 0.5, 0.0102, 1));
      EXPECT_LT(length(places) / kCount, 5 * std::sqrt(2.0 / kCount));
      EXPECT_LT(length(ways) / kCount, 5 * std::sqrt(1.0 / kCount));
      if (spread > 0)
      {
        EXPECT_TRUE(agrees(heights / kCount / cap, 0.5, 0.0102, 1)) << spread;
        EXPECT_TRUE(agrees(heightSquares / kCount / (cap * cap), 1.0 / 3, 0.0106, 1)) << spread;
        worst = std::max(worst, std::abs(heights / kCount / cap - 0.5));
      }
    }
  }
  verify("Mean height in the cone of directions over the cap's, half angles 5, 30, 90 degrees",
    "0.5, 0.0102", "within " + shown(worst, 2) + " of it", "solid angle (Archimedes)");
}

TEST(Emitter, TheOpeningHasItsOwnNormal)
{
  for (const double size : { 1.0, 1e-200, 1e200 })
  {
    Nozzle nozzle = nozzleOf({ { 0, kForever, 1, 7 } });
    nozzle.direction = { 1, 0, 0.2 };
    nozzle.openingNormal = { 0.6 * size, 0, 0.8 * size };
    nozzle.openingRadius = 3;
    nozzle.spread = 20;
    Emitter emitter({ nozzle }, {});
    const Vec3d axis = axisOf(nozzle);
    double farthest = 0;
    for (int k = 0; k < 1000; ++k)
    {
      const EmittedParticle p = emitter.head(0, 0);
      ASSERT_LT(std::abs(dot(p.position, Vec3d{ 0.6, 0, 0.8 })), 1e-12);
      ASSERT_GE(dot(p.velocity, axis) / 7, std::cos(20 * M_PI / 180) - 1e-12);
      farthest = std::max(farthest, length(p.position));
      emitter.pop(0);
    }
    EXPECT_TRUE(farthest > 2.95 && farthest <= 3 + 1e-12) << farthest;
  }
  // That of the direction is what none is, to the bit.
  Nozzle given = nozzleOf({ { 0, 1, 1, 1 } });
  given.direction = { 0.3, -2, 0.7 };
  given.openingRadius = 1;
  Nozzle none = given;
  given.openingNormal = given.direction;
  const EmittedParticle a = Emitter({ given }, {}).head(0, 0), b = Emitter({ none }, {}).head(0, 0);
  EXPECT_EQ(std::memcmp(&a, &b, sizeof a), 0);
}

TEST(Emitter, AnotherTryHasAnotherPlaceAndTheSameSize)
{
  Nozzle nozzle = nozzleOf({ { 0, 1, 5, 2 } });
  nozzle.radii = threeLaws()[2];
  nozzle.openingRadius = 1;
  Emitter emitter({ nozzle, nozzle }, {});
  const EmittedParticle a = emitter.head(0, 0), b = emitter.head(0, 1), c = emitter.head(0, 0);
  EXPECT_EQ(std::memcmp(&a, &c, sizeof a), 0);
  EXPECT_EQ(a.radius, b.radius);
  EXPECT_GT(length(a.position - b.position), 0);
  // A second nozzle with all the same numbers gives other particles.
  EXPECT_NE(emitter.head(1, 0).radius, a.radius);
  nozzle.randomSeed = 2;
  EXPECT_NE(Emitter({ nozzle }, {}).head(0, 0).radius, a.radius);
}

TEST(Emitter, CountsWhoWaits)
{
  for (const RateUnit unit : { RateUnit::ParticlesPerSecond, RateUnit::KilogramsPerSecond })
  {
    const bool byNumber = unit == RateUnit::ParticlesPerSecond;
    Nozzle nozzle = nozzleOf({ { 1, 2, 100 * (byNumber ? 1 : 1000 * volumeOf(0.5)), 0 } }, unit);
    Emitter emitter({ nozzle }, {});
    EXPECT_EQ(emitter.waiting(0, 1), 0);
    EXPECT_EQ(emitter.waiting(0, 1.1005), 10);
    EXPECT_EQ(emitter.waiting(0, 2), 100);
    EXPECT_EQ(emitter.waiting(0, 50), 100);
    for (int k = 0; k < 40; ++k)
      emitter.pop(0);
    EXPECT_EQ(emitter.waiting(0, 50), 60);
    EXPECT_EQ(emitter.waiting(0, 1.4), 0 + (emitter.dueTime(0) <= 1.4 ? 1 : 0));
    emitter.noteBlocked(0, 0.25);
    emitter.noteBlocked(0, 0.5);
    EXPECT_EQ(emitter.blockedTime(0), 0.75);
    takeUntil(emitter, 50);
    EXPECT_EQ(emitter.emitted(0), 100);
    EXPECT_EQ(emitter.waiting(0, 50), 0);
    EXPECT_EQ(emitter.nextDueTime(), kForever);
  }
}

TEST(Emitter, WhoIsDueWaitsAtLeastAsOne)
{
  // Rounding never makes a due particle vanish from the count.
  for (const double rate : { 0.3, 7.7, 1e7 / 3, 1e12 / 7, 1e18 })
  {
    Emitter emitter({ nozzleOf({ { 0.1, kForever, rate, 0 } }) }, {});
    for (int k = 0; k < 1000; ++k)
    {
      ASSERT_GE(emitter.waiting(0, emitter.dueTime(0)), 1) << rate;
      emitter.pop(0);
    }
  }
}

TEST(Emitter, HugeRatesNeitherLoopNorOverflow)
{
  for (const double rate : { 1e18, 1e100, 1e308 })
  {
    for (const RateUnit unit : { RateUnit::ParticlesPerSecond, RateUnit::KilogramsPerSecond })
    {
      const Nozzle nozzle = nozzleOf({ { 0, kForever, rate, 1 } }, unit);
      Emitter emitter({ nozzle }, {});
      EXPECT_GT(emitter.waiting(0, 1e10), 1000000000000ll);
      EXPECT_GE(emitter.dueTime(0), 0);
      EXPECT_LT(emitter.dueTime(0), 1e-10);
      EXPECT_GT(expectedCount(nozzle, 1), 1e14);
    }
  }
  Emitter none({ nozzleOf({ { 0, kForever, 0, 1 } }) }, {});
  EXPECT_EQ(none.nextDueTime(), kForever);
  EXPECT_EQ(none.waiting(0, 1e300), 0);
  EXPECT_EQ(Emitter({}, {}).nextDueTime(), kForever);
  // The end of a pulse of a thousand million is met within one particle.
  Emitter many({ nozzleOf({ { 0, 1, 1e9, 1 }, { 5, 6, 1e9, 1 } }) }, {});
  EXPECT_EQ(many.waiting(0, 1), 1000000000);
  EXPECT_EQ(many.waiting(0, 7), 2000000000);
}

TEST(Emitter, GoesOnFromACheckpointWithTheSameBits)
{
  Nozzle a = nozzleOf({ { 0, 3, 11.3, 2 }, { 4, 9, 30, 6 } });
  a.radii = threeLaws()[1];
  a.openingRadius = 1;
  a.spread = 20;
  Nozzle b = nozzleOf({ { 1, 7, 4000, 2 } }, RateUnit::KilogramsPerSecond);
  b.radii = threeLaws()[2];
  Emitter emitter({ a, b }, { 5, 6, 7 });
  takeUntil(emitter, 2.2, 0);
  takeUntil(emitter, 2.2, 1);
  emitter.noteBlocked(1, 0.125);
  MemorySink sink;
  CheckpointWriter writer(sink);
  emitter.save(writer);
  Emitter other({ a, b }, { 5, 6, 7 });
  MemorySource source(sink.bytes);
  CheckpointReader reader(source);
  other.restore(reader);
  EXPECT_EQ(other.blockedTime(1), 0.125);
  EXPECT_EQ(other.massEmitted(), emitter.massEmitted());
  for (const int n : { 0, 1 })
  {
    const auto rest = takeUntil(emitter, 20, n), same = takeUntil(other, 20, n);
    ASSERT_EQ(rest.size(), same.size());
    ASSERT_GT(rest.size(), 20u);
    for (std::size_t k = 0; k < rest.size(); ++k)
      EXPECT_EQ(std::memcmp(&rest[k], &same[k], sizeof(EmittedParticle)), 0);
  }
  // Another number of nozzles is refused and changes nothing.
  Emitter fewer({ a }, {});
  MemorySource again(sink.bytes);
  CheckpointReader second(again);
  EXPECT_NE(
    messageOf<InvalidInput>([&] { fewer.restore(second); }).find("checkpoint"), std::string::npos);
  EXPECT_EQ(fewer.emitted(), 0);
}

TEST(Emitter, RefusesWhatIsNoNozzleWithASentence)
{
  const double nan = std::nan("");
  const Nozzle good = nozzleOf({ { 0, 1, 1, 0 } });
  EXPECT_NO_THROW(checkNozzles({ good, good }, 0));
  const auto expect = [&](const auto& change, const std::vector<std::string>& words)
  {
    Nozzle nozzle = good;
    change(nozzle);
    const std::string text = refusal(nozzle);
    EXPECT_NE(text.find("nozzle 1"), std::string::npos) << text;
    for (const std::string& word : words)
      EXPECT_NE(text.find(word), std::string::npos) << word << " in: " << text;
  };
  for (const double bad : { nan, kForever })
  {
    expect([=](Nozzle& n) { n.position[1] = bad; }, { "position", "not finite" });
    expect([=](Nozzle& n) { n.direction[2] = bad; }, { "direction" });
    expect([=](Nozzle& n) { n.openingNormal[0] = bad; }, { "normal of the opening", "not finite" });
    expect([=](Nozzle& n) { n.openingRadius = bad; }, { "opening radius", "finite" });
    expect([=](Nozzle& n) { n.spread = bad; }, { "spread", "[0, 90]" });
    expect([=](Nozzle& n) { n.pulses[0].start = bad; }, { "start of pulse 0", "finite" });
    expect([=](Nozzle& n) { n.pulses[0].rate = bad; }, { "rate of pulse 0", "finite" });
    expect([=](Nozzle& n) { n.pulses[0].speed = bad; }, { "speed of pulse 0", "finite" });
    expect([=](Nozzle& n) { n.density = bad; }, { "density" });
    expect([=](Nozzle& n) { n.temperature = bad; }, { "temperature" });
    expect([=](Nozzle& n) { n.radii.radius = bad; }, { "radius" });
  }
  expect([](Nozzle& n) { n.direction = { 0, 0, 0 }; }, { "direction" });
  expect([](Nozzle& n) { n.openingRadius = -1; }, { "opening radius", "-1" });
  expect([](Nozzle& n) { n.spread = 90.001; }, { "spread", "90.001" });
  expect([](Nozzle& n) { n.spread = -1; }, { "spread" });
  expect([](Nozzle& n) { n.pulses.clear(); }, { "no pulses" });
  expect([](Nozzle& n) { n.pulses[0].start = -1; }, { "start", "-1" });
  expect([](Nozzle& n) { n.pulses[0].stop = 0; }, { "pulse 0", "end after it starts" });
  expect([=](Nozzle& n) { n.pulses[0].stop = nan; }, { "pulse 0", "end after it starts" });
  expect([](Nozzle& n) { n.pulses.push_back({ 0.5, 2, 1, 0 }); }, { "pulse 1", "overlap" });
  expect(
    [](Nozzle& n) {
      n.pulses[0].stop = kForever, n.pulses.push_back({ 5, 6, 1, 0 });
    },
    { "pulse 1", "overlap" });
  expect([](Nozzle& n) { n.pulses[0].rate = -1; }, { "rate", "-1" });
  expect([](Nozzle& n) { n.pulses[0].speed = -1; }, { "speed", "-1" });
  expect([](Nozzle& n) { n.density = 0; }, { "density", "is 0" });
  expect([](Nozzle& n) { n.temperature = -3; }, { "temperature", "-3" });
  expect([](Nozzle& n) { n.radii.radius = 0; }, { "radius is 0" });
  expect([](Nozzle& n) { n.radii.radius = 1e7; }, { "mass of a particle", "1e18" });
  expect([](Nozzle& n) { n.radii.radius = 1e-8; }, { "mass of a particle", "1e-18" });
  expect([](Nozzle& n) { n.material = -1; }, { "material", "-1" });
  expect([](Nozzle& n) { n.turns = 0; }, { "number of turns", "is 0" });
  expect([](Nozzle& n) { n.turn = 1; }, { "turn of nozzle 1 is 1", "[0, 0]" });
  expect([](Nozzle& n) { n.shape = 0; }, { "shape", "0 shapes" });
  expect([](Nozzle& n) { n.shape = -2; }, { "shape", "-2" });
  Nozzle shaped = good;
  shaped.shape = 2;
  EXPECT_NO_THROW(checkNozzles({ shaped }, 3));
  EXPECT_NE(refusal(shaped, 2).find("2 shapes"), std::string::npos);
  // Pulses that touch are in order.
  EXPECT_NO_THROW(checkNozzles({ nozzleOf({ { 0, 1, 1, 0 }, { 1, kForever, 1, 0 } }) }, 0));
}
