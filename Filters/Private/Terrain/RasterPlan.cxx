#include "RasterPlan.h"

#include "Error.h"
#include "FreeMemory.h"
#include "RasterWarp.h"

#include <algorithm>
#include <cmath>

namespace lapilli
{
namespace
{

std::string text(const MapBox& box)
{
  return number(box[0]) + " to " + number(box[1]) + ", " + number(box[2]) + " to " + number(box[3]);
}

MapBox outline(const AffineMap& map, double columns, double rows)
{
  MapBox box{ INFINITY, -INFINITY, INFINITY, -INFINITY };
  for (const double column : { 0., columns })
  {
    for (const double row : { 0., rows })
    {
      const MapPlace p = map.place(column, row);
      box = { std::min(box[0], p.x), std::max(box[1], p.x), std::min(box[2], p.y),
        std::max(box[3], p.y) };
    }
  }
  return box;
}

/// Cells first … last along one axis whose centres are in [low, high].
struct Range
{
  std::int64_t first = 0, count = 0;

  Range(double low, double high, std::int64_t cells, std::int64_t margin)
  {
    constexpr double rounding = 1e-6; // of a cell: a box along the cells' edges holds whole cells
    const auto last = static_cast<double>(cells - 1);
    // Clamped before they are whole numbers: boxes may lie anywhere.
    const double from = std::clamp(std::ceil(low - 0.5 - rounding) - margin, 0., last + 1);
    const double to = std::clamp(std::floor(high - 0.5 + rounding) + margin, -1., last);
    first = static_cast<std::int64_t>(from);
    count = std::max<std::int64_t>(static_cast<std::int64_t>(to) - first + 1, 0);
  }
};

struct Ranges
{
  Range columns, rows;
};

/// The cells of a grid that a box in its coordinates touches.
Ranges rangesIn(const MapBox& box, const AffineMap& map, std::int64_t columns, std::int64_t rows,
  std::int64_t margin)
{
  MapBox cells{ INFINITY, -INFINITY, INFINITY, -INFINITY };
  for (const double x : { box[0], box[1] })
  {
    for (const double y : { box[2], box[3] })
    {
      const MapPlace c = map.inverse(x, y);
      cells = { std::min(cells[0], c.x), std::max(cells[1], c.x), std::min(cells[2], c.y),
        std::max(cells[3], c.y) };
    }
  }
  return { Range(cells[0], cells[1], columns, margin), Range(cells[2], cells[3], rows, margin) };
}

class Planner
{
public:
  Planner(const RasterFile& file, const RasterWish& wish)
    : file_(file)
    , wish_(wish)
    , map_(file.map())
  {
  }

  RasterPlan make()
  {
    this->check();
    if (wish_.clip && wish_.clipCoordinates == ClipCoordinates::File)
    {
      fileBox_ = wish_.clipBox;
      clipsFile_ = true;
    }
    this->chooseSystem();
    if (wish_.clip && wish_.clipCoordinates == ClipCoordinates::Output)
    {
      const double unit = linearUnit(file_.crs());
      fileBox_ = wish_.clipBox;
      for (double& side : fileBox_)
      {
        side /= plan_.warps ? 1 : unit;
      }
      if (plan_.warps)
      {
        fileBox_ = transformed(wish_.clipBox, plan_.crs, file_.crs());
      }
      clipsFile_ = true;
    }
    this->chooseWindow();
    this->chooseOutput();
    this->warnOfScale();
    this->estimateMemory();
    return std::move(plan_);
  }

private:
  void check() const
  {
    if (wish_.stride < 1)
    {
      throw InvalidInput("Stride is " + std::to_string(wish_.stride) + "; it must be 1 or more");
    }
    if (wish_.maximumCells < 0 || (wish_.maximumCells > 0 && wish_.maximumCells < 4))
    {
      throw InvalidInput("MaximumCells is " + std::to_string(wish_.maximumCells) +
                         "; it must be 4 or more, or 0 for any number");
    }
    const MapBox& box = wish_.clipBox;
    const bool isSound =
      std::all_of(box.begin(), box.end(), [](double v) { return std::isfinite(v); });
    if (wish_.clip && !(isSound && box[0] < box[1] && box[2] < box[3]))
    {
      throw InvalidInput(
        "ClipBox is " + text(box) + "; it must be finite, each least side below its greatest");
    }
  }

