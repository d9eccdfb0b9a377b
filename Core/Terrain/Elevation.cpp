#include "Elevation.h"

#include "Math/TriangleMeasures.h"
#include "Terrain/ColumnGrid.h"
#include "Terrain/SurfaceMesh.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace lapilli
{
namespace
{

/// Horizontal coordinates are kept relative to a corner near the surface; heights as they are.
Vec3d originOf(const Surface& surface)
{
  double x = std::numeric_limits<double>::max(), y = x;
  for (std::size_t p = 0; p < surface.pointCount(); ++p)
  {
    x = std::min(x, surface.points[3 * p]);
    y = std::min(y, surface.points[3 * p + 1]);
  }
  const auto kilometres = [](double v) { return 1000 * std::floor(v / 1000); };
  return surface.pointCount() == 0 || !std::isfinite(x) || !std::isfinite(y)
           ? Vec3d{}
           : Vec3d{ kilometres(x), kilometres(y), 0 };
}

/// The mesh passes over triangles without area; so must the numbers that hits carry.
std::vector<std::int64_t> trianglesWithArea(const Surface& surface, const Vec3d& origin)
{
  const auto point = [&](std::int64_t p)
  {
    return Vec3d{ surface.points[3 * p], surface.points[3 * p + 1], surface.points[3 * p + 2] } -
           origin;
  };
  std::vector<std::int64_t> kept;
  kept.reserve(surface.triangleCount());
  for (std::size_t t = 0; t < surface.triangleCount(); ++t)
  {
    const Vec3d a = point(surface.triangles[3 * t]);
    const Vec3d b = point(surface.triangles[3 * t + 1]);
    const Vec3d c = point(surface.triangles[3 * t + 2]);
    if (squaredLength(normalized(cross(b - a, c - a))) != 0)
    {
      kept.push_back(static_cast<std::int64_t>(t));
    }
  }
  return kept;
}

/// Twice the signed area of (a, b, p) on the map. Computed from the lower point number, so that
/// the two triangles of an edge get the same number with opposite sign: no place falls between.
double side(const SurfaceMeshView& mesh, std::int32_t a, std::int32_t b, double x, double y)
{
  const bool swap = a > b;
  const Vec3d& p = mesh.points[swap ? b : a];
  const Vec3d& q = mesh.points[swap ? a : b];
  const double area = (q.x - p.x) * (y - p.y) - (q.y - p.y) * (x - p.x);
  return swap ? -area : area;
}

/// Height of a triangle over (x, y); false beside it and for vertical triangles.
bool heightOver(
  const SurfaceMeshView& mesh, const MeshTriangle& triangle, double x, double y, double& z)
{
  const std::int32_t* c = triangle.corner;
  double w[3];
  for (int k = 0; k < 3; ++k)
  {
    w[k] = side(mesh, c[(k + 1) % 3], c[(k + 2) % 3], x, y);
  }
  const double area = w[0] + w[1] + w[2];
  const bool inside =
    area > 0 ? w[0] >= 0 && w[1] >= 0 && w[2] >= 0 : w[0] <= 0 && w[1] <= 0 && w[2] <= 0;
  if (area == 0 || !inside)
  {
    return false;
  }
  const double z0 = mesh.points[c[0]].z, z1 = mesh.points[c[1]].z, z2 = mesh.points[c[2]].z;
  z = z0 + (w[1] * (z1 - z0) + w[2] * (z2 - z0)) / area;
  z = std::clamp(z, std::min({ z0, z1, z2 }), std::max({ z0, z1, z2 }));
  return true;
}

Vec3d upwardNormal(const SurfaceMeshView& mesh, const MeshTriangle& triangle)
{
  const Vec3d& a = mesh.points[triangle.corner[0]];
  const Vec3d normal =
    normalized(cross(mesh.points[triangle.corner[1]] - a, mesh.points[triangle.corner[2]] - a));
  return normal.z < 0 ? -normal : normal;
}

/// A sphere comes down along the vertical through (x, y): the height of its centre when it touches
/// a triangle, feature by feature, as a ball-nosed milling cutter is dropped on a part.
/// Chuang, Chen, Yau, Int. J. Adv. Manuf. Technol. 20 (2002) 18-24.
/// Each is the height at one point of the triangle, so the highest of all is where it rests.
struct DroppedSphere
{
  double x, y;                                         ///< [m]
  double radius;                                       ///< [m]
  double z = -std::numeric_limits<double>::infinity(); ///< [m], highest so far

  void onPoint(const Vec3d& p)
  {
    const double dx = x - p.x, dy = y - p.y;
    const double square = radius * radius - dx * dx - dy * dy;
    if (square >= 0)
    {
      z = std::max(z, p.z + std::sqrt(square));
    }
  }

  void onEdge(const Vec3d& a, const Vec3d& b)
  {
    const Vec3d along = b - a;
    const double length = lapilli::length(along);
    const Vec3d u = 1 / length * along;
    // |w|^2 - (w . u)^2 = r^2 for w = (dx, dy, h), quadratic in h.
    const double dx = x - a.x, dy = y - a.y;
    const double s = dx * u.x + dy * u.y;
    const double flat = u.x * u.x + u.y * u.y;
    if (flat < 1e-12) // vertical: its upper end decides
    {
      return;
    }
    const double c = dx * dx + dy * dy - s * s - radius * radius;
    const double square = s * s * u.z * u.z - flat * c;
    if (square < 0)
    {
      return;
    }
    const double h = (s * u.z + std::sqrt(square)) / flat;
    const double t = s + h * u.z;
    if (t > 0 && t < length)
    {
      z = std::max(z, a.z + h);
    }
  }

  void onFace(const SurfaceMeshView& mesh, const MeshTriangle& triangle)
  {
    const Vec3d normal = upwardNormal(mesh, triangle);
    double height = 0;
    if (heightOver(mesh, triangle, x - radius * normal.x, y - radius * normal.y, height))
    {
      z = std::max(z, height + radius * normal.z);
    }
  }
};

} // namespace

struct Elevation::Private
{
  Vec3d origin;
  SurfaceMesh mesh;
  ColumnGrid columns;
  std::vector<std::int64_t> triangle; ///< number in the surface of each triangle of the mesh

  explicit Private(const Surface& surface)
    : origin(originOf(surface))
    , mesh(buildSurfaceMesh({ surface }, origin))
    , columns(mesh)
    , triangle(trianglesWithArea(surface, origin))
  {
  }

  /// The hit among those that `accept(z)` for which `better(z, best)`.
  template <class Accept, class Better>
  std::optional<Hit> find(double x, double y, const Accept& accept, const Better& better) const
  {
    const SurfaceMeshView view = mesh.view();
    std::optional<Hit> best;
    columns.view().forEachNear(x - origin.x, y - origin.y, 0,
      [&](std::int32_t t)
      {
        double z = 0;
        if (heightOver(view, view.triangles[t], x - origin.x, y - origin.y, z) && accept(z) &&
            (!best || better(z, best->z)))
        {
          best = Hit{ z, t, {} };
        }
      });
    if (best)
    {
      const Vec3d normal = upwardNormal(view, view.triangles[best->triangle]);
      best->normal = { normal.x, normal.y, normal.z };
      best->triangle = triangle[best->triangle];
    }
    return best;
  }
};

Elevation::Elevation(const Surface& surface)
  : private_(std::make_unique<const Private>(surface))
{
}

Elevation::~Elevation() = default;
Elevation::Elevation(Elevation&&) noexcept = default;
Elevation& Elevation::operator=(Elevation&&) noexcept = default;

std::optional<Elevation::Hit> Elevation::highest(double x, double y) const
{
  return private_->find(
    x, y, [](double) { return true; }, [](double z, double best) { return z > best; });
}

std::optional<Elevation::Hit> Elevation::highestBelow(double x, double y, double z) const
{
  return private_->find(
    x, y, [z](double hit) { return hit <= z; }, [](double hit, double best) { return hit > best; });
}

std::optional<Elevation::Hit> Elevation::lowestAbove(double x, double y, double z) const
{
  return private_->find(
    x, y, [z](double hit) { return hit >= z; }, [](double hit, double best) { return hit < best; });
}

std::optional<double> Elevation::restingHeight(double x, double y, double radius) const
{
  const std::optional<Hit> ground = highest(x, y);
  if (!ground)
  {
    return std::nullopt;
  }
  const SurfaceMeshView mesh = private_->mesh.view();
  DroppedSphere sphere{ x - private_->origin.x, y - private_->origin.y, radius };
  private_->columns.view().forEachNear(sphere.x, sphere.y, radius,
    [&](std::int32_t t)
    {
      const MeshTriangle& triangle = mesh.triangles[t];
      sphere.onFace(mesh, triangle);
      for (int k = 0; k < 3; ++k)
      {
        const Vec3d& corner = mesh.points[triangle.corner[k]];
        sphere.onPoint(corner);
        sphere.onEdge(corner, mesh.points[triangle.corner[(k + 1) % 3]]);
      }
    });
  // On walls so steep that rounding leaves no feature to touch it stands on the ground under its centre.
  return std::isfinite(sphere.z) ? sphere.z : ground->z + radius;
}

double Elevation::distance(const std::array<double, 3>& position, double reach) const
{
  const SurfaceMeshView mesh = private_->mesh.view();
  const Vec3d p = Vec3d{ position[0], position[1], position[2] } - private_->origin;
  double square = reach * reach;
  private_->columns.view().forEachNear(p.x, p.y, reach,
    [&](std::int32_t t)
    {
      const std::int32_t* c = mesh.triangles[t].corner;
      const Vec3d nearest =
        nearestOnTriangle(p, mesh.points[c[0]], mesh.points[c[1]], mesh.points[c[2]]);
      square = std::min(square, squaredLength(p - nearest));
    });
  return std::sqrt(square);
}

} // namespace lapilli
