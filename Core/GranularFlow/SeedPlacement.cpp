#include "GranularFlow/SeedPlacement.h"

#include "Error.h"
#include "GranularFlow/StartPlaces.h"
#include "Terrain/Coverage.h"
#include "Terrain/TriangleContact.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

namespace lapilli
{
namespace
{

std::string place(const double* p)
{
  std::ostringstream text;
  text.precision(10);
  text << "(" << p[0] << ", " << p[1] << ", " << p[2] << ")";
  return text.str();
}

/// Counts the seeds for which `isBad` holds and throws one sentence about them.
template <class IsBad>
void refuse(const Seeds& seeds, const char* what, const char* remedy, const IsBad& isBad)
{
  std::size_t count = 0, first = 0;
  double value = 0;
  for (std::size_t i = 0; i < seeds.count(); ++i)
  {
    double found = 0;
    if (isBad(i, found) && count++ == 0)
    {
      first = i;
      value = found;
    }
  }
  if (count == 0)
    return;
  std::ostringstream text;
  text << count << " of " << seeds.count() << " seeds have a " << what << ", first seed " << first
       << " with " << value << "; " << remedy;
  throw InvalidInput(text.str());
}

/// Seeds binned by cells of one size, for finding pairs on the host.
class SeedCells
{
public:
  SeedCells(const std::vector<Vec3d>& positions, double cellSize)
    : perMetre_(1 / cellSize)
  {
    for (const Vec3d& p : positions)
      box_ += p;
    entries_.reserve(positions.size());
    for (std::size_t i = 0; i < positions.size(); ++i)
      entries_.push_back({ key(positions[i], 0, 0), static_cast<std::int32_t>(i) });
    std::sort(entries_.begin(), entries_.end());
  }

  /// visit(j) for all seeds in the 27 cells around p.
  template <class Visit>
  void forEachAround(const Vec3d& p, const Visit& visit) const
  {
    for (int dx = -1; dx <= 1; ++dx)
    {
      for (int dy = -1; dy <= 1; ++dy)
      {
        const std::uint64_t middle = key(p, dx, dy);
        auto entry = std::lower_bound(entries_.begin(), entries_.end(), Entry{ middle - 1, -1 });
        for (; entry != entries_.end() && entry->key <= middle + 1; ++entry)
          visit(entry->seed);
      }
    }
  }

private:
  struct Entry
  {
    std::uint64_t key;
    std::int32_t seed;
    bool operator<(const Entry& b) const { return key != b.key ? key < b.key : seed < b.seed; }
  };

  std::uint64_t key(const Vec3d& p, int dx, int dy) const
  {
    // Places beside all seeds, as images of them are, count as the cell before the first or at the end.
    const auto cell = [this](double d)
    {
      const double number = std::floor(d * perMetre_) + 2;
      return static_cast<std::uint64_t>(std::clamp(number, 1.0, (1 << 21) - 2.0));
    };
    return (cell(p.x - box_.lower.x) + dx) << 42 | (cell(p.y - box_.lower.y) + dy) << 21 |
           cell(p.z - box_.lower.z);
  }

  double perMetre_;
  Box box_;
  std::vector<Entry> entries_;
};

/// Largest cells that the keys allow, and never smaller than the largest pair.
double cellSizeFor(const std::vector<Vec3d>& positions, double diameter)
{
  Box box;
  for (const Vec3d& p : positions)
    box += p;
  const Vec3d size = box.upper - box.lower;
  return std::max(diameter, std::max({ size.x, size.y, size.z }) / ((1 << 21) - 8));
}

class Relaxation
{
public:
  explicit Relaxation(GranularFlowPlan& plan)
    : plan_(plan)
    , mesh_(plan.mesh.view())
    , columns_(plan.columns.view())
  {
  }

  /// Overlaps below this fraction of the smaller radius are rounding, not overlaps.
  static constexpr double kTolerance = 1e-6;

  /// Of a sphere that holds the whole particle [m].
  double radius(std::size_t i) const
  {
    const auto seed = static_cast<std::size_t>(plan_.placedIds[i]);
    return plan_.extentOf(plan_.shapeOfSeed(seed)) * plan_.seeds.radii[seed];
  }