  void chooseSystem()
  {
    const Crs& from = file_.crs();
    if (!from)
    {
      if (wish_.targetEpsg != 0)
      {
        throw InvalidInput("TargetEPSG is " + std::to_string(wish_.targetEpsg) +
                           ", but the raster has no coordinate system to come from: give it as "
                           "SourceEPSG, or set TargetEPSG to 0");
      }
      return;
    }
    if (OSRIsGeocentric(from.get()))
    {
      throw InvalidInput(
        "the raster's coordinate system is " + nameOf(from) +
        ", geocentric; a terrain needs a projected one: give the right one as SourceEPSG");
    }
    if (wish_.targetEpsg != 0)
    {
      const Crs asked = crsOfEpsg("TargetEPSG", wish_.targetEpsg);
      if (!OSRIsProjected(asked.get()))
      {
        throw InvalidInput("TargetEPSG is " + std::to_string(wish_.targetEpsg) + ", " +
                           nameOf(asked) +
                           "; it must be a projected system, in metres: 0 takes the zone of UTM");
      }
      plan_.warps = !areSame(from, asked);
      plan_.crs = inMetres(asked);
    }
    else if (isInDegrees(from))
    {
      this->refuseTooWide();
      plan_.warps = true;
      plan_.crs = utmOf(this->middle(), from);
    }
    else
    {
      plan_.crs = inMetres(from);
    }
    if (!plan_.warps && linearUnit(from) != 1)
    {
      plan_.notes.push_back(
        "Coordinates are multiplied by " + number(linearUnit(from)) + ", to metres.");
    }
  }

  /// Of the file, or of the part of it that is asked for, in the file's coordinates.
  MapBox extent() const
  {
    const MapBox whole =
      outline(map_, static_cast<double>(file_.columns()), static_cast<double>(file_.rows()));
    return !clipsFile_ ? whole
                       : MapBox{ std::max(whole[0], fileBox_[0]), std::min(whole[1], fileBox_[1]),
                           std::max(whole[2], fileBox_[2]), std::min(whole[3], fileBox_[3]) };
  }

  /// Where a zone of UTM, or a polar system, is no map any more.
  void refuseTooWide() const
  {
    constexpr double widest = 40, poleward = 50; // [degrees]
    const MapBox box = this->extent();
    const double width = box[1] - box[0];
    if (width > widest && !(box[2] > poleward || box[3] < -poleward))
    {
      throw InvalidInput("the raster is " + number(width) + " x " + number(box[3] - box[2]) +
                         " degrees large; a zone of UTM takes up to " + number(widest) +
                         ": read a part with Clip, ClipCoordinates File, or give a TargetEPSG");
    }
  }

  MapPlace middle() const
  {
    double column = 0.5 * static_cast<double>(file_.columns());
    double row = 0.5 * static_cast<double>(file_.rows());
    if (clipsFile_)
    {
      const Ranges part = rangesIn(fileBox_, map_, file_.columns(), file_.rows(), 0);
      column =
        static_cast<double>(part.columns.first) + 0.5 * static_cast<double>(part.columns.count);
      row = static_cast<double>(part.rows.first) + 0.5 * static_cast<double>(part.rows.count);
    }
    return map_.place(column, row);
  }

