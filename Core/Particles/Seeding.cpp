#include "Seeding.h"

#include "Error.h"
#include "FreeMemory.h"
#include "Math/Across.h"
#include "Math/Random.h"
#include "Math/Vec.h"
#include "Particles/DrawRadius.h"
#include "Particles/Refuse.h"
#include "Particles/SpherePacking.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

namespace lapilli
{
namespace
{

constexpr double pi = 3.14159265358979323846;
constexpr std::int64_t mostSeeds = 100'000'000;

/// A shape is too full when this many random places for one seed are all taken: free ones are
/// then less than about a thousandth of it.
constexpr int mostTries = 3000;

/// Places tried for a seed on a terrain before it is stacked on others; on ground where less than
/// `scarce` of the places were free of late, fewer.
constexpr int triesOnGround = 12;
constexpr int triesOnFullGround = 2;
constexpr double scarce = 0.1;

Vec3d vec(const std::array<double, 3>& a)
{
  return { a[0], a[1], a[2] };
}

void requireFinite(const char* name, const std::array<double, 3>& value)
{
  if (!(std::isfinite(value[0]) && std::isfinite(value[1]) && std::isfinite(value[2])))
  {
    refuse(name, "(" + number(value[0]) + ", " + number(value[1]) + ", " + number(value[2]) + ")",
      "be finite");
  }
}

double massOf(double density, double radius)
{
  return density * 4 / 3 * pi * radius * radius * radius;
}

/// [m]; far beyond all maps sums and squares are no numbers.
constexpr double farthest = 1e12;

void requirePlace(const char* name, const std::array<double, 3>& value)
{
  requireFinite(name, value);
  for (const double x : value)
  {
    if (std::abs(x) > farthest)
    {
      refuse(name, "(" + number(value[0]) + ", " + number(value[1]) + ", " + number(value[2]) + ")",
        "lie within " + number(farthest) + " m");
    }
  }
}

const char* nameOf(SeedShape shape)
{
  switch (shape)
  {
    case SeedShape::Point:
      return "point";
    case SeedShape::Line:
      return "line";
    case SeedShape::Disc:
      return "disc";
    case SeedShape::Sphere:
      return "sphere";
    default:
      return "box";
  }
}

[[noreturn]] void refuseTooFull(SeedShape shape, std::int64_t placed, std::int64_t asked)
{
  throw InvalidInput("the " + std::string(nameOf(shape)) +
                     " is too full: " + std::to_string(placed) + " of " + std::to_string(asked) +
                     " seeds found a place without overlap; make the " + nameOf(shape) +
                     " larger, or ask for fewer or smaller seeds");
}

/// Beyond what is free the machine would end the program rather than refuse.
void refuseMoreThanMemory(std::int64_t count)
{
  constexpr double bytesPerSeed = 250; // radius, place in the packing, the seed and a copy of it
  const double needed = bytesPerSeed * static_cast<double>(count), available = availableMemory();
  if (needed > available)
  {
    throw InvalidInput("number of seeds is " + std::to_string(count) + "; they need about " +
                       number(std::ceil(needed / (1 << 20))) + " MiB, the machine has " +
                       number(std::floor(available / (1 << 20))) + " MiB free: ask for fewer");
  }
}

std::vector<double> drawRadii(const SeedingParameters& parameters)
{
  RandomStream random(parameters.randomSeed, RandomStream::Radii);
  std::vector<double> radii(parameters.count);
  for (double& radius : radii)
  {
    radius = drawRadius(parameters, random);
  }
  return radii;
}

/// A random point of the unit ball, of the unit disc if `flat`.
Vec3d inUnitBall(RandomStream& random, bool flat)
{
  Vec3d p;
  do
  {
    p = { random.uniform(-1, 1), random.uniform(-1, 1), flat ? 0 : random.uniform(-1, 1) };
  } while (squaredLength(p) > 1);
  return p;
}

/// Draws places in the shape, relative to `origin`.
struct Shape
{
  Vec3d origin;                              ///< [m]
  Vec3d extent;                              ///< [m], of the box around all places
  std::function<Vec3d(RandomStream&)> place; ///< [m], equally likely everywhere in the shape
};

Shape ballAround(const std::array<double, 3>& center, double radius, bool flat)
{
  return { vec(center), { 2 * radius, 2 * radius, flat ? 0 : 2 * radius },
    [radius, flat](RandomStream& random) { return radius * inUnitBall(random, flat); } };
}

/// The region around a point that holds a loose cluster of all seeds: about a fifth of its volume,
/// or a third of its area on the ground, is filled.
Shape clusterAround(const std::array<double, 3>& center, const std::vector<double>& radii,
  const Elevation* terrain, double growth)
{
  double sum = 0;
  for (const double r : radii)
  {
    sum += terrain ? r * r : r * r * r;
  }
  const double size = terrain ? std::sqrt(sum / 0.35) : std::cbrt(sum / 0.2);
  return ballAround(center, growth * size, terrain != nullptr);
}

Shape shapeOf(const SeedingParameters& parameters)
{
  if (parameters.shape == SeedShape::Sphere)
  {
    return ballAround(parameters.center, parameters.shapeRadius, false);
  }
  if (parameters.shape == SeedShape::Disc)
  {
    const auto [u, v] = acrossDirections(vec(parameters.normal));
    const double radius = parameters.shapeRadius;
    const Vec3d extent{ 2 * radius * std::sqrt(u.x * u.x + v.x * v.x),
      2 * radius * std::sqrt(u.y * u.y + v.y * v.y),
      2 * radius * std::sqrt(u.z * u.z + v.z * v.z) };
    return { vec(parameters.center), extent,
      [radius, u = u, v = v](RandomStream& random)
      {
        const Vec3d p = inUnitBall(random, true);
        return radius * (p.x * u + p.y * v);
      } };
  }
  if (parameters.shape == SeedShape::Line)
  {
    const Vec3d along = vec(parameters.lineEnd) - vec(parameters.lineStart);
    return { vec(parameters.lineStart), { std::abs(along.x), std::abs(along.y), std::abs(along.z) },
      [along](RandomStream& random) { return random.uniform() * along; } };
  }
  const Vec3d a = vec(parameters.boxEdges[0]), b = vec(parameters.boxEdges[1]),
              c = vec(parameters.boxEdges[2]);
  const Vec3d extent{ std::abs(a.x) + std::abs(b.x) + std::abs(c.x),
    std::abs(a.y) + std::abs(b.y) + std::abs(c.y), std::abs(a.z) + std::abs(b.z) + std::abs(c.z) };
  return { vec(parameters.boxCorner), extent,
    [a, b, c](RandomStream& random)
    {
      const double s = random.uniform(), t = random.uniform();
      return s * a + t * b + random.uniform() * c;
    } };
}

/// Appends a seed and draws its velocity.
class SeedWriter
{
public:
  SeedWriter(const SeedingParameters& parameters, Seeding& seeding)
    : parameters_(parameters)
    , seeding_(seeding)
    , random_(parameters.randomSeed, RandomStream::Velocities)
    , deviation_(parameters.velocitySpread / std::sqrt(3.0))
  {
    Seeds& seeds = seeding.seeds;
    seeds.positions.reserve(3 * parameters.count);
    seeds.velocities.reserve(3 * parameters.count);
    seeds.radii.reserve(parameters.count);
  }

