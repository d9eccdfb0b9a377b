// What a radius says of a sphere and of a disc.
#include "Particles/BodyForm.h"

#include "Compare.h"

using namespace lapilli;
using namespace lapilli::test;

TEST(BodyForm, MomentsOfInertiaObeyTheParallelAxisTheorem)
{
  constexpr double kMass = 3, kRadius = 0.7;
  for (const Dimensions dimensions : { Dimensions::Three, Dimensions::PlaneXZ })
  {
    const BodyForm form(dimensions);
    const double inertia = form.inertia(kMass, kRadius), moved = kMass * kRadius * kRadius;
    EXPECT_TRUE(agrees(inertia, (form.isDisc() ? 1.0 / 2 : 2.0 / 5) * moved, 1e-15));
    EXPECT_TRUE(agrees(1 / form.inverseInertia(1 / kMass, kRadius), inertia, 1e-15));
    EXPECT_TRUE(agrees(form.rollingInertia(kMass, kRadius), inertia + moved, 1e-7));
    // The contact point moves 1 / (1/m + r^2/I) of mass.
    EXPECT_TRUE(agrees(form.shearRatio().mass, inertia / (inertia + moved), 1e-7));
    EXPECT_TRUE(agrees(form.shearRatio().mobility, 1 + moved / inertia, 1e-7));
  }
}

TEST(BodyForm, SurfaceIsWhereTheVolumeGrows)
{
  constexpr double kRadius = 0.7, kStep = 1e-5;
  for (const Dimensions dimensions : { Dimensions::Three, Dimensions::PlaneYZ })
  {
    const BodyForm form(dimensions);
    const double growth =
      (form.volume(kRadius + kStep) - form.volume(kRadius - kStep)) / (2 * kStep);
    EXPECT_TRUE(agrees(form.surface(static_cast<float>(kRadius)), growth, 1e-6));
  }
  EXPECT_TRUE(agrees(BodyForm().volume(2), 32 * M_PI / 3, 1e-15));
  EXPECT_TRUE(agrees(BodyForm().crossSection(2), 4 * M_PI, 1e-15));
  EXPECT_EQ(BodyForm(Dimensions::PlaneXY).crossSection(2), 4);
}

TEST(BodyForm, HoldsTheAxisAcrossThePlane)
{
  const Vec3d v{ 1, 2, 3 };
  const auto is = [](const Vec3d& a, const Vec3d& b) { return squaredLength(a - b) == 0; };
  EXPECT_TRUE(is(BodyForm().inPlane(v), v) && is(BodyForm().aboutNormal(v), v));
  const BodyForm xy(Dimensions::PlaneXY), xz(Dimensions::PlaneXZ), yz(Dimensions::PlaneYZ);
  EXPECT_TRUE(is(xy.inPlane(v), { 1, 2, 0 }) && is(xy.aboutNormal(v), { 0, 0, 3 }));
  EXPECT_TRUE(is(xz.inPlane(v), { 1, 0, 3 }) && is(xz.aboutNormal(v), { 0, 2, 0 }));
  EXPECT_TRUE(is(yz.inPlane(v), { 0, 2, 3 }) && is(yz.aboutNormal(v), { 1, 0, 0 }));
}
