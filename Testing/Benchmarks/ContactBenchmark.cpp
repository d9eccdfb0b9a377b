/// @file
/// Granular Flow as its peers are measured (peers.sh): spheres that start from given places between walls, over a terrain
/// where one is given; some steps untimed, then five timed blocks. Without Google Benchmark.
///
///   ContactBenchmark places=box.bin box=0.5,0.5,1.4 law=linear tangential=dashpot steps=200 pre=200 threads=2
///
/// Arguments are NAME=VALUE:
///   places      file of float64 x y z for each sphere [m]
///   lattice     instead of places and box: so many spheres on a cubic lattice a little narrower than their diameter,
///               six contacts each; needs no files
///   discs       no or yes: discs in the plane XZ; places have one y, and the lattice is a hexagonal one, again with
///               six contacts each
///   velocities  the same of velocities [m/s]; without: at rest
///   radii       file of a float64 for each sphere [m]; without: 5 mm
///   terrain     Wavefront OBJ of triangles with their front up
///   box         upper corner [m]; the lower one is the origin. Walls but for the top, and with a terrain the bottom
///   law         linear or hertz
///   tangential  spring (with history) or dashpot (without)
///   steps, pre  of a timed block; before the first, a whole number of blocks
///   search      auto, cells or tree: of neighbours
///   rebuild     no or yes: lists are rebuilt in every step, with their usual skin
///   threads     of OpenMP;   device   cpu or cuda
///
/// Material, step and skin are the peers': density 2500 kg/m^3, friction 0.3, dt 2e-5 s, skin a tenth of the common
/// diameter. Linear springs of 1e4 N/m with dashpots of 400 /s (along) and 200 /s (across) times the reduced mass of two
/// of the common spheres; our walls are twice as stiff as the peers', as omega0 is one for all contacts, of discs too. Hertz: E 1e7 Pa,
/// Poisson's ratio 0.3, restitution 0.5, walls of the same.
///
/// Prints one line of JSON: particle-steps/s of the blocks and their median, what tells that two programs are in the same
/// state (contacts of a sphere, kinetic energy, greatest overlap), lists per step, memory.
#include "GranularFlow.h"
#include "GranularFlow/GranularFlowPlan.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <exception>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <sys/resource.h>
#include <unordered_map>
#include <vector>

using namespace lapilli;

namespace
{

constexpr double kRadius = 0.005;  // [m], of the common spheres
constexpr double kDensity = 2500;  // [kg/m^3]
constexpr double kStiffness = 1e4; // [N/m], of linear springs
constexpr double kDamping = 400;   // [1/s], of linear springs, over the reduced mass
constexpr double kTimeStep = 2e-5; // [s]
constexpr double kSkin = 0.001;    // [m]
constexpr int kBlocks = 5;

using Arguments = std::map<std::string, std::string>;

Arguments parse(int argc, char** argv)
{
  Arguments arguments{ { "places", "" }, { "lattice", "" }, { "discs", "no" }, { "velocities", "" },
    { "radii", "" }, { "terrain", "" }, { "box", "" }, { "law", "linear" },
    { "tangential", "dashpot" }, { "steps", "200" }, { "pre", "200" }, { "search", "auto" },
    { "rebuild", "no" }, { "threads", "2" }, { "device", "cpu" } };
  for (int k = 1; k < argc; ++k)
  {
    const std::string argument = argv[k];
    const std::size_t sign = argument.find('=');
    if (sign == std::string::npos || arguments.count(argument.substr(0, sign)) == 0)
      throw std::runtime_error("argument '" + argument + "' is unknown; see the head of this file");
    arguments[argument.substr(0, sign)] = argument.substr(sign + 1);
  }
  return arguments;
}

std::vector<double> readDoubles(const std::string& path)
{
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file)
    throw std::runtime_error("cannot read '" + path + "'");
  std::vector<double> values(static_cast<std::size_t>(file.tellg()) / sizeof(double));
  file.seekg(0);
  file.read(
    reinterpret_cast<char*>(values.data()), std::streamsize(values.size() * sizeof(double)));
  return values;
}

std::array<double, 3> readBox(const std::string& text)
{
  std::istringstream stream(text);
  std::array<double, 3> box{};
  char comma;
  stream >> box[0] >> comma >> box[1] >> comma >> box[2];
  if (!stream)
    throw std::runtime_error("box is '" + text + "'; it must be LX,LY,LZ [m]");
  return box;
}

