#include "Clumps/ClumpBody.h"

#include "Error.h"
#include "Particles/Refuse.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace lapilli
{
namespace
{

const double pi = std::acos(-1.0);

using Matrix = std::array<std::array<double, 3>, 3>;

struct Ball
{
  Vec3d center;
  double radius;
};

void check(const ClumpShape& shape)
{
  const std::string name = "shape '" + shape.name + "'";
  const std::size_t count = shape.radii.size();
  if (count == 0 && shape.centers.empty())
    throw InvalidInput(name + " has no spheres; it must have 1 to 1000");
  if (shape.centers.size() != 3 * count)
    throw InvalidInput(name + " has " + std::to_string(count) + " radii and " +
                       std::to_string(shape.centers.size()) +
                       " numbers for centers; it must have three of these for each radius");
  if (count > 1000)
    throw InvalidInput(name + " has " + std::to_string(count) + " spheres; it must have 1 to 1000");
  for (std::size_t i = 0; i < count; ++i)
  {
    const std::string sphere = "sphere " + std::to_string(i) + " of " + name;
    if (!(shape.radii[i] > 0) || !std::isfinite(shape.radii[i]))
      throw InvalidInput(
        sphere + " has a radius of " + number(shape.radii[i]) + "; it must be finite and above 0");
    const double* c = &shape.centers[3 * i];
    if (!std::isfinite(c[0]) || !std::isfinite(c[1]) || !std::isfinite(c[2]))
      throw InvalidInput(sphere + " has its center at (" + number(c[0]) + ", " + number(c[1]) +
                         ", " + number(c[2]) + "); it must be finite");
  }
}

struct Moments
{
  double volume = 0;
  Vec3d first;  ///< integral of position
  Vec3d square; ///< of x x, y y, z z
  Vec3d mixed;  ///< of y z, x z, x y
};

/// Width of the columns. The sum over a lattice of columns misses a ball's volume by about
/// 0.3 (width / radius)^2 of it; all balls together shall stay below 2e-5.
double columnWidth(const std::vector<Ball>& balls, double affordableColumns)
{
  double radii = 0, squares = 0, cubes = 0, smallest = balls[0].radius;
  for (const Ball& b : balls)
  {
    radii += b.radius;
    squares += b.radius * b.radius;
    cubes += b.radius * b.radius * b.radius;
    smallest = std::min(smallest, b.radius);
  }
  const double wanted = std::min(std::sqrt(2e-5 / 0.3 * cubes / radii), smallest / 30);
  const double affordable = std::sqrt(pi * squares / affordableColumns);
  return std::max(wanted, affordable);
}

/// Integrals over the union of overlapping balls: exact along z, where it is a union of intervals, and a sum over
/// columns in x and y.
Moments byColumns(const std::vector<Ball>& balls, double affordableColumns)
{
  const double h = columnWidth(balls, affordableColumns);
  const auto at = [h](double index) { return (index + 0.5) * h; };
  const auto firstAbove = [h](double x) { return std::ceil(x / h - 0.5); };

  // Indices are doubles: balls may lie further apart than an integer counts.
  std::vector<std::pair<double, std::size_t>> rows;
  for (std::size_t b = 0; b < balls.size(); ++b)
  {
    const double y = balls[b].center.y, r = balls[b].radius;
    const double begin = firstAbove(y - r);
    const int count = static_cast<int>(firstAbove(y + r) - begin);
    for (int k = 0; k < count; ++k)
      rows.emplace_back(begin + k, b);
  }
  std::sort(rows.begin(), rows.end());

  struct Interval
  {
    double column, lower, upper;
  };
  std::vector<Interval> intervals;
  Moments sum;
  for (std::size_t row = 0; row < rows.size();)
  {
    const double y = at(rows[row].first);
    intervals.clear();
    const double index = rows[row].first;
    for (; row < rows.size() && rows[row].first == index; ++row)
    {
      const Ball& b = balls[rows[row].second];
      const double dy = y - b.center.y;
      const double left = b.radius * b.radius - dy * dy;
      if (!(left > 0))
        continue;
      const double half = std::sqrt(left), begin = firstAbove(b.center.x - half);
      const int count = static_cast<int>(firstAbove(b.center.x + half) - begin);
      for (int k = 0; k < count; ++k)
      {
        const double dx = at(begin + k) - b.center.x;
        const double z = std::sqrt(std::max(0.0, left - dx * dx));
        intervals.push_back({ begin + k, b.center.z - z, b.center.z + z });
      }
    }
    std::sort(intervals.begin(), intervals.end(),
      [](const Interval& a, const Interval& b)
      { return a.column != b.column ? a.column < b.column : a.lower < b.lower; });
    for (std::size_t i = 0; i < intervals.size();)
    {
      Interval merged = intervals[i++];
      while (i < intervals.size() && intervals[i].column == merged.column &&
             intervals[i].lower <= merged.upper)
        merged.upper = std::max(merged.upper, intervals[i++].upper);
      const double x = at(merged.column);
      // About the interval's middle, where no digits cancel.
      const double l = merged.upper - merged.lower, z = 0.5 * (merged.upper + merged.lower);
      sum.volume += l;
      sum.first += l * Vec3d{ x, y, z };
      sum.square += l * Vec3d{ x * x, y * y, z * z + l * l / 12 };
      sum.mixed += l * Vec3d{ y * z, x * z, x * y };
    }
  }
  const double area = h * h;
  sum.volume *= area;
  sum.first *= area;
  sum.square *= area;
  sum.mixed *= area;
  return sum;
}

/// The balls in groups that do not touch one another.
std::vector<std::vector<Ball>> apart(const std::vector<Ball>& balls)
{
  std::vector<std::vector<Ball>> groups;
  std::vector<bool> taken(balls.size(), false);
  for (std::size_t first = 0; first < balls.size(); ++first)
  {
    if (taken[first])
      continue;
    taken[first] = true;
    std::vector<Ball> group{ balls[first] };
    for (std::size_t i = 0; i < group.size(); ++i)
      for (std::size_t j = 0; j < balls.size(); ++j)
        if (!taken[j] &&
            length(balls[j].center - group[i].center) < balls[j].radius + group[i].radius)
        {
          taken[j] = true;
          group.push_back(balls[j]);
        }
    groups.push_back(std::move(group));
  }
  return groups;
}

/// Integrals over the union. Groups apart are summed, each with columns of its own width: a speck
/// far from the rest has little volume and yet much of the moments.
Moments integrate(const std::vector<Ball>& balls)
{
  Moments sum;
  for (const std::vector<Ball>& group : apart(balls))
  {
    Moments part;
    if (group.size() == 1)
    {
      const Vec3d c = group[0].center;
      const double r = group[0].radius, own = r * r / 5;
      part.volume = 4.0 / 3 * pi * r * r * r;
      part.first = part.volume * c;
      part.square = part.volume * Vec3d{ c.x * c.x + own, c.y * c.y + own, c.z * c.z + own };
      part.mixed = part.volume * Vec3d{ c.y * c.z, c.x * c.z, c.x * c.y };
    }
    else
      part = byColumns(group, 6e6 * group.size() / balls.size());
    sum.volume += part.volume;
    sum.first += part.first;
    sum.square += part.square;
    sum.mixed += part.mixed;
  }
  return sum;
}

/// Eigenvalues of a symmetric matrix on its diagonal, eigenvectors in the columns of `vectors`, which
/// stay right-handed and, for a diagonal matrix, the axes themselves.
void jacobi(Matrix& m, Matrix& vectors)
{
  vectors = { { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } };
  const double size = std::abs(m[0][0]) + std::abs(m[1][1]) + std::abs(m[2][2]);
  for (int sweep = 0; sweep < 50; ++sweep)
  {
    if (std::abs(m[0][1]) + std::abs(m[0][2]) + std::abs(m[1][2]) <= 1e-16 * size)
      break;
    for (int p = 0; p < 2; ++p)
      for (int q = p + 1; q < 3; ++q)
      {
        if (m[p][q] == 0)
          continue;
        const double theta = (m[q][q] - m[p][p]) / (2 * m[p][q]);
        const double t = (theta < 0 ? -1 : 1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
        const double c = 1 / std::sqrt(t * t + 1), s = t * c;
        for (int k = 0; k < 3; ++k)
        {
          const double a = m[k][p], b = m[k][q];
          m[k][p] = c * a - s * b;
          m[k][q] = s * a + c * b;
        }
        for (int k = 0; k < 3; ++k)
        {
          const double a = m[p][k], b = m[q][k];
          m[p][k] = c * a - s * b;
          m[q][k] = s * a + c * b;
        }
        for (int k = 0; k < 3; ++k)
        {
          const double a = vectors[k][p], b = vectors[k][q];
          vectors[k][p] = c * a - s * b;
          vectors[k][q] = s * a + c * b;
        }
      }
  }
}

struct Principal
{
  std::array<double, 3> moments;
  std::array<Vec3d, 3> axes; ///< right-handed
};

/// Where moments are equal but for the integration's error, the eigenvectors between them are that
/// error's: the axes nearest to the shape's own replace them.
Principal principal(Matrix tensor)
{
  Matrix vectors;
  jacobi(tensor, vectors);
  Principal result;
  for (int k = 0; k < 3; ++k)
  {
    result.moments[k] = tensor[k][k];
    result.axes[k] = normalized(Vec3d{ vectors[0][k], vectors[1][k], vectors[2][k] });
  }
  std::array<double, 3>& m = result.moments;
  const double greatest = std::max({ m[0], m[1], m[2] }), least = std::min({ m[0], m[1], m[2] });
  const double near = 1e-4 * greatest;
  if (greatest - least <= near)
  {
    m.fill((m[0] + m[1] + m[2]) / 3);
    result.axes = { Vec3d{ 1, 0, 0 }, Vec3d{ 0, 1, 0 }, Vec3d{ 0, 0, 1 } };
    return result;
  }
  for (int k = 0; k < 3; ++k)
  {
    const int a = (k + 1) % 3, b = (k + 2) % 3;
    if (std::abs(m[a] - m[b]) > near)
      continue;
    m[a] = m[b] = 0.5 * (m[a] + m[b]);
    // The third axis lies nearly along one of the shape's or between them: start from the axis
    // of the shape that is the most across it, in the place of `a` where it can be.
    const Vec3d& third = result.axes[k];
    const Vec3d own[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    int best = a;
    for (const int i : { b, k })
      if (std::abs(dot(own[i], third)) < std::abs(dot(own[best], third)) - 1e-3)
        best = i;
    result.axes[a] = normalized(own[best] - dot(own[best], third) * third);
    result.axes[b] = cross(third, result.axes[a]);
    break;
  }
  return result;
}

/// The rotation whose matrix has these rows: it takes a vector to its components along the axes.
Quatd toAxes(const std::array<Vec3d, 3>& row)
{
  const double xx = row[0].x, yy = row[1].y, zz = row[2].z;
  const double w = 1 + xx + yy + zz, x = 1 + xx - yy - zz, y = 1 - xx + yy - zz,
               z = 1 - xx - yy + zz;
  const double greatest = std::max({ w, x, y, z });
  const double yz = row[2].y - row[1].z, zx = row[0].z - row[2].x, xy = row[1].x - row[0].y;
  if (greatest == w)
    return normalised({ w, yz, zx, xy });
  if (greatest == x)
    return normalised({ yz, x, row[0].y + row[1].x, row[0].z + row[2].x });
  if (greatest == y)
    return normalised({ zx, row[0].y + row[1].x, y, row[1].z + row[2].y });
  return normalised({ xy, row[0].z + row[2].x, row[1].z + row[2].y, z });
}

/// A force of the normal n at the surface's point c + R n has the arm c x n.
double greatestMobility(const ClumpBody& body)
{
  const int directions = 500;
  const double golden = pi * (3 - std::sqrt(5.0));
  double greatest = 1;
  for (std::size_t i = 0; i < body.radii.size(); ++i)
    for (int k = 0; k < directions; ++k)
    {
      const double z = 1 - (2 * k + 1.0) / directions, rho = std::sqrt(1 - z * z);
      const Vec3d n{ rho * std::cos(golden * k), rho * std::sin(golden * k), z };
      const Vec3d arm = cross(body.centers[i], n);
      const double mobility = 1 + arm.x * arm.x / body.inertia.x + arm.y * arm.y / body.inertia.y +
                              arm.z * arm.z / body.inertia.z;
      if (mobility <= greatest)
        continue;
      const Vec3d point = body.centers[i] + body.radii[i] * n;
      bool inside = false;
      for (std::size_t j = 0; j < body.radii.size() && !inside; ++j)
        inside = j != i && length(point - body.centers[j]) < (1 - 1e-9) * body.radii[j];
      if (!inside)
        greatest = mobility;
    }
  return greatest;
}

} // namespace

ClumpBody makeClumpBody(const ClumpShape& shape)
{
  check(shape);

  // About the middle of the box around the spheres, in units of the largest radius: symmetric
  // shapes then lie symmetric on the columns, and no unit of length is too small or too large.
  const double unit = *std::max_element(shape.radii.begin(), shape.radii.end());
  Vec3d lower{ 1e300, 1e300, 1e300 }, upper = -lower;
  for (std::size_t i = 0; i < shape.count(); ++i)
  {
    const double *c = &shape.centers[3 * i], r = shape.radii[i];
    lower = { std::min(lower.x, c[0] - r), std::min(lower.y, c[1] - r),
      std::min(lower.z, c[2] - r) };
    upper = { std::max(upper.x, c[0] + r), std::max(upper.y, c[1] + r),
      std::max(upper.z, c[2] + r) };
  }
  const Vec3d middle = 0.5 * lower + 0.5 * upper;
  std::vector<Ball> balls;
  for (std::size_t i = 0; i < shape.count(); ++i)
  {
    const double* c = &shape.centers[3 * i];
    const Vec3d d{ c[0] - middle.x, c[1] - middle.y, c[2] - middle.z };
    balls.push_back({ { d.x / unit, d.y / unit, d.z / unit }, shape.radii[i] / unit });
  }

  const Moments sum = integrate(balls);
  const Vec3d mean = (1 / sum.volume) * sum.first;
  const Vec3d square =
    (1 / sum.volume) * sum.square - Vec3d{ mean.x * mean.x, mean.y * mean.y, mean.z * mean.z };
  const Vec3d mixed =
    (1 / sum.volume) * sum.mixed - Vec3d{ mean.y * mean.z, mean.x * mean.z, mean.x * mean.y };
  if (!(sum.volume > 0) || !(square.x > 0) || !(square.y > 0) || !(square.z > 0) ||
      !std::isfinite(square.x + square.y + square.z))
    throw InvalidInput(
      "shape '" + shape.name +
      "' has no volume that can be measured; its spheres must not be too small for the distances "
      "between them");

  const Principal axes = principal({ { { square.y + square.z, -mixed.z, -mixed.y },
    { -mixed.z, square.x + square.z, -mixed.x }, { -mixed.y, -mixed.x, square.x + square.y } } });
  const double scale = std::cbrt(4.0 / 3 * pi / sum.volume);

  ClumpBody body;
  body.scale = scale / unit;
  body.centerOfMass = middle + unit * mean;
  body.inertia = { scale * scale * axes.moments[0], scale * scale * axes.moments[1],
    scale * scale * axes.moments[2] };
  body.principalAxes = toAxes(axes.axes);
  body.smallestRadius = scale * balls[0].radius;
  for (const Ball& b : balls)
  {
    const Vec3d c = rotate(body.principalAxes, scale * (b.center - mean));
    const double r = scale * b.radius;
    body.centers.push_back(c);
    body.radii.push_back(r);
    body.boundingRadius = std::max(body.boundingRadius, length(c) + r);
    body.largestRadius = std::max(body.largestRadius, r);
    body.smallestRadius = std::min(body.smallestRadius, r);
  }
  body.greatestMobility = greatestMobility(body);
  return body;
}

} // namespace lapilli
