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
 * data of these. Each point is a seed, a particle at t = 0, or a nozzle where it has emission_rate or
 * emission_pulses (and emission_rate_unit is not -1): particles come from it while the run goes on. Optional point arrays, of any numeric type, override
 * the filter's defaults:
 * - velocity [m/s, 3 components]
 * - radius [m], > 0
 * - density [kg/m^3], > 0
 * - temperature [K], > 0
 * - source_id [-], integer; without it the number of the connection, from 0
 * - material [-], whole number >= 0, else 0; youngs_modulus [Pa], > 0; poissons_ratio [-], (-1, 0.5)
 * - shape [-]: 0 a sphere, 1 disc, 2 bar, 3 cube, 4 tetrapod, 5 and above the connections of port 3
 * of nozzles:
 * - emission_rate [1/s or kg/s], emission_start [s] (0), emission_stop [s] (infinity), emission_speed [m/s] (the length of
 *   velocity); points that follow one another, have a random_seed and differ in these alone are the pulses of one nozzle
 * - emission_pulses [4 components a pulse, any number: start, stop, rate, speed] instead of them; unused ones have the stop 0
 * - emission_rate_unit [-]: -1 not a nozzle, 0 particles per second, 1 kilograms per second
 * - emission_direction [3 components, any length] (that of velocity, else up), emission_opening_radius [m] (0),
 *   emission_opening_normal [3 components, any length] (0, 0, 0: the direction),
 *   emission_spread [degrees, half the angle of the cone] (0)
 * - emission_radius_law [-] (0 constant, 1 uniform, 2 log-normal) with emission_radius_parameters [5 components: radius,
 *   smallest, largest, median in m, spread]; without them radius
 * - emission_turn [2 components: number, from 0, of how many] (0, 1): nozzles that take turns and have the same pulses, radii
 *   and random_seed give together what one with the sum of their rates would
 * - random_seed [-], integer
 *
 * Input port 2, Obstacles (optional, several connections): surfaces as on port 0, bodies in the way whose force and impulse
 * are reported; each is called after the text in its field data array name, else "obstacle 0", …. No two may have names that
 * give one array (with '_' for all but letters and digits), nor be called terrain, support or as a wall of the domain.
 * Parts that are closed face outward; open ones, such as a wall of one layer, stop particles on both sides. At periodic
 * sides each part must end before both sides or reach beyond both: obstacles are not repeated.
 *
 * Input port 3, Shapes (optional, several connections): any points with the point array radius [m], the
 * spheres of a block; the first connection is the shape 5.
 *
 * Cell arrays restitution, friction and rolling_friction of terrain and obstacles override the properties cell by
 * cell; -1 leaves the property.
 *
 * Output port 0, particles: vtkPolyData, double points with a vertex cell each, ordered by particle_id. Point arrays,
 * also with no particles left:
 * - velocity [m/s, 3, float], the active vectors
 * - angular_velocity [rad/s, 3, float]
 * - pressure [Pa, float]: sum of normal contact forces over the sphere's surface or the disc's rim (2 pi r times 1 m), at
 *   this instant
 * - pressure_max [Pa, float]: its greatest value since the last frame
 * - radius [m, float], mass [kg, float; of a disc that of 1 m depth], density [kg/m^3, float], temperature [K, float]
 * - kinetic_energy [J, float]: of translation and rotation
 * - age [s, float]
 * - particle_id [-, 64-bit integer], stable for life
 * - source_id [-, 32-bit integer]
 * - at_rest [-, unsigned char]: 1 where the surface stayed slower than RestSpeed since the last frame
 *
 * - clump_sphere [-, 32-bit integer] and orientation [4, float, quaternion w x y z] in runs with blocks: each sphere
 *   of a block is a point, with equal shares of the block's mass and energy
 *
 * Output port 1, terrain maps: vtkPolyData, the terrain's triangles in the input's coordinates with the cell arrays, since the start:
 * - passes [-], how often a particle came onto the triangle; greatest_speed [m/s]; kinetic_energy [J], greatest of one
 *   particle; bounce_height [m], greatest gap between sphere and ground; impact_pressure [Pa], greatest force of one contact over the
 *   cross-section of the sphere, pi r^2, or of the disc, 2 r times 1 m; arrival_time [s], of the first particle, -1 before; deposit_mass [kg] and deposit_thickness [m], at rest now
 * - with several sources each also as NAME_source_ID
 * A particle counts on the triangle under it, however high it flies; only impact_pressure and the deposit need contact.
 *
 * Output port 2, history: vtkTable with a row for each frame up to the time of the request: time, steps, time_step, particles,
 * masses, energies, momentum, forces; the columns stand in GranularFlow.h.
 *
 * Field data of port 0: see vtkLapilliSimulation; and where sources bring names (field data body_source_id, integers, and
 * body_name, strings, as Particle Source has them for bodies) all of these as source_id 32-bit and source_name string, one
 * tuple a name. They belong to the point array source_id.
 */
