// The comparisons that all tests of laws use must be able to fail, on both sides.
#include "Compare.h"

#include <limits>

using namespace lapilli;
using namespace lapilli::test;

TEST(Comparison, AgreesWithinTheToleranceOnly)
{
  EXPECT_TRUE(agrees(1.0009, 1.0, 1e-3));
  EXPECT_TRUE(agrees(0.9991, 1.0, 1e-3));
  EXPECT_FALSE(agrees(1.0011, 1.0, 1e-3));
  EXPECT_FALSE(agrees(0.9989, 1.0, 1e-3));
  EXPECT_FALSE(agrees(-1.0, 1.0, 1e-3));
  EXPECT_TRUE(agrees(-1.0, -1.0, 1e-12));
}

TEST(Comparison, FailsForWhatIsNotANumberOrHasNoScale)
{
  EXPECT_FALSE(agrees(std::numeric_limits<double>::quiet_NaN(), 1.0, 1e-3));
  EXPECT_FALSE(agrees(1.0, std::numeric_limits<double>::quiet_NaN(), 1e-3));
  EXPECT_FALSE(agrees(std::numeric_limits<double>::infinity(), 1.0, 1e-3));
  EXPECT_FALSE(agrees(0.0, 0.0, 1e-3)); // relative to zero means nothing
}

TEST(Comparison, OfVectorsSeesEveryComponent)
{
  const Vec3d one{ 1, 1, 1 };
  EXPECT_TRUE(agrees(one, one, 1e-12, 1.0));
  EXPECT_FALSE(agrees(Vec3d{ 1.01, 1, 1 }, one, 1e-3, 1.0));
  EXPECT_FALSE(agrees(Vec3d{ 1, 0.99, 1 }, one, 1e-3, 1.0));
  EXPECT_FALSE(agrees(Vec3d{ 1, 1, 1.01 }, one, 1e-3, 1.0));
  EXPECT_FALSE(agrees(Vec3d{ 1, 1, std::nan("") }, one, 1e-3, 1.0));
}
