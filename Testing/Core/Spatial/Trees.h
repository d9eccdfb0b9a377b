/// @file
/// Trees of boxes for tests, and scenes that are hard on them.
#pragma once

#include "Math/Random.h"
#include "Spatial/LinearBvh.h"

#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace lapilli
{
namespace test
{

/// A tree with its boxes and threads.
struct Grove
{
  explicit Grove(
    const std::vector<FloatBox>& list, CurveAxes axes = CurveAxes::Auto, int threads = 1)
    : executor(threads)
    , scope(executor)
  {
    boxes.upload(list);
    tree.build(executor, boxes, axes);
  }

  cpu::Executor executor;
  cpu::Executor::ThreadScope scope;
  cpu::Buffer<FloatBox> boxes;
  cpu::LinearBvh tree;
};

struct TreeScene
{
  std::string name;
  std::vector<Sphere> spheres;
};

inline std::vector<Sphere> spheresAt(
  int count, const std::function<Sphere(RandomStream& random, int i)>& sphere)
{
  RandomStream random(3, RandomStream::Positions);
  std::vector<Sphere> spheres;
  for (int i = 0; i < count; ++i)
    spheres.push_back(sphere(random, i));
  return spheres;
}

/// About a thousand spheres each, of which some overlap.
inline std::vector<TreeScene> hardScenes()
{
  const auto within = [](RandomStream& random, double x, double y, double z)
  {
    const double a = random.uniform(-x, x), b = random.uniform(-y, y);
    return Vec3d{ a, b, random.uniform(-z, z) };
  };
  return {
    { "cube", spheresAt(1000,
                [&](RandomStream& random, int) {
                  return Sphere{ within(random, 9, 9, 9), 1 };
                }) },
    { "mixed radii", spheresAt(1000,
                       [&](RandomStream& random, int)
                       {
                         const Vec3d place = within(random, 20, 20, 20);
                         return Sphere{ place, std::pow(10, random.uniform(-1, 1)) };
                       }) },
    { "far from the origin",
      spheresAt(1000,
        [&](RandomStream& random, int) {
          return Sphere{ Vec3d{ 2e4, -3e4, 1e3 } + within(random, 9, 9, 9), 1 };
        }) },
    { "flat, in z", spheresAt(1000,
                      [&](RandomStream& random, int) {
                        return Sphere{ within(random, 30, 30, 0), random.uniform(0.1, 1) };
                      }) },
    { "very flat, in x", spheresAt(3000,
                           [&](RandomStream& random, int) {
                             return Sphere{ within(random, 0, 300, 300), 0.28 };
                           }) },
    { "line", spheresAt(1000,
                [&](RandomStream& random, int) {
                  return Sphere{ within(random, 0, 500, 0), 0.5 };
                }) },
    { "points in a line", spheresAt(1000,
                            [](RandomStream&, int i) {
                              return Sphere{ Vec3d{ double(i / 2), 0, 0 }, 0 };
                            }) },
    { "one far outlier",
      spheresAt(1000,
        [&](RandomStream& random, int i) {
          return Sphere{ i == 500 ? Vec3d{ 1e12, 0, 0 } : within(random, 9, 9, 9), 1 };
        }) },
    { "coincident", std::vector<Sphere>(200, { Vec3d{ 5, 6, 7 }, 1 }) },
    { "huge", spheresAt(100,
                [&](RandomStream& random, int) {
                  return Sphere{ within(random, 3e38, 3e38, 3e38), 2e37 };
                }) },
    { "tiny", spheresAt(100,
                [&](RandomStream& random, int) {
                  return Sphere{ within(random, 1e-40, 1e-40, 1e-40), 1e-41 };
                }) },
  };
}

inline std::vector<FloatBox> boxesOf(const std::vector<Sphere>& spheres)
{
  std::vector<FloatBox> boxes;
  for (const Sphere& sphere : spheres)
    boxes.push_back(outwardBox(sphere));
  return boxes;
}

} // namespace test
} // namespace lapilli
