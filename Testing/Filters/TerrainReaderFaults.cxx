/// Terrain Reader on bad input: one sentence each, and no crash on anything.

#include "Rasters.h"

#include <fstream>
#include <iterator>
#include <random>

namespace
{

using namespace rasters;

struct Fault
{
  std::string name;
  std::function<std::string(const Folder&)> write; ///< returns the file's name
  std::function<void(vtkLapilliTerrainReader*)> set;
  std::vector<std::string> words;
};

void PrintTo(const Fault& fault, std::ostream* out)
{
  *out << fault.name;
}

std::string writeText(const std::string& file, const std::string& text)
{
  std::ofstream(file, std::ios::binary) << text;
  return file;
}

std::string cutOff(const std::string& file, double share)
{
  std::filesystem::resize_file(file,
    static_cast<std::uintmax_t>(share * static_cast<double>(std::filesystem::file_size(file))));
  return file;
}

void nothing(vtkLapilliTerrainReader*) {}

std::string sound(const Folder& folder)
{
  return Raster().write(folder.file("dem.tif"));
}

std::string withHeights(const Folder& folder, const std::function<double(int, int)>& heights)
{
  Raster raster;
  raster.noData = -9999;
  raster.bands = { heights };
  return raster.write(folder.file("dem.tif"));
}

std::string ofSize(const Folder& folder, int columns, int rows)
{
  Raster raster;
  raster.columns = columns;
  raster.rows = rows;
  return raster.write(folder.file("dem.tif"));
}

class TerrainReaderFault : public testing::TestWithParam<Fault>
{
};

TEST_P(TerrainReaderFault, IsOneSentenceWithNameAndRemedy)
{
  const Fault& fault = GetParam();
  const Folder folder;
  const auto reader = readerOf(fault.write(folder));
  fault.set(reader);
  pipelines::Listener listener(reader);
  testing::internal::CaptureStderr();
  reader->Update();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), ""); // GDAL and its libraries keep quiet
  ASSERT_EQ(listener.errors.size(), 1u);
  const std::string& text = listener.errors[0];
  EXPECT_TRUE(says(text, fault.words));
  // VTK puts lines before and after.
  const std::size_t begin = text.find("): "), end = text.find_last_not_of('\n');
  EXPECT_EQ(text.substr(begin, end - begin).find('\n'), std::string::npos) << text;
  ASSERT_TRUE(trianglesOf(reader));
  EXPECT_EQ(trianglesOf(reader)->GetNumberOfCells(), 0);
  EXPECT_TRUE(trianglesOf(reader)->GetPointData()->GetArray("elevation"));

  // And the pipeline lives on.
  listener.clear();
  const auto good = Raster().write(folder.file("good.tif"));
  vtkNew<vtkLapilliTerrainReader> fresh;
  fresh->SetFileName(good.c_str());
  fresh->Update();
  EXPECT_EQ(trianglesOf(fresh)->GetNumberOfCells(), 70);
}