  void write(const Vec3d& position, double radius)
  {
    Seeds& seeds = seeding_.seeds;
    SeedingReport& report = seeding_.report;
    seeds.positions.insert(seeds.positions.end(), { position.x, position.y, position.z });
    for (int axis = 0; axis < 3; ++axis)
    {
      const double random = deviation_ > 0 ? deviation_ * random_.normal() : 0;
      seeds.velocities.push_back(parameters_.velocity[axis] + random);
    }
    seeds.radii.push_back(radius);
    seeds.densities.push_back(parameters_.density);
    seeds.temperatures.push_back(parameters_.temperature);
    seeds.sourceIds.push_back(parameters_.sourceId);

    report.smallestRadius = report.placed == 0 ? radius : std::min(report.smallestRadius, radius);
    report.largestRadius = std::max(report.largestRadius, radius);
    report.mass += massOf(parameters_.density, radius);
    ++report.placed;
  }

private:
  const SeedingParameters& parameters_;
  Seeding& seeding_;
  RandomStream random_;
  double deviation_;
};

/// Free places along a line, in the order of `radii` shuffled: the room that the seeds leave is cut
/// by sorted random numbers, which makes all arrangements of hard rods equally likely
/// (Tonks, Phys. Rev. 50 (1936) 955). Where they do not fit `fitting` says how many do, and the result is
/// empty, or spread evenly if they may overlap.
std::vector<Vec3d> placesAlongLine(const SeedingParameters& parameters, std::vector<double>& radii,
  RandomStream& random, std::int64_t& fitting)
{
  for (std::size_t i = radii.size(); i > 1; --i)
  {
    std::swap(radii[i - 1], radii[random.below(i)]);
  }
  const Vec3d along = vec(parameters.lineEnd) - vec(parameters.lineStart);
  const double lineLength = length(along);
  double taken = 0; // by the centres from the first to the last
  fitting = 1;
  for (std::size_t i = 1; i < radii.size(); ++i)
  {
    taken += (radii[i - 1] + radii[i]) * (1 + SpherePacking::gap);
    fitting += taken <= lineLength;
  }
  std::vector<Vec3d> places;
  if (fitting < static_cast<std::int64_t>(radii.size()))
  {
    const auto count = static_cast<double>(radii.size());
    for (std::size_t i = 0; i < radii.size() && parameters.crowding == Crowding::Overlap; ++i)
    {
      places.push_back(
        vec(parameters.lineStart) + ((static_cast<double>(i) + 0.5) / count) * along);
    }
    return places;
  }
  std::vector<double> cuts(radii.size());
  for (double& cut : cuts)
  {
    cut = random.uniform(0, lineLength - taken);
  }
  std::sort(cuts.begin(), cuts.end());
  places.resize(radii.size());
  double before = 0;
  for (std::size_t i = 0; i < radii.size(); ++i)
  {
    before += i == 0 ? 0 : (radii[i - 1] + radii[i]) * (1 + SpherePacking::gap);
    const double s = lineLength > 0 ? (before + cuts[i]) / lineLength : 0;
    places[i] = vec(parameters.lineStart) + s * along;
  }
  return places;
}

/// Finds a place for each radius in turn by random trial. A cluster around a point grows until all fit;
/// its first seed is the point.
void fillShape(const SeedingParameters& parameters, const std::vector<double>& radii,
  SeedWriter& writer, SeedingReport& report)
{
  const bool mayOverlap = parameters.crowding == Crowding::Overlap;
  const bool cluster = parameters.shape == SeedShape::Point;
  double growth = 1;
  Shape shape =
    cluster ? clusterAround(parameters.center, radii, nullptr, growth) : shapeOf(parameters);
  SpherePacking packing(radii, shape.extent);
  RandomStream random(parameters.randomSeed, RandomStream::Positions);

  for (std::size_t i = 0; i < radii.size(); ++i)
  {
    Vec3d place = cluster && i == 0 ? Vec3d{} : shape.place(random);
    for (int tries = 1; !packing.isFree(place, radii[i]); ++tries)
    {
      // Once one has found no place in many tries, each other gets one.
      if (mayOverlap && (report.crowded > 0 || tries == mostTries))
      {
        ++report.crowded;
        break;
      }
      if (tries % mostTries == 0)
      {
        if (!cluster)
        {
          refuseTooFull(parameters.shape, static_cast<std::int64_t>(i), parameters.count);
        }
        growth *= 1.1;
        shape = clusterAround(parameters.center, radii, nullptr, growth);
      }
      place = shape.place(random);
    }
    if (report.crowded == 0)
    {
      packing.add(place, radii[i]);
    }
    writer.write(shape.origin + place, radii[i]);
  }
}

/// Lets seeds down onto the terrain one after another.
class GroundPlacer
{
public:
  /// @param area of the map that the seeds share [m^2]
  GroundPlacer(const Elevation& terrain, const std::vector<double>& radii, const Shape& shape,
    double area, Crowding crowding)
    : terrain_(terrain)
    , crowding_(crowding)
    , packing_(radii, { shape.extent.x, shape.extent.y, heightOfStacks(radii, area) })
    , origin_(shape.origin)
  {
  }

