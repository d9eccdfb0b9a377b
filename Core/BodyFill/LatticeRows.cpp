#include "BodyFill/LatticeRows.h"

#include "BodyFill/WindingNumber.h"
#include "Math/TriangleMeasures.h"
#include "Parallel/HostLoop.h"

#include <algorithm>
#include <cmath>

namespace lapilli
{
namespace
{

/// Where a row goes through a triangle.
struct Crossing
{
  double x;           ///< [m] relative to the body's origin
  std::int32_t enter; ///< what is added to the winding number beyond: 1 or -1
};

/// Where an edge crosses a height, computed alike for both its triangles.
struct EdgeCut
{
  double x, y; ///< [m]
  bool isUp;   ///< the triangle runs up along the edge
};

EdgeCut cutEdge(const std::vector<Vec3d>& points, std::uint32_t from, std::uint32_t to, double z)
{
  const Vec3d& a = points[std::min(from, to)];
  const Vec3d& b = points[std::max(from, to)];
  const double s = (z - a.z) / (b.z - a.z);
  return { a.x + s * (b.x - a.x), a.y + s * (b.y - a.y), points[to].z > points[from].z };
}

double areaOf(const std::vector<TriangleCorners>& triangles, const std::vector<Vec3d>& points)
{
  double area = 0;
  for (const TriangleCorners& t : triangles)
    area += 0.5 * length(areaVector(points[t[0]], points[t[1]], points[t[2]]));
  return area;
}

std::int64_t firstIndex(double from, double step, const double offset)
{
  return static_cast<std::int64_t>(std::ceil((from - offset) / step));
}

struct Ranges
{
  std::int64_t j0, j1, k0, k1;
};

Ranges rangesOf(
  const BodySurface& body, const RowLattice& lattice, const BodyFillParameters& parameters)
{
  Ranges r{};
  r.j0 = lattice.firstAcross(body.box.lower.y + body.origin.y);
  r.j1 = lattice.firstAcross(body.box.upper.y + body.origin.y);
  r.k0 = lattice.firstAcross(body.box.lower.z + body.origin.z);
  r.k1 = lattice.firstAcross(body.box.upper.z + body.origin.z);
  if (parameters.level && *parameters.level < body.box.upper.z + body.origin.z)
  {
    std::int64_t above = lattice.firstAcross(*parameters.level);
    above += lattice.across(above) <= *parameters.level; // centres may be at the level itself
    r.k1 = std::min(r.k1, above);
  }
  return r;
}

/// Finds all crossings of all rows, by count, scan, fill.
class CrossingList
{
public:
  CrossingList(const BodySurface& body, const RowLattice& lattice, const LatticeRows& rows)
    : body_(body)
    , lattice_(lattice)
    , rows_(rows)
  {
    const std::int32_t count = rows.rowCount();
    if (count == 0)
      return;
    nj_ = rows.j(count - 1) - rows.j0() + 1;
    nk_ = rows.k(count - 1) - rows.k0() + 1;
    for (std::int64_t j = 0; j < nj_; ++j)
      y_.push_back(lattice.across(rows.j0() + j) - body.origin.y);
    for (std::int64_t k = 0; k < nk_; ++k)
      z_.push_back(lattice.across(rows.k0() + k) - body.origin.z);
    start_.assign(std::size_t(count) + 1, 0);
    forEach([&](std::int64_t row, double, std::int32_t) { ++start_[row + 1]; });
    for (std::int32_t row = 0; row < count; ++row)
      start_[row + 1] += start_[row];
    crossings_.resize(start_[count]);
    std::vector<std::int64_t> next(start_.begin(), start_.end() - 1);
    forEach(
      [&](std::int64_t row, double x, std::int32_t enter) {
        crossings_[next[row]++] = { x, enter };
      });
  }

  /// Those of a row, from low to high x.
  std::pair<const Crossing*, const Crossing*> sorted(std::int32_t row)
  {
    Crossing* first = crossings_.data() + start_[row];
    Crossing* last = crossings_.data() + start_[row + 1];
    std::sort(first, last,
      [](const Crossing& a, const Crossing& b)
      { return a.x != b.x ? a.x < b.x : a.enter < b.enter; });
    return { first, last };
  }

private:
  template <class Visit>
  void forEach(const Visit& visit) const
  {
    for (const auto* triangles : { &body_.triangles, &body_.fans })
      for (const TriangleCorners& t : *triangles)
        cross(t, visit);
  }

