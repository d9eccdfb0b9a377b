#include "vtkLapilliTerrainReader.h"

#include "Error.h"
#include "Private/FieldArrays.h"
#include "Private/LocalFrame.h"
#include "Private/Terrain/GridMesh.h"
#include "Private/Terrain/RasterCrs.h"
#include "Private/Terrain/RasterOutput.h"
#include "Private/Terrain/TerrainRaster.h"
#include "Private/WholeInput.h"

#include "vtkImageData.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkMatrix3x3.h"
#include "vtkObjectFactory.h"
#include "vtkPolyData.h"
#include "vtkStreamingDemandDrivenPipeline.h"

#include <algorithm>
#include <exception>
#include <string>

namespace
{

constexpr double megabyte = 1 << 20;

std::string text(const char* words)
{
  const std::string value = words ? words : "";
  return value == "(automatic)" ? "" : value;
}

void addFields(const lapilli::TerrainRaster& raster, double meshArea, vtkIdType triangles,
  const std::string& fileName, const std::string& report, vtkFieldData* fields)
{
  const lapilli::AffineMap& map = raster.grid().map;
  const lapilli::Crs& crs = raster.plan().crs;
  const lapilli::MapPlace first = map.place(0.5, 0.5);
  lapilli::addText(fields, "report", report);
  lapilli::addText(fields, "file_name", fileName);
  lapilli::addText(fields, "crs", lapilli::wktOf(crs));
  lapilli::addCount(fields, "epsg", lapilli::epsgOf(crs));
  lapilli::addCount(fields, "no_data", raster.noDataCells());
  lapilli::addCount(fields, "filled", raster.filledCells());
  lapilli::addCount(fields, "beyond_range", raster.beyondRange());
  lapilli::addCount(fields, "triangles", triangles);
  lapilli::addVector<3>(fields, "origin", { first.x, first.y, 0 });
  lapilli::addVector<2>(fields, "cell_size", { map.columnLength(), map.rowLength() });
  lapilli::addNumber(fields, "valid_area", raster.validArea());
  lapilli::addNumber(fields, "mesh_area", meshArea);
}

} // namespace

struct vtkLapilliTerrainReader::Private
{
  std::string CoordinateSystem;
  std::string Report;
  bool PlanFailed = false; ///< and has been told

  static lapilli::TerrainRasterOptions OptionsOf(const vtkLapilliTerrainReader* reader)
  {
    lapilli::TerrainRasterOptions options;
    options.selection.fileName = reader->FileName ? reader->FileName : "";
    options.selection.subdataset = text(reader->Subdataset);
    options.selection.band = reader->Band;
    options.selection.sourceEpsg = reader->SourceEPSG;
    options.selection.unit = static_cast<lapilli::HeightUnit>(reader->HeightUnit);
    std::copy_n(reader->HeightRange, 2, options.selection.heightRange.begin());
    options.wish.targetEpsg = reader->TargetEPSG;
    options.wish.clip = reader->Clip;
    options.wish.clipCoordinates = static_cast<lapilli::ClipCoordinates>(reader->ClipCoordinates);
    std::copy_n(reader->ClipBox, 4, options.wish.clipBox.begin());
    options.wish.stride = reader->Stride;
    options.wish.maximumCells = reader->MaximumCells;
    options.wish.fillsHoles = reader->FillHoles;
    options.wish.makesTriangles = reader->Output == TRIANGLES;
    options.fillDistance = reader->FillDistance;
    options.memoryLimit = reader->MemoryLimit * megabyte;
    return options;
  }

  void ShowPlan(vtkLapilliTerrainReader* reader, const lapilli::TerrainRaster& raster)
  {
    const lapilli::TerrainGrid& grid = raster.grid();
    reader->RasterSize[0] = static_cast<int>(raster.file().columns());
    reader->RasterSize[1] = static_cast<int>(raster.file().rows());
    reader->OutputSize[0] = static_cast<int>(grid.columns);
    reader->OutputSize[1] = static_cast<int>(grid.rows);
    reader->CellSize[0] = grid.map.columnLength();
    reader->CellSize[1] = grid.map.rowLength();
    reader->EstimatedMemory = raster.plan().memory / megabyte;
    reader->EPSG = lapilli::epsgOf(raster.plan().crs);
    this->CoordinateSystem = lapilli::nameOf(raster.plan().crs);
    this->Report = raster.report();
  }