  /// Seeds that overlap another one. @throws InvalidInput for two at one place
  std::size_t countOverlapping() const
  {
    const SeedCells cells = binned();
    std::size_t overlapping = 0;
    for (std::size_t i = 0; i < plan_.placedAt.size(); ++i)
    {
      bool overlaps = false;
      forEachNeighbor(cells, i,
        [&](std::size_t j, const Vec3d& way)
        {
          const double distance = length(way);
          const double smaller = std::min(radius(i), radius(j));
          if (distance < kTolerance * smaller)
            refuseCoincident(i, j);
          overlaps = overlaps || distance < radius(i) + radius(j) - kTolerance * smaller;
        });
      overlapping += overlaps ? 1 : 0;
    }
    return overlapping;
  }

  /// Moves every seed by half of each overlap and out of the terrain, until none is left.
  /// @return whether that was reached
  bool pushApart()
  {
    constexpr int kRounds = 2000;
    constexpr double kMargin = 1e-4; // beyond touch, so that the rounds come to an end
    for (int round = 0; round < kRounds; ++round)
    {
      const SeedCells cells = binned();
      std::vector<Vec3d> shift(plan_.placedAt.size());
      bool overlaps = false;
      for (std::size_t i = 0; i < plan_.placedAt.size(); ++i)
      {
        forEachNeighbor(cells, i,
          [&](std::size_t j, const Vec3d& way)
          {
            const Vec3d away = -way;
            const double reach = radius(i) + radius(j);
            const double distance = length(away);
            if (distance < reach - kTolerance * std::min(radius(i), radius(j)))
            {
              overlaps = true;
              shift[i] += (0.5 * (reach * (1 + kMargin) - distance) / distance) * away;
            }
          });
      }
      bool inTerrain = false;
      for (std::size_t i = 0; i < plan_.placedAt.size(); ++i)
      {
        plan_.placedAt[i] += shift[i];
        inTerrain = lift(i) || inTerrain;
      }
      if (!overlaps && !inTerrain)
        return true;
    }
    return false;
  }

  /// Moves a seed out of the terrain it reaches into, a clump as the sphere that holds it. One that
  /// lies on the ground with none of its spheres in it stays. @return whether it did
  bool lift(std::size_t i)
  {
    if (isClump(i) && !reachesIntoTerrain(i))
      return false;
    bool lifted = false;
    for (int round = 0; round < 20; ++round)
    {
      const double r = radius(i);
      Vec3d& p = plan_.placedAt[i];
      const MergedContacts contacts = touchSurface(
        mesh_, p, r, [&](const auto& visit) { columns_.forEachNear(p.x, p.y, r, visit); },
        AsItLies{});
      bool touches = false;
      Vec3d shift;
      for (int k = 0; k < contacts.count; ++k)
      {
        const Vec3d way = wayOut(contacts.outward(k));
        if (contacts.depth(k) > kTolerance * r && squaredLength(way) > 0)
        {
          touches = true;
          shift += contacts.depth(k) * (1 + 1e-6) * way;
        }
      }
      if (!touches)
        break;
      p += shift;
      lifted = true;
    }
    return lifted;
  }

private:
  /// Where to, for each metre along a normal; in a plane the longer the more the normal leans out of it, and
  /// nowhere for what would be a pane.
  Vec3d wayOut(const Vec3d& outward) const
  {
    constexpr double kNoWay = 1e-4;
    const Vec3d inPlane = plan_.form.inPlane(outward);
    const double share = plan_.form.isDisc() ? squaredLength(inPlane) : 1;
    return share > kNoWay ? (1 / share) * inPlane : Vec3d{};
  }

  std::int32_t shapeOf(std::size_t i) const
  {
    return plan_.shapeOfSeed(static_cast<std::size_t>(plan_.placedIds[i]));
  }
  bool isClump(std::size_t i) const { return shapeOf(i) >= 0; }

  /// Whether a sphere of a clump reaches into the terrain or lies below it.
  bool reachesIntoTerrain(std::size_t i) const
  {
    const ClumpBody& body = plan_.bodies[static_cast<std::size_t>(shapeOf(i))];
    const Quatd turn = plan_.orientationOf(shapeOf(i), plan_.placedIds[i]);
    const double scale = plan_.seeds.radii[static_cast<std::size_t>(plan_.placedIds[i])];
    for (std::size_t k = 0; k < body.centers.size(); ++k)
    {
      const Vec3d p = plan_.placedAt[i] + rotate(turn, scale * body.centers[k]);
      const double r = scale * body.radii[k];
      const VerticalCover cover = coverAt(mesh_, columns_, p.x, p.y);
      if ((cover.covered && p.z < cover.lowest) || plan_.domain.isBehindWall(p, 0))
        return true;
      const MergedContacts contacts = touchSurface(
        mesh_, p, r, [&](const auto& visit) { columns_.forEachNear(p.x, p.y, r, visit); },
        AsItLies{});
      for (int c = 0; c < contacts.count; ++c)
        if (contacts.depth(c) > kTolerance * r)
          return true;
    }
    return false;
  }