#ifndef vtkLapilliGranularFlow_h
#define vtkLapilliGranularFlow_h

#include "LapilliFiltersModule.h" // for export macro
#include "vtkLapilliSimulation.h"

#include <vector> // for std::vector

namespace lapilli
{
struct Domain;
} // namespace lapilli

class LAPILLIFILTERS_EXPORT vtkLapilliGranularFlow : public vtkLapilliSimulation
{
public:
  static vtkLapilliGranularFlow* New();
  vtkTypeMacro(vtkLapilliGranularFlow, vtkLapilliSimulation);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum DimensionsType
  {
    DIMENSIONS_THREE = 0,    ///< spheres in space
    DIMENSIONS_PLANE_XY = 1, ///< discs in a horizontal plane
    DIMENSIONS_PLANE_XZ = 2, ///< discs in an upright plane from west to east
    DIMENSIONS_PLANE_YZ = 3  ///< discs in an upright plane from south to north
  };

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

  enum ContactLawType
  {
    CONTACT_LINEAR_SPRING = 0, ///< stiffness from GreatestOverlap at the greatest speed
    CONTACT_HERTZ_MINDLIN = 1  ///< stiffness from Young's moduli and Poisson's ratios
  };

  enum TangentialLawType
  {
    TANGENTIAL_SPRING = 0, ///< spring with history and dashpot: slopes hold rocks
    TANGENTIAL_DASHPOT = 1 ///< dashpot without history: for fast flows; rocks at rest creep
  };

  enum NeighborSearchType
  {
    NEIGHBORS_AUTO = 0,  ///< by the radii and the width of the scene; the report tells which
    NEIGHBORS_CELLS = 1, ///< for radii that are nearly equal
    NEIGHBORS_TREE = 2   ///< for radii that differ, and very wide scenes
  };

  enum DragLawType
  {
    DRAG_CONSTANT = 0,        ///< DragCoefficient
    DRAG_SCHILLER_NAUMANN = 1 ///< of the Reynolds number
  };

  enum DomainSideType
  {
    SIDE_OPEN = 0,    ///< particles leave and are counted
    SIDE_WALL = 1,    ///< a flat wall with the terrain's properties; its force is reported
    SIDE_PERIODIC = 2 ///< particles come back at the opposite side, which must be periodic too
  };

  /**
   * Adds one more source to port 1.
   */
  void AddSourceConnection(vtkAlgorithmOutput* source);
  void RemoveAllSources();

  ///@{
  /**
   * Adds one more obstacle to port 2, one more shape to port 3.
   */
  void AddObstacleConnection(vtkAlgorithmOutput* obstacle);
  void RemoveAllObstacles();
  void AddShapeConnection(vtkAlgorithmOutput* shape);
  void RemoveAllShapes();
  ///@}

  ///@{
  /**
   * Whether particles are spheres in space or discs in a plane, see DimensionsType. Discs are cylinders of 1 m depth at
   * right angles to the plane, which goes through the first source; all sources must lie in it and move within it. Gravity and
   * wind act with their parts in the plane; the terrain acts as between two smooth panes. Default is DIMENSIONS_THREE.
   */
  vtkLapilliSetPhysicsMacro(Dimensions, int);
  vtkGetMacro(Dimensions, int);
  ///@}

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
   * How particles near one another are found, see NeighborSearchType. It changes the speed of a run, not its
   * physics. Default is NEIGHBORS_AUTO.
   */
  vtkLapilliSetPhysicsMacro(NeighborSearch, int);
  vtkGetMacro(NeighborSearch, int);
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

  ///@{
  /**
   * How stiff contacts are, see ContactLawType. Default is CONTACT_LINEAR_SPRING.
   */
  vtkLapilliSetPhysicsMacro(ContactLaw, int);
  vtkGetMacro(ContactLaw, int);
  ///@}

  ///@{
  /**
   * How friction acts across contacts, see TangentialLawType. Default is TANGENTIAL_SPRING.
   */
  vtkLapilliSetPhysicsMacro(TangentialLaw, int);
  vtkGetMacro(TangentialLaw, int);
  ///@}

