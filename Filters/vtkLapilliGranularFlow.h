/**
 * @class   vtkLapilliGranularFlow
 * @brief   spheres that collide with one another and with terrain: rockfalls, talus, dry avalanches
 *
 * Discrete element method (Cundall & Strack, Geotechnique 29 (1979) 47-65): linear springs with
 * damping that gives the asked restitution, Coulomb friction with tangential history, rotation.
 * Everything is in SI units and in the coordinates of the input.
 *
 * Input port 0, Terrain (required): polygonal data, unstructured and structured grids, image data and
 * uniform grids as height fields, or composite data of these; see vtkLapilliTerrainSurface.
 *
 * Input port 1, Sources (at least one connection): any data with points of its own, or composite
 * data of these. Each point is a seed, a particle at t = 0. Optional point arrays, of any numeric type, override
 * the filter's defaults:
 * - velocity [m/s, 3 components]
 * - radius [m], > 0
 * - density [kg/m^3], > 0
 * - temperature [K], > 0
 * - source_id [-], integer; without it the number of the connection, from 0
 *
 * Output: vtkPolyData, double points with a vertex cell each, ordered by particle_id. Point arrays,
 * also with no particles left:
 * - velocity [m/s, 3, float], the active vectors
 * - angular_velocity [rad/s, 3, float]
 * - pressure [Pa, float]: sum of normal contact forces over the sphere's surface, at this instant
 * - pressure_max [Pa, float]: its greatest value since the last frame
 * - radius [m, float], mass [kg, float], density [kg/m^3, float], temperature [K, float]
 * - kinetic_energy [J, float]: of translation and rotation
 * - age [s, float]
 * - particle_id [-, 64-bit integer], stable for life
 * - source_id [-, 32-bit integer]
 * - at_rest [-, unsigned char]: 1 where the surface stayed slower than RestSpeed since the last frame
 *
 * Field data: see vtkLapilliSimulation.
 */
#ifndef vtkLapilliGranularFlow_h
#define vtkLapilliGranularFlow_h

#include "LapilliFiltersModule.h" // for export macro
#include "vtkLapilliSimulation.h"

class LAPILLIFILTERS_EXPORT vtkLapilliGranularFlow : public vtkLapilliSimulation
{
public:
  static vtkLapilliGranularFlow* New();
  vtkTypeMacro(vtkLapilliGranularFlow, vtkLapilliSimulation);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum RotationType
  {
    ROTATION_FREE = 0,  ///< spheres spin
    ROTATION_LOCKED = 1 ///< spheres slide without spinning, as a block does
  };

  enum TerrainRoleType
  {
    ROLE_TERRAIN = 0,   ///< one-sided sheet: what leaves its map is removed and counted
    ROLE_CONTAINER = 1, ///< particles are inside; what gets out is removed and counted
    ROLE_OBSTACLE = 2   ///< a body in the way; nothing is lost beside it
  };

  /**
   * Adds one more source to port 1.
   */
  void AddSourceConnection(vtkAlgorithmOutput* source);
  void RemoveAllSources();

  ///@{
  /**
   * What the surface on port 0 is to the particles, see TerrainRoleType. Default is ROLE_TERRAIN.
   */
  vtkLapilliSetPhysicsMacro(TerrainRole, int);
  vtkGetMacro(TerrainRole, int);
  ///@}

  ///@{
  /**
   * Radius of seeds without an array radius [m], >= 0. 0 derives it from the terrain: five thousandths of its
   * greatest horizontal extent. Default is 0.
   */
  vtkLapilliSetPhysicsMacro(DefaultRadius, double);
  vtkGetMacro(DefaultRadius, double);
  ///@}

  ///@{
  /**
   * Density of seeds without an array density [kg/m^3], > 0. Default is 2600.
   */
  vtkLapilliSetPhysicsMacro(DefaultDensity, double);
  vtkGetMacro(DefaultDensity, double);
  ///@}

  ///@{
  /**
   * Velocity of seeds without an array velocity [m/s]. Default is (0, 0, 0).
   */
  vtkLapilliSetPhysicsVector3Macro(DefaultVelocity);
  vtkGetVector3Macro(DefaultVelocity, double);
  ///@}

  ///@{
  /**
   * Temperature of seeds without an array temperature [K], > 0. Default is 293.15.
   */
  vtkLapilliSetPhysicsMacro(DefaultTemperature, double);
  vtkGetMacro(DefaultTemperature, double);
  ///@}

  ///@{
  /**
   * Gravity [m/s^2]. Default is (0, 0, -9.81).
   */
  vtkLapilliSetPhysicsVector3Macro(Gravity);
  vtkGetVector3Macro(Gravity, double);
  ///@}

  ///@{
  /**
   * Rebound speed over impact speed of two particles [-], (0, 1]. Default is 0.4.
   */
  vtkLapilliSetPhysicsMacro(Restitution, double);
  vtkGetMacro(Restitution, double);
  ///@}

