/// @file
/// Granular Flow: spheres and rigid clumps of spheres that collide with one another and with terrain,
/// by the discrete element method (Cundall & Strack, Geotechnique 29 (1979) 47-65): rockfalls,
/// ballistic bombs, talus, dry avalanches.
///
///   GranularFlowParameters parameters;
///   parameters.restitution = 0.4;
///   auto simulation = createGranularFlow(scene, parameters, Device{});
///
/// In a plane (parameters.dimensions) the particles are discs, cylinders of 1 m depth, see Dimensions.h. All seeds
/// and nozzles lie in it and move within it; it is where the first of them is. Terrain, obstacles and walls act as they
/// do on a sphere of the disc's radius between two smooth panes. ContactLaw::HertzMindlin, DragLaw::SchillerNaumann
/// and clumps are of three dimensions.
///
/// Datasets of a frame:
///
/// PointSet "particles", a point for each sphere, with the arrays
///   velocity [m/s, 3], angular_velocity [rad/s, 3], pressure [Pa], pressure_max [Pa],
///   radius [m], mass [kg], density [kg/m^3], temperature [K], kinetic_energy [J], age [s] (float);
///   particle_id (int64), source_id (int32), at_rest (uint8);
///   in scenes with clumps also clump_sphere (int32; which sphere of its clump, 0 for single spheres)
///   and orientation (float, 4: quaternion w x y z, from the shape's axes to those of the map).
/// The spheres of a clump have one particle_id, the velocity of their own centres, and equal shares of
/// the clump's mass and kinetic_energy, so that sums over points are right.
///
/// `pressure` is the sum of the normal contact forces over the sphere's surface, sum F / (4 pi r^2), or over the
/// disc's rim, sum F / (2 pi r * 1 m), at this instant; `pressure_max` is its greatest value since the last frame (contacts last
/// milliseconds, so the instant is mostly zero). `kinetic_energy` is that of translation and
/// rotation. `at_rest` is 1 where since the last frame the speed of the surface, |v| + r |omega|, has stayed
/// below `restSpeed` and the particle has touched something; the spheres of a clump rest together.
///
/// SurfaceField "terrain", per triangle of the surfaces with the role Terrain, since the start (float):
///   passes [-], how often a particle came onto the triangle; greatest_speed [m/s]; kinetic_energy [J],
///   greatest of one particle, with rotation; bounce_height [m], greatest gap between sphere and
///   ground, at right angles to the ground; impact_pressure [Pa], greatest normal force of one
///   contact over the cross-section pi r^2 of its sphere, 2 r * 1 m of its disc; arrival_time [s], of the first particle, -1 before;
///   deposit_mass [kg], at rest now; deposit_thickness [m], its bulk volume over the triangle's horizontal area,
///   or over that of the part of it that lies under discs in an upright plane.
/// With more than one source each array also as NAME_source_ID. A particle is on the triangle under
/// its centre, however high it flies over it (only impact_pressure needs contact with it; the deposit
/// lies on it, on other particles or on an obstacle above it); it is
/// looked at whenever one may have moved by `mapTravel` of the smallest radius. A clump is on the triangle
/// of its first sphere, with its own speed and energy and the gap of the sphere of its volume.
/// Contact forces, and with them impact_pressure and the forces on obstacles, follow the chosen stiffness.
///
/// Table "history", a row per frame: time [s]; steps; time_step [s]; particles, particles_at_rest; mass, mass_in,
/// mass_at_rest [kg]; kinetic_energy, rotational_energy, potential_energy [J]; momentum_x, _y, _z [kg m/s];
/// support_force_x, _y, _z [N]; greatest_speed [m/s]; front_distance [m]; lost_mass_REASON [kg] for each reason;
/// NAME_force_x, _y, _z, NAME_greatest_force [N] and NAME_impulse_x, _y, _z [N s], since the start, for each obstacle
/// and wall, where NAME is columnName() of its name (Report.h). Obstacles are not repeated across periodic sides.
#pragma once

