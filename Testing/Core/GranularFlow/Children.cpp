#include "Children.h"

#include "Math/Random.h"
#include "Runs.h"
#include "Terrains.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <unistd.h>

namespace lapilli
{
namespace test
{

Scene repeatScene(int count)
{
  Scene scene;
  Surface terrain = maungaWhau(LAPILLI_DATA);
  // A hole: the triangles around the middle.
  Surface holed = terrain;
  holed.triangles.clear();
  const auto inHole = [&](std::int64_t p)
  {
    return std::abs(terrain.points[3 * p] - 400) < 40 &&
           std::abs(terrain.points[3 * p + 1] - 300) < 40;
  };
  for (std::size_t t = 0; t < terrain.triangles.size(); t += 3)
    if (!inHole(terrain.triangles[t]) || !inHole(terrain.triangles[t + 1]) ||
        !inHole(terrain.triangles[t + 2]))
      holed.triangles.insert(
        holed.triangles.end(), &terrain.triangles[t], &terrain.triangles[t] + 3);
  scene.surfaces.push_back(holed);

  RandomStream random(11, RandomStream::Positions);
  // Over all of the map: 845 m by 585 m between the first and last points.
  const double spacing = std::sqrt(845.0 * 585.0 / count);
  const double radius = 0.28 * spacing;
  for (double y = 7; y < 594; y += spacing)
  {
    for (double x = 7; x < 854; x += spacing)
    {
      const int i = std::min(85, static_cast<int>((x - 5) / 10)),
                j = std::min(59, static_cast<int>((y - 5) / 10));
      double ground = 0;
      for (const int corner : { 0, 1, 87, 88 })
        ground = std::max(ground, terrain.points[3 * (i + 87 * j + corner) + 2]);
      if (inHole(i + 87 * j) && inHole(i + 87 * j + 88) && inHole(i + 87 * j + 1) &&
          inHole(i + 87 * j + 87))
        continue;
      // Those beside the hole run towards it.
      const double dx = 400 - x, dy = 300 - y, away = std::sqrt(dx * dx + dy * dy);
      const double inwards = away < 70 ? 9 / away : 0;
      scene.seeds.add({ x + random.uniform(-0.1, 0.1) * spacing,
                        y + random.uniform(-0.1, 0.1) * spacing, ground + radius + 0.2 },
        { random.uniform(-4, 4) + inwards * dx, random.uniform(-4, 4) + inwards * dy,
          random.uniform(-4, 0) },
        radius * (1 - 0.4 * random.uniform()), 2600, 293,
        static_cast<std::int32_t>(random.below(3)));
    }
  }
  return scene;
}

GranularFlowParameters repeatParameters()
{
  GranularFlowParameters parameters;
  parameters.greatestSpeed = 10;
  parameters.frameInterval = 0.064;
  parameters.timeStepLimit = 0.00064;
  return parameters;
}

double repeatTime()
{
  return 10 * repeatParameters().frameInterval;
}

std::string fingerprint(const Simulation& run)
{
  const Report report = run.report();
  std::ostringstream text;
  text << std::hex << hashOf(run) << std::dec << " steps " << report.steps << " builds "
       << report.neighborBuilds;
  for (const Loss& loss : report.losses)
    text << ", " << loss.count << " " << loss.reason;
  text.precision(17);
  text << ", support " << report.supportForce[2] << ", overlap " << report.greatestOverlap
       << ", momentum " << report.momentum[0] << ", energy " << report.kineticEnergy;
  return text.str();
}

namespace
{

std::vector<std::uint8_t> bytesOf(const std::string& name)
{
  std::ifstream file(name, std::ios::binary);
  if (!file)
    throw std::runtime_error("cannot read " + name);
  return { std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>() };
}

} // namespace

int runChild(int argc, char** argv)
{
  try
  {
    const std::string mode = argc > 2 ? argv[2] : "";
    if (mode == "repeat" && argc == 5)
    {
      auto run = march(repeatScene(std::atoi(argv[3])), repeatParameters(),
        { DeviceKind::Cpu, std::atoi(argv[4]) }, repeatTime());
      std::cout << run->report().device << "\n" << fingerprint(*run) << "\n";
      return 0;
    }
    if (mode == "resume" && argc == 5)
    {
      auto run = createGranularFlow(
        repeatScene(std::atoi(argv[3])), repeatParameters(), { DeviceKind::Cpu, 1 });
      restoreBytes(*run, bytesOf(argv[4]));
      advance(*run, repeatTime());
      std::cout << run->report().device << "\n" << fingerprint(*run) << "\n";
      return 0;
    }
    std::cerr << "no such child: " << mode << "\n";
  }
  catch (const std::exception& error)
  {
    std::cerr << error.what() << "\n";
  }
  return 1;
}

std::string runInChild(const std::string& before, const std::string& arguments)
{
  char self[4096];
  const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  if (length <= 0)
    throw std::runtime_error("the executable does not know its name");
  self[length] = '\0';
  // Threads that wait sleep: they may be more than the processors.
  const std::string command =
    "OMP_WAIT_POLICY=passive " + before + " '" + self + "' --child " + arguments;
  std::FILE* pipe = popen(command.c_str(), "r");
  if (!pipe)
    throw std::runtime_error("cannot start " + command);
  std::string output;
  char buffer[4096];
  while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, pipe))
    output.append(buffer, count);
  if (pclose(pipe) != 0)
    throw std::runtime_error("failed: " + command);
  return output;
}

} // namespace test
} // namespace lapilli

int main(int argc, char** argv)
{
  if (argc > 1 && std::string(argv[1]) == "--child")
    return lapilli::test::runChild(argc, argv);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
