/// @file
/// What formulas need to be written once for a number and for many lanes of them (Math/Lanes.h): a
/// choice without a branch, and functions found by the type of their arguments.
///
///   const Real share = select(load > 0, Real(1), Real(0));
#pragma once

#include "Parallel/HostDevice.h"

#include <cmath>
#include <utility>

namespace lapilli
{

/// What a comparison of two Reals gives: bool, or a truth for each lane.
template <class Real>
using TruthOf = decltype(std::declval<Real>() < std::declval<Real>());

template <class T>
HOST_DEVICE T select(bool condition, const T& ifTrue, const T& ifFalse)
{
  return condition ? ifTrue : ifFalse;
}
/// Whether it is true in any lane.
HOST_DEVICE inline bool any(bool condition)
{
  return condition;
}

HOST_DEVICE inline float reciprocal(float v)
{
  return 1 / v;
}
HOST_DEVICE inline float inverseSquareRoot(float v)
{
  return 1 / std::sqrt(v);
}
/// sqrt(v) for normal numbers above 0; in lanes as inverseSquareRoot().
HOST_DEVICE inline float positiveRoot(float v)
{
  return std::sqrt(v);
}
HOST_DEVICE inline float squareRoot(float v)
{
  return std::sqrt(v);
}
HOST_DEVICE inline double squareRoot(double v)
{
  return std::sqrt(v);
}
HOST_DEVICE inline float cubeRoot(float v)
{
  return std::cbrt(v);
}
HOST_DEVICE inline double roundedToWhole(double v)
{
  return std::rint(v);
}
/// a b + c; where lanes are a vector's, rounded once.
HOST_DEVICE inline float timesPlus(float a, float b, float c)
{
  return a * b + c;
}
HOST_DEVICE inline double timesPlus(double a, double b, double c)
{
  return a * b + c;
}
template <class T>
HOST_DEVICE T smaller(const T& a, const T& b)
{
  return select(a < b, a, b);
}
template <class T>
HOST_DEVICE T larger(const T& a, const T& b)
{
  return select(b < a, a, b);
}

} // namespace lapilli
