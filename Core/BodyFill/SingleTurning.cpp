#include "BodyFill/SingleTurning.h"

#include "Math/TriangleMeasures.h"
#include "Parallel/HostLoop.h"

#include <cmath>

namespace lapilli
{
namespace
{

using Number = std::uint32_t;

/// Rays to either side of a triangle that is turned by itself, and how many more of them must leave the body on its front
/// than on its back. A sheet beside others sees them on both sides.
constexpr int kRays = 13, kClear = 5;

/// Spread evenly over half of all directions, on a spiral with the golden angle, and oblique to the axes: rays along the
/// edges of boxes hit or miss by rounding.
std::vector<Vec3d> directionsOfRays()
{
  std::vector<Vec3d> rays;
  for (int i = 0; i < kRays; ++i)
  {
    const double z = (i + 0.43) / kRays, r = std::sqrt(1 - z * z),
                 turn = 2.399963229728653 * i + 0.3;
    rays.push_back({ r * std::cos(turn), r * std::sin(turn), z });
  }
  return rays;
}

/// What rays have told wrongly, between sheets and beside holes: each triangle in turn gets that of the signs 1, -1 and 0
/// with which least of its edges is open, until none changes.
void smooth(const std::vector<Vec3d>& points, const std::vector<TriangleCorners>& triangles,
  const SurfaceParts& parts, const std::vector<Number>& single, std::vector<std::int8_t>& signs)
{
  std::vector<std::int32_t> net(parts.triangles.size(), 0);
  for (Number h = 0; h < parts.edge.size(); ++h)
    net[parts.edge[h]] += signs[h / 3] * senseOf(triangles, h);
  constexpr int kPasses = 20;
  bool hasChanged = true;
  for (int pass = 0; pass < kPasses && hasChanged; ++pass)
  {
    hasChanged = false;
    for (const Number t : single)
    {
      const auto openWith = [&](int sign)
      {
        double open = 0; // [m]
        for (Number h = 3 * t; h < 3 * t + 3; ++h)
          open += std::abs(net[parts.edge[h]] + (sign - signs[t]) * senseOf(triangles, h)) *
                  lengthOf(parts.edge[h], points, triangles, parts);
        return open;
      };
      int best = signs[t];
      for (const int sign : { 0, 1, -1 })
        if (openWith(sign) < openWith(best) * (1 - 1e-12)) // by more than rounding
          best = sign;
      if (best == signs[t])
        continue;
      for (Number h = 3 * t; h < 3 * t + 3; ++h)
        net[parts.edge[h]] += (best - signs[t]) * senseOf(triangles, h);
      signs[t] = static_cast<std::int8_t>(best);
      hasChanged = true;
    }
  }
}

} // namespace

void turnSingleTriangles(const std::vector<Vec3d>& points,
  const std::vector<TriangleCorners>& triangles, const SurfaceParts& parts,
  const std::vector<std::uint32_t>& single, std::vector<std::int8_t>& sign)
{
  const TriangleTree tree(points, triangles);
  const std::vector<Vec3d> rays = directionsOfRays();
  forEachOnHost(single.size(), 64,
    [&](std::size_t i)
    {
      const Number t = single[i];
      const TriangleCorners& c = triangles[t];
      const Vec3d front = normalized(areaVector(points[c[0]], points[c[1]], points[c[2]]));
      const Vec3d middle = 1.0 / 3 * (points[c[0]] + points[c[1]] + points[c[2]]);
      int odd[2] = { 0, 0 }; // of the rays from the front, from the back
      for (const Vec3d& direction : rays)
      {
        const bool isFront = dot(direction, front) > 0;
        odd[isFront ? 0 : 1] += tree.crossings(middle, direction, t) % 2;
        odd[isFront ? 1 : 0] += tree.crossings(middle, -direction, t) % 2;
      }
      const int difference = odd[1] - odd[0];
      sign[t] = difference >= kClear ? 1 : difference <= -kClear ? -1 : 0;
    });
  smooth(points, triangles, parts, single, sign);
}

} // namespace lapilli