  /// The blocks of a stride, clipped.
  RasterWindow windowAt(std::int64_t stride) const
  {
    RasterWindow window{ 0, 0, stride, file_.columns() / stride, file_.rows() / stride };
    if (clipsFile_)
    {
      const std::int64_t margin =
        plan_.warps && wish_.clipCoordinates == ClipCoordinates::Output ? 2 : 0;
      const Ranges part = rangesIn(fileBox_, map_.window(0, 0, static_cast<double>(stride)),
        window.columns, window.rows, margin);
      window = { part.columns.first * stride, part.rows.first * stride, stride, part.columns.count,
        part.rows.count };
    }
    return window;
  }

  void chooseWindow()
  {
    const auto cellsOf = [](const RasterWindow& window)
    { return static_cast<double>(window.columns) * static_cast<double>(window.rows); };
    plan_.window = this->windowAt(wish_.stride);
    const double most = wish_.maximumCells > 0 ? static_cast<double>(wish_.maximumCells) : INFINITY;
    const double asked = cellsOf(plan_.window);
    if (asked > most)
    {
      // Blocks are whole, so one side may still be a little too long.
      auto stride = static_cast<std::int64_t>(
        std::floor(static_cast<double>(wish_.stride) * std::sqrt(asked / most)));
      for (; cellsOf(plan_.window) > most; ++stride)
      {
        plan_.window = this->windowAt(stride);
      }
      plan_.notes.push_back(std::to_string(plan_.window.stride) + " x " +
                            std::to_string(plan_.window.stride) +
                            " cells of the file are averaged to one, so that " + number(asked) +
                            " become at most MaximumCells, " + number(most) + ".");
    }
    else if (wish_.stride > 1)
    {
      plan_.notes.push_back(std::to_string(wish_.stride) + " x " + std::to_string(wish_.stride) +
                            " cells of the file are averaged to one.");
    }
    const RasterWindow& w = plan_.window;
    this->refuseLessThanTwo(w.columns, w.rows);
    plan_.read.columns = w.columns;
    plan_.read.rows = w.rows;
    plan_.read.map = map_.window(
      static_cast<double>(w.column), static_cast<double>(w.row), static_cast<double>(w.stride));
  }

  void refuseLessThanTwo(std::int64_t columns, std::int64_t rows) const
  {
    if (columns >= 2 && rows >= 2)
    {
      return;
    }
    const std::string left =
      std::to_string(columns) + " x " + std::to_string(rows) + " cells; it must have 2 x 2";
    if (!wish_.clip)
    {
      throw InvalidInput("Stride " + std::to_string(plan_.window.stride) + " leaves " + left +
                         ": choose a smaller one, or a greater MaximumCells");
    }
    MapBox extent =
      outline(map_, static_cast<double>(file_.columns()), static_cast<double>(file_.rows()));
    const bool isInFile = wish_.clipCoordinates == ClipCoordinates::File;
    if (!isInFile && plan_.warps)
    {
      extent = transformed(extent, file_.crs(), plan_.crs);
    }
    else if (!isInFile)
    {
      for (double& side : extent)
      {
        side *= linearUnit(file_.crs());
      }
    }
    throw InvalidInput("ClipBox " + text(wish_.clipBox) + " holds " + left +
                       ": the raster reaches from " + text(extent) +
                       (isInFile ? " in the file's coordinates" : ""));
  }

  void chooseOutput()
  {
    const bool clipsOutput = wish_.clip && wish_.clipCoordinates == ClipCoordinates::Output;
    plan_.box = wish_.clipBox;
    if (!plan_.warps)
    {
      plan_.output = plan_.read;
      plan_.output.map = plan_.read.map.scaled(linearUnit(file_.crs()));
      plan_.masks = clipsOutput && !plan_.output.map.isAlongAxes();
      return;
    }
    // Of the whole file, so that cells do not depend on the box.
    const RasterWindow& w = plan_.window;
    const auto stride = static_cast<double>(w.stride);
    const bool isWhole = clipsOutput;
    plan_.output = isWhole ? suggestGrid(file_.columns() / w.stride, file_.rows() / w.stride,
                               map_.window(0, 0, stride), file_.crs(), plan_.crs)
                           : suggestGrid(w.columns, w.rows, plan_.read.map, file_.crs(), plan_.crs);
    if (clipsOutput)
    {
      TerrainGrid& out = plan_.output;
      const Ranges part = rangesIn(wish_.clipBox, out.map, out.columns, out.rows, 0);
      out.map = out.map.window(
        static_cast<double>(part.columns.first), static_cast<double>(part.rows.first), 1);
      out.columns = part.columns.count;
      out.rows = part.rows.count;
    }
    this->refuseLessThanTwo(plan_.output.columns, plan_.output.rows);
  }

