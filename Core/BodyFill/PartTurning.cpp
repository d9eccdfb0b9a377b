#include "BodyFill/PartTurning.h"

#include "BodyFill/FanClosing.h"
#include "BodyFill/SingleTurning.h"
#include "BodyFill/WindingNumber.h"
#include "Math/TriangleMeasures.h"
#include "Parallel/HostLoop.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace lapilli
{
namespace
{

using Number = std::uint32_t;

/// Below this part of its area to the power 3/2 a volume is what rounding leaves of zero.
constexpr double kNoVolume = 1e-9;

/// A part whose fans are at least this part of its area may be a sheet: from a hemisphere on.
constexpr double kSheetOpenness = 0.499;

/// A free part with more volume than this, as kNoVolume, is a bowl rather than a sheet; a hemisphere has 0.13.
constexpr double kSheetVolume = 0.02;

/// An edge of a part that its own triangles do not run along once in each direction.
struct RimEdge
{
  Number part, edge;
  std::int32_t sense; ///< sum over its triangles
};

struct Part
{
  double area = 0;   ///< [m^2]
  double volume = 0; ///< [m^3] closed by fans
  double fans = 0;   ///< [m^2]
  Box box;
  Vec3d about;                     ///< a corner: volumes are taken about it
  Number rimBegin = 0, rimEnd = 0; ///< its rim edges
  bool rimIsFree = true;           ///< no other part meets it at its rim
  std::int8_t sign = 0;

  bool encloses() const { return std::abs(volume) > kNoVolume * std::pow(area, 1.5); }
  bool mayBeSheet() const
  {
    return fans >= kSheetOpenness * area &&
           (!rimIsFree || std::abs(volume) < kSheetVolume * std::pow(area, 1.5));
  }
};

bool isWithin(const Box& a, const Box& b)
{
  return a.lower.x >= b.lower.x && a.lower.y >= b.lower.y && a.lower.z >= b.lower.z &&
         a.upper.x <= b.upper.x && a.upper.y <= b.upper.y && a.upper.z <= b.upper.z;
}

class Turner
{
public:
  Turner(const std::vector<Vec3d>& points, const std::vector<TriangleCorners>& triangles,
    const SurfaceParts& parts)
    : points_(points)
    , triangles_(triangles)
    , parts_(parts)
    , part_(parts.partCount)
  {
  }

  PartTurning turn()
  {
    measure();
    findRims();
    closeRims();
    for (Part& part : part_)
    {
      result_.hasVolume |= part.encloses();
      part.sign = part.volume < 0 ? -1 : 1;
      if (part.rimBegin == part.rimEnd && !part.encloses())
        part.sign = 0; // folded onto itself
    }
    leaveOutSheets();
    turnCavities();
    writeSigns();
    turnRest();
    return std::move(result_);
  }

private:
  bool agrees(Number part) const { return parts_.agrees[part] != 0; }

  void measure()
  {
    std::vector<std::uint8_t> seen(part_.size(), 0);
    for (Number t = 0; t < triangles_.size(); ++t)
    {
      Part& part = part_[parts_.part[t]];
      const Vec3d &a = points_[triangles_[t][0]], &b = points_[triangles_[t][1]],
                  &c = points_[triangles_[t][2]];
      if (!seen[parts_.part[t]])
      {
        seen[parts_.part[t]] = 1;
        part.about = a;
      }
      const Vec3d normal = areaVector(a, b, c);
      part.area += 0.5 * length(normal);
      part.volume += dot(normal, a - part.about) / 6;
      part.box += a;
      part.box += b;
      part.box += c;
    }
  }

  void findRims()
  {
    for (Number h = 0; h < parts_.edge.size(); ++h)
    {
      const Number part = parts_.part[h / 3];
      if (parts_.triangles[parts_.edge[h]] != 2 && agrees(part))
        rim_.push_back({ part, parts_.edge[h], senseOf(triangles_, h) });
    }
    std::sort(rim_.begin(), rim_.end(),
      [](const RimEdge& a, const RimEdge& b)
      { return a.part != b.part ? a.part < b.part : a.edge < b.edge; });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < rim_.size();)
    {
      RimEdge sum = rim_[i++];
      for (; i < rim_.size() && rim_[i].part == sum.part && rim_[i].edge == sum.edge; ++i)
        sum.sense += rim_[i].sense;
      if (sum.sense != 0)
        rim_[kept++] = sum;
    }
    rim_.resize(kept);
    for (Number i = 0; i < rim_.size(); ++i)
    {
      Part& part = part_[rim_[i].part];
      part.rimBegin = part.rimEnd == 0 ? i : part.rimBegin;
      part.rimEnd = i + 1;
      part.rimIsFree &= parts_.triangles[rim_[i].edge] == 1;
    }
  }

  void closeRims()
  {
    FanClosing closing(points_);
    std::vector<std::pair<Number, Number>> chain;
    for (Part& part : part_)
    {
      chain.clear();
      for (Number i = part.rimBegin; i < part.rimEnd; ++i)
        addToChain(rim_[i].edge, rim_[i].sense, chain);
      for (const Fan& fan : closing.close(chain))
      {
        part.fans += fan.area;
        part.volume += sixfoldVolume(fan, points_, part.about) / 6;
      }
    }
  }

  void addToChain(
    Number edge, std::int32_t sense, std::vector<std::pair<Number, Number>>& chain) const
  {
    const Number h = parts_.firstAtEdge[edge];
    std::pair<Number, Number> ends(startOf(triangles_, h), endOf(triangles_, h));
    if (senseOf(triangles_, h) * sense < 0)
      std::swap(ends.first, ends.second);
    chain.insert(chain.end(), std::abs(sense), ends);
  }

  /// Leaves out, or turns, one sheet after another where that leaves less of the body open: first
  /// those that are most like a sheet.
  void leaveOutSheets()
  {
    std::vector<Number> sheets;
    for (Number p = 0; p < part_.size(); ++p)
      if (part_[p].rimBegin < part_[p].rimEnd && part_[p].mayBeSheet())
        sheets.push_back(p);
    const auto openness = [&](Number p) { return part_[p].fans / part_[p].area; };
    std::sort(sheets.begin(), sheets.end(),
      [&](Number p, Number q)
      { return openness(p) != openness(q) ? openness(p) > openness(q) : p < q; });

    std::vector<std::int32_t> net(parts_.triangles.size(), 0); // per edge: of all parts together
    for (const RimEdge& rim : rim_)
      net[rim.edge] += part_[rim.part].sign * rim.sense;
    const std::vector<Part> before = part_;
    // What is best for one depends on the others: walls that meet in an edge inside may close one another until the
    // first is gone.
    constexpr int kPasses = 4;
    bool hasChanged = true;
    for (int pass = 0; pass < kPasses && hasChanged; ++pass)
    {
      hasChanged = false;
      for (const Number p : sheets)
        hasChanged |= chooseSign(part_[p], before[p].sign, net);
    }
    const auto isUsed = [](const Part& part) { return part.sign != 0 && part.encloses(); };
    if (std::none_of(part_.begin(), part_.end(), isUsed)) // sheets are all there is
      part_ = before;
  }

  /// Gives a part that of the signs 0, outward and inward with which least of its rim is open.
  bool chooseSign(Part& part, std::int8_t outward, std::vector<std::int32_t>& net) const
  {
    const std::int8_t choices[] = { 0, outward, static_cast<std::int8_t>(-outward) };
    double least = -1; // [m]
    std::int8_t best = 0;
    for (const std::int8_t sign : choices)
    {
      double open = 0;
      for (Number i = part.rimBegin; i < part.rimEnd; ++i)
        open += std::abs(net[rim_[i].edge] + (sign - part.sign) * rim_[i].sense) *
                lengthOf(rim_[i].edge, points_, triangles_, parts_);
      if (least < 0 || open < least * (1 - 1e-12)) // less by more than rounding
      {
        least = open;
        best = sign;
      }
    }
    if (best == part.sign)
      return false;
    for (Number i = part.rimBegin; i < part.rimEnd; ++i)
      net[rim_[i].edge] += (best - part.sign) * rim_[i].sense;
    part.sign = best;
    return true;
  }

  /// A part that stands by itself, and may thus be a shell within another.
  bool isShell(Number p) const
  {
    return agrees(p) && part_[p].sign != 0 && part_[p].encloses() && part_[p].rimIsFree;
  }

  /// Shells that may lie within something: their box is in the box of another shell, or in that of all other parts
  /// together. A sweep along the longest axis meets only the boxes that are open there.
  std::vector<Number> findInnerShells() const
  {
    std::vector<Number> shells;
    Box all, others;
    for (Number p = 0; p < part_.size(); ++p)
    {
      all += part_[p].box;
      if (isShell(p))
        shells.push_back(p);
      else
        others += part_[p].box;
    }
    const Vec3d extent = all.upper - all.lower;
    double Vec3d::*const axis = extent.x >= extent.y && extent.x >= extent.z ? &Vec3d::x
                                : extent.y >= extent.z                       ? &Vec3d::y
                                                                             : &Vec3d::z;
    const auto lower = [&](Number p) { return part_[p].box.lower.*axis; };
    std::stable_sort(
      shells.begin(), shells.end(), [&](Number p, Number q) { return lower(p) < lower(q); });

    std::vector<Number> inner, open;
    for (auto p = shells.begin(), next = p; p != shells.end(); ++p)
    {
      for (; next != shells.end() && lower(*next) == lower(*p); ++next)
        open.push_back(*next);
      const auto isPast = [&](Number q) { return part_[q].box.upper.*axis < lower(*p); };
      open.erase(std::remove_if(open.begin(), open.end(), isPast), open.end());
      const auto contains = [&](Number q)
      { return q != *p && isWithin(part_[*p].box, part_[q].box); };
      if (isWithin(part_[*p].box, others) || std::any_of(open.begin(), open.end(), contains))
        inner.push_back(*p);
    }
    std::sort(inner.begin(), inner.end());
    return inner;
  }

  /// Shells inside an odd number of others are cavities.
  void turnCavities()
  {
    const std::vector<Number> inner = findInnerShells();
    if (inner.empty())
      return;
    std::vector<TriangleCorners> outward;
    std::vector<Number> begin(part_.size() + 1, 0), order(triangles_.size());
    for (Number t = 0; t < triangles_.size(); ++t)
    {
      ++begin[parts_.part[t] + 1];
      if (part_[parts_.part[t]].sign != 0 && agrees(parts_.part[t]))
        outward.push_back(turned(t, part_[parts_.part[t]].sign));
    }
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    std::vector<Number> next(begin.begin(), begin.end() - 1);
    for (Number t = 0; t < triangles_.size(); ++t)
      order[next[parts_.part[t]]++] = t;
    const WindingNumber winding(points_, outward);

    std::vector<std::uint8_t> isCavity(inner.size(), 0);
    forEachOnHost(inner.size(), 16,
      [&](std::size_t i)
      {
        const Number p = inner[i];
        const std::vector<Number> own(order.begin() + begin[p], order.begin() + begin[p + 1]);
        isCavity[i] = depthOf(p, own, winding) % 2;
      });
    for (std::size_t i = 0; i < inner.size(); ++i)
    {
      if (isCavity[i])
      {
        part_[inner[i]].sign = static_cast<std::int8_t>(-part_[inner[i]].sign);
        ++result_.cavities;
      }
    }
  }

  TriangleCorners turned(Number t, int sign) const
  {
    const TriangleCorners& c = triangles_[t];
    return sign > 0 ? c : TriangleCorners{ c[0], c[2], c[1] };
  }

  Vec3d middleOf(Number t) const
  {
    const TriangleCorners& c = triangles_[t];
    return 1.0 / 3 * (points_[c[0]] + points_[c[1]] + points_[c[2]]);
  }

  /// How many other shells a shell lies within: the least winding number of the others over some of its triangles,
  /// its outermost among them. Triangles that touch another shell are undecided and do not count.
  int depthOf(Number p, const std::vector<Number>& own, const WindingNumber& winding) const
  {
    constexpr std::size_t kSpread = 10;
    std::vector<Number> samples;
    for (std::size_t i = 0; i < kSpread; ++i)
      samples.push_back(own[i * own.size() / kSpread]);
    for (int axis = 0; axis < 3; ++axis)
    {
      const auto coordinate = [&](Number t)
      {
        const Vec3d m = middleOf(t);
        return axis == 0 ? m.x : axis == 1 ? m.y : m.z;
      };
      const auto ends = std::minmax_element(
        own.begin(), own.end(), [&](Number s, Number t) { return coordinate(s) < coordinate(t); });
      samples.push_back(*ends.first);
      samples.push_back(*ends.second);
    }
    int least = -1;
    for (const Number sample : samples)
    {
      const Vec3d q = middleOf(sample);
      double angle = 0;
      for (const Number t : own)
      {
        const TriangleCorners c = turned(t, part_[p].sign);
        angle += solidAngle(q, points_[c[0]], points_[c[1]], points_[c[2]]);
      }
      const double others = winding(q) - angle / (4 * 3.14159265358979323846);
      const double whole = std::round(others);
      if (std::abs(others - whole) < 0.2 && (least < 0 || whole < least))
        least = std::max(0, static_cast<int>(whole));
      if (least == 0) // it cannot become less
        break;
    }
    return std::max(0, least);
  }

  void writeSigns()
  {
    result_.sign.resize(triangles_.size());
    for (Number t = 0; t < triangles_.size(); ++t)
      result_.sign[t] = agrees(parts_.part[t]) ? part_[parts_.part[t]].sign : std::int8_t(0);
    for (Number p = 0; p < part_.size(); ++p)
      result_.sheets += agrees(p) && part_[p].sign == 0;
  }

  /// Those of parts without a consistent side.
  void turnRest()
  {
    std::vector<Number> single;
    for (Number t = 0; t < triangles_.size(); ++t)
      if (!agrees(parts_.part[t]))
        single.push_back(t);
    if (single.empty())
      return;
    result_.hasVolume = true; // perhaps; what is left of it is measured later
    turnSingleTriangles(points_, triangles_, parts_, single, result_.sign);
    std::vector<std::uint8_t> isUsed = parts_.agrees;
    for (const Number t : single)
      isUsed[parts_.part[t]] |= result_.sign[t] != 0;
    result_.sheets += std::count(isUsed.begin(), isUsed.end(), 0);
  }

  const std::vector<Vec3d>& points_;
  const std::vector<TriangleCorners>& triangles_;
  const SurfaceParts& parts_;
  std::vector<Part> part_;
  std::vector<RimEdge> rim_; ///< by part
  PartTurning result_;
};

} // namespace

PartTurning turnParts(const std::vector<Vec3d>& points,
  const std::vector<TriangleCorners>& triangles, const SurfaceParts& parts)
{
  return Turner(points, triangles, parts).turn();
}

} // namespace lapilli