Surface readTerrain(const std::string& path)
{
  std::ifstream file(path);
  if (!file)
    throw std::runtime_error("cannot read '" + path + "'");
  Surface surface;
  std::string kind;
  while (file >> kind)
  {
    double p[3];
    std::int64_t t[3];
    if (kind == "v" && file >> p[0] >> p[1] >> p[2])
      surface.points.insert(surface.points.end(), p, p + 3);
    else if (kind == "f" && file >> t[0] >> t[1] >> t[2])
      for (const std::int64_t point : t)
        surface.triangles.push_back(point - 1);
    else
      throw std::runtime_error("'" + path + "' has other lines than v and f of three numbers");
  }
  return surface;
}

/// A sphere that flies up, beside all others, and farther than half the skin in a step: it makes the engine list the
/// neighbours of all in each step, with the skin of the other cases.
void addCourier(Scene& scene, double top)
{
  constexpr double kSpeed = 30; // [m/s]: 0.6 mm a step
  const double y = scene.seeds.positions[1];
  scene.seeds.add({ 3 * kRadius, y, top }, { 0, 0, kSpeed }, kRadius, kDensity);
  scene.domain.upper[2] += 100;
}

constexpr double kDistance = 0.999 * 2 * kRadius; // [m], of neighbours in a lattice

/// x y z of discs, in their box. Every second row is shifted by a radius and one disc shorter, so that walls hold all.
std::vector<double> hexagonalPlaces(std::int64_t count, std::array<double, 3>& box)
{
  const auto side = static_cast<std::int64_t>(std::ceil(std::sqrt(double(count))));
  std::vector<double> places;
  for (std::int64_t i = 0; i < count; ++i)
  {
    const std::int64_t twoRows = 2 * side - 1, inTwo = i % twoRows;
    const bool isSecond = inTwo >= side;
    const double column =
      static_cast<double>(isSecond ? inTwo - side : inTwo) + (isSecond ? 0.5 : 0);
    const double row = static_cast<double>(2 * (i / twoRows) + (isSecond ? 1 : 0));
    places.insert(places.end(),
      { kRadius + kDistance * column, kRadius, kRadius + std::sqrt(0.75) * kDistance * row });
  }
  const double width = 2 * kRadius + kDistance * static_cast<double>(side - 1);
  box = { width, 2 * kRadius, width + 1 };
  return places;
}

/// x y z of the lattice's spheres, in its box.
std::vector<double> latticePlaces(std::int64_t count, std::array<double, 3>& box)
{
  const auto side = static_cast<std::int64_t>(std::ceil(std::cbrt(double(count))));
  std::vector<double> places;
  for (std::int64_t i = 0; i < count; ++i)
    for (const std::int64_t cell : { i % side, i / side % side, i / (side * side) })
      places.push_back(kRadius + kDistance * static_cast<double>(cell));
  const double width = 2 * kRadius + kDistance * static_cast<double>(side - 1);
  box = { width, width, width + 1 };
  return places;
}

Scene makeScene(const Arguments& arguments)
{
  Scene scene;
  scene.materials.push_back({ 0, 1e7, 0.3 });
  const bool onLattice = !arguments.at("lattice").empty();
  const bool areDiscs = arguments.at("discs") == "yes";
  const auto onLatticeOf = [&](std::int64_t number)
  {
    return areDiscs ? hexagonalPlaces(number, scene.domain.upper)
                    : latticePlaces(number, scene.domain.upper);
  };
  const std::vector<double> places = onLattice ? onLatticeOf(std::stoll(arguments.at("lattice")))
                                               : readDoubles(arguments.at("places"));
  const std::size_t count = places.size() / 3;
  std::vector<double> velocities(3 * count, 0.0), radii(count, kRadius);
  if (!arguments.at("velocities").empty())
    velocities = readDoubles(arguments.at("velocities"));
  if (!arguments.at("radii").empty())
    radii = readDoubles(arguments.at("radii"));
  if (velocities.size() != 3 * count || radii.size() != count)
    throw std::runtime_error("the files of places, velocities and radii differ in length");
  double top = 0;
  for (std::size_t i = 0; i < count; ++i)
  {
    const double* x = &places[3 * i];
    const double* v = &velocities[3 * i];
    scene.seeds.add({ x[0], x[1], x[2] }, { v[0], v[1], v[2] }, radii[i], kDensity);
    top = std::max(top, x[2] + radii[i]);
  }

  scene.domain.used = true;
  if (!onLattice)
    scene.domain.upper = readBox(arguments.at("box"));
  scene.domain.sides.fill(DomainSide::Wall);
  scene.domain.sides[5] = DomainSide::Open;
  if (areDiscs)
    scene.domain.sides[2] = scene.domain.sides[3] = DomainSide::Open;
  if (!arguments.at("terrain").empty())
  {
    scene.surfaces.push_back(readTerrain(arguments.at("terrain")));
    scene.domain.sides[4] = DomainSide::Open;
    scene.domain.lower[2] = -1;
  }
  if (arguments.at("rebuild") == "yes")
    addCourier(scene, top + 2 * kRadius);
  return scene;
}