  /// @param place place(i) gives the i-th place to try, relative to the shape's origin; its height
  ///              does not matter
  template <class Place>
  void put(double radius, const Place& place, int tries, SeedWriter& writer, SeedingReport& report)
  {
    const int limit = freeShare_ < scarce ? std::min(tries, triesOnFullGround) : tries;
    Vec3d onGround[triesOnFullGround]; // the first places, for a stack
    int grounds = 0;
    for (int i = 0; i < limit; ++i)
    {
      const std::optional<Vec3d> at = restAt(place(i), radius);
      const bool free = at && packing_.isFree(*at, radius);
      freeShare_ += (free - freeShare_) / 256;
      if (free)
      {
        accept(*at, radius, writer);
        return;
      }
      if (at && grounds < triesOnFullGround)
      {
        onGround[grounds++] = *at;
      }
      if (!at && i == 0) // trying on would crowd the part of the shape that is over terrain
      {
        ++report.besideTerrain;
        return;
      }
    }
    if (crowding_ == Crowding::Overlap)
    {
      // Not into the packing, where it would only be found behind those in its way.
      ++report.crowded;
      writer.write(origin_ + onGround[0], radius);
      return;
    }
    ++report.stacked;
    Vec3d best;
    double leastClimb = -1;
    for (int i = 0; i < grounds; ++i)
    {
      const double z = packing_.lowestFreeHeight(onGround[i], radius);
      if (leastClimb < 0 || z - onGround[i].z < leastClimb)
      {
        leastClimb = z - onGround[i].z;
        best = { onGround[i].x, onGround[i].y, z };
      }
    }
    accept(best, radius, writer);
  }

private:
  static double heightOfStacks(const std::vector<double>& radii, double area)
  {
    double volume = 0;
    for (const double r : radii)
    {
      volume += 8 * r * r * r;
    }
    return volume / area;
  }

