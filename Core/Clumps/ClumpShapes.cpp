#include "ClumpShapes.h"

#include "Clumps/ClumpBody.h"
#include "Error.h"

#include <cmath>

namespace lapilli
{
namespace
{

void add(ClumpShape& shape, double x, double y, double z, double radius)
{
  shape.centers.insert(shape.centers.end(), { x, y, z });
  shape.radii.push_back(radius);
}

ClumpShape disc()
{
  const double sixth = std::acos(-1.0) / 3;
  ClumpShape shape;
  add(shape, 0, 0, 0, 1);
  for (int ring = 1; ring <= 2; ++ring)
    for (int i = 0; i < 6 * ring; ++i)
      add(shape, ring * std::cos(sixth * i / ring), ring * std::sin(sixth * i / ring), 0, 1);
  return shape;
}

ClumpShape bar()
{
  ClumpShape shape;
  for (int i = -2; i <= 2; ++i)
    add(shape, 1.5 * i, 0, 0, 1);
  return shape;
}

/// Of edge 2: every sphere touches the faces it is next to.
ClumpShape cube()
{
  const double edge = 0.5, corner = 0.58;
  ClumpShape shape;
  for (int x = -1; x <= 1; ++x)
    for (int y = -1; y <= 1; ++y)
      for (int z = -1; z <= 1; ++z)
      {
        const int away = std::abs(x) + std::abs(y) + std::abs(z);
        if (away == 1)
          continue; // the central sphere touches the middle of each face
        const double c = away == 0 ? 0 : away == 2 ? edge : corner;
        add(shape, c * x, c * y, c * z, 1 - c);
      }
  return shape;
}

ClumpShape tetrapod()
{
  const double along[3] = { 1.0, 1.9, 2.7 }, radius[3] = { 0.85, 0.75, 0.65 };
  const int arms[4][3] = { { 1, 1, 1 }, { 1, -1, -1 }, { -1, 1, -1 }, { -1, -1, 1 } };
  ClumpShape shape;
  add(shape, 0, 0, 0, 1);
  for (const auto& arm : arms)
    for (int i = 0; i < 3; ++i)
    {
      const double s = along[i] / std::sqrt(3.0);
      add(shape, s * arm[0], s * arm[1], s * arm[2], radius[i]);
    }
  return shape;
}

struct Known
{
  const char* name;
  ClumpShape (*make)();
};
const Known known[] = { { "disc", disc }, { "bar", bar }, { "cube", cube },
  { "tetrapod", tetrapod } };

} // namespace

std::vector<std::string> standardShapeNames()
{
  std::vector<std::string> names;
  for (const Known& k : known)
    names.push_back(k.name);
  return names;
}

ClumpShape standardShape(const std::string& name)
{
  std::string names;
  for (const Known& k : known)
  {
    if (name == k.name)
    {
      ClumpShape shape = k.make();
      shape.name = name;
      return shape;
    }
    names += (names.empty() ? "" : ", ") + std::string(k.name);
  }
  throw InvalidInput("the shape is '" + name + "'; it must be one of " + names);
}

double boundingRadiusOf(const ClumpShape& shape)
{
  return makeClumpBody(shape).boundingRadius;
}

} // namespace lapilli