const std::vector<Fault> faults{
  { "EmptyName", [](const Folder&) { return std::string(); }, nothing, { "File Name", "choose" } },
  { "Missing", [](const Folder& f) { return f.file("no such.tif"); }, nothing,
    { "no such.tif", "does not exist", "path" } },
  { "Empty", [](const Folder& f) { return writeText(f.file("dem.tif"), ""); }, nothing,
    { "dem.tif", "empty", "again" } },
  { "Text",
    [](const Folder& f)
    { return writeText(f.file("dem.tif"), "Dear all,\nplease find attached\n"); },
    nothing, { "dem.tif", "GDAL", "GeoTIFF" } },
  { "BeyondTheEarth",
    [](const Folder& f)
    {
      Raster raster;
      raster.transform = { 1e120, 1e120, 0, 0, 0, -1e120 };
      raster.epsg = 0;
      return raster.write(f.file("dem.tif"));
    },
    nothing, { "dem.tif", "corner at", "1e+09", "gdal_edit" } },
  { "FolderName", [](const Folder& f) { return f.file(""); }, nothing, { "GDAL" } },
  { "CutTiff",
    [](const Folder& f)
    {
      Raster raster;
      raster.columns = raster.rows = 300;
      return cutOff(raster.write(f.file("dem.tif")), 0.5);
    },
    nothing, { "dem.tif", "row", "cut off", "again" } },
  { "CutTiffHeader", [](const Folder& f) { return cutOff(sound(f), 0.1); }, nothing,
    { "dem.tif", "GDAL" } },
  { "CutText",
    [](const Folder& f) { return cutOff(Raster().write(f.file("dem.asc"), "AAIGrid"), 0.7); },
    nothing, { "dem.asc", "row", "cut off" } },
  { "CutNetCdf",
    [](const Folder& f) { return cutOff(Raster().write(f.file("dem.nc"), "netCDF"), 0.5); },
    nothing, { "dem.nc" } },
  { "CutErdas",
    [](const Folder& f)
    {
      Raster raster;
      raster.columns = raster.rows = 300;
      return cutOff(raster.write(f.file("dem.img"), "HFA"), 0.5);
    },
    nothing, { "dem.img" } },
  { "ShortHgt",
    [](const Folder& f) { return writeText(f.file("N49E008.hgt"), std::string(5000, 'a')); },
    nothing, { "N49E008.hgt" } },
  { "Vectors",
    [](const Folder& f)
    {
      return writeText(f.file("area.geojson"),
        R"({"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[1,2]}})");
    },
    nothing, { "area.geojson", "GDAL" } },
  { "NoBand",
    [](const Folder& f)
    {
      return writeText(
        f.file("none.vrt"), R"(<VRTDataset rasterXSize="8" rasterYSize="6"></VRTDataset>)");
    },
    nothing, { "none.vrt", "bands" } },
  { "NoVariable",
    [](const Folder& f)
    { return writeText(f.file("none.nc"), std::string("CDF\x01", 4) + std::string(28, '\0')); },
    nothing, { "none.nc" } },
  { "BandBeyond", sound, [](auto* r) { r->SetBand(5); }, { "dem.tif", "1 band", "Band is 5" } },
  { "BandZero", sound, [](auto* r) { r->SetBand(0); }, { "Band is 0", "from 1" } },
  { "AllNoData", [](const Folder& f) { return withHeights(f, [](int, int) { return -9999.; }); },
    nothing, { "dem.tif", "no heights", "48" } },
  { "AllAbsurd", [](const Folder& f) { return withHeights(f, [](int, int) { return 1e30; }); },
    nothing, { "dem.tif", "e+30", "HeightRange" } },
  { "AllNaN", [](const Folder& f) { return withHeights(f, [](int, int) { return kNaN; }); },
    nothing, { "dem.tif", "48 are not finite" } },
  { "NoNeighbours",
    [](const Folder& f)
    { return withHeights(f, [](int c, int r) { return c % 2 == 0 && r % 2 == 0 ? 1 : -9999.; }); },
    nothing, { "dem.tif", "square", "Fill Holes" } },
  { "OneRow", [](const Folder& f) { return ofSize(f, 8, 1); }, nothing,
    { "dem.tif", "1 row", "2" } },
  { "OneColumn", [](const Folder& f) { return ofSize(f, 1, 6); }, nothing,
    { "dem.tif", "1 column", "2" } },
  { "Complex",
    [](const Folder& f)
    {
      Raster raster;
      raster.type = GDT_CFloat32;
      return raster.write(f.file("dem.tif"));
    },
    nothing, { "complex", "CFloat32", "band" } },
  { "NoArea",
    [](const Folder& f)
    {
      Raster raster;
      raster.transform = { 500000, 10, 20, 5500000, 10, 20 };
      return raster.write(f.file("dem.tif"));
    },
    nothing, { "dem.tif", "geotransform" } },
  { "UnknownSource", sound, [](auto* r) { r->SetSourceEPSG(123456); },
    { "SourceEPSG", "123456", "epsg.org" } },
  { "NegativeSource", sound, [](auto* r) { r->SetSourceEPSG(-3); }, { "SourceEPSG", "-3" } },
  { "UnknownTarget", sound, [](auto* r) { r->SetTargetEPSG(99999); }, { "TargetEPSG", "99999" } },
  { "TargetInDegrees", sound, [](auto* r) { r->SetTargetEPSG(4326); },
    { "TargetEPSG", "4326", "projected" } },
  { "TargetOfNothing",
    [](const Folder& f)
    {
      Raster raster;
      raster.epsg = 0;
      return raster.write(f.file("dem.tif"));
    },
    [](auto* r) { r->SetTargetEPSG(32632); }, { "TargetEPSG", "SourceEPSG" } },
  { "Geocentric", sound, [](auto* r) { r->SetSourceEPSG(4978); }, { "geocentric", "SourceEPSG" } },
  { "DegreesOffTheEarth", sound, [](auto* r) { r->SetSourceEPSG(4326); },
    { "Earth", "SourceEPSG" } },
  { "WholeEarth",
    [](const Folder& f)
    {
      Raster raster;
      raster.columns = 72;
      raster.rows = 36;
      raster.epsg = 4326;
      raster.transform = { -180, 5, 0, 90, 0, -5 };
      return raster.write(f.file("earth.tif"));
    },
    nothing, { "360 x 180", "40", "ClipCoordinates File", "TargetEPSG" } },
  { "ClipBeside", sound,
    [](auto* r)
    {
      r->ClipOn();
      r->SetClipBox(0, 100, 0, 100);
    },
    { "ClipBox", "0 to 100", "500000 to 500080" } },
  { "ClipBetweenCells", sound,
    [](auto* r)
    {
      r->ClipOn();
      r->SetClipBox(500006, 500009, 5500006, 5500059);
    },
    { "ClipBox", "2 x 2" } },
  { "ClipUpsideDown", sound,
    [](auto* r)
    {
      r->ClipOn();
      r->SetClipBox(500060, 500010, 5500010, 5500050);
    },
    { "ClipBox", "below" } },
  { "ClipNaN", sound,
    [](auto* r)
    {
      r->ClipOn();
      r->SetClipBox(kNaN, 500010, 5500010, 5500050);
    },
    { "ClipBox", "finite" } },
  { "StrideZero", sound, [](auto* r) { r->SetStride(0); }, { "Stride is 0", "1" } },
  { "StrideTooLarge", sound, [](auto* r) { r->SetStride(5); }, { "Stride 5", "2 x 2" } },
  { "TooFewCells", sound, [](auto* r) { r->SetMaximumCells(3); }, { "MaximumCells is 3", "4" } },
  { "RangeUpsideDown", sound, [](auto* r) { r->SetHeightRange(10, -10); },
    { "HeightRange", "below" } },
  { "FillNowhere", sound,
    [](auto* r)
    {
      r->FillHolesOn();
      r->SetFillDistance(0);
    },
    { "FillDistance is 0" } },
  { "NegativeLimit", sound, [](auto* r) { r->SetMemoryLimit(-1); }, { "MemoryLimit is -1" } },
  { "NoSubdataset", sound, [](auto* r) { r->SetSubdataset("z"); }, { "Subdataset", "'z'" } },
};