  static double shiftOf(int number) { return number == 0 ? 0 : number == 1 ? 1 : -1; }

  static bool isNearBox(const Periodicity& space, const Vec3d& p, double reach)
  {
    const auto near = [reach](double v, double lower, double length)
    { return !(length > 0) || (v > lower - reach && v < lower + length + reach); };
    return near(p.x, space.lower.x, space.length.x) && near(p.y, space.lower.y, space.length.y) &&
           near(p.z, space.lower.z, space.length.z);
  }

  /// visit(j, way) for the seeds around seed i and the ways to them, across periodic sides too.
  template <class Visit>
  void forEachNeighbor(const SeedCells& cells, std::size_t i, const Visit& visit) const
  {
    const Periodicity& space = plan_.domain.space;
    const double reach = 2 * plan_.largestExtent;
    const Vec3d home = space.wrap(plan_.placedAt[i]);
    for (int image = 0; image < (space.any() ? 27 : 1); ++image)
    {
      const Vec3d step{ shiftOf(image % 3), shiftOf(image / 3 % 3), shiftOf(image / 9) };
      const Vec3d at =
        home + Vec3d{ step.x * space.length.x, step.y * space.length.y, step.z * space.length.z };
      const auto repeats = [](double number, double length) { return number == 0 || length > 0; };
      if (!repeats(step.x, space.length.x) || !repeats(step.y, space.length.y) ||
          !repeats(step.z, space.length.z) || (image > 0 && !isNearBox(space, at, reach)))
        continue;
      cells.forEachAround(at,
        [&](std::int32_t j)
        {
          const Vec3d way = space.wrap(plan_.placedAt[static_cast<std::size_t>(j)]) - at;
          if (static_cast<std::size_t>(j) != i && squaredLength(way) < reach * reach)
            visit(static_cast<std::size_t>(j), way);
        });
    }
  }

  SeedCells binned() const
  {
    std::vector<Vec3d> inBox;
    inBox.reserve(plan_.placedAt.size());
    for (const Vec3d& p : plan_.placedAt)
      inBox.push_back(plan_.domain.space.wrap(p));
    return SeedCells(inBox, cellSizeFor(inBox, 2 * plan_.largestExtent));
  }

  [[noreturn]] void refuseCoincident(std::size_t i, std::size_t j) const
  {
    const std::int64_t a = std::min(plan_.placedIds[i], plan_.placedIds[j]);
    const std::int64_t b = std::max(plan_.placedIds[i], plan_.placedIds[j]);
    throw InvalidInput("seeds " + std::to_string(a) + " and " + std::to_string(b) +
                       " lie at one place, " + place(&plan_.seeds.positions[3 * a]) +
                       "; remove one of them (is a source connected twice?)");
  }

