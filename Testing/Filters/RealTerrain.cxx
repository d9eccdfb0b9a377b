/// Terrain Surface on real maps that are not part of the project: LAPILLI_SHARED_DATA names their folder,
/// without it these cases skip. (The GDAL reader itself is tested from pvpython.)
#include "Pipelines.h"

#include "vtkLapilliTerrainSurface.h"

#include <vtkCellData.h>
#include <vtkDataSetAttributes.h>
#include <vtkPLYReader.h>
#include <vtkPolyData.h>
#include <vtkShortArray.h>
#include <vtkTIFFReader.h>
#include <vtkUniformGrid.h>
#include <vtkUnsignedCharArray.h>

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace
{

/// The path of a file, or an empty one if it is not there.
std::filesystem::path shared(const std::string& name)
{
  const char* folder = std::getenv("LAPILLI_SHARED_DATA");
  const std::filesystem::path path = std::filesystem::path(folder ? folder : "") / name;
  return folder && std::filesystem::exists(path) ? path : std::filesystem::path();
}

#define SKIP_WITHOUT(path)                                                                         \
  if (path.empty())                                                                                \
  GTEST_SKIP() << "set LAPILLI_SHARED_DATA to the folder with this file to run the case"

/// Unpacks a .gz file into the folder for temporary files.
std::filesystem::path unpacked(const std::filesystem::path& packed)
{
  const auto target =
    std::filesystem::temp_directory_path() /
    ("lapilli-" + std::to_string(::testing::UnitTest::GetInstance()->random_seed()) + "-" +
      packed.stem().string());
  const std::string command = "gzip -dc '" + packed.string() + "' > '" + target.string() + "'";
  EXPECT_EQ(std::system(command.c_str()), 0);
  return target;
}

TEST(RealTerrain, TamboraFacesUpInItsOwnCoordinates)
{
  const auto packed = shared("tambora_terrain_utm50s.ply.gz");
  SKIP_WITHOUT(packed);
  const auto file = unpacked(packed);
  vtkNew<vtkPLYReader> reader;
  reader->SetFileName(file.string().c_str());
  vtkNew<vtkLapilliTerrainSurface> filter;
  filter->SetInputConnection(reader->GetOutputPort());
  pipelines::Listener listener(filter);
  filter->Update();
  std::filesystem::remove(file);

  EXPECT_EQ(listener.errors.size(), 0u);
  vtkPolyData* output = filter->GetOutput();
  EXPECT_EQ(filter->GetNumberOfTriangles(), 2 * 6970); // its faces are quadrilaterals
  EXPECT_EQ(filter->GetDroppedTriangles(), 0);
  EXPECT_EQ(filter->GetSingleValued(), 1);
  double bounds[6], original[6];
  output->GetBounds(bounds);
  reader->GetOutput()->GetBounds(original);
  for (int side = 0; side < 6; ++side)
  {
    EXPECT_EQ(bounds[side], original[side]);
  }
  EXPECT_GT(bounds[2], 9.05e6);
  for (vtkIdType t = 0; t < output->GetNumberOfCells(); ++t)
  {
    vtkIdType count;
    const vtkIdType* ids;
    output->GetCellPoints(t, count, ids);
    double a[3], b[3], c[3];
    output->GetPoint(ids[0], a);
    output->GetPoint(ids[1], b);
    output->GetPoint(ids[2], c);
    ASSERT_GT((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]), 0) << t;
  }
}

TEST(RealTerrain, LuxembourgEndsAtItsBordersWithoutCliffs)
{
  const auto file = shared("luxembourg_lonlat_nodata.tif");
  SKIP_WITHOUT(file);
  vtkNew<vtkTIFFReader> reader;
  reader->SetFileName(file.string().c_str());
  reader->Update();
  vtkImageData* image = reader->GetOutput();
  ASSERT_EQ(image->GetNumberOfPoints(), 95 * 90);

  // As GDAL's reader gives it: heights in cells, those without data blanked.
  vtkNew<vtkUniformGrid> grid;
  grid->SetDimensions(96, 91, 1);
  grid->SetSpacing(600, 930, 1);
  vtkNew<vtkShortArray> heights;
  heights->SetName("Elevation");
  vtkNew<vtkUnsignedCharArray> ghosts;
  ghosts->SetName(vtkDataSetAttributes::GhostArrayName());
  vtkIdType missing = 0;
  for (vtkIdType p = 0; p < image->GetNumberOfPoints(); ++p)
  {
    const double z = static_cast<short>(image->GetPointData()->GetScalars()->GetComponent(p, 0));
    const bool blank = z == -32768;
    missing += blank;
    heights->InsertNextValue(static_cast<short>(z));
    ghosts->InsertNextValue(blank ? vtkDataSetAttributes::HIDDENCELL : 0);
  }
  grid->GetCellData()->AddArray(heights);
  grid->GetCellData()->AddArray(ghosts);

  vtkNew<vtkLapilliTerrainSurface> filter;
  filter->SetInputData(grid);
  filter->Update();
  EXPECT_EQ(missing, 3942); // counted with GDAL
  EXPECT_EQ(filter->GetMissingHeights(), missing);
  EXPECT_EQ(filter->GetSingleValued(), 1);
  double bounds[6];
  filter->GetOutput()->GetBounds(bounds);
  EXPECT_EQ(bounds[4], 141); // the lowest point of the country, not -32768
  EXPECT_EQ(bounds[5], 547);
  EXPECT_EQ(filter->GetNumberOfTriangles(), 8902);
}

} // namespace
