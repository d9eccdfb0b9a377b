/**
 * @class   vtkLapilliTerrainReader
 * @brief   rasters of heights, in any format of GDAL, as terrain in metres
 *
 * Reads one band of a raster: GeoTIFF, Esri ASCII grid, SRTM .hgt, GMT and netCDF grids, USGS DEM, and what else GDAL
 * knows. Heights stand at the centres of cells; cells without data leave holes. No-data values, mask bands, scale and
 * offset, and units of heights are taken from the file; rows and columns may run in any direction.
 *
 * Coordinates in degrees are re-projected to metres, bilinearly, in the zone of UTM of the raster's middle, or in
 * TargetEPSG; those in feet are scaled. What is read, and what it needs of memory, is decided before any height is
 * read, and known after UpdateInformation().
 *
 * Output: triangles with double points, their fronts up, or a height field: an image whose points are the heights, with
 * NaN and HIDDENPOINT where there are none.
 * Point array: elevation [m] double.
 * Field data: report, file_name, crs (WKT) strings; epsg [0 for none], no_data, filled, beyond_range, triangles [-] 64-bit
 * integers; origin [m, 3], cell_size [m, 2], valid_area, mesh_area [m2] double. Areas are those on the map: of the cells with data
 * and of the triangles between their centres.
 *
 * With several processes the first reads; the others hand out nothing.
 */
#ifndef vtkLapilliTerrainReader_h
#define vtkLapilliTerrainReader_h

#include "LapilliFiltersModule.h" // for export macro
#include "vtkDataSetAlgorithm.h"

#include <memory> // for std::unique_ptr

