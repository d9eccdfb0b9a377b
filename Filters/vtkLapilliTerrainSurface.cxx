#include "vtkLapilliTerrainSurface.h"

#include "Error.h"
#include "Private/LocalFrame.h"
#include "Private/SurfaceOutput.h"
#include "Private/TerrainInput.h"
#include "Private/WholeInput.h"

#include "vtkDataObject.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkObjectFactory.h"
#include "vtkPolyData.h"

#include <cstring>
#include <exception>
#include <string>

struct vtkLapilliTerrainSurface::Result
{
  lapilli::SurfaceRepairReport Report;
  vtkIdType MissingHeights = 0;
  std::string Text;
};

vtkStandardNewMacro(vtkLapilliTerrainSurface);

vtkLapilliTerrainSurface::vtkLapilliTerrainSurface()
  : Last(new Result)
{
}

vtkLapilliTerrainSurface::~vtkLapilliTerrainSurface()
{
  this->SetElevationArray(nullptr);
}

int vtkLapilliTerrainSurface::FillInputPortInformation(int, vtkInformation* info)
{
  // Any data object, so that composite data come in one piece and bad types get our own sentence.
  info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkDataObject");
  return 1;
}

int vtkLapilliTerrainSurface::RequestUpdateExtent(
  vtkInformation*, vtkInformationVector** inputs, vtkInformationVector* outputs)
{
  if (vtkInformation* input = inputs[0]->GetInformationObject(0))
  {
    lapilli::requestWholeInput(input, outputs->GetInformationObject(0));
  }
  return 1;
}

int vtkLapilliTerrainSurface::RequestData(
  vtkInformation*, vtkInformationVector** inputs, vtkInformationVector* outputs)
{
  *this->Last = Result();
  vtkPolyData* output = vtkPolyData::GetData(outputs);
  lapilli::writeSurface({}, "", output); // arrays are there whatever happens
  if (!lapilli::isFirstPiece(outputs->GetInformationObject(0)))
  {
    return 1;
  }
  try
  {
    lapilli::TerrainOptions options;
    const std::string array = this->ElevationArray ? this->ElevationArray : "";
    options.elevationArray = array == "(automatic)" ? "" : array;
    options.heightSource = static_cast<lapilli::HeightSource>(this->HeightSource);
    options.verticalScale = this->VerticalScale;
    options.seamTolerance = this->SeamTolerance;
    options.role = static_cast<lapilli::SurfaceRole>(this->Role);

    const lapilli::TerrainInput terrain =
      lapilli::readTerrain(vtkDataObject::GetData(inputs[0]), options);
    this->Last->Report = terrain.report;
    this->Last->MissingHeights = terrain.missingHeights;
    this->Last->Text = lapilli::describe(terrain);
    lapilli::writeSurface(terrain, this->Last->Text, output);
    const double* bounds = this->Coordinates == COORDINATES_LOCAL ? output->GetBounds() : nullptr;
    lapilli::moveOrigin(output, {},
      lapilli::outputOrigin(
        static_cast<lapilli::Coordinates>(this->Coordinates), terrain.origin, bounds));
    for (const std::string& warning : terrain.warnings)
    {
      vtkWarningMacro(<< warning);
    }
  }
  catch (const std::exception& error)
  {
    // Not 0: the executive would add a second error that says nothing.
    vtkErrorMacro(<< error.what());
  }
  return 1;
}

vtkIdType vtkLapilliTerrainSurface::GetNumberOfTriangles()
{
  return this->Last->Report.triangles;
}

vtkIdType vtkLapilliTerrainSurface::GetDroppedTriangles()
{
  return this->Last->Report.droppedTriangles();
}

vtkIdType vtkLapilliTerrainSurface::GetDegenerateTriangles()
{
  return this->Last->Report.degenerateTriangles;
}

vtkIdType vtkLapilliTerrainSurface::GetDuplicateTriangles()
{
  return this->Last->Report.duplicateTriangles;
}

vtkIdType vtkLapilliTerrainSurface::GetBoundaryEdges()
{
  return this->Last->Report.boundaryEdges;
}

vtkIdType vtkLapilliTerrainSurface::GetClosedSeams()
{
  return this->Last->Report.closedSeams;
}

vtkIdType vtkLapilliTerrainSurface::GetSnappedPoints()
{
  return this->Last->Report.snappedPoints;
}

double vtkLapilliTerrainSurface::GetLargestSnap()
{
  return this->Last->Report.largestSnap;
}

double vtkLapilliTerrainSurface::GetOpenSeamLength()
{
  return this->Last->Report.openSeamLength;
}

vtkIdType vtkLapilliTerrainSurface::GetFlippedTriangles()
{
  return this->Last->Report.flippedTriangles;
}

vtkIdType vtkLapilliTerrainSurface::GetMergedPoints()
{
  return this->Last->Report.mergedPoints;
}

vtkIdType vtkLapilliTerrainSurface::GetHoles()
{
  return this->Last->Report.holes;
}

vtkIdType vtkLapilliTerrainSurface::GetParts()
{
  return this->Last->Report.components;
}

vtkIdType vtkLapilliTerrainSurface::GetClosedParts()
{
  return this->Last->Report.closedComponents;
}

vtkIdType vtkLapilliTerrainSurface::GetTwoSidedParts()
{
  return this->Last->Report.twoSidedComponents;
}

vtkIdType vtkLapilliTerrainSurface::GetNonManifoldEdges()
{
  return this->Last->Report.nonManifoldEdges;
}

vtkIdType vtkLapilliTerrainSurface::GetMissingHeights()
{
  return this->Last->MissingHeights;
}

int vtkLapilliTerrainSurface::GetSingleValued()
{
  return this->Last->Report.singleValued ? 1 : 0;
}

const char* vtkLapilliTerrainSurface::GetReport()
{
  return this->Last->Text.c_str();
}

void vtkLapilliTerrainSurface::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent
     << "ElevationArray: " << (this->ElevationArray ? this->ElevationArray : "(automatic)") << '\n'
     << indent << "HeightSource: " << this->HeightSource << '\n'
     << indent << "VerticalScale: " << this->VerticalScale << '\n'
     << indent << "SeamTolerance: " << this->SeamTolerance << '\n'
     << indent << "Role: " << this->Role << '\n'
     << indent << "Coordinates: " << this->Coordinates << '\n'
     << indent << "Report: " << this->Last->Text << '\n';
}
