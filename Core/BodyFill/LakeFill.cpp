#include "LakeFill.h"

#include "BodyFill/LatticeRows.h"
#include "Error.h"
#include "FreeMemory.h"
#include "Parallel/HostLoop.h"
#include "Particles/Refuse.h"

#include <algorithm>
#include <cmath>
#include <queue>
#include <sstream>
#include <unordered_set>

namespace lapilli
{
namespace
{

/// [m]; far beyond all maps sums and squares are no numbers.
constexpr double kFarthest = 1e12;
/// Beyond this many pitches from the origin places are off by more than 1e-4 of the pitch.
constexpr double kMostPitches = 1e12;
constexpr double kMebi = 1 << 20;
constexpr double kBytesPerColumn = 120, kBytesPerPlace = 32;

/// A vertical line of the lattice.
struct Column
{
  std::int64_t i, j; ///< at x = pitch i, y = pitch j
  double ground;     ///< [m]

  bool operator>(const Column& other) const
  {
    return ground != other.ground ? ground > other.ground
           : j != other.j         ? j > other.j
                                  : i > other.i;
  }
};

std::string place(double x, double y)
{
  std::ostringstream out;
  out.precision(10);
  out << '(' << x << ", " << y << ')';
  return out.str();
}

/// Rounded down to centimetres, so that it stays.
std::string below(double level)
{
  std::ostringstream out;
  out.precision(9);
  out << std::floor(100 * level) / 100;
  return out.str();
}

class Flood
{
public:
  Flood(const Elevation& terrain, const LakeFillParameters& parameters)
    : terrain_(terrain)
    , parameters_(parameters)
    , lattice_(parameters.lattice, parameters.spacing)
    , available_(availableMemory())
  {
  }

  /// The columns under water, by j, then i.
  std::vector<Column> columns()
  {
    start();
    std::vector<Column> wet;
    double highest =
      -std::numeric_limits<double>::infinity(); // that the water had to pass so far [m]
    while (!next_.empty())
    {
      const Column column = next_.top();
      next_.pop();
      wet.push_back(column);
      highest = std::max(highest, column.ground);
      constexpr int kSides[][2] = { { -1, 0 }, { 1, 0 }, { 0, -1 }, { 0, 1 } };
      for (const auto& side : kSides)
        visit(column.i + side[0], column.j + side[1], highest);
      isAlone_ = false;
    }
    std::sort(wet.begin(), wet.end(),
      [](const Column& a, const Column& b) { return a.j != b.j ? a.j < b.j : a.i < b.i; });
    return wet;
  }

private:
  void start()
  {
    const double x = parameters_.place[0], y = parameters_.place[1];
    const auto ground = terrain_.highest(x, y);
    if (!ground)
      throw InvalidInput("the lake's place " + place(x, y) +
                         " has no terrain under it; it must lie on the map: move it");
    ground_ = ground->z;
    if (ground->z >= parameters_.level)
      throw InvalidInput("level is " + number(parameters_.level) +
                         " m; the ground at the lake's place " + place(x, y) + " is at " +
                         number(ground->z) +
                         " m: raise the level or move the place to lower ground");
    // The nearest column that is under water.
    const auto i = static_cast<std::int64_t>(std::round(x / lattice_.pitch));
    const auto j = static_cast<std::int64_t>(std::round(y / lattice_.pitch));
    constexpr int kNear[][2] = { { 0, 0 }, { -1, 0 }, { 1, 0 }, { 0, -1 }, { 0, 1 }, { -1, -1 },
      { 1, -1 }, { -1, 1 }, { 1, 1 } };
    for (const auto& near : kNear)
    {
      const auto hit = groundAt(i + near[0], j + near[1]);
      if (hit && hit->z < parameters_.level)
      {
        push({ i + near[0], j + near[1], hit->z });
        return;
      }
    }
    throw InvalidInput("spacing is " + number(parameters_.spacing) +
                       " m; no column of the lattice near the lake's place " + place(x, y) +
                       " is under water: choose a smaller one");
  }