  ///@{
  /**
   * Coulomb's coefficient between particles [-], [0, 10]. Default is 0.5.
   */
  vtkLapilliSetPhysicsMacro(Friction, double);
  vtkGetMacro(Friction, double);
  ///@}

  ///@{
  /**
   * Rebound speed over impact speed against the terrain [-], (0, 1]. Default is 0.4.
   */
  vtkLapilliSetPhysicsMacro(TerrainRestitution, double);
  vtkGetMacro(TerrainRestitution, double);
  ///@}

  ///@{
  /**
   * Coulomb's coefficient against the terrain [-], [0, 10]. Default is 0.6.
   */
  vtkLapilliSetPhysicsMacro(TerrainFriction, double);
  vtkGetMacro(TerrainFriction, double);
  ///@}

  ///@{
  /**
   * Whether spheres spin, see RotationType. Default is ROTATION_FREE.
   */
  vtkLapilliSetPhysicsMacro(Rotation, int);
  vtkGetMacro(Rotation, int);
  ///@}

  ///@{
  /**
   * Overlap tolerated in the hardest impact, as a fraction of the smallest radius [-],
   * [1e-4, 0.3]; the stiffness follows from it. A smaller one costs more steps. Default is 0.1.
   */
  vtkLapilliSetPhysicsMacro(GreatestOverlap, double);
  vtkGetMacro(GreatestOverlap, double);
  ///@}

  ///@{
  /**
   * Relative speed of the hardest impact [m/s], >= 0. 0 derives it from the seeds' speeds and the
   * drop to the lowest point of the terrain. Default is 0.
   */
  vtkLapilliSetPhysicsMacro(GreatestSpeed, double);
  vtkGetMacro(GreatestSpeed, double);
  ///@}

  ///@{
  /**
   * Time steps during one collision of two particles [-], [8, 1000]. Default is 20.
   */
  vtkLapilliSetPhysicsMacro(StepsPerContact, double);
  vtkGetMacro(StepsPerContact, double);
  ///@}

  ///@{
  /**
   * No particle moves farther in a step than this fraction of the smallest radius [-], (0, 0.5]. Default is 0.1.
   */
  vtkLapilliSetPhysicsMacro(TravelPerStep, double);
  vtkGetMacro(TravelPerStep, double);
  ///@}

  ///@{
  /**
   * Upper limit of the time step [s], >= 0; 0 for none. Default is 0.
   */
  vtkLapilliSetPhysicsMacro(TimeStepLimit, double);
  vtkGetMacro(TimeStepLimit, double);
  ///@}

  ///@{
  /**
   * Neighbours are listed up to this fraction of the smallest radius beyond contact [-], 0 or [0.01, 4]; 0 lets
   * it follow the greatest speed. It changes the speed of a run, not its physics. Default is 0.
   */
  vtkLapilliSetPhysicsMacro(Skin, double);
  vtkGetMacro(Skin, double);
  ///@}

  ///@{
  /**
   * A particle whose surface stays slower than this between two frames is at rest [m/s], >= 0. Default is 0.05.
   */
  vtkLapilliSetPhysicsMacro(RestSpeed, double);
  vtkGetMacro(RestSpeed, double);
  ///@}

  ///@{
  /**
   * Overlapping seeds are pushed apart if they are at most this fraction of all, else refused [-], [0, 1]. Default is 0.5.
   */
  vtkLapilliSetPhysicsMacro(OverlappingSeedsLimit, double);
  vtkGetMacro(OverlappingSeedsLimit, double);
  ///@}

  ///@{
  /**
   * Runs estimated to take more memory are refused [MB], >= 0; 0 for what the machine has free. Default is 0.
   */
  vtkLapilliSetPhysicsMacro(MemoryLimit, double);
  vtkGetMacro(MemoryLimit, double);
  ///@}

protected:
  vtkLapilliGranularFlow();
  ~vtkLapilliGranularFlow() override;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  void DescribeRun(vtkInformationVector** inputs, lapilli::RunDescription& run) override;
  void DescribeLayout(lapilli::Frame& frame) override;

private:
  vtkLapilliGranularFlow(const vtkLapilliGranularFlow&) = delete;
  void operator=(const vtkLapilliGranularFlow&) = delete;

  int TerrainRole = ROLE_TERRAIN;
  double DefaultRadius = 0;
  double DefaultDensity = 2600;
  double DefaultVelocity[3] = { 0, 0, 0 };
  double DefaultTemperature = 293.15;
  double Gravity[3] = { 0, 0, -9.81 };
  double Restitution = 0.4;
  double Friction = 0.5;
  double TerrainRestitution = 0.4;
  double TerrainFriction = 0.6;
  int Rotation = ROTATION_FREE;
  double GreatestOverlap = 0.1;
  double GreatestSpeed = 0;
  double StepsPerContact = 20;
  double TravelPerStep = 0.1;
  double TimeStepLimit = 0;
  double Skin = 0;
  double RestSpeed = 0.05;
  double OverlappingSeedsLimit = 0.5;
  double MemoryLimit = 0;
};

#endif