INSTANTIATE_TEST_SUITE_P(TerrainReader, TerrainReaderFault, testing::ValuesIn(faults),
  [](const auto& info) { return info.param.name; });

TEST(TerrainReader, OpensFilesWithAnyName)
{
  for (const char* name : { "with blanks.tif", "Höhe über Münster.tif", "Рельеф Камчатки.tif",
         "阿蘇山.tif", "quote'\" and $HOME.tif" })
  {
    const Folder folder;
    const Raster raster;
    const auto reader = readerOf(raster.write(folder.file(name)));
    reader->Update();
    EXPECT_EQ(trianglesOf(reader)->GetNumberOfCells(), 70) << name;
    EXPECT_TRUE(says(reader->GetReport(), { name }));
  }
}

/// Bytes of sound files are changed at random: whatever comes of it, it is no crash.
TEST(TerrainReader, SurvivesDamagedFiles)
{
  std::mt19937 random(1);
  for (const Format& format :
    { Format{ "GTiff", "dem.tif", GDT_Float32 }, Format{ "AAIGrid", "dem.asc", GDT_Float32 },
      Format{ "HFA", "dem.img", GDT_Float32 }, Format{ "GSBG", "dem.grd", GDT_Float32 },
      Format{ "BT", "dem.bt", GDT_Int16 }, Format{ "EHdr", "dem.bil", GDT_Int16 } })
  {
    const Folder folder;
    Raster raster;
    raster.type = format.type;
    const std::string file = raster.write(folder.file(format.file), format.driver);
    std::ifstream stream(file, std::ios::binary);
    const std::string bytes{ std::istreambuf_iterator<char>(stream), {} };
    for (int i = 0; i < 60; ++i)
    {
      std::string damaged = bytes;
      for (int k = 0; k < 1 + i % 4; ++k)
      {
        damaged[random() % damaged.size()] = static_cast<char>(random());
      }
      writeText(file, damaged);
      const auto reader = readerOf(file);
      pipelines::Listener listener(reader);
      reader->SetMemoryLimit(100);
      reader->SetMaximumCells(10000);
      testing::internal::CaptureStderr();
      reader->Update();
      EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
      EXPECT_LE(listener.errors.size(), 1u);
      EXPECT_TRUE(listener.errors.size() == 1 || trianglesOf(reader)->GetNumberOfCells() > 0);
    }
  }
}

} // namespace