  /// The first of ascending coordinates that is not below a value.
  std::int64_t firstOf(const std::vector<double>& coordinates, double from) const
  {
    const auto count = static_cast<std::int64_t>(coordinates.size());
    const double guess = std::ceil((from - coordinates[0]) / lattice_.pitch);
    std::int64_t i = guess > 0 ? static_cast<std::int64_t>(std::min(guess, double(count))) : 0;
    while (i > 0 && coordinates[i - 1] >= from)
      --i;
    while (i < count && coordinates[i] < from)
      ++i;
    return i;
  }

  /// A corner is above a height if its z is above; at the same height it is not. A row is beyond a cut if its y is not
  /// below that of the cut. So every row of a closed surface leaves it as often as it enters.
  template <class Visit>
  void cross(const TriangleCorners& t, const Visit& visit) const
  {
    const std::vector<Vec3d>& points = body_.points;
    const double a = points[t[0]].z, b = points[t[1]].z, c = points[t[2]].z;
    const double highest = std::max({ a, b, c });
    for (std::int64_t k = firstOf(z_, std::min({ a, b, c })); k < nk_ && z_[k] < highest; ++k)
    {
      EdgeCut cuts[2];
      int count = 0;
      for (int e = 0; e < 3; ++e)
      {
        const std::uint32_t from = t[e], to = t[(e + 1) % 3];
        if ((points[from].z > z_[k]) != (points[to].z > z_[k]))
          cuts[count++] = cutEdge(points, from, to, z_[k]);
      }
      // Seen from +x the triangle winds counter-clockwise, and the row leaves the body, if the edge that runs up is
      // at the larger y.
      const EdgeCut &low = cuts[cuts[0].y <= cuts[1].y ? 0 : 1],
                    &high = cuts[cuts[0].y <= cuts[1].y ? 1 : 0];
      for (std::int64_t j = firstOf(y_, low.y); j < nj_ && y_[j] < high.y; ++j)
      {
        const double s = (y_[j] - low.y) / (high.y - low.y);
        visit(j + nj_ * k, low.x + s * (high.x - low.x), high.isUp ? -1 : 1);
      }
    }
  }