class LAPILLIFILTERS_EXPORT vtkLapilliTerrainReader : public vtkDataSetAlgorithm
{
public:
  static vtkLapilliTerrainReader* New();
  vtkTypeMacro(vtkLapilliTerrainReader, vtkDataSetAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  /**
   * Whether GDAL knows the file's format.
   */
  int CanReadFile(const char* name);

  ///@{
  /**
   * The file (UTF-8), or another name that GDAL opens, such as /vsizip/dem.zip.
   */
  vtkSetFilePathMacro(FileName);
  vtkGetFilePathMacro(FileName);
  ///@}

  ///@{
  /**
   * The data set inside a file of several, such as a variable of netCDF. Empty or "(automatic)": the only one, or one with a
   * name that is usual for heights (z, elevation, …). Default is empty.
   */
  vtkSetStringMacro(Subdataset);
  vtkGetStringMacro(Subdataset);
  ///@}

  ///@{
  /**
   * Number of the band with the heights, from 1. Default is 1.
   */
  vtkSetMacro(Band, int);
  vtkGetMacro(Band, int);
  ///@}

  enum Outputs
  {
    TRIANGLES = 0,   ///< vtkPolyData
    HEIGHT_FIELD = 1 ///< vtkImageData
  };

  ///@{
  /**
   * What comes out. Default is TRIANGLES.
   */
  vtkSetClampMacro(Output, int, TRIANGLES, HEIGHT_FIELD);
  vtkGetMacro(Output, int);
  ///@}

  ///@{
  /**
   * EPSG code of the file's coordinates, where the file does not say it, or wrongly; 0: as the file says. Default is 0.
   */
  vtkSetMacro(SourceEPSG, int);
  vtkGetMacro(SourceEPSG, int);
  ///@}

  ///@{
  /**
   * EPSG code of the terrain's coordinates, projected; 0: those of the file, if they are in degrees the zone of
   * UTM. Default is 0.
   */
  vtkSetMacro(TargetEPSG, int);
  vtkGetMacro(TargetEPSG, int);
  ///@}

  enum HeightUnits
  {
    OF_FILE = 0, ///< as the file says, metres if it does not
    METRE = 1,
    FOOT = 2,          ///< 0.3048 m
    US_SURVEY_FOOT = 3 ///< 1200/3937 m
  };

  ///@{
  /**
   * Unit of the heights in the file. Default is OF_FILE.
   */
  vtkSetClampMacro(HeightUnit, int, OF_FILE, US_SURVEY_FOOT);
  vtkGetMacro(HeightUnit, int);
  ///@}

  ///@{
  /**
   * Heights outside [m] count as no data, with a warning. Default is -100000 to 100000.
   */
  vtkSetVector2Macro(HeightRange, double);
  vtkGetVector2Macro(HeightRange, double);
  ///@}

  ///@{
  /**
   * Side of the square of the file's cells that are averaged to one [-], >= 1. Default is 1.
   */
  vtkSetMacro(Stride, int);
  vtkGetMacro(Stride, int);
  ///@}

  ///@{
  /**
   * The stride grows until no more cells than these are read [-]; 0: any number. Default is 4 million.
   */
  vtkSetMacro(MaximumCells, vtkIdType);
  vtkGetMacro(MaximumCells, vtkIdType);
  ///@}

  ///@{
  /**
   * Whether only what lies in ClipBox is read. Default is off.
   */
  vtkSetMacro(Clip, bool);
  vtkGetMacro(Clip, bool);
  vtkBooleanMacro(Clip, bool);
  ///@}

  enum ClipCoordinateSystems
  {
    OUTPUT_COORDINATES = 0, ///< metres
    FILE_COORDINATES = 1    ///< those of the file, such as degrees
  };

  ///@{
  /**
   * What ClipBox is given in. Default is OUTPUT_COORDINATES.
   */
  vtkSetClampMacro(ClipCoordinates, int, OUTPUT_COORDINATES, FILE_COORDINATES);
  vtkGetMacro(ClipCoordinates, int);
  ///@}

  ///@{
  /**
   * Least and greatest x, least and greatest y. Cells with their centre inside are read. Default is 0, 1, 0, 1.
   */
  vtkSetVector4Macro(ClipBox, double);
  vtkGetVector4Macro(ClipBox, double);
  ///@}

  ///@{
  /**
   * Whether holes that are enclosed by heights are filled by interpolation. Default is off.
   */
  vtkSetMacro(FillHoles, bool);
  vtkGetMacro(FillHoles, bool);
  vtkBooleanMacro(FillHoles, bool);
  ///@}

  ///@{
  /**
   * Coordinates relative to the middle of the map in whole kilometres, so that a view in single precision does not jitter; the
   * field data local_origin [m, 3] are the map coordinates of that origin, and Lapilli's filters take them into account. Clip Box and the
   * field data origin stay on the map. Default is off.
   */
  vtkSetMacro(LocalCoordinates, bool);
  vtkGetMacro(LocalCoordinates, bool);
  vtkBooleanMacro(LocalCoordinates, bool);
  ///@}

  ///@{
  /**
   * How far from heights holes are filled [cells of the output], >= 1. Default is 100.
   */
  vtkSetMacro(FillDistance, int);
  vtkGetMacro(FillDistance, int);
  ///@}

  ///@{
  /**
   * Rasters that need more are refused before they are read [MB], >= 0; 0: what the machine has free. Default is 0.
   */
  vtkSetMacro(MemoryLimit, double);
  vtkGetMacro(MemoryLimit, double);
  ///@}

  ///@{
  /**
   * What is planned, after UpdateInformation(); zero where the file cannot be read.
   */
  vtkGetVector2Macro(RasterSize, int);  ///< columns and rows of the file
  vtkGetVector2Macro(OutputSize, int);  ///< columns and rows of the terrain
  vtkGetVector2Macro(CellSize, double); ///< [m], of the terrain
  vtkGetMacro(EstimatedMemory, double); ///< [MB]
  vtkGetMacro(EPSG, int);               ///< of the terrain's coordinates, 0 where there is none
  const char* GetCoordinateSystem();    ///< of the terrain, in words
  ///@}

  ///@{
  /**
   * What was read; zero before.
   */
  vtkGetMacro(NoDataCells, vtkIdType); ///< cells without data, of those read
  vtkGetMacro(FilledCells, vtkIdType);
  vtkGetMacro(Triangles, vtkIdType);
  vtkGetMacro(ValidArea, double); ///< [m2], on the map, of cells with data
  vtkGetMacro(MeshArea, double);  ///< [m2], on the map, of triangles
  ///@}

  /**
   * What is planned, then what was done, in words.
   */
  const char* GetReport();

protected:
  vtkLapilliTerrainReader();
  ~vtkLapilliTerrainReader() override;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  int RequestDataObject(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestInformation(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;

  char* FileName = nullptr;
  char* Subdataset = nullptr;
  int Band = 1;
  int Output = TRIANGLES;
  int SourceEPSG = 0;
  int TargetEPSG = 0;
  int HeightUnit = OF_FILE;
  double HeightRange[2] = { -1e5, 1e5 };
  int Stride = 1;
  vtkIdType MaximumCells = 4000000;
  bool Clip = false;
  int ClipCoordinates = OUTPUT_COORDINATES;
  double ClipBox[4] = { 0, 1, 0, 1 };
  bool FillHoles = false;
  bool LocalCoordinates = false;
  int FillDistance = 100;
  double MemoryLimit = 0;

  int RasterSize[2] = { 0, 0 };
  int OutputSize[2] = { 0, 0 };
  double CellSize[2] = { 0, 0 };
  double EstimatedMemory = 0;
  int EPSG = 0;
  vtkIdType NoDataCells = 0;
  vtkIdType FilledCells = 0;
  vtkIdType Triangles = 0;
  double ValidArea = 0;
  double MeshArea = 0;

private:
  vtkLapilliTerrainReader(const vtkLapilliTerrainReader&) = delete;
  void operator=(const vtkLapilliTerrainReader&) = delete;

  struct Private;
  std::unique_ptr<Private> Internal;
};

#endif
