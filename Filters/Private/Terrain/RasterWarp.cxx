#include "RasterWarp.h"

#include "Error.h"
#include "MemoryRaster.h"
#include "RasterCrs.h"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <gdal_alg.h>
#include <gdalwarper.h>

#include <algorithm>
#include <cmath>

namespace lapilli
{
namespace
{

struct DestroyTransformer
{
  void operator()(void* transformer) const { GDALDestroyTransformer(transformer); }
};
using Transformer = std::unique_ptr<void, DestroyTransformer>;

struct DestroyWarpOptions
{
  void operator()(GDALWarpOptions* options) const { GDALDestroyWarpOptions(options); }
};

struct DestroyWarpOperation
{
  void operator()(void* operation) const
  {
    GDALDestroyWarpOperation(static_cast<GDALWarpOperationH>(operation));
  }
};

double* oneNumber(double value)
{
  auto* place = static_cast<double*>(CPLMalloc(sizeof(double)));
  *place = value;
  return place;
}

int* oneNumber(int value)
{
  auto* place = static_cast<int*>(CPLMalloc(sizeof(int)));
  *place = value;
  return place;
}

int CPL_STDCALL progress(double fraction, const char*, void* goOn)
{
  return (*static_cast<const std::function<bool(double)>*>(goOn))(fraction) ? TRUE : FALSE;
}

void place(const GdalDataset& raster, const AffineMap& map, const Crs& crs)
{
  auto c = map.c;
  GDALSetGeoTransform(raster.get(), c.data());
  GDALSetSpatialRef(raster.get(), crs.get());
}

Transformer makeTransformer(GDALDatasetH source, GDALDatasetH target, const Crs& to)
{
  GdalErrors errors;
  char** options = CSLSetNameValue(nullptr, "DST_SRS", wktOf(to).c_str());
  Transformer result(GDALCreateGenImgProjTransformer2(source, target, target ? nullptr : options));
  CSLDestroy(options);
  if (!result)
  {
    throw InvalidInput("the raster's coordinates cannot be changed to " + nameOf(to) +
                       errors.inBrackets() + ": choose another TargetEPSG");
  }
  return result;
}

/// The shorter side of a source cell in the middle, in cells of the target.
double leastCell(const TerrainGrid& source, void* transformer)
{
  const double column = 0.5 * static_cast<double>(source.columns);
  const double row = 0.5 * static_cast<double>(source.rows);
  double x[3] = { column, column + 1, column }, y[3] = { row, row, row + 1 }, z[3] = { 0, 0, 0 };
  int found[3] = { 0, 0, 0 };
  GDALGenImgProjTransform(transformer, FALSE, 3, x, y, z, found);
  return found[0] && found[1] && found[2]
           ? std::min(std::hypot(x[1] - x[0], y[1] - y[0]), std::hypot(x[2] - x[0], y[2] - y[0]))
           : 0;
}

} // namespace

TerrainGrid suggestGrid(
  std::int64_t columns, std::int64_t rows, const AffineMap& map, const Crs& from, const Crs& to)
{
  const GdalDataset source = emptyRaster(columns, rows);
  place(source, map, from);
  const Transformer transformer = makeTransformer(source.get(), nullptr, to);
  TerrainGrid grid;
  int width = 0, height = 0;
  GdalErrors errors;
  if (GDALSuggestedWarpOutput(source.get(), GDALGenImgProjTransform, transformer.get(),
        grid.map.c.data(), &width, &height) != CE_None ||
      width < 1 || height < 1 || !grid.map.isSound())
  {
    throw InvalidInput("the raster has no place in " + nameOf(to) + errors.inBrackets() +
                       ": choose a smaller part with Clip, or another TargetEPSG");
  }
  grid.columns = width;
  grid.rows = height;
  return grid;
}

void warp(TerrainGrid& source, const Crs& from, TerrainGrid& target, const Crs& to,
  const std::function<bool(double)>& goOn)
{
  target.heights.assign(target.columns * target.rows, TerrainGrid::kMissing);
  const GdalDataset in = memoryRaster(source.columns, source.rows, source.heights.data());
  const GdalDataset out = memoryRaster(target.columns, target.rows, target.heights.data());
  place(in, source.map, from);
  place(out, target.map, to);
  const Transformer exact = makeTransformer(in.get(), out.get(), to);
  constexpr double error = 0.01; // of a cell
  const Transformer transformer(
    GDALCreateApproxTransformer(GDALGenImgProjTransform, exact.get(), error));

  const std::unique_ptr<GDALWarpOptions, DestroyWarpOptions> options(GDALCreateWarpOptions());
  options->hSrcDS = in.get();
  options->hDstDS = out.get();
  options->eResampleAlg = GRA_Bilinear;
  options->nBandCount = 1;
  options->panSrcBands = oneNumber(1);
  options->panDstBands = oneNumber(1);
  options->padfSrcNoDataReal = oneNumber(TerrainGrid::kMissing);
  options->padfDstNoDataReal = oneNumber(TerrainGrid::kMissing);
  options->papszWarpOptions = CSLSetNameValue(options->papszWarpOptions, "INIT_DEST", "NO_DATA");
  if (leastCell(source, exact.get()) > 0.5)
  {
    // Bilinear over four neighbours, which keeps a plane a plane; GDAL's wider kernels, which average where cells become
    // larger, do not, and are left to needles near the poles.
    options->papszWarpOptions = CSLSetNameValue(options->papszWarpOptions, "XSCALE", "1");
    options->papszWarpOptions = CSLSetNameValue(options->papszWarpOptions, "YSCALE", "1");
  }
  options->pTransformerArg = transformer.get();
  options->pfnTransformer = GDALApproxTransform;
  options->pfnProgress = progress;
  options->pProgressArg = const_cast<std::function<bool(double)>*>(&goOn);

  GdalErrors errors;
  const std::unique_ptr<void, DestroyWarpOperation> operation(
    GDALCreateWarpOperation(options.get()));
  if (!operation || GDALChunkAndWarpImage(static_cast<GDALWarpOperationH>(operation.get()), 0, 0,
                      static_cast<int>(target.columns), static_cast<int>(target.rows)) != CE_None)
  {
    if (!goOn(1))
    {
      throw Cancelled("the reading was stopped");
    }
    throw Error("the raster was not re-projected to " + nameOf(to) + errors.inBrackets() +
                ": read a smaller part with Clip, or fewer cells with MaximumCells");
  }
}

} // namespace lapilli