  /// Of the output.
  static lapilli::MapPoint OriginOf(
    const vtkLapilliTerrainReader* reader, const lapilli::TerrainGrid& grid)
  {
    const lapilli::MapPlace first = grid.map.place(0, 0);
    const auto columns = static_cast<double>(grid.columns), rows = static_cast<double>(grid.rows);
    const lapilli::MapPlace last =
      grid.map.place(columns, rows); // across, so the middle is that of the map
    const double bounds[4] = { std::min(first.x, last.x), std::max(first.x, last.x),
      std::min(first.y, last.y), std::max(first.y, last.y) };
    return reader->LocalCoordinates ? lapilli::automaticOrigin(bounds)
                                    : lapilli::MapPoint{ 0, 0, 0 };
  }

  void Clear(vtkLapilliTerrainReader* reader)
  {
    this->CoordinateSystem.clear();
    this->Report.clear();
    std::fill_n(reader->RasterSize, 2, 0);
    std::fill_n(reader->OutputSize, 2, 0);
    std::fill_n(reader->CellSize, 2, 0);
    reader->EstimatedMemory = 0;
    reader->EPSG = 0;
    this->ClearResult(reader);
  }

  void ClearResult(vtkLapilliTerrainReader* reader)
  {
    reader->NoDataCells = reader->FilledCells = reader->Triangles = 0;
    reader->ValidArea = reader->MeshArea = 0;
  }
};

vtkStandardNewMacro(vtkLapilliTerrainReader);

vtkLapilliTerrainReader::vtkLapilliTerrainReader()
  : Internal(new Private)
{
  this->SetNumberOfInputPorts(0);
}

vtkLapilliTerrainReader::~vtkLapilliTerrainReader()
{
  this->SetFileName(nullptr);
  this->SetSubdataset(nullptr);
}

int vtkLapilliTerrainReader::CanReadFile(const char* name)
{
  return name && lapilli::isRaster(name) ? 1 : 0;
}

int vtkLapilliTerrainReader::FillInputPortInformation(int, vtkInformation*)
{
  return 0; // none
}

int vtkLapilliTerrainReader::RequestDataObject(
  vtkInformation*, vtkInformationVector**, vtkInformationVector* outputs)
{
  vtkInformation* info = outputs->GetInformationObject(0);
  vtkDataObject* output = vtkDataObject::GetData(info);
  const bool isImage = this->Output == HEIGHT_FIELD;
  if (!output || !output->IsA(isImage ? "vtkImageData" : "vtkPolyData"))
  {
    const vtkSmartPointer<vtkDataSet> made =
      isImage ? vtkSmartPointer<vtkDataSet>(vtkSmartPointer<vtkImageData>::New())
              : vtkSmartPointer<vtkDataSet>(vtkSmartPointer<vtkPolyData>::New());
    info->Set(vtkDataObject::DATA_OBJECT(), made);
  }
  return 1;
}

int vtkLapilliTerrainReader::RequestInformation(
  vtkInformation*, vtkInformationVector**, vtkInformationVector* outputs)
{
  this->Internal->Clear(this);
  this->Internal->PlanFailed = false;
  vtkInformation* info = outputs->GetInformationObject(0);
  info->Remove(vtkStreamingDemandDrivenPipeline::WHOLE_EXTENT());
  if (text(this->FileName).empty())
  {
    return 1; // made, and not yet told what to read
  }
  try
  {
    const lapilli::TerrainRaster raster(Private::OptionsOf(this));
    if (this->Output == HEIGHT_FIELD)
    {
      if (!raster.grid().map.isRectangular())
      {
        throw lapilli::InvalidInput(
          "raster '" + text(this->FileName) +
          "' has cells without right angles, Output is Height Field; an image needs right "
          "angles: choose Triangles, or give a TargetEPSG");
      }
      vtkNew<vtkImageData> image;
      lapilli::placeImage(raster.grid(), image);
      lapilli::moveOrigin(image, { 0, 0, 0 }, Private::OriginOf(this, raster.grid()));
      info->Set(vtkStreamingDemandDrivenPipeline::WHOLE_EXTENT(), image->GetExtent(), 6);
      info->Set(vtkDataObject::ORIGIN(), image->GetOrigin(), 3);
      info->Set(vtkDataObject::SPACING(), image->GetSpacing(), 3);
      info->Set(vtkDataObject::DIRECTION(), image->GetDirectionMatrix()->GetData(), 9);
    }
    this->Internal->ShowPlan(this, raster);
  }
  catch (const std::exception& error)
  {
    this->Internal->PlanFailed = true;
    vtkErrorMacro(<< error.what());
  }
  return 1;
}