/// Of the clamped law: e = exp(-2 phi cot phi), phi = arccos zeta; see Contacts/LinearSpring.h.
double restitutionOfDampingRatio(double zeta)
{
  const double phi = std::acos(zeta);
  return std::exp(-2 * phi / std::tan(phi));
}

GranularFlowParameters makeParameters(const Arguments& arguments, double smallestRadius)
{
  GranularFlowParameters parameters;
  if (arguments.at("discs") == "yes")
    parameters.dimensions = Dimensions::PlaneXZ;
  const bool isHertz = arguments.at("law") == "hertz";
  parameters.contactLaw = isHertz ? ContactLaw::HertzMindlin : ContactLaw::LinearSpring;
  parameters.tangentialLaw =
    arguments.at("tangential") == "spring" ? TangentialLaw::Spring : TangentialLaw::Dashpot;
  const double mass = kDensity * 4 / 3 * M_PI * std::pow(kRadius, 3) / 2;
  const double frequency = std::sqrt(kStiffness / mass);
  const std::string& search = arguments.at("search");
  parameters.neighborSearch = search == "cells"  ? NeighborSearch::Cells
                              : search == "tree" ? NeighborSearch::Tree
                                                 : NeighborSearch::Auto;
  parameters.greatestSpeed = 1;
  parameters.greatestOverlap = parameters.greatestSpeed / (frequency * smallestRadius);
  parameters.restitution = isHertz ? 0.5 : restitutionOfDampingRatio(kDamping / (2 * frequency));
  parameters.terrainRestitution = parameters.restitution;
  parameters.friction = parameters.terrainFriction = 0.3;
  parameters.terrainYoungsModulus = 1e7;
  parameters.terrainPoissonsRatio = 0.3;
  parameters.stepsPerContact = 8; // the limit rules
  parameters.rayleighFraction = 1;
  parameters.travelPerStep = 0.5;
  parameters.timeStepLimit = kTimeStep;
  parameters.skin = kSkin / smallestRadius;
  parameters.terrainMaps = false;
  parameters.frameInterval = std::stoi(arguments.at("steps")) * kTimeStep;
  return parameters;
}

/// As createGranularFlow(), but seeds start exactly at their places: what has settled overlaps, and would be pushed apart.
std::unique_ptr<Simulation> start(
  const Scene& scene, const GranularFlowParameters& parameters, const Device& device)
{
  auto plan = std::make_shared<GranularFlowPlan>(deriveGranularFlow(scene, parameters));
  plan->columns = ColumnGrid(plan->mesh);
  for (std::size_t i = 0; i < scene.seeds.count(); ++i)
  {
    const double* x = &scene.seeds.positions[3 * i];
    plan->placedIds.push_back(static_cast<std::int64_t>(i));
    plan->placedAt.push_back(Vec3d{ x[0], x[1], x[2] } - plan->origin);
  }
#if defined(LAPILLI_WITH_CUDA)
  if (device.kind == DeviceKind::Cuda)
    return cuda::startGranularFlow(plan, device.threads);
#endif
  if (device.kind == DeviceKind::Cuda)
    throw std::runtime_error("this build has no CUDA backend");
  return cpu::startGranularFlow(plan, device.threads);
}

