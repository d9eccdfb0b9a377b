#include "TerrainInput.h"

#include "CellArrays.h"
#include "Error.h"
#include "TerrainPieces.h"

#include <vtkDataObject.h>

#include <cmath>
#include <sstream>

namespace lapilli
{

TerrainInput readTerrain(vtkDataObject* data, const TerrainOptions& options)
{
  if (!std::isfinite(options.verticalScale) || options.verticalScale == 0)
  {
    std::ostringstream text;
    text << "vertical scale is " << options.verticalScale << "; it must be finite and not 0";
    throw InvalidInput(text.str());
  }
  if (!data)
  {
    throw InvalidInput("terrain is missing; connect a surface, a grid or an image with heights");
  }
  TerrainPieces pieces(options);
  pieces.surface.role = options.role;
  pieces.add(data);

  SurfaceRepair repair = repairSurface(pieces.surface);
  if (repair.report.triangles == 0)
  {
    std::string text = "terrain has no triangles left";
    if (repair.report.inputTriangles > 0)
    {
      text +=
        " of " + std::to_string(repair.report.inputTriangles) + " (" + repair.report.text() + ")";
    }
    else if (pieces.missingHeights > 0)
    {
      text += " (" + std::to_string(pieces.missingHeights) + " heights are blanked or not finite)";
    }
    throw InvalidInput(
      text + "; it must have at least 1: connect a surface, a grid or an image with heights");
  }
  TerrainInput terrain;
  terrain.surface = std::move(repair.surface);
  terrain.twoSided = std::move(repair.twoSided);
  terrain.report = repair.report;
  terrain.missingHeights = pieces.missingHeights;
  terrain.notes = pieces.notes;
  terrain.cellData = carryCellArrays(pieces, repair.inputTriangle, terrain.notes);
  return terrain;
}

Surface readTerrain(vtkDataObject* data, const TerrainOptions& options, SurfaceRepairReport& report)
{
  TerrainInput terrain = readTerrain(data, options);
  report = terrain.report;
  return std::move(terrain.surface);
}

} // namespace lapilli
