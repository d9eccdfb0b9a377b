/**
 * @class   vtkLapilliParticleSource
 * @brief   seeds for a simulation: rocks on a point, a fissure, a disc, in a sphere or a box
 *
 * Fills a shape with seeds that do not overlap, their centres in the shape. With a terrain on the
 * optional input (any data that Terrain Surface takes) and DropOntoTerrain on, every seed comes down
 * along its vertical until it rests on the highest surface there, its centre one radius from the
 * nearest point of the terrain; seeds that find no free ground are stacked on others, seeds over no terrain are left out and counted; if that are all, it is an error.
 *
 * The shapes SURFACE, LINES and MAP_AREA are those of the input Geometry: a crater floor cut out with Clip, a fissure as
 * a polyline or a Slice, a mapped polygon. Seeds of a surface rest on it, or on the terrain if one is connected and
 * DropOntoTerrain is on. Lines that are dropped count by their length on the map. A map area without a terrain lies at the
 * mean height of its corners.
 *
 * BODIES fills the closed bodies of Geometry (magma chambers, blocks) with places on one lattice, also where they leak a little
 * (see lapilli::fillBodies); each block of composite data is a body of its own, with its name. Body number n has
 * the source_id SourceId + n. LAKE fills a basin of the terrain. Both hold seeds only, and are not dropped.
 *
 * Places in properties and output are in the coordinates of the terrain, without one in those of Geometry: local ones
 * where these are (see vtkLapilliLocalCoordinates), and the particles are the same to the bit. Messages may tell map coordinates.
 *
 * The same properties give the same seeds, bit for bit, on every platform.
 *
 * In the mode EMISSION the points are nozzles, from which particles come while the run goes on: a point is one, a
 * disc is one with the disc as its opening, the other shapes hold NumberOfNozzles. Nozzles on a
 * terrain are lifted until the largest particle fits between opening and ground, a block in any orientation. The
 * opening stays in the disc, whatever the direction. Nozzles are not stacked: where there are more than have room they
 * stand near one another, and the report says how many.
 *
 * Where the centre of a shape that was left at its default does not lie over the terrain, the shape
 * is moved to the middle of the terrain, and the report says so.
 *
 * Output: vertices on double points. Without a terrain, a shape that is too full is an error that
 * says how many found a place.
 * Point arrays: velocity [m/s, 3] double; radius [m] double; density [kg/m^3] double;
 * temperature [K] double; source_id, material, shape [-] 32-bit integer; youngs_modulus [Pa] double; poissons_ratio [-] double;
 * and, of seeds too so that appended sources keep them,
 * - emission_rate_unit [-] 32-bit integer: -1 a seed, 0 particles per second, 1 kilograms per second
 * - emission_rate [1/s or kg/s], emission_start [s], emission_stop [s], emission_speed [m/s], double: one pulse. A nozzle with
 *   several pulses is as many points, one after another, that differ in these alone, so there may be any number
 * - emission_direction [3] double, emission_opening_radius [m] double, emission_spread [degrees] double
 * - emission_opening_normal [3] double: the disc's; 0, 0, 0 where there is none
 * - emission_radius_law [-] 32-bit integer, emission_radius_parameters [5: radius, smallest, largest, median in m, spread] double
 * - emission_turn [2: number, of how many] 64-bit integer: the nozzles of a source take turns, so that together they give
 *   what one nozzle with the whole rate would, particle by particle
 * - random_seed [-] 64-bit integer, the same for all nozzles of a source
 * Field data: report string; seeds, nozzles, beside_terrain, stacked, random_seed [-] 64-bit integers; mass [kg] double;
 * with BODIES and LAKE also, one tuple a body: body_name string, body_source_id [-] 32-bit and body_particles [-] 64-bit integers,
 * body_volume (of the places inside) and body_mesh_volume [m^3], up to the level, body_leak_area [m^2] double.
 */
#ifndef vtkLapilliParticleSource_h
#define vtkLapilliParticleSource_h

#include "LapilliFiltersModule.h" // for export macro
#include "vtkPolyDataAlgorithm.h"

#include <memory> // for std::unique_ptr
#include <vector> // for std::vector

class vtkAlgorithmOutput;