  std::optional<Vec3d> restAt(const Vec3d& at, double radius) const
  {
    const std::optional<double> z =
      terrain_.restingHeight(origin_.x + at.x, origin_.y + at.y, radius * (1 + SpherePacking::gap));
    return z ? std::optional<Vec3d>(Vec3d{ at.x, at.y, *z - origin_.z }) : std::nullopt;
  }

  void accept(const Vec3d& at, double radius, SeedWriter& writer)
  {
    packing_.add(at, radius);
    writer.write(origin_ + at, radius);
  }

  const Elevation& terrain_;
  Crowding crowding_;
  SpherePacking packing_;
  Vec3d origin_;
  double freeShare_ = 1; ///< [-], of the places tried, over some hundreds of them
};

void dropShape(const SeedingParameters& parameters, std::vector<double>& radii,
  const Elevation& terrain, SeedWriter& writer, SeedingReport& report)
{
  const bool cluster = parameters.shape == SeedShape::Point;
  const Shape shape =
    cluster ? clusterAround(parameters.center, radii, &terrain, 1) : shapeOf(parameters);
  RandomStream random(parameters.randomSeed, RandomStream::Positions);

  std::vector<Vec3d> alongLine;
  if (parameters.shape == SeedShape::Line)
  {
    std::int64_t fitting = 0;
    std::vector<double> shuffled = radii;
    alongLine = placesAlongLine(parameters, shuffled, random, fitting);
    radii = alongLine.empty() ? radii : shuffled;
  }
  const double widest = 2 * *std::max_element(radii.begin(), radii.end()); // [m]
  const double area = parameters.shape == SeedShape::Line
                        ? (length(shape.extent) + widest) * widest
                        : (shape.extent.x + widest) * (shape.extent.y + widest);
  GroundPlacer placer(terrain, radii, shape, area, parameters.crowding);
  for (std::size_t i = 0; i < radii.size(); ++i)
  {
    const auto place = [&](int attempt)
    {
      if (!alongLine.empty())
      {
        return alongLine[i] - shape.origin;
      }
      return cluster && i == 0 && attempt == 0 ? Vec3d{} : shape.place(random);
    };
    placer.put(radii[i], place, alongLine.empty() ? triesOnGround : 1, writer, report);
  }
}

} // namespace

void SeedingParameters::validate() const
{
  if (count < 1 || count > mostSeeds)
  {
    refuse(
      "number of seeds", std::to_string(count), "lie in [1, " + std::to_string(mostSeeds) + "]");
  }
  if (shape == SeedShape::Line)
  {
    requirePlace("start of the line", lineStart);
    requirePlace("end of the line", lineEnd);
  }
  else if (shape == SeedShape::Box)
  {
    requirePlace("corner of the box", boxCorner);
    for (const auto& edge : boxEdges)
    {
      requirePlace("edge of the box", edge);
    }
  }
  else
  {
    requirePlace(shape == SeedShape::Point ? "point" : "centre", center);
  }
  if (shape == SeedShape::Disc)
  {
    requireFinite("normal of the disc", normal);
    if (normal == std::array<double, 3>{ 0, 0, 0 })
    {
      refuse("normal of the disc", "(0, 0, 0)", "have a direction");
    }
  }
  if (shape == SeedShape::Disc || shape == SeedShape::Sphere)
  {
    const char* name = shape == SeedShape::Disc ? "radius of the disc" : "radius of the sphere";
    requirePositive(name, shapeRadius);
    if (shapeRadius > farthest)
    {
      refuse(name, number(shapeRadius), "be at most " + number(farthest) + " m");
    }
  }

  validateRadii();
  requirePositive("density", density);
  requirePositive("temperature", temperature);
  requireFinite("velocity", velocity);
  if (!(velocitySpread >= 0) || !std::isfinite(velocitySpread))
  {
    refuse("velocity spread", number(velocitySpread), "be finite and not negative");
  }
}

namespace
{

/// Before places are looked for: to fill a shape with what has no size or no end takes for ever.
void requireMass(const SeedingParameters& parameters, const std::vector<double>& radii)
{
  double all = 0;
  for (const double radius : radii)
  {
    all += massOf(parameters.density, radius);
  }
  const double least = massOf(parameters.density, radii.back());
  if (!(least > 0) || !std::isfinite(all))
  {
    refuse("mass of the seeds", number(least > 0 ? all : least) + " kg",
      "be finite and above 0: choose another radius, " +
        number(least > 0 ? radii.front() : radii.back()) + " m, or density, " +
        number(parameters.density) + " kg/m^3");
  }
}

} // namespace

Seeding placeSeeds(const SeedingParameters& parameters, const Elevation* terrain)
{
  parameters.validate();
  refuseMoreThanMemory(parameters.count);
  Seeding seeding;
  SeedingReport& report = seeding.report;
  report.asked = parameters.count;

  std::vector<double> radii = drawRadii(parameters);
  std::sort(radii.begin(), radii.end(), std::greater<double>()); // the largest find places first
  requireMass(parameters, radii);
  SeedWriter writer(parameters, seeding);
  if (terrain)
  {
    dropShape(parameters, radii, *terrain, writer, report);
  }
  else if (parameters.shape == SeedShape::Line)
  {
    RandomStream random(parameters.randomSeed, RandomStream::Positions);
    std::int64_t fitting = 0;
    const std::vector<Vec3d> places = placesAlongLine(parameters, radii, random, fitting);
    if (places.empty())
    {
      refuseTooFull(parameters.shape, fitting, parameters.count);
    }
    for (std::size_t i = 0; i < radii.size(); ++i)
    {
      writer.write(places[i], radii[i]);
    }
    report.crowded = fitting < parameters.count ? parameters.count : 0;
  }
  else
  {
    fillShape(parameters, radii, writer, report);
  }
  return seeding;
}

std::string SeedingReport::text() const
{
  std::ostringstream out;
  out << placed << (placed == 1 ? " seed" : " seeds");
  if (placed > 0)
  {
    out.precision(4);
    out << ", " << mass << " kg, radius " << smallestRadius;
    if (largestRadius > smallestRadius)
    {
      out << " to " << largestRadius;
    }
    out << " m";
  }
  out << '.';
  if (besideTerrain > 0)
  {
    out << ' ' << besideTerrain << " of " << asked
        << " lie beside the terrain or over a hole and were left out.";
  }
  if (crowded > 0)
  {
    out << ' ' << crowded << " found no place of their own and overlap others.";
  }
  if (stacked > 0)
  {
    out << ' ' << stacked << " found no free ground and were stacked on others.";
  }
  return out.str();
}

} // namespace lapilli