  const BodySurface& body_;
  const RowLattice& lattice_;
  const LatticeRows& rows_;
  std::int64_t nj_ = 0, nk_ = 0;
  std::vector<double> y_, z_; ///< [m] of rows, relative to the body's origin
  std::vector<std::int64_t> start_;
  std::vector<Crossing> crossings_;
};

} // namespace

void append(std::vector<Run>& runs, std::int64_t first, std::int64_t last)
{
  if (first >= last)
    return;
  if (!runs.empty() && runs.back().last == first)
    runs.back().last = last;
  else
    runs.push_back({ first, last });
}

RowLattice::RowLattice(Lattice lattice, double spacing)
  : pitch(lattice == Lattice::Cubic ? spacing : spacing / std::sqrt(2.0))
  , isFaceCentered(lattice == Lattice::FaceCentered)
  , cellVolume((isFaceCentered ? 2 : 1) * pitch * pitch * pitch)
{
}

std::int64_t RowLattice::firstAcross(double from) const
{
  std::int64_t i = firstIndex(from, pitch, 0);
  while (across(i - 1) >= from)
    --i;
  while (across(i) < from)
    ++i;
  return i;
}

std::int64_t RowLattice::firstAlong(double from, std::int64_t parity) const
{
  std::int64_t m = firstIndex(from, step(), static_cast<double>(parity) * pitch);
  while (x(m - 1, parity) >= from)
    --m;
  while (x(m, parity) < from)
    ++m;
  return m;
}

LatticeRows::LatticeRows(std::int64_t j0, std::int64_t j1, std::int64_t k0, std::int64_t k1)
  : j0_(j0)
  , k0_(k0)
  , nj_(j1 > j0 && k1 > k0 ? j1 - j0 : 0)
  , nk_(nj_ > 0 ? k1 - k0 : 0)
  , start_(std::size_t(nj_ * nk_) + 1, 0)
{
}

std::int32_t LatticeRows::rowAt(std::int64_t j, std::int64_t k) const
{
  const bool isBeside = j < j0_ || k < k0_ || j >= j0_ + nj_ || k >= k0_ + nk_;
  return isBeside ? -1 : static_cast<std::int32_t>(j - j0_ + nj_ * (k - k0_));
}

std::int64_t LatticeRows::placeCount() const
{
  std::int64_t count = 0;
  for (const Run& run : runs_)
    count += run.last - run.first;
  return count;
}

void LatticeRows::set(const std::vector<std::vector<Run>>& runs)
{
  runs_.clear();
  for (std::size_t row = 0; row < runs.size(); ++row)
  {
    runs_.insert(runs_.end(), runs[row].begin(), runs[row].end());
    start_[row + 1] = static_cast<std::int64_t>(runs_.size());
  }
}

double rowsAcross(
  const BodySurface& body, const RowLattice& lattice, const BodyFillParameters& parameters)
{
  double height = body.box.upper.z - body.box.lower.z;
  if (parameters.level)
    height = std::min(height, *parameters.level - body.box.lower.z - body.origin.z);
  const double width = body.box.upper.y - body.box.lower.y;
  return height < 0 ? 0 : (width / lattice.pitch + 1) * (height / lattice.pitch + 1);
}

LatticeRows placesInside(
  const BodySurface& body, const RowLattice& lattice, const BodyFillParameters& parameters)
{
  const Ranges ranges = rangesOf(body, lattice, parameters);
  LatticeRows rows(ranges.j0, ranges.j1, ranges.k0, ranges.k1);
  CrossingList list(body, lattice, rows);
  const WindingNumber fans(body.points, body.fans);
  // From here on the fans' winding number is below 1/2: their area over 4 pi distance^2.
  const double fanReach = std::sqrt(areaOf(body.fans, body.points) / (2 * 3.14159265358979323846));
  std::vector<std::vector<Run>> runs(rows.rowCount());
  forEachOnHost(rows.rowCount(), kRowsAtOnce,
    [&](std::int32_t row)
    {
      const std::int64_t j = rows.j(row), k = rows.k(row), parity = lattice.parity(j, k);
      const double y = lattice.across(j) - body.origin.y, z = lattice.across(k) - body.origin.z;
      const auto firstFrom = [&](double x)
      { return lattice.firstAlong(x + body.origin.x, parity); };
      // Places between two crossings, where the winding number of triangles and fans is the same.
      const auto addBetween = [&](std::int64_t first, std::int64_t last, int whole)
      {
        if (body.fans.empty() ? whole >= 1 : whole >= 2)
        {
          append(runs[row], first, last);
          return;
        }
        RowDistance distance(fans.tree(), fanReach, lattice.step());
        for (std::int64_t m = first; m < last;)
        {
          const Vec3d q{ lattice.x(m, parity) - body.origin.x, y, z };
          const RowDistance::Answer answer = distance(q, m, last - m);
          const std::int64_t count = answer.isFar ? answer.alike : 1;
          if (answer.isFar ? whole == 1 : whole - fans(q) > 0.5)
            append(runs[row], m, m + count);
          m += count;
        }
      };
      // Outside of the closed surface is inside only within the hollow of a fan.
      const bool hasFan = !body.fanBox.empty() && y >= body.fanBox.lower.y &&
                          y <= body.fanBox.upper.y && z >= body.fanBox.lower.z &&
                          z <= body.fanBox.upper.z;
      const std::int64_t fanFirst = hasFan ? firstFrom(body.fanBox.lower.x) : 0,
                         fanLast = hasFan ? firstFrom(body.fanBox.upper.x) : 0;
      const auto [crossing, end] = list.sorted(row);
      int whole = 0;
      std::int64_t first = fanFirst;
      for (const Crossing* c = crossing; c != end; ++c)
      {
        const std::int64_t last = firstFrom(c->x);
        if (whole >= 1)
          addBetween(first, last, whole);
        else if (whole == 0 && hasFan)
          addBetween(std::max(first, fanFirst), std::min(last, fanLast), 0);
        whole += c->enter;
        first = last;
      }
      if (hasFan)
        addBetween(std::max(first, fanFirst), fanLast, 0);
    });
  rows.set(runs);
  return rows;
}

} // namespace lapilli