  ///@{
  /**
   * Coefficient of rolling friction between particles [-], [0, 2]. Default is 0.
   */
  vtkLapilliSetPhysicsMacro(RollingFriction, double);
  vtkGetMacro(RollingFriction, double);
  ///@}

  ///@{
  /**
   * Cohesion between particles [J/m^3], >= 0; of CONTACT_HERTZ_MINDLIN alone. Default is 0.
   */
  vtkLapilliSetPhysicsMacro(Cohesion, double);
  vtkGetMacro(Cohesion, double);
  ///@}

  ///@{
  /**
   * Coefficient of rolling friction against the terrain [-], [0, 2]. Default is 0.
   */
  vtkLapilliSetPhysicsMacro(TerrainRollingFriction, double);
  vtkGetMacro(TerrainRollingFriction, double);
  ///@}

  ///@{
  /**
   * Cohesion against the terrain [J/m^3], >= 0; of CONTACT_HERTZ_MINDLIN alone. Default is 0.
   */
  vtkLapilliSetPhysicsMacro(TerrainCohesion, double);
  vtkGetMacro(TerrainCohesion, double);
  ///@}

  ///@{
  /**
   * Young's modulus of the terrain [Pa], >= 0, of CONTACT_HERTZ_MINDLIN; 0 is rigid. Default is 5e9.
   */
  vtkLapilliSetPhysicsMacro(TerrainYoungsModulus, double);
  vtkGetMacro(TerrainYoungsModulus, double);
  ///@}

  ///@{
  /**
   * Poisson's ratio of the terrain [-], (-1, 0.5), of CONTACT_HERTZ_MINDLIN. Default is 0.25.
   */
  vtkLapilliSetPhysicsMacro(TerrainPoissonsRatio, double);
  vtkGetMacro(TerrainPoissonsRatio, double);
  ///@}

  ///@{
  /**
   * Young's modulus of points without an array youngs_modulus [Pa], > 0. Default is 5e9.
   */
  vtkLapilliSetPhysicsMacro(DefaultYoungsModulus, double);
  vtkGetMacro(DefaultYoungsModulus, double);
  ///@}

  ///@{
  /**
   * Poisson's ratio of points without an array poissons_ratio [-], (-1, 0.5). Default is 0.25.
   */
  vtkLapilliSetPhysicsMacro(DefaultPoissonsRatio, double);
  vtkGetMacro(DefaultPoissonsRatio, double);
  ///@}

  ///@{
  /**
   * Density of the air [kg/m^3], >= 0; 0 for no drag. Default is 0.
   */
  vtkLapilliSetPhysicsMacro(AirDensity, double);
  vtkGetMacro(AirDensity, double);
  ///@}

  ///@{
  /**
   * What the drag coefficient is, see DragLawType. Default is DRAG_CONSTANT.
   */
  vtkLapilliSetPhysicsMacro(DragLaw, int);
  vtkGetMacro(DragLaw, int);
  ///@}

  ///@{
  /**
   * Drag coefficient of DRAG_CONSTANT [-], [0, 100]. Default is 1.
   */
  vtkLapilliSetPhysicsMacro(DragCoefficient, double);
  vtkGetMacro(DragCoefficient, double);
  ///@}

  ///@{
  /**
   * Dynamic viscosity of the air [Pa s], > 0, of DRAG_SCHILLER_NAUMANN. Default is 1.8e-5.
   */
  vtkLapilliSetPhysicsMacro(AirViscosity, double);
  vtkGetMacro(AirViscosity, double);
  ///@}

  ///@{
  /**
   * A step's greatest share of the Rayleigh time [-], (0, 1], of CONTACT_HERTZ_MINDLIN. Default is 0.2.
   */
  vtkLapilliSetPhysicsMacro(RayleighFraction, double);
  vtkGetMacro(RayleighFraction, double);
  ///@}

  ///@{
  /**
   * Whether the maps of port 1 are kept; else it has no arrays. Default is on.
   */
  vtkLapilliSetPhysicsMacro(TerrainMaps, bool);
  vtkGetMacro(TerrainMaps, bool);
  ///@}

  ///@{
  /**
   * The maps look at particles whenever one may have moved by this fraction of the smallest radius [-], [0.1, 100]. Default is 1.
   */
  vtkLapilliSetPhysicsMacro(MapTravel, double);
  vtkGetMacro(MapTravel, double);
  ///@}

  ///@{
  /**
   * Porosity of a deposit, for deposit_thickness [-], [0, 0.95]. Default is 0.4.
   */
  vtkLapilliSetPhysicsMacro(DepositPorosity, double);
  vtkGetMacro(DepositPorosity, double);
  ///@}

