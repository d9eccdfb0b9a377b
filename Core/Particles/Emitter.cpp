#include "Particles/Emitter.h"

#include "Math/Across.h"
#include "Particles/DrawRadius.h"
#include "Particles/Refuse.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace lapilli
{
namespace
{

/// Amounts this near are equal, as rates and durations are rarely whole binary numbers: nearer than their
/// rounding, and than a small part of one particle.
/// @param one of a particle, in the unit of the amount
double toleranceOf(double amount, double one)
{
  return std::min(1e-9 * amount, 1e-3 * one);
}

/// Particles or kilograms until a time.
double amountUntil(const Nozzle& nozzle, double time)
{
  double amount = 0;
  for (const Pulse& pulse : nozzle.pulses)
    if (pulse.rate > 0 && time > pulse.start)
      amount += pulse.rate * (std::min(time, pulse.stop) - pulse.start);
  return amount;
}

/// When an amount is reached, infinite if it never is; and the pulse that reaches it.
/// @param one of a particle, in the unit of the amount
std::pair<double, const Pulse*> timeOfAmount(const Nozzle& nozzle, double amount, double one)
{
  double before = 0;
  for (const Pulse& pulse : nozzle.pulses)
  {
    if (!(pulse.rate > 0))
      continue;
    const double inPulse = pulse.rate * (pulse.stop - pulse.start);
    if (amount <= before + inPulse + toleranceOf(amount, one))
      return { std::min(pulse.start + (amount - before) / pulse.rate, pulse.stop), &pulse };
    before += inPulse;
  }
  return { INFINITY, nullptr };
}

/// Mean of the volumes [m^3].
double meanVolume(const BodyForm& form, const RadiusDistribution& radii)
{
  if (radii.radiusLaw == RadiusLaw::Constant)
    return form.volume(radii.radius);
  if (radii.radiusLaw == RadiusLaw::Uniform)
  {
    const double a = radii.smallestRadius, b = radii.largestRadius;
    return form.volume(1) *
           (form.isDisc() ? (a * a + a * b + b * b) / 3 : (a + b) * (a * a + b * b) / 4);
  }
  // Simpson's rule over the three standard deviations that are not cut off.
  const double scale = std::log(radii.radiusSpread);
  constexpr int kParts = 300;
  double weights = 0, volumes = 0;
  for (int k = 0; k <= kParts; ++k)
  {
    const double z = -3 + 6.0 * k / kParts;
    const double weight = (k == 0 || k == kParts ? 1 : k % 2 == 1 ? 4 : 2) * std::exp(-0.5 * z * z);
    const double r = radii.medianRadius * std::exp(z * scale);
    weights += weight;
    volumes += weight * form.volume(r);
  }
  return volumes / weights;
}

bool isFinite(const std::array<double, 3>& v)
{
  return std::isfinite(v[0]) && std::isfinite(v[1]) && std::isfinite(v[2]);
}

void checkPulses(const Nozzle& nozzle, const std::string& of)
{
  if (nozzle.pulses.empty())
    throw InvalidInput("there are no pulses" + of + "; give it a start, a stop and a rate");
  for (std::size_t k = 0; k < nozzle.pulses.size(); ++k)
  {
    const Pulse& pulse = nozzle.pulses[k];
    const std::string name = "pulse " + std::to_string(k) + of;
    if (!(pulse.start >= 0) || !std::isfinite(pulse.start))
      refuse("start of " + name, number(pulse.start), "be finite and not negative");
    if (!(pulse.stop > pulse.start))
      throw InvalidInput(name + " ends at " + number(pulse.stop) + " s and starts at " +
                         number(pulse.start) + " s; it must end after it starts");
    if (k > 0 && !(pulse.start >= nozzle.pulses[k - 1].stop))
      throw InvalidInput(
        name + " starts at " + number(pulse.start) + " s, before the one before it ends at " +
        number(nozzle.pulses[k - 1].stop) + " s; sort pulses by time and let none overlap");
    if (!(pulse.rate >= 0) || !std::isfinite(pulse.rate))
      refuse("rate of " + name, number(pulse.rate), "be finite and not negative");
    if (!(pulse.speed >= 0) || !std::isfinite(pulse.speed))
      refuse("speed of " + name, number(pulse.speed), "be finite and not negative");
  }
}

/// Two directions at right angles to another and to each other; of discs the one in their plane, and zero.
std::pair<Vec3d, Vec3d> acrossDirections(const BodyForm& form, const Vec3d& direction)
{
  if (!form.isDisc())
    return acrossDirections(direction);
  return { normalized(cross(form.normal(), unitAlong(direction))), {} };
}

/// A direction of the nozzle's cone, by a point of the unit disc; all are alike. Heights on the sphere are, and
/// so is the disc below the cap (Archimedes; Lambert's azimuthal map). In a plane, angles are.
Vec3d directionOf(const Nozzle& nozzle, const BodyForm& form, double a, double b)
{
  const Vec3d axis = axisOf(nozzle);
  const auto [u, v] = acrossDirections(form, axis);
  const double angle = nozzle.spread * M_PI / 180;
  if (form.isDisc())
    return std::cos(a * angle) * axis + std::sin(a * angle) * u;
  const double cap = 1 - std::cos(angle);
  const double height = 1 - cap * (a * a + b * b);
  const double across = std::sqrt(cap * (1 + height));
  return height * axis + (across * a) * u + (across * b) * v;
}

/// A random point of the unit disc; of discs, in whose plane it is a line, of that.
std::pair<double, double> inUnitDisc(const BodyForm& form, RandomStream& random)
{
  if (form.isDisc())
    return { random.uniform(-1, 1), 0 };
  double x, y;
  do
  {
    x = random.uniform(-1, 1);
    y = random.uniform(-1, 1);
  } while (x * x + y * y > 1);
  return { x, y };
}

} // namespace

void checkNozzles(const std::vector<Nozzle>& nozzles, std::size_t shapeCount, const BodyForm& form)
{
  for (std::size_t n = 0; n < nozzles.size(); ++n)
  {
    const Nozzle& nozzle = nozzles[n];
    const std::string of = " of nozzle " + std::to_string(n);
    if (!isFinite(nozzle.position))
      throw InvalidInput("position" + of + " is not finite; give it a place on the map");
    if (!isFinite(nozzle.direction) ||
        (nozzle.direction[0] == 0 && nozzle.direction[1] == 0 && nozzle.direction[2] == 0))
      throw InvalidInput(
        "direction" + of + " is no direction; give it a finite vector that is not 0");
    if (!isFinite(nozzle.openingNormal))
      throw InvalidInput(
        "normal of the opening" + of +
        " is not finite; give it a direction, or 0, 0, 0 for that of the particles");
    if (!(nozzle.openingRadius >= 0) || !std::isfinite(nozzle.openingRadius))
      refuse("opening radius" + of, number(nozzle.openingRadius), "be finite and not negative");
    if (!(nozzle.spread >= 0 && nozzle.spread <= 90))
      refuse("spread" + of, number(nozzle.spread), "lie in [0, 90] degrees");
    checkPulses(nozzle, of);
    try
    {
      nozzle.radii.validateRadii();
    }
    catch (const InvalidInput& fault)
    {
      throw InvalidInput("nozzle " + std::to_string(n) + ": " + fault.what());
    }
    requirePositive("density" + of, nozzle.density);
    requirePositive("temperature" + of, nozzle.temperature);
    if (nozzle.turns < 1 || nozzle.turns > 1'000'000'000)
      refuse("number of turns" + of, std::to_string(nozzle.turns), "lie in [1, 1e9]");
    if (nozzle.turn < 0 || nozzle.turn >= nozzle.turns)
      refuse("turn" + of, std::to_string(nozzle.turn),
        "lie in [0, " + std::to_string(nozzle.turns - 1) + "], below the number of turns");
    if (nozzle.material < 0)
      refuse("material" + of, std::to_string(nozzle.material), "be 0 or above");
    if (nozzle.shape < -1 ||
        (nozzle.shape >= 0 && static_cast<std::size_t>(nozzle.shape) >= shapeCount))
      refuse("shape" + of, std::to_string(nozzle.shape),
        "be -1 for spheres or one of the scene's " + std::to_string(shapeCount) + " shapes");
    for (const double radius : { nozzle.radii.smallest(), nozzle.radii.largest() })
    {
      const double mass = nozzle.density * form.volume(radius);
      if (!(mass >= 1e-18 && mass <= 1e18)) // products of two stay numbers in single precision
        refuse("mass of a particle" + of, number(mass),
          "lie in [1e-18, 1e18] kg: mend radius and density");
    }
  }
}

Vec3d axisOf(const Nozzle& nozzle)
{
  const auto& d = nozzle.direction;
  return unitAlong({ d[0], d[1], d[2] });
}

std::pair<Vec3d, Vec3d> openingOf(const Nozzle& nozzle, const BodyForm& form)
{
  const bool isAcross = nozzle.openingNormal == std::array<double, 3>{ 0, 0, 0 };
  const auto& normal = isAcross ? nozzle.direction : nozzle.openingNormal;
  // From a unit vector: as across the axis, to the bit, where the normal is that.
  return acrossDirections(form, unitAlong({ normal[0], normal[1], normal[2] }));
}

double expectedCount(const Nozzle& nozzle, double until, const BodyForm& form)
{
  const double amount = amountUntil(nozzle, until);
  return nozzle.rateUnit == RateUnit::ParticlesPerSecond
           ? amount
           : amount / (nozzle.density * meanVolume(form, nozzle.radii));
}

Emitter::Emitter(std::vector<Nozzle> nozzles, const Vec3d& origin, const BodyForm& form)
  : nozzles_(std::move(nozzles))
  , origin_(origin)
  , form_(form)
  , queues_(nozzles_.size())
{
  shareSequences();
  for (std::size_t n = 0; n < nozzles_.size(); ++n)
    prepareNext(n);
}

void Emitter::shareSequences()
{
  using Key =
    std::tuple<std::uint64_t, std::int64_t, double, RadiusLaw, double, double, double, double>;
  std::map<Key, std::shared_ptr<Sequence>> known;
  sequences_.resize(nozzles_.size());
  for (std::size_t n = 0; n < nozzles_.size(); ++n)
  {
    const Nozzle& nozzle = nozzles_[n];
    const RadiusDistribution& radii = nozzle.radii;
    if (nozzle.turns == 1 || nozzle.rateUnit == RateUnit::ParticlesPerSecond ||
        radii.radiusLaw == RadiusLaw::Constant)
      continue;
    std::shared_ptr<Sequence>& sequence =
      known[{ nozzle.randomSeed, nozzle.turns, nozzle.density, radii.radiusLaw,
        radii.smallestRadius, radii.largestRadius, radii.medianRadius, radii.radiusSpread }];
    if (!sequence)
      sequence = std::make_shared<Sequence>();
    sequences_[n] = sequence;
  }
}

double Emitter::radiusOf(std::size_t n, std::int64_t number) const
{
  // Those that take turns draw from one sequence, whichever of them there are.
  const std::uint64_t sequence =
    nozzles_[n].turns == 1 ? n : ~static_cast<std::uint64_t>(nozzles_[n].turns);
  RandomStream random(nozzles_[n].randomSeed, RandomStream::EmittedRadii,
    { sequence, static_cast<std::uint64_t>(number) });
  return drawRadius(nozzles_[n].radii, random);
}

double Emitter::massBeforeNext(std::size_t n) const
{
  const Nozzle& nozzle = nozzles_[n];
  if (nozzle.turns == 1)
    return queues_[n].mass;
  const std::int64_t next = nextInSequence(n);
  if (!sequences_[n])
    return static_cast<double>(next) * nozzle.density * form_.volume(nozzle.radii.radius);
  std::vector<double>& massBefore = sequences_[n]->massBefore;
  if (massBefore.empty())
    massBefore.push_back(0);
  for (auto k = static_cast<std::int64_t>(massBefore.size()); k <= next; ++k)
    massBefore.push_back(massBefore.back() + nozzle.density * form_.volume(radiusOf(n, k - 1)));
  return massBefore[static_cast<std::size_t>(next)];
}

void Emitter::prepareNext(std::size_t n)
{
  Queue& queue = queues_[n];
  const Nozzle& nozzle = nozzles_[n];
  queue.nextRadius = radiusOf(n, nextInSequence(n));
  const bool byNumber = nozzle.rateUnit == RateUnit::ParticlesPerSecond;
  const double one = byNumber ? 1 : nozzle.density * form_.volume(queue.nextRadius);
  const double before = byNumber ? static_cast<double>(nextInSequence(n)) : massBeforeNext(n);
  // The pulses give this nozzle's part of the rate.
  const auto turns = static_cast<double>(nozzle.turns);
  const auto [time, pulse] = timeOfAmount(nozzle, (before + one) / turns, one / turns);
  queue.dueTime = time;
  queue.speed = pulse ? pulse->speed : 0;
}

double Emitter::nextDueTime() const
{
  double next = INFINITY;
  for (const Queue& queue : queues_)
    next = std::min(next, queue.dueTime);
  return next;
}

EmittedParticle Emitter::head(int n, int attempt) const
{
  const Nozzle& nozzle = this->nozzle(n);
  const Queue& queue = queues_[static_cast<std::size_t>(n)];
  EmittedParticle particle;
  particle.dueTime = queue.dueTime;
  particle.radius = queue.nextRadius;
  particle.mass = nozzle.density * form_.volume(queue.nextRadius);

  RandomStream random(nozzle.randomSeed, RandomStream::EmittedPlaces,
    { static_cast<std::uint64_t>(n), static_cast<std::uint64_t>(queue.emitted),
      static_cast<std::uint64_t>(attempt) });
  const auto [right, up] = openingOf(nozzle, form_);
  const auto [x, y] = inUnitDisc(form_, random);
  particle.position = Vec3d{ nozzle.position[0], nozzle.position[1], nozzle.position[2] } -
                      origin_ + nozzle.openingRadius * (x * right + y * up);

  const auto [a, b] = inUnitDisc(form_, random);
  particle.velocity = queue.speed * directionOf(nozzle, form_, a, b);
  return particle;
}

void Emitter::pop(int n)
{
  const auto place = static_cast<std::size_t>(n);
  Queue& queue = queues_[place];
  queue.mass += nozzles_[place].density * form_.volume(queue.nextRadius);
  ++queue.emitted;
  prepareNext(place);
}

std::int64_t Emitter::emitted() const
{
  std::int64_t sum = 0;
  for (const Queue& queue : queues_)
    sum += queue.emitted;
  return sum;
}

double Emitter::massEmitted() const
{
  double sum = 0;
  for (const Queue& queue : queues_)
    sum += queue.mass;
  return sum;
}

std::int64_t Emitter::waiting(int n, double time) const
{
  const Queue& queue = queues_[static_cast<std::size_t>(n)];
  if (queue.dueTime > time)
    return 0;
  const Nozzle& nozzle = this->nozzle(n);
  const auto place = static_cast<std::size_t>(n);
  const auto turns = static_cast<double>(nozzle.turns);
  const double amount = turns * amountUntil(nozzle, time); // of all that take turns
  constexpr double kMost = 9e15; // beyond, doubles do not count one by one
  const double missing =
    nozzle.rateUnit == RateUnit::ParticlesPerSecond
      ? std::floor(amount + toleranceOf(amount, 1)) - static_cast<double>(nextInSequence(place))
      : (amount - massBeforeNext(place)) / (nozzle.density * meanVolume(form_, nozzle.radii));
  // Of the missing the first is this nozzle's, then each whose turn is the same.
  const double own = std::ceil(std::floor(missing + 1e-6) / turns);
  return static_cast<std::int64_t>(std::clamp(own, 1.0, kMost));
}

void Emitter::save(CheckpointWriter& writer) const
{
  writer.beginSection("emitter", 2);
  writer.array(queues_);
}

void Emitter::restore(CheckpointReader& reader)
{
  reader.expectSection("emitter", 2);
  std::vector<Queue> queues = reader.array<Queue>(nozzles_.size());
  bool isSound = queues.size() == nozzles_.size();
  for (std::size_t n = 0; isSound && n < queues.size(); ++n)
  {
    constexpr double kSlack = 1e-6;
    const Queue& queue = queues[n];
    const double count = static_cast<double>(queue.emitted);
    const RadiusDistribution& radii = nozzles_[n].radii;
    const double smallest = nozzles_[n].density * form_.volume(radii.smallest());
    const double largest = nozzles_[n].density * form_.volume(radii.largest());
    isSound = queue.emitted >= 0 && count < 9e15 && queue.mass >= count * smallest * (1 - kSlack) &&
              queue.mass <= count * largest * (1 + kSlack) && queue.blockedTime >= 0 &&
              std::isfinite(queue.blockedTime);
  }
  if (!isSound)
    throw InvalidInput("the checkpoint holds other nozzles; compute it anew");
  queues_ = std::move(queues);
  for (std::size_t n = 0; n < nozzles_.size(); ++n)
    prepareNext(n);
}

} // namespace lapilli
