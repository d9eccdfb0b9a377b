/**
 * @class   vtkLapilliSimulation
 * @brief   base of all simulation filters: time, frames, progress, abort, device and errors
 *
 * A simulation filter offers the whole run as a time series. A request for a time marches the engine
 * from the nearest earlier state it still has and hands out that frame; frames are kept in memory
 * under a budget and in a folder on disk, and what is on neither is computed again with the same bits. Subclasses only
 * turn inputs and properties into a scene and parameters.
 *
 * Output ports.
 * Port 0 is the first point set of a frame. A model adds ports for its other datasets: the triangles of
 * a surface with a field's arrays as cell data, and tables with a row per frame up to the time of the request.
 * Every port follows the time contract and may be asked alone. A request through one port brings all of
 * them to its time, as the executive takes it; each tells its time in DATA_TIME_STEP.
 *
 * Time.
 * Frames stand at 0, FrameInterval, 2 FrameInterval, … up to EndTime. A request without a time gets the
 * first, one between two frames the earlier (a time within 1e-9 of the interval before a frame
 * counts as at it), one out of range the nearest. DATA_TIME_STEP is always set, to the time of the frame that is
 * handed out.
 *
 * What starts the run anew.
 * Only a change of what the run computes: model, parameters, frame interval, backend or the input's bytes.
 * The inputs are read again when a physics property, a connection or the upstream pipeline's
 * modified time has changed, and then compared by a hash. EndTime, Threads and the properties of
 * the caches never restart it. Time-dependent
 * inputs are held at their first time step.
 *
 * Abort.
 * An abort (SetAbortExecute, SetAbortExecuteAndUpdateTime) is obeyed at the next step, and so is an interrupt from the
 * keyboard (SIGINT). What was computed is kept; the next update goes on from the step reached.
 *
 * Live.
 * A request for a frame that is not there yet gets the newest one before it, at once, and a thread of the filter's own marches
 * on towards it and then to the end; GetNeedsUpdate() tells when there is more to show. DATA_TIME_STEP and the field data tell
 * the time of what is shown. The frames have the same bits as without. This is for those who look, as ParaView's window does by itself:
 * where GetNeedsUpdate() has not been called since another frame was asked for, as by a script or a writer of a
 * series, the request waits for its frame.
 *
 * Errors.
 * Bad input gives one vtkErrorMacro and an output without particles that still has all arrays. If a run
 * diverges, the frames until then stay valid; a request beyond them gives the same single error and the last good frame, whose
 * DATA_TIME_STEP and field data tell its time.
 *
 * Parallel.
 * Process 0 simulates; the others hand out no particles, with the same arrays, field data and times, and are aborted
 * together with it. An abort of any of them ends the march. Every process reads the whole input. Live is for one process.
 *
 * Field data of the output, one tuple each:
 * time [s] double; steps [-] 64-bit; time_step [s] double, the last one; smallest_time_step [s] double;
 * time_step_limited_by, neighbor_search strings; particles [-] 64-bit, simulated now; mass [kg], mass_in [kg];
 * kinetic_energy [J], translation; rotational_energy [J]; potential_energy [J]; momentum [kg m/s, 3]; support_force [N, 3];
 * particles_at_rest [-] 64-bit; mass_at_rest [kg]; emitted [-] 64-bit; mass_emitted [kg]; waiting [-] 64-bit, due but
 * without room at their nozzle; greatest_speed [m/s]; front_distance [m]; greatest_overlap [-]; for each obstacle and wall
 * NAME_force [N, 3], averaged since the last frame, NAME_greatest_force [N] and NAME_impulse [N s, 3], since the start, where
 * NAME is its name with '_' for blanks, slashes and all else but letters and digits; lost_particles [-] 64-bit, all reasons
 * together, and one array a reason, such as lost_left_the_map; local_origin [m, 3] double, the map coordinates of the points'
 * origin, also on surfaces, zeros where they are on the map; model, version, device string; report string, many lines.
 */
#ifndef vtkLapilliSimulation_h
#define vtkLapilliSimulation_h

#include "LapilliFiltersModule.h" // for export macro
#include "vtkPolyDataAlgorithm.h"

#include <array>  // for std::array
#include <memory> // for std::unique_ptr
#include <string> // for std::string

class vtkFieldData;

namespace lapilli
{
struct Frame;
struct FrameGrid;
struct Outcome;
struct RunDescription;
struct RunProperties;
struct StoredFrame;
} // namespace lapilli