  std::optional<Elevation::Hit> groundAt(std::int64_t i, std::int64_t j) const
  {
    return terrain_.highest(lattice_.across(i), lattice_.across(j));
  }

  void visit(std::int64_t i, std::int64_t j, double highest)
  {
    if (seen_.count({ i, j }) > 0)
      return;
    const auto hit = groundAt(i, j);
    if (!hit)
      refuseToRunOff(lattice_.across(i), lattice_.across(j), highest);
    if (hit->z < parameters_.level)
      push({ i, j, hit->z });
    else
      seen_.insert({ i, j });
  }

  [[noreturn]] void refuseToRunOff(double x, double y, double highest) const
  {
    if (isAlone_)
      throw InvalidInput("spacing is " + number(parameters_.spacing) +
                         " m; the columns of the lattice around the lake's place " +
                         place(parameters_.place[0], parameters_.place[1]) +
                         " are not all on the terrain: choose a smaller one, or move the place");
    if (highest <= ground_)
      throw InvalidInput("there is no basin at the lake's place " +
                         place(parameters_.place[0], parameters_.place[1]) +
                         ": from its ground at " + number(ground_) +
                         " m water runs off the terrain at any level, at " + place(x, y) +
                         "; move the place into a basin");
    throw InvalidInput("the lake at level " + number(parameters_.level) +
                       " m runs off the terrain, at its rim or a hole, at " + place(x, y) +
                       "; the highest level that stays in the basin is about " + below(highest) +
                       " m: lower it");
  }

  void push(const Column& column)
  {
    seen_.insert({ column.i, column.j });
    next_.push(column);
    places_ += (parameters_.level - column.ground) / lattice_.step() + 1;
    const double bytes =
      kBytesPerColumn * static_cast<double>(seen_.size()) + kBytesPerPlace * places_;
    if (bytes > available_)
      throw InvalidInput("spacing is " + number(parameters_.spacing) +
                         " m; the lake's places need more than the " +
                         number(std::floor(available_ / kMebi)) +
                         " MiB that the machine has free: choose a larger one");
  }

  struct Hash
  {
    std::size_t operator()(const std::pair<std::int64_t, std::int64_t>& p) const
    {
      // Finaliser of splitmix64: Steele, Lea, Flood, OOPSLA 2014, doi:10.1145/2660193.2660195.
      std::uint64_t h = static_cast<std::uint64_t>(p.first) * 0x9e3779b97f4a7c15u +
                        static_cast<std::uint64_t>(p.second);
      h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
      h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
      return h ^ (h >> 31);
    }
  };