int vtkLapilliTerrainReader::RequestData(
  vtkInformation*, vtkInformationVector**, vtkInformationVector* outputs)
{
  this->Internal->ClearResult(this);
  auto* polygons = vtkPolyData::GetData(outputs);
  auto* image = vtkImageData::GetData(outputs);
  // Arrays are there whatever happens.
  if (image)
  {
    lapilli::writeImage({}, image);
  }
  else
  {
    lapilli::writeTriangles(lapilli::GridMesh({}), polygons);
  }
  if (this->Internal->PlanFailed || !lapilli::isFirstPiece(outputs->GetInformationObject(0)))
  {
    return 1;
  }
  try
  {
    lapilli::TerrainRaster raster(Private::OptionsOf(this));
    raster.checkMemory();
    constexpr double read = 0.7; // of the time
    raster.read(
      [this](double done)
      {
        this->UpdateProgress(read * done);
        return !this->CheckAbort();
      });
    this->NoDataCells = raster.noDataCells();
    this->FilledCells = raster.filledCells();
    this->ValidArea = raster.validArea();
    std::string report = raster.report();
    if (image)
    {
      lapilli::writeImage(raster.grid(), image);
    }
    else
    {
      const lapilli::GridMesh mesh(raster.grid());
      if (mesh.triangleCount() == 0)
      {
        throw lapilli::InvalidInput(
          "raster '" + text(this->FileName) +
          "' has heights, but no three of them at the corners of a square; a surface needs "
          "neighbours: lower Stride, or choose Fill Holes");
      }
      lapilli::writeTriangles(mesh, polygons);
      this->Triangles = mesh.triangleCount();
      this->MeshArea = mesh.mapArea();
      report += " " + lapilli::counted(mesh.triangleCount(), "triangle", "triangles") + ", area " +
                lapilli::number(mesh.mapArea()) + " m2.";
    }
    lapilli::moveOrigin(
      vtkDataSet::GetData(outputs), { 0, 0, 0 }, Private::OriginOf(this, raster.grid()));
    for (const std::string& warning : raster.warnings())
    {
      vtkWarningMacro(<< warning);
      report += " Warning: " + warning;
    }
    this->Internal->ShowPlan(this, raster);
    this->Internal->Report = report;
    addFields(raster, this->MeshArea, this->Triangles, text(this->FileName), report,
      vtkDataObject::GetData(outputs)->GetFieldData());
  }
  catch (const lapilli::Cancelled&)
  {
    // The executive empties the output and asks again.
  }
  catch (const std::bad_alloc&)
  {
    vtkErrorMacro(<< "raster '" << text(this->FileName) << "' needs about "
                  << lapilli::number(this->EstimatedMemory)
                  << " MiB, which the machine did not give: raise Stride, lower MaximumCells, or "
                     "read a part with Clip");
  }
  catch (const std::exception& error)
  {
    vtkErrorMacro(<< error.what());
  }
  return 1;
}

const char* vtkLapilliTerrainReader::GetCoordinateSystem()
{
  return this->Internal->CoordinateSystem.c_str();
}

const char* vtkLapilliTerrainReader::GetReport()
{
  return this->Internal->Report.c_str();
}

void vtkLapilliTerrainReader::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "FileName: " << text(this->FileName) << '\n'
     << indent << "Band: " << this->Band << '\n'
     << indent << "SourceEPSG: " << this->SourceEPSG << '\n'
     << indent << "TargetEPSG: " << this->TargetEPSG << '\n'
     << indent << "Stride: " << this->Stride << '\n'
     << indent << "MaximumCells: " << this->MaximumCells << '\n'
     << indent << "LocalCoordinates: " << this->LocalCoordinates << '\n'
     << indent << "Report: " << this->Internal->Report << '\n';
}