  void warnOfScale()
  {
    const TerrainGrid& out = plan_.output;
    double worst = 1;
    for (const double column : { 0., 0.5, 1. })
    {
      for (const double row : { 0., 0.5, 1. })
      {
        const double scale = mapScale(out.map.place(column * static_cast<double>(out.columns),
                                        row * static_cast<double>(out.rows)),
          plan_.crs);
        worst = std::abs(std::log(scale)) > std::abs(std::log(worst)) ? scale : worst;
      }
    }
    constexpr double limit = 0.01; // UTM: 0.0004, wide rasters more; Mercator's at 45 degrees: 0.4
    if (std::abs(worst - 1) > limit)
    {
      plan_.warnings.push_back("Lengths in " + nameOf(plan_.crs) + " are up to " +
                               number(std::round(1000 * worst) / 1000) +
                               " times those on the ground, which enters the physics: choose a "
                               "TargetEPSG made for this area, or a smaller part "
                               "with Clip.");
    }
  }

  void estimateMemory()
  {
    const auto cellsOf = [](const TerrainGrid& grid)
    { return static_cast<double>(grid.columns) * static_cast<double>(grid.rows); };
    const double read = cellsOf(plan_.read), out = cellsOf(plan_.output);
    constexpr double height = sizeof(double);
    // While it is read: heights, what GDAL keeps of the file, and 64 MB of it with their mask; with warping both grids.
    const auto stride = static_cast<double>(plan_.window.stride);
    const double file = stride * stride * read;
    const double kept =
      std::min(file_.bytesPerCell() * file, static_cast<double>(GDALGetCacheMax64())) +
      std::min((height + 1) * file, 72e6);
    const double reading = height * read + std::max(kept, plan_.warps ? height * out : 0);
    // Filling: a copy, two masks, GDAL's scratch files with a height and a place each.
    const double filling = wish_.fillsHoles ? (height + 2 + 16) * out : 0;
    // Numbers of points; points, heights, two triangles a cell with their offsets.
    const double triangles = 8 * out + (24 + 8) * out + 2 * (24 + 8) * out;
    const double image = (8 + 1) * out;
    plan_.memory = std::max({ reading, height * out + filling,
      height * out + (wish_.makesTriangles ? triangles : image) });
  }

  const RasterFile& file_;
  const RasterWish& wish_;
  const AffineMap& map_;
  MapBox fileBox_{};
  bool clipsFile_ = false;
  RasterPlan plan_;
};

} // namespace

RasterPlan planRaster(const RasterFile& file, const RasterWish& wish)
{
  const GdalErrors errors;
  return Planner(file, wish).make();
}

void checkMemory(const RasterPlan& plan, double limit)
{
  const double most = limit > 0 ? limit : availableMemory();
  if (plan.memory <= most)
  {
    return;
  }
  const auto megabytes = [](double bytes) { return number(std::ceil(bytes / (1 << 20))); };
  throw InvalidInput(std::to_string(plan.output.columns) + " x " +
                     std::to_string(plan.output.rows) + " cells need about " +
                     megabytes(plan.memory) + " MiB; " +
                     (limit > 0 ? "MemoryLimit is " : "the machine has free ") + megabytes(most) +
                     " MiB: raise Stride, lower MaximumCells, or read a part with Clip");
}

} // namespace lapilli