  const Elevation& terrain_;
  const LakeFillParameters& parameters_;
  RowLattice lattice_;
  double available_;  ///< [bytes]
  double ground_ = 0; ///< [m] at the lake's place
  double places_ = 0;
  bool isAlone_ = true; ///< no more than the first column is under water so far
  std::priority_queue<Column, std::vector<Column>, std::greater<Column>> next_; ///< lowest first
  std::unordered_set<std::pair<std::int64_t, std::int64_t>, Hash> seen_;
};

/// The heights' numbers k of a column that are in the water and clear of the ground.
std::vector<std::int64_t> placesOver(const Column& column, const RowLattice& lattice,
  const Elevation& terrain, const LakeFillParameters& parameters, std::int64_t& near)
{
  std::vector<std::int64_t> places;
  const double x = lattice.across(column.i), y = lattice.across(column.j);
  std::int64_t k = lattice.firstAcross(column.ground);
  const std::int64_t stride = lattice.isFaceCentered ? 2 : 1;
  k += lattice.isFaceCentered && ((column.i + column.j + k) & 1) != 0;
  for (; lattice.across(k) <= parameters.level; k += stride)
  {
    const double c = parameters.clearance;
    if (c > 0 && terrain.distance({ x, y, lattice.across(k) }, c) < c)
      ++near;
    else
      places.push_back(k);
  }
  return places;
}

/// Writes columns layer by layer from below.
void write(const std::vector<Column>& columns, const std::vector<std::vector<std::int64_t>>& places,
  const RowLattice& lattice, std::vector<double>& positions)
{
  std::int64_t lowest = std::numeric_limits<std::int64_t>::max(), highest = -lowest;
  for (const auto& column : places)
  {
    for (const std::int64_t k : column)
    {
      lowest = std::min(lowest, k);
      highest = std::max(highest, k);
    }
  }
  std::vector<std::size_t> next(lowest > highest ? 1 : highest - lowest + 2, 0);
  for (const auto& column : places)
    for (const std::int64_t k : column)
      ++next[k - lowest + 1];
  for (std::size_t layer = 1; layer < next.size(); ++layer)
    next[layer] += next[layer - 1];
  positions.resize(3 * next.back());
  for (std::size_t c = 0; c < columns.size(); ++c)
  {
    for (const std::int64_t k : places[c])
    {
      double* position = &positions[3 * next[k - lowest]++];
      position[0] = lattice.across(columns[c].i);
      position[1] = lattice.across(columns[c].j);
      position[2] = lattice.across(k);
    }
  }
}

} // namespace

void LakeFillParameters::validate() const
{
  requirePositive("spacing", spacing);
  for (const double x : place)
    if (!(std::abs(x) <= kFarthest))
      refuse("the lake's place", lapilli::place(place[0], place[1]),
        "be finite and within " + number(kFarthest) + " m");
  if (!(std::abs(level) <= kFarthest))
    refuse("level", number(level) + " m", "be finite and within " + number(kFarthest) + " m");
  if (!(clearance >= 0) || !std::isfinite(clearance))
    refuse("clearance", number(clearance) + " m", "be finite and not negative");
  const double finest = kMostPitches * RowLattice(lattice, 1).pitch;
  const double away = std::max({ std::abs(place[0]), std::abs(place[1]), std::abs(level) });
  if (away > finest * spacing)
    refuse("spacing", number(spacing) + " m",
      "be at least " + number(away / finest) + " m at " + number(away) +
        " m from the origin, where numbers do not tell nearer places apart");
}

LakeFill fillLake(const Elevation& terrain, const LakeFillParameters& parameters)
{
  parameters.validate();
  LakeFill lake;
  const RowLattice lattice(parameters.lattice, parameters.spacing);
  const std::vector<Column> columns = Flood(terrain, parameters).columns();

  std::vector<std::vector<std::int64_t>> places(columns.size());
  std::vector<std::int64_t> near(columns.size(), 0);
  forEachOnHost(columns.size(), 256,
    [&](std::size_t c)
    { places[c] = placesOver(columns[c], lattice, terrain, parameters, near[c]); });
  write(columns, places, lattice, lake.positions);

  LakeReport& report = lake.report;
  report.particles = static_cast<std::int64_t>(lake.count());
  const double column = lattice.pitch * lattice.pitch; // [m^2]
  for (std::size_t c = 0; c < columns.size(); ++c)
  {
    const double depth = parameters.level - columns[c].ground;
    report.nearSurface += near[c];
    report.volume += depth * column;
    report.greatestDepth = std::max(report.greatestDepth, depth);
  }
  report.area = static_cast<double>(columns.size()) * column;
  if (report.particles == 0)
  {
    throw InvalidInput("spacing is " + number(parameters.spacing) +
                       " m; no place of the lattice lies in the lake, which is " +
                       number(report.greatestDepth) + " m deep" +
                       (report.nearSurface > 0 ? ", as far from the terrain as the clearance, " +
                                                   number(parameters.clearance) + " m"
                                               : "") +
                       ": choose a smaller " + (report.nearSurface > 0 ? "clearance" : "one"));
  }
  return lake;
}

std::string LakeReport::text() const
{
  std::ostringstream out;
  out.precision(6);
  out << "The lake has " << particles << (particles == 1 ? " particle" : " particles") << ", "
      << volume << " m^3 over " << area << " m^2, and is up to " << greatestDepth << " m deep.";
  if (nearSurface > 0)
    out << ' ' << nearSurface << " places too near to the terrain are left out.";
  return out.str();
}

} // namespace lapilli