  ///@{
  /**
   * Whether there is a box around everything that moves. Default is off.
   */
  vtkLapilliSetPhysicsMacro(Domain, bool);
  vtkGetMacro(Domain, bool);
  ///@}

  ///@{
  /**
   * Corners of that box [m], the upper above the lower. Default is (0, 0, 0) for both.
   */
  vtkLapilliSetPhysicsVector3Macro(DomainLower);
  vtkGetVector3Macro(DomainLower, double);
  vtkLapilliSetPhysicsVector3Macro(DomainUpper);
  vtkGetVector3Macro(DomainUpper, double);
  ///@}

  ///@{
  /**
   * What happens at the sides of that box, see DomainSideType. Default is SIDE_OPEN.
   */
  vtkLapilliSetPhysicsMacro(XLower, int);
  vtkGetMacro(XLower, int);
  vtkLapilliSetPhysicsMacro(XUpper, int);
  vtkGetMacro(XUpper, int);
  vtkLapilliSetPhysicsMacro(YLower, int);
  vtkGetMacro(YLower, int);
  vtkLapilliSetPhysicsMacro(YUpper, int);
  vtkGetMacro(YUpper, int);
  vtkLapilliSetPhysicsMacro(ZLower, int);
  vtkGetMacro(ZLower, int);
  vtkLapilliSetPhysicsMacro(ZUpper, int);
  vtkGetMacro(ZUpper, int);
  ///@}

  ///@{
  /**
   * Rows of a table: the numbers of two materials (-1 for the terrain), and between them restitution (0, 1], friction
   * [0, 10], rolling friction [0, 2], cohesion [J/m^3, >= 0]. With any row the eight properties above do not count, and
   * every pair of the materials in use must be there. Default is none.
   */
  void AddMaterialPair(double first, double second, double restitution, double friction,
    double rollingFriction, double cohesion);
  void RemoveAllMaterialPairs();
  int GetNumberOfMaterialPairs();
  ///@}

  ///@{
  /**
   * Rows of a table: the wind's velocity [m/s] at a height [m], in ascending order of height; between two heights it
   * is interpolated, beyond them it stays. Default is none: still air.
   */
  void AddWind(double height, double x, double y, double z);
  void RemoveAllWind();
  int GetNumberOfWindLayers();
  ///@}

protected:
  vtkLapilliGranularFlow();
  ~vtkLapilliGranularFlow() override;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  void DescribeRun(vtkInformationVector** inputs, lapilli::RunDescription& run) override;
  void DescribeLayout(lapilli::Frame& frame) override;
  void DescribeParticles(vtkInformationVector** inputs, vtkFieldData* fields) override;

private:
  vtkLapilliGranularFlow(const vtkLapilliGranularFlow&) = delete;
  void operator=(const vtkLapilliGranularFlow&) = delete;

  void DescribeDomain(lapilli::Domain& domain);

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
  int NeighborSearch = NEIGHBORS_AUTO;
  int Dimensions = DIMENSIONS_THREE;
  double RestSpeed = 0.05;
  double OverlappingSeedsLimit = 0.5;
  double MemoryLimit = 0;
  int ContactLaw = CONTACT_LINEAR_SPRING;
  int TangentialLaw = TANGENTIAL_SPRING;
  double RollingFriction = 0;
  double Cohesion = 0;
  double TerrainRollingFriction = 0;
  double TerrainCohesion = 0;
  double TerrainYoungsModulus = 5e9;
  double TerrainPoissonsRatio = 0.25;
  double DefaultYoungsModulus = 5e9;
  double DefaultPoissonsRatio = 0.25;
  double AirDensity = 0;
  int DragLaw = DRAG_CONSTANT;
  double DragCoefficient = 1;
  double AirViscosity = 1.8e-5;
  double RayleighFraction = 0.2;
  bool TerrainMaps = true;
  double MapTravel = 1;
  double DepositPorosity = 0.4;
  bool Domain = false;
  int XLower = SIDE_OPEN;
  int XUpper = SIDE_OPEN;
  int YLower = SIDE_OPEN;
  int YUpper = SIDE_OPEN;
  int ZLower = SIDE_OPEN;
  int ZUpper = SIDE_OPEN;
  double DomainLower[3] = { 0, 0, 0 };
  double DomainUpper[3] = { 0, 0, 0 };
  std::vector<double> MaterialPairs; // six a row
  std::vector<double> Wind;          // four a row
};

#endif