namespace lapilli
{
struct CommonArrays;
struct EmissionArrays;
struct Seeding;
struct SeedingParameters;
struct SeedingReport;
} // namespace lapilli

class LAPILLIFILTERS_EXPORT vtkLapilliParticleSource : public vtkPolyDataAlgorithm
{
public:
  static vtkLapilliParticleSource* New();
  vtkTypeMacro(vtkLapilliParticleSource, vtkPolyDataAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * Connects the terrain, or nothing with null. The form with a port number, which is not looked
   * at, is the server manager's: its input stands at number 1 there, so that scripts do not connect
   * the active source to it by themselves.
   */
  void SetTerrainConnection(vtkAlgorithmOutput* terrain);
  void SetTerrainConnection(int port, vtkAlgorithmOutput* terrain);
  ///@}

  ///@{
  /**
   * Connects what the shapes SURFACE, LINES and MAP_AREA are made of, or nothing with null; the form with a port
   * number as above.
   */
  void SetGeometryConnection(vtkAlgorithmOutput* geometry);
  void SetGeometryConnection(int port, vtkAlgorithmOutput* geometry);
  ///@}

  ///@{
  /**
   * Whether seeds are dropped onto the terrain, if one is connected. Default is on.
   */
  vtkSetMacro(DropOntoTerrain, bool);
  vtkGetMacro(DropOntoTerrain, bool);
  vtkBooleanMacro(DropOntoTerrain, bool);
  ///@}

  enum Shapes
  {
    POINT =
      0, ///< one seed at Point, several as a small cluster around it, the largest in the middle
    LINE = 1,    ///< from LineStart to LineEnd
    DISC = 2,    ///< DiscRadius around DiscCenter, at right angles to DiscNormal
    SPHERE = 3,  ///< SphereRadius around SphereCenter
    BOX = 4,     ///< BoxScale from the corner BoxPosition, turned by BoxRotation
    SURFACE = 5, ///< on Geometry, a surface: equally likely per area of what is seen from above
    LINES = 6,   ///< along the lines of Geometry, one after another, equally likely per length
    MAP_AREA =
      7, ///< inside polygons or closed lines of Geometry, seen from above; rings in rings are holes
    BODIES = 8, ///< inside the closed bodies of Geometry, on a lattice
    LAKE = 9    ///< in the basin of the terrain around LakePoint, up to FillLevel, on a lattice
  };

  ///@{
  /**
   * Shape that is filled. Default is DISC.
   */
  vtkSetClampMacro(Shape, int, POINT, LAKE);
  vtkGetMacro(Shape, int);
  ///@}

  ///@{
  /**
   * Seeds asked for [-], 1 to 100 million. Default is 1000.
   */
  vtkSetMacro(NumberOfSeeds, vtkIdType);
  vtkGetMacro(NumberOfSeeds, vtkIdType);
  ///@}

  ///@{
  /**
   * The point [m]. Default is the origin.
   */
  vtkSetVector3Macro(Point, double);
  vtkGetVector3Macro(Point, double);
  ///@}

  ///@{
  /**
   * Ends of the line [m]. Default is from the origin to (100, 0, 0).
   */
  vtkSetVector3Macro(LineStart, double);
  vtkGetVector3Macro(LineStart, double);
  vtkSetVector3Macro(LineEnd, double);
  vtkGetVector3Macro(LineEnd, double);
  ///@}

  ///@{
  /**
   * Centre [m], direction at right angles [any length but 0] and radius [m, > 0] of the disc. Default is 30 m
   * around the origin, horizontal.
   */
  vtkSetVector3Macro(DiscCenter, double);
  vtkGetVector3Macro(DiscCenter, double);
  vtkSetVector3Macro(DiscNormal, double);
  vtkGetVector3Macro(DiscNormal, double);
  vtkSetMacro(DiscRadius, double);
  vtkGetMacro(DiscRadius, double);
  ///@}

  ///@{
  /**
   * Centre [m] and radius [m, > 0] of the sphere. Default is 10 m around the origin.
   */
  vtkSetVector3Macro(SphereCenter, double);
  vtkGetVector3Macro(SphereCenter, double);
  vtkSetMacro(SphereRadius, double);
  vtkGetMacro(SphereRadius, double);
  ///@}

  ///@{
  /**
   * The box as ParaView's box widget gives it: a corner [m], angles about x, y and z [degrees], turned
   * in the order z, x, y about the corner, and lengths of the edges [m]. Default is 10 m each way
   * from the origin.
   */
  vtkSetVector3Macro(BoxPosition, double);
  vtkGetVector3Macro(BoxPosition, double);
  vtkSetVector3Macro(BoxRotation, double);
  vtkGetVector3Macro(BoxRotation, double);
  vtkSetVector3Macro(BoxScale, double);
  vtkGetVector3Macro(BoxScale, double);
  ///@}

  ///@{
  /**
   * Bodies and lake: distance between neighbours [m], >= 0. 0, the default, is twice the largest radius.
   */
  vtkSetMacro(Spacing, double);
  vtkGetMacro(Spacing, double);
  ///@}

  enum Lattices
  {
    CUBIC = 0,        ///< spheres that touch fill 52 %
    FACE_CENTERED = 1 ///< the densest packing of equal spheres: 74 %
  };

  ///@{
  /**
   * How places in bodies and lakes are arranged. Default is FACE_CENTERED.
   */
  vtkSetClampMacro(Lattice, int, CUBIC, FACE_CENTERED);
  vtkGetMacro(Lattice, int);
  ///@}

  ///@{
  /**
   * Bodies and lake: keep centres a largest radius from the surface, so that no particle sticks out; else Clearance
   * [m, >= 0]. Defaults are on and 0.
   */
  vtkSetMacro(KeepInside, bool);
  vtkGetMacro(KeepInside, bool);
  vtkBooleanMacro(KeepInside, bool);
  vtkSetMacro(Clearance, double);
  vtkGetMacro(Clearance, double);
  ///@}

  ///@{
  /**
   * Fill bodies up to FillLevel [m] only; a lake always is. Defaults are off and 0.
   */
  vtkSetMacro(UseFillLevel, bool);
  vtkGetMacro(UseFillLevel, bool);
  vtkBooleanMacro(UseFillLevel, bool);
  vtkSetMacro(FillLevel, double);
  vtkGetMacro(FillLevel, double);
  ///@}

  ///@{
  /**
   * A point over the bottom of the lake [m]; its height does not count. Default is the origin.
   */
  vtkSetVector3Macro(LakePoint, double);
  vtkGetVector3Macro(LakePoint, double);
  ///@}

  enum Modes
  {
    SEEDS = 0,   ///< particles that are there at t = 0
    EMISSION = 1 ///< nozzles from which particles come while the run goes on
  };

  ///@{
  /**
   * What the points are. Default is SEEDS.
   */
  vtkSetClampMacro(Mode, int, SEEDS, EMISSION);
  vtkGetMacro(Mode, int);
  ///@}

  enum RateUnits
  {
    PARTICLES_PER_SECOND = 0,
    KILOGRAMS_PER_SECOND = 1
  };

  ///@{
  /**
   * Unit of Rate and of the rates of pulses. Default is PARTICLES_PER_SECOND.
   */
  vtkSetClampMacro(RateUnit, int, PARTICLES_PER_SECOND, KILOGRAMS_PER_SECOND);
  vtkGetMacro(RateUnit, int);
  ///@}

  ///@{
  /**
   * Nozzles in all shapes but a point and a disc [-], 1 to 100 million; they share the rate and take turns. A point or a disc is one. Default is 10.
   */
  vtkSetMacro(NumberOfNozzles, vtkIdType);
  vtkGetMacro(NumberOfNozzles, vtkIdType);
  ///@}

  ///@{
  /**
   * How much comes out of all nozzles together [1/s or kg/s], >= 0. Default is 10.
   */
  vtkSetMacro(Rate, double);
  vtkGetMacro(Rate, double);
  ///@}

  ///@{
  /**
   * When the emission starts [s], >= 0. Default is 0.
   */
  vtkSetMacro(Start, double);
  vtkGetMacro(Start, double);
  ///@}

  ///@{
  /**
   * When it stops [s], > Start; may be infinite. Default is 10.
   */
  vtkSetMacro(Stop, double);
  vtkGetMacro(Stop, double);
  ///@}

  ///@{
  /**
   * Speed of what comes out [m/s], >= 0. Default is 10.
   */
  vtkSetMacro(Speed, double);
  vtkGetMacro(Speed, double);
  ///@}

  ///@{
  /**
   * Half the angle of the cone of directions [degrees], [0, 90]. Default is 0.
   */
  vtkSetMacro(Spread, double);
  vtkGetMacro(Spread, double);
  ///@}

  ///@{
  /**
   * Direction in which they come out [any length]. (0, 0, 0), the default, is the disc's normal, and up for the other shapes.
   */
  vtkSetVector3Macro(Direction, double);
  vtkGetVector3Macro(Direction, double);
  ///@}

  ///@{
  /**
   * Rows of a table: start [s], stop [s], rate [1/s or kg/s], speed [m/s]; they must not overlap. With any row Rate, Start,
   * Stop and Speed do not count. Default is none.
   */
  void AddPulse(double start, double stop, double rate, double speed);
  void RemoveAllPulses();
  int GetNumberOfPulses();
  ///@}

  ///@{
  /**
   * Number of the material [-], >= 0. Default is 0.
   */
  vtkSetMacro(Material, int);
  vtkGetMacro(Material, int);
  ///@}

  ///@{
  /**
   * Young's modulus [Pa], > 0. Default is 5e9.
   */
  vtkSetMacro(YoungsModulus, double);
  vtkGetMacro(YoungsModulus, double);
  ///@}

  ///@{
  /**
   * Poisson's ratio [-], (-1, 0.5). Default is 0.25.
   */
  vtkSetMacro(PoissonsRatio, double);
  vtkGetMacro(PoissonsRatio, double);
  ///@}

  ///@{
  /**
   * Shape of the particles [-]: 0 sphere, 1 disc, 2 bar, 3 cube, 4 tetrapod, from 5 on the simulation's own shapes. Default is 0.
   */
  vtkSetMacro(BlockShape, int);
  vtkGetMacro(BlockShape, int);
  ///@}

  enum RadiusLaws
  {
    CONSTANT = 0,  ///< Radius
    UNIFORM = 1,   ///< equally likely between SmallestRadius and LargestRadius, by number
    LOG_NORMAL = 2 ///< MedianRadius and RadiusSpread, by number, drawn again outside the cut-offs
  };

  ///@{
  /**
   * How radii are distributed. Default is CONSTANT.
   */
  vtkSetClampMacro(RadiusLaw, int, CONSTANT, LOG_NORMAL);
  vtkGetMacro(RadiusLaw, int);
  ///@}

  ///@{
  /**
   * Radius of all seeds [m], > 0. Default is 0.5.
   */
  vtkSetMacro(Radius, double);
  vtkGetMacro(Radius, double);
  ///@}

  ///@{
  /**
   * Bounds of the uniform law [m], > 0. Defaults are 0.3 and 0.7.
   */
  vtkSetMacro(SmallestRadius, double);
  vtkGetMacro(SmallestRadius, double);
  vtkSetMacro(LargestRadius, double);
  vtkGetMacro(LargestRadius, double);
  ///@}

  ///@{
  /**
   * Log-normal law: median [m], > 0, and geometric standard deviation [-], 1 to 5, the exponential of the standard
   * deviation of ln(radius). Radii outside median / spread^3 to median spread^3 are drawn again.
   * Defaults are 0.5 and 1.3.
   */
  vtkSetMacro(MedianRadius, double);
  vtkGetMacro(MedianRadius, double);
  vtkSetMacro(RadiusSpread, double);
  vtkGetMacro(RadiusSpread, double);
  ///@}

  ///@{
  /**
   * Density [kg/m^3], > 0. Default is 2600.
   */
  vtkSetMacro(Density, double);
  vtkGetMacro(Density, double);
  ///@}

  ///@{
  /**
   * Temperature [K], > 0. Default is 293.15.
   */
  vtkSetMacro(Temperature, double);
  vtkGetMacro(Temperature, double);
  ///@}

  ///@{
  /**
   * Mean velocity [m/s]. Default is zero.
   */
  vtkSetVector3Macro(Velocity, double);
  vtkGetVector3Macro(Velocity, double);
  ///@}

  ///@{
  /**
   * Root mean square of the length of the random part of the velocity [m/s], >= 0; it has no
   * preferred direction, and each component is normal with standard deviation VelocitySpread / sqrt(3). Default is 0.
   */
  vtkSetMacro(VelocitySpread, double);
  vtkGetMacro(VelocitySpread, double);
  ///@}

  ///@{
  /**
   * Given to every seed as source_id [-]. Default is 0.
   */
  vtkSetMacro(SourceId, int);
  vtkGetMacro(SourceId, int);
  ///@}

  ///@{
  /**
   * Same random seed, same particles [-]. Default is 1.
   */
  vtkSetMacro(RandomSeed, int);
  vtkGetMacro(RandomSeed, int);
  ///@}

  ///@{
  /**
   * What the last execution did; zero and empty before.
   */
  vtkIdType GetSeedsPlaced();
  vtkIdType GetNozzlesPlaced();
  vtkIdType GetSeedsBesideTerrain();
  vtkIdType GetSeedsStacked();
  vtkIdType GetBodiesFilled();
  double GetFilledVolume(); ///< [m^3] of the places in bodies or a lake, up to the level
  double GetBodyVolume();   ///< [m^3] of the meshes of the bodies or the lake, up to the level
  double GetLeakArea();     ///< [m^2] that closes the holes of the bodies
  double GetMass();         ///< [kg]
  const char* GetReport();
  ///@}

protected:
  vtkLapilliParticleSource();
  ~vtkLapilliParticleSource() override;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  int RequestUpdateExtent(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;

  bool DropOntoTerrain = true;
  int Shape = DISC;
  vtkIdType NumberOfSeeds = 1000;
  double Point[3] = { 0, 0, 0 };
  double LineStart[3] = { 0, 0, 0 };
  double LineEnd[3] = { 100, 0, 0 };
  double DiscCenter[3] = { 0, 0, 0 };
  double DiscNormal[3] = { 0, 0, 1 };
  double DiscRadius = 30;
  double SphereCenter[3] = { 0, 0, 0 };
  double SphereRadius = 10;
  double BoxPosition[3] = { 0, 0, 0 };
  double BoxRotation[3] = { 0, 0, 0 };
  double BoxScale[3] = { 10, 10, 10 };
  double Spacing = 0;
  int Lattice = FACE_CENTERED;
  bool KeepInside = true;
  double Clearance = 0;
  bool UseFillLevel = false;
  double FillLevel = 0;
  double LakePoint[3] = { 0, 0, 0 };
  int Mode = SEEDS;
  vtkIdType NumberOfNozzles = 10;
  int RateUnit = PARTICLES_PER_SECOND;
  double Rate = 10;
  double Start = 0;
  double Stop = 10;
  double Speed = 10;
  double Spread = 0;
  double Direction[3] = { 0, 0, 0 };
  std::vector<double> Pulses; // four a row
  int Material = 0;
  double YoungsModulus = 5e9;
  double PoissonsRatio = 0.25;
  int BlockShape = 0;
  int RadiusLaw = CONSTANT;
  double Radius = 0.5;
  double SmallestRadius = 0.3;
  double LargestRadius = 0.7;
  double MedianRadius = 0.5;
  double RadiusSpread = 1.3;
  double Density = 2600;
  double Temperature = 293.15;
  double Velocity[3] = { 0, 0, 0 };
  double VelocitySpread = 0;
  int SourceId = 0;
  int RandomSeed = 1;

private:
  lapilli::SeedingParameters Parameters() const;
  void FindFrame(vtkInformationVector** inputs);
  lapilli::CommonArrays CommonOf(const lapilli::SeedingParameters& parameters) const;
  lapilli::EmissionArrays EmissionOf(const lapilli::SeedingParameters& parameters) const;
  lapilli::SeedingParameters PlacesOfNozzles(const lapilli::SeedingParameters& parameters) const;
  lapilli::Seeding Place(vtkInformationVector** inputs, lapilli::SeedingParameters parameters,
    lapilli::EmissionArrays& emission);
  lapilli::Seeding Fill(
    vtkInformationVector** inputs, const lapilli::SeedingParameters& parameters);
  void WriteReport(const lapilli::SeedingReport& placed, vtkPolyData* output);

  vtkLapilliParticleSource(const vtkLapilliParticleSource&) = delete;
  void operator=(const vtkLapilliParticleSource&) = delete;

  struct Private;
  std::unique_ptr<Private> Internal;
};

#endif
