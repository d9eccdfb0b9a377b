// The magma chamber of Tambora, as it comes: LAPILLI_SHARED_DATA names the folder of the file, without it the case skips.
#include "BodyFill.h"
#include "Compare.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

using namespace lapilli;

namespace
{

/// Of a binary STL file that is packed with gzip; points are not shared there.
Surface readStl(const std::string& path)
{
  Surface surface;
  FILE* pipe = popen(("gzip -dc '" + path + "'").c_str(), "r");
  std::vector<char> bytes(84);
  if (!pipe || std::fread(bytes.data(), 1, 84, pipe) != 84)
    return surface;
  std::uint32_t count = 0;
  std::memcpy(&count, &bytes[80], 4);
  bytes.resize(50 * std::size_t(count));
  bytes.resize(std::fread(bytes.data(), 1, bytes.size(), pipe));
  pclose(pipe);
  for (std::size_t t = 0; 50 * t + 50 <= bytes.size(); ++t)
  {
    float values[12]; // normal and three corners
    std::memcpy(values, &bytes[50 * t], sizeof(values));
    for (int k = 3; k < 12; ++k)
      surface.points.push_back(values[k]);
    for (int k = 0; k < 3; ++k)
      surface.triangles.push_back(static_cast<std::int64_t>(surface.triangles.size()));
  }
  return surface;
}

} // namespace

TEST(BodyFillTambora, TheChamberIsFilled)
{
  const char* folder = std::getenv("LAPILLI_SHARED_DATA");
  const auto path = std::filesystem::path(folder ? folder : "") / "tambora_chamber_utm50s.stl.gz";
  if (!folder || !std::filesystem::exists(path))
    GTEST_SKIP() << "set LAPILLI_SHARED_DATA to the folder with this file to run the case";
  const Surface surface = readStl(path.string());
  ASSERT_EQ(surface.triangleCount(), 64854u);
  BodyFillParameters parameters;
  parameters.spacing = 200;
  const BodyFill fill = fillBodies({ { surface, "chamber" } }, parameters);
  const BodyReport& report = fill.reports[0];
  EXPECT_EQ(report.parts, 1);
  EXPECT_EQ(report.boundaryEdges + report.nonManifoldEdges, 0);
  EXPECT_EQ(report.leakArea, 0);
  // 5694 km^3. A million places, of which some 70,000 at the surface fall to one side by chance: 4 standard deviations.
  EXPECT_NEAR(report.meshVolume, 5.694e12, 0.001e12);
  EXPECT_NEAR(report.volume / report.meshVolume, 1, 1.1e-3);
  test::verify("Tambora's chamber, filled at 200 m: km3 of its lattice cells",
    test::shown(report.meshVolume / 1e9, 6) + " +/- 0.11 %", test::shown(report.volume / 1e9, 6),
    "divergence theorem over its triangles");
}