/// Contacts of a sphere, on the mean, walls and terrain not counted. Cells are as wide as most spheres; each pair is found
/// from its larger sphere.
double contactsPerSphere(const Simulation& run)
{
  Frame frame;
  run.read(frame);
  const PointSet& points = frame.pointSet("particles");
  const std::vector<double>& x = points.positions;
  const std::vector<float>& radii = points.array("radius").as<float>();
  const std::size_t count = points.count();
  std::vector<float> sorted = radii;
  std::nth_element(sorted.begin(), sorted.begin() + std::ptrdiff_t(count / 2), sorted.end());
  const double size = 2.0001 * sorted[count / 2];
  const auto cellOf = [&](double at) { return static_cast<std::int64_t>(std::floor(at / size)); };
  const auto keyOf = [](std::int64_t i, std::int64_t j, std::int64_t k)
  {
    constexpr std::int64_t middle = 1 << 20;
    return (i + middle) << 42 | (j + middle) << 21 | (k + middle);
  };
  std::unordered_map<std::int64_t, std::vector<std::size_t>> cells;
  for (std::size_t i = 0; i < count; ++i)
    cells[keyOf(cellOf(x[3 * i]), cellOf(x[3 * i + 1]), cellOf(x[3 * i + 2]))].push_back(i);

  std::size_t ends = 0;
  const auto look = [&](std::size_t i, const std::vector<std::size_t>& others)
  {
    for (const std::size_t j : others)
      if (j != i && radii[j] <= radii[i] &&
          std::hypot(x[3 * i] - x[3 * j], x[3 * i + 1] - x[3 * j + 1],
            x[3 * i + 2] - x[3 * j + 2]) < radii[i] + radii[j])
        ends += radii[j] < radii[i] ? 2 : 1; // one of equals is found from either side
  };
  for (std::size_t i = 0; i < count; ++i)
  {
    std::int64_t first[3], last[3];
    for (int axis = 0; axis < 3; ++axis)
    {
      first[axis] = cellOf(x[3 * i + axis] - 2 * radii[i]);
      last[axis] = cellOf(x[3 * i + axis] + 2 * radii[i]);
    }
    for (std::int64_t a = first[0]; a <= last[0]; ++a)
      for (std::int64_t b = first[1]; b <= last[1]; ++b)
        for (std::int64_t c = first[2]; c <= last[2]; ++c)
          if (const auto found = cells.find(keyOf(a, b, c)); found != cells.end())
            look(i, found->second);
  }
  return static_cast<double>(ends) / static_cast<double>(count);
}

double secondsOf(std::chrono::steady_clock::duration duration)
{
  return std::chrono::duration<double>(duration).count();
}

void measure(const Arguments& arguments)
{
  using Clock = std::chrono::steady_clock;
  const Scene scene = makeScene(arguments);
  const double smallest = *std::min_element(scene.seeds.radii.begin(), scene.seeds.radii.end());
  const GranularFlowParameters parameters = makeParameters(arguments, smallest);
  const int steps = std::stoi(arguments.at("steps")), threads = std::stoi(arguments.at("threads"));
  const int preBlocks = std::stoi(arguments.at("pre")) / steps;
  const bool onCuda = arguments.at("device") == "cuda";

  const auto begin = Clock::now();
  auto run = start(scene, parameters, { onCuda ? DeviceKind::Cuda : DeviceKind::Cpu, threads });
  const double startSeconds = secondsOf(Clock::now() - begin);
  SilentMonitor monitor;
  int frame = 0;
  for (; frame < preBlocks; ++frame)
    run->advanceTo((frame + 1) * parameters.frameInterval, monitor);
  const Report before = run->report();
  std::vector<double> blocks;
  for (const int last = frame + kBlocks; frame < last; ++frame)
  {
    const auto from = Clock::now();
    run->advanceTo((frame + 1) * parameters.frameInterval, monitor);
    blocks.push_back(
      static_cast<double>(scene.seeds.count()) * steps / secondsOf(Clock::now() - from));
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const Report after = run->report();

  std::ostringstream line;
  line.precision(6);
  line << "{\"device\": \"" << after.device << "\", \"particles\": " << after.particles
       << ", \"blocks\": [";
  for (std::size_t k = 0; k < blocks.size(); ++k)
    line << (k > 0 ? ", " : "") << blocks[k];
  std::sort(blocks.begin(), blocks.end());
  std::int64_t lost = 0;
  for (const Loss& loss : after.losses)
    lost += loss.count;
  line << "], \"median\": " << blocks[kBlocks / 2] << ", \"steps\": " << after.steps - before.steps
       << ", \"time_step\": " << after.smallestTimeStep << ", \"lists_per_step\": "
       << static_cast<double>(after.neighborBuilds - before.neighborBuilds) /
            static_cast<double>(after.steps - before.steps)
       << ", \"contacts_per_sphere\": " << contactsPerSphere(*run)
       << ", \"kinetic_energy\": " << after.kineticEnergy
       << ", \"greatest_overlap\": " << after.greatestOverlap << ", \"lost\": " << lost
       << ", \"start_seconds\": " << startSeconds
       << ", \"engine_mib\": " << after.memory / (1 << 20)
       << ", \"rss_mib\": " << static_cast<double>(usage.ru_maxrss) / 1024 << "}";
  std::cout << line.str() << "\n";
}

} // namespace

int main(int argc, char** argv)
{
  try
  {
    measure(parse(argc, argv));
    return 0;
  }
  catch (const std::exception& error)
  {
    std::cerr << "ContactBenchmark: " << error.what() << "\n";
    return 1;
  }
}