#include "Device.h"
#include "Dimensions.h"
#include "NeighborSearch.h"
#include "Scene.h"
#include "Simulation.h"
#include "UsualRange.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace lapilli
{

enum class Rotation
{
  Free,  ///< spheres spin
  Locked ///< spheres slide without spinning, as a block does
};

enum class ContactLaw
{
  LinearSpring, ///< stiffness from the overlap tolerated at the greatest speed
  HertzMindlin  ///< stiffness from Young's modulus and Poisson's ratio
};

/// How friction acts across a contact, within Coulomb's limit of friction times the normal force.
enum class TangentialLaw
{
  /// A spring that remembers how far the contact slipped, and a dashpot: holds a slope at rest. Cundall &
  /// Strack, Geotechnique 29 (1979) 47-65.
  Spring,
  /// The dashpot alone, without history (LAMMPS gran/hooke, LIGGGHTS tangential no_history; Silbert et al.,
  /// Phys. Rev. E 64 (2001) 051302, with k_t = 0): less memory and time for flows that stay fast. Nothing
  /// holds at rest: a block on a slope creeps at its weight along the slope over the damping, and a heap
  /// flattens. The damping follows from the restitution; at a restitution of 1 there is no friction.
  Dashpot
};

/// What two materials do to one another, or a material and the ground.
struct MaterialPair
{
  /// The number of all that particles run against: terrain, containers, obstacles, walls.
  static constexpr std::int32_t kTerrain = -1;

  std::int32_t first = 0;         ///< Material::number
  std::int32_t second = kTerrain; ///< Material::number, or kTerrain
  double restitution = 0.4;       ///< (0, 1]
  double friction = 0.5;          ///< [0, 10]
  double rollingFriction = 0;     ///< [0, 2]
  double cohesion = 0;            ///< [J/m^3], >= 0
};

enum class DragLaw
{
  ConstantCoefficient, ///< `dragCoefficient`
  SchillerNaumann      ///< of the Reynolds number, 24/Re (1 + 0.15 Re^0.687), 0.44 above 1000
};

/// The wind at one height; between two heights it is interpolated, beyond them it stays.
struct WindLayer
{
  double height = 0;                         ///< [m], z of the map
  std::array<double, 3> velocity{ 0, 0, 0 }; ///< [m/s]
};

struct GranularFlowParameters
{
  Dimensions dimensions = Dimensions::Three;    ///< spheres in space, or discs in a plane
  std::array<double, 3> gravity{ 0, 0, -9.81 }; ///< [m/s^2], each finite

  ContactLaw contactLaw = ContactLaw::LinearSpring;
  TangentialLaw tangentialLaw = TangentialLaw::Spring;
  double restitution = 0.4;           ///< between particles, rebound over impact speed, (0, 1]
  double friction = 0.5;              ///< between particles, Coulomb's coefficient, [0, 10]
  double rollingFriction = 0;         ///< between particles, [0, 2]; see Contacts/RollingFriction.h
  double cohesion = 0;                ///< [J/m^3], >= 0, between particles; HertzMindlin alone
  double terrainRestitution = 0.4;    ///< against the terrain, (0, 1]
  double terrainFriction = 0.6;       ///< against the terrain, [0, 10]
  double terrainRollingFriction = 0;  ///< against the terrain, [0, 2]
  double terrainCohesion = 0;         ///< [J/m^3], >= 0, against the terrain; HertzMindlin alone
  double terrainYoungsModulus = 5e9;  ///< [Pa], >= 0; 0: rigid
  double terrainPoissonsRatio = 0.25; ///< (-1, 0.5)
  /// Instead of the eight values above but the last two: empty, or every pair among the scene's
  /// materials, and each of them with the terrain.
  std::vector<MaterialPair> materialPairs;
  Rotation rotation = Rotation::Free;

  /// Of LinearSpring: stiffness follows from the overlap that is tolerated at the greatest speed.
  /// [1e-4, 0.3], as a fraction of the smallest radius. A smaller overlap costs proportionally more steps.
  double greatestOverlap = 0.1;
  /// [m/s], >= 0; relative speed of the hardest impact. 0: from the speeds of seeds, nozzles and wind and the
  /// drop from the highest of them to the lowest point of the terrain.
  double greatestSpeed = 0;

  double airDensity = 0; ///< [kg/m^3], >= 0; 0: no drag
  DragLaw dragLaw = DragLaw::ConstantCoefficient;
  double dragCoefficient = 1;   ///< [0, 100], of the cross-section of the sphere of equal volume
  double airViscosity = 1.8e-5; ///< [Pa s], > 0, of SchillerNaumann
  std::vector<WindLayer> wind;  ///< in ascending order of height; empty: still air

  double stepsPerContact = 20; ///< time steps during one binary collision, [8, 1000]
  double rayleighFraction =
    0.2; ///< of HertzMindlin: a step's greatest share of the Rayleigh time, (0, 1]
  double travelPerStep =
    0.1; ///< a step moves no particle by more than this fraction of the smallest radius, (0, 0.5]
  double timeStepLimit = 0; ///< [s], >= 0; an upper limit to the step, 0 for none
  /// Neighbours are listed up to this fraction of the smallest radius beyond contact: [0.01, 4], or
  /// 0 to be chosen by the greatest speed each time. It changes the speed of a run, not its physics.
  double skin = 0;
  NeighborSearch neighborSearch = NeighborSearch::Auto;

  double frameInterval = 0.1; ///< [s], > 0; the grid of times that steps land on
  double restSpeed = 0.05;    ///< [m/s], >= 0; see at_rest

  bool terrainMaps = true;      ///< keep the SurfaceField "terrain"; else it has no arrays
  double mapTravel = 1;         ///< [0.1, 100]; see the SurfaceField "terrain"
  double depositPorosity = 0.4; ///< of deposit_thickness, [0, 0.95]

  /// Seeds that overlap others are pushed apart if they are at most this fraction of all, else the
  /// run is refused. [0, 1]
  double overlappingSeedsLimit = 0.5;
  double memoryLimit =
    0; ///< [bytes], >= 0; refuse runs estimated above it; 0 = what the machine has free
  /// [s], >= 0; up to when emitted particles are counted in the estimate of memory. 0: to the end of
  /// the last pulse that ends. It changes nothing else.
  double plannedEnd = 0;

  /// @throws InvalidInput with name, value and range of the first field that is outside
  void validate() const;
};

/// The usual ranges of rocks and of this model's parameters, in the order of the panel.
const std::vector<UsualRange>& usualGranularFlow();

/// A sentence for each parameter and source that is outside its usual range; the run's report has them as notes. Parameters
/// that the run does not use are not looked at.
std::vector<std::string> unusualIn(const Scene& scene, const GranularFlowParameters& parameters);

/// What can be said before a run: the numbers that follow from the parameters and the scene.
struct GranularFlowEstimate
{
  double greatestSpeed = 0;   ///< [m/s], given or derived
  double contactTime = 0;     ///< [s], duration of the shortest binary collision at that speed
  double rayleighTime = 0;    ///< [s], the shortest; 0 with LinearSpring
  std::int64_t particles = 0; ///< seeds, and what is emitted until `plannedEnd`
  double timeStep = 0;        ///< [s]
  std::string timeStepLimitedBy;
  double memory = 0; ///< [bytes]
};

/// @throws InvalidInput as createGranularFlow()
GranularFlowEstimate estimateGranularFlow(
  const Scene& scene, const GranularFlowParameters& parameters);

/// Checks all input, places the particles and returns the run at t = 0.
/// Seeds below the terrain or outside its map are not simulated; the report counts and lists them.
/// @throws InvalidInput, BackendError
std::unique_ptr<Simulation> createGranularFlow(
  const Scene& scene, const GranularFlowParameters& parameters, const Device& device);

} // namespace lapilli
