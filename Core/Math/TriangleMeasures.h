/// @file
/// Area, nearest point and solid angle of one triangle.
#pragma once

#include "Math/Vec.h"

namespace lapilli
{

/// Normal times twice the area.
inline Vec3d areaVector(const Vec3d& a, const Vec3d& b, const Vec3d& c)
{
  return cross(b - a, c - a);
}

/// Nearest point of a triangle: C. Ericson, Real-Time Collision Detection (2005), 5.1.5.
inline Vec3d nearestOnTriangle(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c)
{
  const Vec3d ab = b - a, ac = c - a, ap = p - a;
  const double d1 = dot(ab, ap), d2 = dot(ac, ap);
  if (d1 <= 0 && d2 <= 0)
    return a;
  const Vec3d bp = p - b;
  const double d3 = dot(ab, bp), d4 = dot(ac, bp);
  if (d3 >= 0 && d4 <= d3)
    return b;
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0)
    return a + d1 / (d1 - d3) * ab;
  const Vec3d cp = p - c;
  const double d5 = dot(ab, cp), d6 = dot(ac, cp);
  if (d6 >= 0 && d5 <= d6)
    return c;
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0)
    return a + d2 / (d2 - d6) * ac;
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0)
    return b + (d4 - d3) / ((d4 - d3) + (d5 - d6)) * (c - b);
  const double scale = 1 / (va + vb + vc);
  return a + vb * scale * ab + vc * scale * ac;
}

/// Solid angle of a triangle seen from q [sr], in (-2 pi, 2 pi): positive where its back is seen (it winds
/// clockwise), so that a closed surface with its fronts outward has 4 pi all around the inside; 0 in its plane.
/// A. van Oosterom, J. Strackee, IEEE Trans. Biomed. Eng. 30 (1983) 125-126, eq. 8.
inline double solidAngle(const Vec3d& q, const Vec3d& pa, const Vec3d& pb, const Vec3d& pc)
{
  const Vec3d a = pa - q, b = pb - q, c = pc - q;
  const double la = length(a), lb = length(b), lc = length(c);
  const double triple = dot(a, cross(b, c));
  const double scale = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
  return triple == 0 ? 0 : 2 * std::atan2(triple, scale);
}

} // namespace lapilli
