/**
 * @class   vtkLapilliTrajectoryWriter
 * @brief   a time series of particles as a netCDF file of CF trajectories
 *
 * Writes a netCDF-4 file after the CF conventions 1.9, featureType trajectory, that netCDF4, xarray, MATLAB, R and the like read:
 * an indexed ragged array (section 9.3.4), which holds particles that come and go and is written frame by frame, so that
 * one frame is in memory at a time. TrajectoryFile.h argues the choice.
 *
 * Input: any data with points of their own, or composite data of these, at one time or many. Point arrays:
 * - IdArray [whole number, one component], the same for a particle at all times and different among those of one time; points may
 *   come in any order
 * - clump_sphere [whole number], optional: points that share an id, such as the spheres of a block, have each a trajectory
 * - all others of numbers become variables; one with several components becomes as many, velocity_x, velocity_y, velocity_z or
 *   with the names of its components. Units are taken from vtkDataArray::UNITS_LABEL, which the arrays of Lapilli have.
 *
 * Variables of the file, dimensions obs (a row for each particle at each time), frame and trajectory:
 * - trajectoryIndex(obs), time(obs) [s since ReferenceTime], x, y, z(obs) [m], and the point arrays (obs)
 * - frame_time(frame), frame_start(frame): the first row of each frame
 * - particle_id(trajectory), with the cf_role trajectory_id; where there is clump_sphere also that, and a trajectory_id of its own
 *
 * The file gets its name when it is whole: an abort, a full disk or a run that fails leaves what was there before, and one
 * error. A run that diverges is written up to its last good frame, with a warning.
 *
 * With several processes the first one writes; points that others have are sent to it.
 */
#ifndef vtkLapilliTrajectoryWriter_h
#define vtkLapilliTrajectoryWriter_h

#include "LapilliFiltersModule.h" // for export macro
#include "vtkWriter.h"

#include <functional> // for std::function
#include <memory>     // for std::unique_ptr
#include <string>     // for std::string

class LAPILLIFILTERS_EXPORT vtkLapilliTrajectoryWriter : public vtkWriter
{
public:
  static vtkLapilliTrajectoryWriter* New();
  vtkTypeMacro(vtkLapilliTrajectoryWriter, vtkWriter);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * Name of the file, in a folder that exists. Default is empty.
   */
  vtkSetStdStringFromCharMacro(FileName);
  vtkGetCharFromStdStringMacro(FileName);
  ///@}

  ///@{
  /**
   * All time steps of the input, else the one that it is at. Default is true.
   */
  vtkSetMacro(WriteTimeSteps, bool);
  vtkGetMacro(WriteTimeSteps, bool);
  vtkBooleanMacro(WriteTimeSteps, bool);
  ///@}

  ///@{
  /**
   * Name of the point array that tells which particle a point is. Default is particle_id.
   */
  vtkSetStdStringFromCharMacro(IdArray);
  vtkGetCharFromStdStringMacro(IdArray);
  ///@}

  ///@{
  /**
   * Date and time in UTC of the simulated time 0: CF has no time without a date. Default is 1970-01-01 00:00:00.
   */
  vtkSetStdStringFromCharMacro(ReferenceTime);
  vtkGetCharFromStdStringMacro(ReferenceTime);
  ///@}

  ///@{
  /**
   * Title of the file; empty: the model's name. Default is empty.
   */
  vtkSetStdStringFromCharMacro(Title);
  vtkGetCharFromStdStringMacro(Title);
  ///@}

  ///@{
  /**
   * Deflate, after shuffling bytes: 0 none, 1 fastest, 9 smallest. Default is 1.
   */
  vtkSetClampMacro(CompressionLevel, int, 0, 9);
  vtkGetMacro(CompressionLevel, int);
  ///@}

  /**
   * Brings the input to each time and writes it. Returns 1 if the file is there, whole.
   */
  int Write() override;

protected:
  vtkLapilliTrajectoryWriter();
  ~vtkLapilliTrajectoryWriter() override;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  vtkTypeBool ProcessRequest(
    vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs) override;
  int RequestData(
    vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs) override;

  /**
   * The input as it is now becomes the next frame of the file.
   */
  void WriteData() override;

  std::string FileName;
  bool WriteTimeSteps = true;
  std::string IdArray = "particle_id";
  std::string ReferenceTime = "1970-01-01 00:00:00";
  std::string Title;
  int CompressionLevel = 1;

private:
  vtkLapilliTrajectoryWriter(const vtkLapilliTrajectoryWriter&) = delete;
  void operator=(const vtkLapilliTrajectoryWriter&) = delete;

  class Internals;

  void OnFirstProcess(const std::function<void()>& action);

  std::unique_ptr<Internals> Internal;
};

#endif
