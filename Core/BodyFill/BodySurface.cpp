#include "BodyFill/BodySurface.h"

#include "BodyFill/FanClosing.h"
#include "BodyFill/PartTurning.h"
#include "BodyFill/SurfaceParts.h"
#include "Error.h"
#include "Math/TriangleMeasures.h"
#include "Particles/Refuse.h"
#include "SurfaceRepair.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

namespace lapilli
{
namespace
{

/// [m]; far beyond all maps sums and squares are no numbers.
constexpr double kFarthest = 1e12;

std::string place(const Vec3d& p)
{
  std::ostringstream out;
  out.precision(10);
  out << '(' << p.x << ", " << p.y << ", " << p.z << ')';
  return out.str();
}

std::string rounded(double value)
{
  std::ostringstream out;
  out.precision(4);
  out << value;
  return out.str();
}

[[noreturn]] void refuseWithoutVolume(const std::string& name)
{
  throw InvalidInput("body \"" + name +
                     "\" has no volume: its points lie in one place, on a line or on sheets that "
                     "enclose nothing; give a closed surface, with points that should coincide "
                     "merged (Clean)");
}

void requirePlaces(const Surface& surface, const std::string& name)
{
  const auto points = static_cast<std::int64_t>(surface.pointCount());
  for (const std::int64_t p : surface.triangles)
  {
    if (p < 0 || p >= points)
    {
      throw InvalidInput("body \"" + name + "\" has a triangle with point " + std::to_string(p) +
                         "; point numbers must lie in [0, " + std::to_string(points - 1) + "]");
    }
    const double* x = &surface.points[3 * p];
    for (int axis = 0; axis < 3; ++axis)
    {
      if (!(std::abs(x[axis]) <= kFarthest))
      {
        throw InvalidInput("point " + std::to_string(p) + " of body \"" + name + "\" is " +
                           place({ x[0], x[1], x[2] }) + "; it must be finite and within " +
                           number(kFarthest) + " m: leave it out, with its triangles");
      }
    }
  }
}

/// Takes over the points, relative to whole kilometres: that loses no digit, and products keep theirs.
void takePoints(const Surface& surface, BodySurface& body)
{
  Box box;
  for (std::size_t p = 0; p < surface.pointCount(); ++p)
    box += Vec3d{ surface.points[3 * p], surface.points[3 * p + 1], surface.points[3 * p + 2] };
  const auto kilometres = [](double lower, double upper)
  { return 1000 * std::round((lower + upper) / 2000); };
  body.origin = { kilometres(box.lower.x, box.upper.x), kilometres(box.lower.y, box.upper.y),
    kilometres(box.lower.z, box.upper.z) };
  body.points.resize(surface.pointCount());
  for (std::size_t p = 0; p < surface.pointCount(); ++p)
    body.points[p] =
      Vec3d{ surface.points[3 * p], surface.points[3 * p + 1], surface.points[3 * p + 2] } -
      body.origin;
}

/// The edges along which the triangles in use run once more often in one direction.
std::vector<std::pair<std::uint32_t, std::uint32_t>> boundaryOf(
  const std::vector<TriangleCorners>& triangles, const SurfaceParts& parts,
  const std::vector<std::int8_t>& sign)
{
  std::vector<std::int32_t> net(parts.triangles.size(), 0);
  for (std::uint32_t h = 0; h < parts.edge.size(); ++h)
    net[parts.edge[h]] += sign[h / 3] * senseOf(triangles, h);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> boundary;
  for (std::uint32_t e = 0; e < net.size(); ++e)
  {
    if (net[e] == 0)
      continue;
    const std::uint32_t h = parts.firstAtEdge[e];
    std::pair<std::uint32_t, std::uint32_t> ends(startOf(triangles, h), endOf(triangles, h));
    if ((net[e] > 0) != (senseOf(triangles, h) > 0))
      std::swap(ends.first, ends.second);
    boundary.insert(boundary.end(), std::abs(net[e]), ends);
  }
  return boundary;
}

/// Closes what is open, and adds what that is to the report.
/// @return the largest fan's middle
Vec3d closeHoles(std::vector<std::pair<std::uint32_t, std::uint32_t>> boundary, BodySurface& body,
  double& largest, BodyReport& report)
{
  const std::vector<Fan> fans = FanClosing(body.points).close(boundary);
  Vec3d where;
  for (const Fan& fan : fans)
  {
    report.leakArea += fan.area;
    if (fan.area > largest)
    {
      largest = fan.area;
      where = fan.middle;
    }
    const auto middle = static_cast<std::uint32_t>(body.points.size());
    body.points.push_back(fan.middle);
    for (std::size_t i = 0; i < fan.curve.size(); ++i)
      body.fans.push_back({ middle, fan.curve[(i + 1) % fan.curve.size()], fan.curve[i] });
  }
  return where;
}

/// Part of a triangle's flux of (0, 0, z - level) that is below the level: over a closed surface, cut off flat at the
/// level, the sum is the volume below, as the flux has no part in the cut.
double volumeBelow(double level, std::array<Vec3d, 3> p)
{
  const double area = 0.5 * areaVector(p[0], p[1], p[2]).z;
  std::sort(p.begin(), p.end(), [](const Vec3d& a, const Vec3d& b) { return a.z < b.z; });
  const double h[] = { p[0].z - level, p[1].z - level, p[2].z - level };
  if (h[0] >= 0)
    return 0;
  if (h[2] <= 0)
    return area * (h[0] + h[1] + h[2]) / 3;
  if (h[1] >= 0) // one corner is below
    return area * (h[0] / (h[0] - h[1])) * (h[0] / (h[0] - h[2])) * h[0] / 3;
  const double above = (h[2] / (h[2] - h[0])) * (h[2] / (h[2] - h[1])) * h[2];
  return area * (h[0] + h[1] + h[2] - above) / 3;
}

void measure(const BodySurface& body, const BodyFillParameters& parameters, BodyReport& report)
{
  double toLevel = 0;
  // Not far above the body, where its own heights would have no digits left.
  const double level =
    parameters.level ? std::min(*parameters.level - body.origin.z, body.box.upper.z) : 0;
  const Vec3d about = body.points.front(); // near, so that small bodies keep their digits
  for (const auto* triangles : { &body.triangles, &body.fans })
  {
    for (const TriangleCorners& t : *triangles)
    {
      const Vec3d &a = body.points[t[0]], &b = body.points[t[1]], &c = body.points[t[2]];
      const Vec3d normal = areaVector(a, b, c);
      report.meshVolume += dot(normal, a - about) / 6;
      report.area += triangles == &body.triangles ? 0.5 * length(normal) : 0;
      if (parameters.level)
        toLevel += volumeBelow(level, { a, b, c });
    }
  }
  if (parameters.level)
    report.volumeToLevel = toLevel;
}

void refuseLeak(const BodyFillParameters& parameters, const BodyReport& report, double largest,
  const Vec3d& where)
{
  if (!(report.leakArea > parameters.largestLeak * report.area))
    return;
  throw InvalidInput(
    "body \"" + report.name + "\" is open: its holes have " + rounded(report.leakArea) + " m^2, " +
    rounded(100 * report.leakArea / report.area) + " % of its area of " + rounded(report.area) +
    " m^2, the largest " + rounded(largest) + " m^2 around " + place(where) + "; at most " +
    rounded(100 * parameters.largestLeak) +
    " % may be open: close them (Fill Holes), or merge points that should coincide (Clean)");
}

} // namespace

BodySurface prepareBody(const Body& body, const BodyFillParameters& parameters, BodyReport& report)
{
  if (body.surface.triangles.empty())
  {
    throw InvalidInput(
      "body \"" + report.name + "\" has no triangles; give a closed surface of triangles");
  }
  requirePlaces(body.surface, report.name);
  const Surface surface = repairSurface(body.surface).surface;
  if (surface.triangles.empty())
    refuseWithoutVolume(report.name);

  BodySurface result;
  takePoints(surface, result);
  std::vector<TriangleCorners> triangles(surface.triangleCount());
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (int k = 0; k < 3; ++k)
      triangles[t][k] = static_cast<std::uint32_t>(surface.triangles[3 * t + k]);
  const SurfaceParts parts = findParts(result.points.size(), triangles);
  const PartTurning turning = turnParts(result.points, triangles, parts);
  if (!turning.hasVolume)
    refuseWithoutVolume(report.name);
  report.parts = parts.partCount;
  report.boundaryEdges = parts.boundaryEdges;
  report.nonManifoldEdges = parts.nonManifoldEdges;
  report.cavities = turning.cavities;
  report.sheets = turning.sheets;

  double largest = 0;
  const Vec3d where =
    closeHoles(boundaryOf(triangles, parts, turning.sign), result, largest, report);
  for (std::size_t t = 0; t < triangles.size(); ++t)
  {
    const TriangleCorners& c = triangles[t];
    if (turning.sign[t] != 0)
      result.triangles.push_back(turning.sign[t] > 0 ? c : TriangleCorners{ c[0], c[2], c[1] });
  }
  for (const TriangleCorners& t : result.triangles)
    for (const std::uint32_t p : t)
      result.box += result.points[p];
  for (const TriangleCorners& t : result.fans)
    for (const std::uint32_t p : t)
      result.fanBox += result.points[p];
  result.box += result.fanBox;
  measure(result, parameters, report);
  refuseLeak(parameters, report, largest, where + result.origin);
  if (!(report.meshVolume > 1e-9 * std::pow(report.area, 1.5))) // what rounding leaves of zero
    refuseWithoutVolume(report.name);

  return result;
}

} // namespace lapilli