  GranularFlowPlan& plan_;
  SurfaceMeshView mesh_;
  ColumnGridView columns_;
};

/// "(0, 0, 0) to (1, 1, 1) m"
std::string extentOf(const Domain& domain)
{
  return place(domain.lower.data()) + " to " + place(domain.upper.data()) + " m";
}

/// Seeds that take no part, for one reason.
struct Dropped
{
  std::size_t count = 0, first = 0;
  void add(std::size_t seed) { first = count++ == 0 ? seed : first; }
};

void dropOutside(GranularFlowPlan& plan, const Domain& domain)
{
  const SurfaceMeshView mesh = plan.mesh.view();
  const ColumnGridView columns = plan.columns.view();
  Dropped outsideDomain, outsideMap, belowTerrain;
  for (std::size_t i = 0; i < plan.seeds.count(); ++i)
  {
    const double* given = &plan.seeds.positions[3 * i];
    const Vec3d p = Vec3d{ given[0], given[1], given[2] } - plan.origin;
    LossReason reason = LossReason::None;
    if (!mesh.terrainBounds.empty())
    {
      const VerticalCover cover = coverAt(mesh, columns, p.x, p.y);
      if (!cover.covered)
        reason = LossReason::SeededOutside;
      else if (p.z < cover.lowest)
        reason = LossReason::SeededBelow;
    }
    if (!plan.domain.contains(p) || plan.domain.isBehindWall(p, 0))
    {
      reason = LossReason::SeededOutside;
      outsideDomain.add(i);
    }
    else if (reason == LossReason::SeededOutside)
    {
      outsideMap.add(i);
    }
    else if (reason == LossReason::SeededBelow)
    {
      belowTerrain.add(i);
    }
    if (reason == LossReason::None)
    {
      plan.placedIds.push_back(static_cast<std::int64_t>(i));
      plan.placedAt.push_back(p);
      continue;
    }
    Loss& loss = plan.losses[static_cast<int>(reason) - 1];
    loss.mass += plan.seeds.densities[i] * plan.form.volume(plan.seeds.radii[i]);
    if (loss.count++ == 0)
      loss.firstPosition = { given[0], given[1], given[2] };
    if (loss.firstIds.size() < 10)
      loss.firstIds.push_back(static_cast<std::int64_t>(i));
  }
  const std::string ofAll = std::to_string(plan.seeds.count()) + " seeds ";
  if (plan.placedIds.empty() && plan.seeds.count() > 0)
  {
    const std::string first = ", first at " + place(plan.seeds.positions.data());
    if (outsideDomain.count == plan.seeds.count())
      throw InvalidInput("all " + ofAll + "lie outside the domain, which reaches from " +
                         extentOf(domain) + first +
                         "; place the source in it, or enlarge the domain");
    throw InvalidInput(
      "all " + ofAll + "lie outside the terrain's map or below it" +
      (outsideDomain.count > 0 ? ", or outside the domain, which reaches from " + extentOf(domain)
                               : std::string()) +
      first + "; place the source over the terrain");
  }
  const auto note = [&](const Dropped& dropped, const std::string& what, const std::string& remedy)
  {
    if (dropped.count > 0)
      plan.notes.push_back(std::to_string(dropped.count) + " of " + ofAll + what +
                           " and take no part, first seed " + std::to_string(dropped.first) +
                           " at " + place(&plan.seeds.positions[3 * dropped.first]) + "; " +
                           remedy);
  };
  note(outsideDomain, "were placed outside the domain, " + extentOf(domain) + ",",
    "move them into it, or enlarge the domain");
  note(outsideMap, "were placed outside the map", "move or drop them onto the terrain");
  note(belowTerrain, "were placed below the terrain", "move or drop them onto the terrain");
}

void refuseInsideObstacles(const GranularFlowPlan& plan)
{
  if (plan.obstacles.empty())
    return;
  const StartPlaces places(plan);
  std::size_t count = 0, first = 0;
  std::int32_t obstacle = -1;
  for (std::size_t k = 0; k < plan.placedAt.size(); ++k)
  {
    const std::int32_t around = places.obstacleAround(plan.placedAt[k]);
    if (around >= 0 && count++ == 0)
    {
      first = k;
      obstacle = around;
    }
  }
  if (count == 0)
    return;
  const std::int64_t seed = plan.placedIds[first];
  throw InvalidInput(std::to_string(count) + " of " + std::to_string(plan.seeds.count()) +
                     " seeds lie inside an obstacle, first seed " + std::to_string(seed) + " at " +
                     place(&plan.seeds.positions[3 * seed]) + " in '" +
                     plan.obstacles[static_cast<std::size_t>(obstacle)] +
                     "'; move the source or the obstacle");
}

} // namespace

void checkSeeds(const Scene& scene, const BodyForm& form)
{
  const Seeds& seeds = scene.seeds;
  const std::size_t n = seeds.count();
  if (n == 0 && scene.nozzles.empty())
    throw InvalidInput("there are no seeds; connect a Particle Source or other points to Sources");
  if (seeds.positions.size() != 3 * n || seeds.velocities.size() != 3 * n ||
      seeds.densities.size() != n || seeds.temperatures.size() != n || seeds.sourceIds.size() != n)
    throw InvalidInput("the seeds' arrays have different lengths; give every one of the " +
                       std::to_string(n) +
                       " seeds a position, velocity, density, temperature and source id");
  const auto checkOptional = [n](const char* name, std::size_t values, std::size_t components)
  {
    if (values != 0 && values != components * n)
      throw InvalidInput("the array '" + std::string(name) + "' has " + std::to_string(values) +
                         " values for " + std::to_string(n) + " seeds; give every seed " +
                         (components == 1 ? "one" : std::to_string(components)) +
                         ", or leave the array away");
  };
  checkOptional("material", seeds.materials.size(), 1);
  checkOptional("shape", seeds.shapes.size(), 1);
  checkOptional("orientation", seeds.orientations.size(), 4);
  refuse(seeds, "shape that the scene does not have", "mend the array 'shape', or give the shape",
    [&](std::size_t i, double& value)
    {
      value = seeds.shapes.empty() ? -1 : seeds.shapes[i];
      return !(value >= -1 && value < static_cast<double>(scene.shapes.size()));
    });
  refuse(seeds, "orientation that is no turn", "give four finite numbers that are not all 0",
    [&](std::size_t i, double& value)
    {
      if (seeds.orientations.empty())
        return false;
      value = 0;
      for (std::size_t k = 4 * i; k < 4 * i + 4; ++k)
        value += seeds.orientations[k] * seeds.orientations[k];
      return !(value > 0 && std::isfinite(value));
    });
  const auto notFinite = [](const std::vector<double>& values)
  {
    return [&values](std::size_t i, double& value)
    {
      for (int k = 2; k >= 0; --k)
        if (!std::isfinite(values[3 * i + k]))
          value = values[3 * i + k];
      return !std::isfinite(value);
    };
  };
  const auto notPositive = [](const std::vector<double>& values)
  {
    return [&values](std::size_t i, double& value)
    { return !((value = values[i]) > 0 && std::isfinite(value)); };
  };
  refuse(seeds, "coordinate that is not finite", "remove these points, for instance with Threshold",
    notFinite(seeds.positions));
  refuse(seeds, "velocity that is not finite", "mend the array 'velocity' [m/s]",
    notFinite(seeds.velocities));
  refuse(seeds, "radius outside (0, infinity) m", "mend the array 'radius' or the filter's radius",
    notPositive(seeds.radii));
  refuse(seeds, "density outside (0, infinity) kg/m^3",
    "mend the array 'density' or the filter's density", notPositive(seeds.densities));
  // Products of two masses stay numbers in single precision.
  refuse(seeds, "mass outside [1e-18, 1e18] kg", "mend radius and density",
    [&](std::size_t i, double& value)
    {
      value = seeds.densities[i] * form.volume(seeds.radii[i]);
      return !(value >= 1e-18 && value <= 1e18);
    });
  refuse(seeds, "temperature outside (0, infinity) K", "mend the array 'temperature' [K]",
    notPositive(seeds.temperatures));
}

void placeSeeds(GranularFlowPlan& plan, const Domain& domain)
{
  if (plan.seeds.count() == 0)
    return;
  dropOutside(plan, domain);
  refuseInsideObstacles(plan);
  Relaxation relaxation(plan);
  const std::size_t overlapping = relaxation.countOverlapping();
  const double fraction =
    static_cast<double>(overlapping) / static_cast<double>(plan.placedAt.size());
  std::ostringstream text;
  if (fraction > plan.parameters.overlappingSeedsLimit)
  {
    text
      << overlapping << " of " << plan.placedAt.size() << " seeds overlap others, a fraction of "
      << fraction << "; at most " << plan.parameters.overlappingSeedsLimit
      << " is allowed (overlapping seeds limit): use smaller radii, fewer seeds or a wider source";
    throw InvalidInput(text.str());
  }
  std::size_t lifted = 0;
  for (std::size_t i = 0; i < plan.placedAt.size(); ++i)
    lifted += relaxation.lift(i) ? 1 : 0;
  if (lifted > 0)
    plan.notes.push_back(
      std::to_string(lifted) + " seeds reached into the terrain and were moved out of it");
  // Lifting may have pushed a seed into its neighbour.
  if ((overlapping > 0 || lifted > 0) && relaxation.countOverlapping() > 0)
  {
    if (!relaxation.pushApart())
    {
      text << overlapping << " of " << plan.placedAt.size()
           << " seeds overlap and could not be pushed apart; use smaller radii, fewer seeds or a "
              "wider source";
      throw InvalidInput(text.str());
    }
    text << std::max<std::size_t>(overlapping, 1) << " of " << plan.placedAt.size()
         << " seeds overlapped others and were pushed apart";
    plan.notes.push_back(text.str());
  }
}

} // namespace lapilli