/// A setter for a property that the run depends on: touches the physics timestamp, and nothing else does.
#define vtkLapilliSetPhysicsMacro(name, type)                                                      \
  virtual void Set##name(type value)                                                               \
  {                                                                                                \
    if (this->name != value)                                                                       \
    {                                                                                              \
      this->name = value;                                                                          \
      this->PhysicsModified();                                                                     \
    }                                                                                              \
  }
#define vtkLapilliSetPhysicsVector3Macro(name)                                                     \
  virtual void Set##name(double x, double y, double z)                                             \
  {                                                                                                \
    if (this->name[0] != x || this->name[1] != y || this->name[2] != z)                            \
    {                                                                                              \
      this->name[0] = x;                                                                           \
      this->name[1] = y;                                                                           \
      this->name[2] = z;                                                                           \
      this->PhysicsModified();                                                                     \
    }                                                                                              \
  }                                                                                                \
  void Set##name(const double value[3])                                                            \
  {                                                                                                \
    this->Set##name(value[0], value[1], value[2]);                                                 \
  }

class LAPILLIFILTERS_EXPORT vtkLapilliSimulation : public vtkPolyDataAlgorithm
{
public:
  vtkTypeMacro(vtkLapilliSimulation, vtkPolyDataAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum DeviceType
  {
    DEVICE_AUTO = 0, ///< CUDA where a device can be used, else the CPU
    DEVICE_CPU = 1,
    DEVICE_CUDA = 2 ///< an error that says why where there is no device
  };

  ///@{
  /**
   * Time at which the run ends [s], >= 0. A longer run goes on from what is there, a shorter one is a
   * part of it. Default is 20.
   */
  vtkSetMacro(EndTime, double);
  vtkGetMacro(EndTime, double);
  ///@}

  ///@{
  /**
   * Simulated time between two frames [s], > 0. The engine's steps land exactly on every frame.
   * Default is 0.1.
   */
  vtkLapilliSetPhysicsMacro(FrameInterval, double);
  vtkGetMacro(FrameInterval, double);
  ///@}

  ///@{
  /**
   * Memory for frames and checkpoints [MB], >= 0. At least one frame is kept. Default is 1024.
   */
  vtkSetMacro(CacheBudget, double);
  vtkGetMacro(CacheBudget, double);
  ///@}

  ///@{
  /**
   * Folder in which frames and checkpoints are kept on disk, for this and for later processes: a run that is asked for
   * again, from a state file say, is found there and goes on. Several processes may use one folder. Empty takes the usual
   * one: LAPILLI_CACHE_FOLDER, else lapilli in XDG_CACHE_HOME, else ~/.cache/lapilli. What goes wrong there
   * is a warning, and the run goes on without. Default is empty.
   */
  vtkSetStdStringFromCharMacro(CacheFolder);
  vtkGetCharFromStdStringMacro(CacheFolder);
  ///@}

  ///@{
  /**
   * Disk space for all runs in that folder [MB], >= 0; 0 does not use it. Beyond it runs that nobody uses go,
   * least recently used first, and then further frames are not kept. Default is 8192.
   */
  vtkSetMacro(CacheFolderLimit, double);
  vtkGetMacro(CacheFolderLimit, double);
  ///@}

  ///@{
  /**
   * Show the newest frame at once and march in the background, see above. Default is off.
   */
  vtkSetMacro(Live, bool);
  vtkGetMacro(Live, bool);
  vtkBooleanMacro(Live, bool);
  ///@}

  enum CoordinatesType
  {
    COORDINATES_AS_TERRAIN = 0,
    COORDINATES_MAP = 1,
    COORDINATES_LOCAL =
      2 ///< relative to the terrain's origin, or to its middle in whole kilometres where it is on the map
  };

  ///@{
  /**
   * Coordinates of the points that are handed out, see CoordinatesType and the field data local_origin. Changes nothing but
   * the output; the run, and places in reports, are on the map. Default is COORDINATES_AS_TERRAIN.
   */
  vtkSetClampMacro(Coordinates, int, COORDINATES_AS_TERRAIN, COORDINATES_LOCAL);
  vtkGetMacro(Coordinates, int);
  ///@}

  /**
   * Whether Live has more to show than it did last; if so the filter is modified. Asked by ParaView's window,
   * several times a second.
   */
  bool GetNeedsUpdate();

  /**
   * Renewed as long as Live shows an earlier frame than the one that was asked for: it is not up to date.
   */
  vtkMTimeType GetMTime() override;

  /**
   * The next update computes all frames up to the end before it hands out the one that is asked for.
   */
  void ComputeAllFrames();

  ///@{
  /**
   * Where the engine runs, see DeviceType. Default is DEVICE_AUTO.
   */
  vtkLapilliSetPhysicsMacro(Device, int);
  vtkGetMacro(Device, int);
  ///@}

  ///@{
  /**
   * Threads on the CPU, 0 to 1024; 0 takes as many as the machine offers. The result does not depend
   * on it. Default is 0.
   */
  vtkSetMacro(Threads, int);
  vtkGetMacro(Threads, int);
  ///@}

  ///@{
  /**
   * About the frame that was handed out last: for the panel.
   */
  vtkIdType GetNumberOfParticles();
  vtkIdType GetNumberOfSteps();
  double GetTimeStep();               ///< [s]
  const char* GetTimeStepLimitedBy(); ///< what limits it, such as "contact time"
  const char* GetDeviceUsed();        ///< such as "CPU, 2 threads"
  const char* GetReport();            ///< many lines: the run's summary
  ///@}

  ///@{
  /**
   * Memory of frames and checkpoints now, and of the engine as estimated before the run [MB].
   */
  double GetCacheUsed();
  double GetCacheFolderUsed(); ///< [MB], by this run on disk
  double GetEstimatedMemory();
  ///@}

  ///@{
  /**
   * The farthest frame in memory or on disk [s], and the wall time that the frames after it will take [s]: as measured of
   * late, or a rough guess while none has been computed.
   */
  double GetComputedUntil();
  double GetEstimatedTimeLeft();
  ///@}

  /**
   * How often a run was started, since this filter was made.
   */
  vtkIdType GetNumberOfRuns();

protected:
  vtkLapilliSimulation();
  ~vtkLapilliSimulation() override;

  /**
   * Reads inputs and properties. Throws lapilli::InvalidInput with a sentence for the user.
   */
  virtual void DescribeRun(vtkInformationVector** inputs, lapilli::RunDescription& run) = 0;

  enum OutputType
  {
    OUTPUT_SURFACE, ///< vtkPolyData: the triangles and arrays of a SurfaceField
    OUTPUT_TABLE    ///< vtkTable
  };

  /**
   * Adds an output port for a dataset of the model's frames. To be called by constructors.
   */
  void AddOutput(OutputType type, const char* dataset);

  /**
   * A frame with all datasets and arrays of this model; particles in it are dropped. For output without a run.
   */
  virtual void DescribeLayout(lapilli::Frame& frame) = 0;

  /**
   * Adds to the field data of port 0 what the inputs tell about its particles, such as names. Called at each
   * request, on every process; none of it belongs to the run. Adds nothing here.
   */
  virtual void DescribeParticles(vtkInformationVector** inputs, vtkFieldData* fields);

  /**
   * To be called by setters of properties that the run depends on.
   */
  void PhysicsModified();

  int FillOutputPortInformation(int port, vtkInformation* info) override;
  int RequestInformation(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestUpdateExtent(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;

  double EndTime = 20;
  double FrameInterval = 0.1;
  double CacheBudget = 1024;
  std::string CacheFolder;
  double CacheFolderLimit = 8192;
  int Device = DEVICE_AUTO;
  int Threads = 0;
  bool Live = false;
  int Coordinates = COORDINATES_AS_TERRAIN;

private:
  vtkLapilliSimulation(const vtkLapilliSimulation&) = delete;
  void operator=(const vtkLapilliSimulation&) = delete;

  class Internals;

  struct Shown;

  lapilli::FrameGrid Grid() const;
  lapilli::RunProperties Properties() const;
  void Serve(int port, vtkInformationVector** inputs, vtkInformationVector* outputs,
    lapilli::Outcome& outcome);
  void Follow(vtkInformationVector* outputs);
  void UpdateRun(vtkInformationVector** inputs);
  Shown March(vtkIdType index);
  Shown ShowLive(vtkIdType index);
  void HandOut(int port, const Shown& shown, vtkInformationVector* outputs);
  void HandOutEmpty(const lapilli::StoredFrame* stored, const lapilli::Outcome& outcome,
    vtkInformationVector* outputs);
  std::array<double, 3> OutputOrigin() const;
  void TellNotes(const Shown& shown);

  std::unique_ptr<Internals> Internal;
};

#endif
