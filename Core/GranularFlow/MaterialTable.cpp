#include "GranularFlow/MaterialTable.h"

#include "Contacts/HertzMindlin.h"
#include "Contacts/LinearSpring.h"
#include "Particles/Refuse.h"

#include <algorithm>
#include <map>
#include <set>

namespace lapilli
{
namespace
{

constexpr double kMostFriction = 10, kMostRollingFriction = 2;

bool isFraction(double restitution)
{
  return restitution > 0 && restitution <= 1;
}

bool isBetween(double low, double value, double high)
{
  return value >= low && value <= high;
}

double dampingFor(ContactLaw law, double restitution)
{
  return law == ContactLaw::HertzMindlin ? hertzDampingForRestitution(restitution)
                                         : dampingForRestitution(restitution);
}

/// dampingFor() with what was found before: triangles mostly share a few values.
class Dampings
{
public:
  explicit Dampings(ContactLaw law)
    : law_(law)
  {
  }
  float of(double restitution)
  {
    const auto [found, isNew] = known_.try_emplace(restitution, 0.0f);
    if (isNew)
      found->second = static_cast<float>(dampingFor(law_, restitution));
    return found->second;
  }

private:
  ContactLaw law_;
  std::map<double, float> known_;
};

std::string nameOf(std::int32_t material)
{
  return material == MaterialPair::kTerrain ? "the terrain"
                                            : "material " + std::to_string(material);
}

std::string nameOf(const MaterialPair& pair)
{
  return nameOf(pair.first) + " with " + nameOf(pair.second);
}

void checkMaterials(const std::vector<Material>& materials)
{
  std::set<std::int32_t> numbers;
  for (const Material& material : materials)
  {
    const std::string name = "material " + std::to_string(material.number);
    if (material.number < 0)
      refuse("number of a material", std::to_string(material.number), "be 0 or above");
    if (!numbers.insert(material.number).second)
      throw InvalidInput(name + " is given twice; give each material a number of its own");
    requirePositive("Young's modulus of " + name, material.youngsModulus);
    if (!(material.poissonsRatio > -1 && material.poissonsRatio < 0.5))
      refuse("Poisson's ratio of " + name, number(material.poissonsRatio), "lie in (-1, 0.5)");
  }
}

/// Those that seeds and nozzles are made of, ascending.
std::vector<Material> materialsInUse(const Scene& scene)
{
  checkMaterials(scene.materials);
  std::set<std::int32_t> numbers(scene.seeds.materials.begin(), scene.seeds.materials.end());
  if (scene.seeds.materials.empty() && scene.seeds.count() > 0)
    numbers.insert(0);
  for (const Nozzle& nozzle : scene.nozzles)
    numbers.insert(nozzle.material);
  if (!numbers.empty() && *numbers.begin() < 0)
    refuse("material of a source", std::to_string(*numbers.begin()), "be 0 or above");
  std::vector<Material> materials;
  for (const std::int32_t number : numbers)
  {
    const auto given = std::find_if(scene.materials.begin(), scene.materials.end(),
      [number](const Material& material) { return material.number == number; });
    materials.push_back(given != scene.materials.end() ? *given : Material{});
    materials.back().number = number;
  }
  return materials;
}

void checkPair(const MaterialPair& pair)
{
  const std::string of = " of " + nameOf(pair);
  if (!isFraction(pair.restitution))
    refuse("restitution" + of, number(pair.restitution), "lie in (0, 1]");
  if (!isBetween(0, pair.friction, kMostFriction))
    refuse("friction" + of, number(pair.friction), "lie in [0, 10]");
  if (!isBetween(0, pair.rollingFriction, kMostRollingFriction))
    refuse("rolling friction" + of, number(pair.rollingFriction), "lie in [0, 2]");
  if (!(pair.cohesion >= 0) || !std::isfinite(pair.cohesion))
    refuse("cohesion" + of, number(pair.cohesion), "be finite and not negative");
}

/// Every pair of the materials in use and of each with the terrain, in no order.
std::vector<MaterialPair> completePairs(
  const std::vector<Material>& materials, const GranularFlowParameters& p)
{
  std::map<std::pair<std::int32_t, std::int32_t>, MaterialPair> given;
  for (MaterialPair pair : p.materialPairs)
  {
    for (const std::int32_t number : { pair.first, pair.second })
      if (number < MaterialPair::kTerrain)
        refuse(
          "material of a pair", std::to_string(number), "be 0 or above, or -1 for the terrain");
    if (pair.first == MaterialPair::kTerrain)
      std::swap(pair.first, pair.second);
    if (pair.first == MaterialPair::kTerrain)
      throw InvalidInput("a pair of the terrain with itself is given; remove it");
    checkPair(pair);
    if (pair.second != MaterialPair::kTerrain && pair.second < pair.first)
      std::swap(pair.first, pair.second);
    if (!given.emplace(std::make_pair(pair.first, pair.second), pair).second)
      throw InvalidInput(
        "the table of materials gives " + nameOf(pair) + " twice; remove one of the rows");
  }

  std::vector<MaterialPair> pairs;
  const auto add = [&](std::int32_t first, std::int32_t second)
  {
    const bool onTerrain = second == MaterialPair::kTerrain;
    if (p.materialPairs.empty())
    {
      pairs.push_back({ first, second, onTerrain ? p.terrainRestitution : p.restitution,
        onTerrain ? p.terrainFriction : p.friction,
        onTerrain ? p.terrainRollingFriction : p.rollingFriction,
        onTerrain ? p.terrainCohesion : p.cohesion });
      return;
    }
    const auto found = given.find({ first, second });
    if (found == given.end())
      throw InvalidInput("the table of materials misses " + nameOf(MaterialPair{ first, second }) +
                         "; add a row for it, or empty the table");
    pairs.push_back(found->second);
  };
  for (std::size_t i = 0; i < materials.size(); ++i)
  {
    add(materials[i].number, MaterialPair::kTerrain);
    for (std::size_t j = i; j < materials.size(); ++j)
      add(materials[i].number, materials[j].number);
  }
  return pairs;
}

/// 1/E of half a contact, 0 for what is rigid.
double bulkCompliance(double youngs, double poisson)
{
  return youngs > 0 ? (1 - poisson * poisson) / youngs : 0;
}
double shearCompliance(double youngs, double poisson)
{
  return youngs > 0 ? 2 * (2 - poisson) * (1 + poisson) / youngs : 0;
}

/// One array of values on triangles.
struct TriangleArray
{
  const char* name;
  const std::vector<double>& values;
  const char* limit;
  bool (*isGood)(double);
};

void checkTriangleArray(const Surface& surface, std::size_t number_, const TriangleArray& array)
{
  const std::string name = std::string("array ") + array.name + " of " +
                           (surface.name.empty() ? "surface " + std::to_string(number_)
                                                 : "surface '" + surface.name + "'");
  if (!array.values.empty() && array.values.size() != surface.triangleCount())
    throw InvalidInput(name + " has " + std::to_string(array.values.size()) +
                       " values; it must have one for each of the " +
                       std::to_string(surface.triangleCount()) + " triangles");
  for (std::size_t t = 0; t < array.values.size(); ++t)
    if (array.values[t] != Surface::kNotGiven && !array.isGood(array.values[t]))
      throw InvalidInput(name + " is " + number(array.values[t]) + " on triangle " +
                         std::to_string(t) + "; it must lie in " + array.limit +
                         ": correct it, or use -1 to leave the pair's value");
}

std::vector<TriangleLaw> makeTriangleLaws(
  const Scene& scene, ContactLaw law, const SurfaceMesh& mesh)
{
  bool any = false;
  for (std::size_t s = 0; s < scene.surfaces.size(); ++s)
  {
    const Surface& surface = scene.surfaces[s];
    checkTriangleArray(surface, s, { "restitution", surface.restitution, "(0, 1]", isFraction });
    checkTriangleArray(surface, s, { "friction", surface.friction, "[0, 10]", [](double v) {
                                      return isBetween(0, v, kMostFriction);
                                    } });
    checkTriangleArray(surface, s,
      { "rolling_friction", surface.rollingFriction, "[0, 2]",
        [](double v) { return isBetween(0, v, kMostRollingFriction); } });
    any = any || !surface.restitution.empty() || !surface.friction.empty() ||
          !surface.rollingFriction.empty();
  }
  std::vector<TriangleLaw> laws;
  if (!any)
    return laws;
  Dampings dampings(law);
  std::vector<std::size_t> firstInput(scene.surfaces.size() + 1, 0);
  for (std::size_t s = 0; s < scene.surfaces.size(); ++s)
    firstInput[s + 1] = firstInput[s] + scene.surfaces[s].triangleCount();
  laws.reserve(mesh.triangles.size());
  for (std::size_t k = 0; k < mesh.triangles.size(); ++k)
  {
    TriangleLaw own{ -1, -1, -1 };
    const auto s = static_cast<std::size_t>(mesh.triangles[k].surface);
    if (s < scene.surfaces.size()) // a wall has no arrays
    {
      const Surface& surface = scene.surfaces[s];
      const std::size_t t = static_cast<std::size_t>(mesh.inputs[k]) - firstInput[s];
      const auto value = [t](const std::vector<double>& values)
      { return values.empty() ? Surface::kNotGiven : values[t]; };
      if (value(surface.restitution) != Surface::kNotGiven)
        own.damping = dampings.of(value(surface.restitution));
      own.friction = static_cast<float>(value(surface.friction));
      own.rollingFriction = static_cast<float>(value(surface.rollingFriction));
    }
    laws.push_back(own);
  }
  return laws;
}

} // namespace

std::int32_t MaterialTable::placeOf(std::int32_t number) const
{
  const auto found = std::lower_bound(materials.begin(), materials.end(), number,
    [](const Material& material, std::int32_t n) { return material.number < n; });
  return static_cast<std::int32_t>(found - materials.begin());
}

MaterialTable makeMaterialTable(
  const Scene& scene, const GranularFlowParameters& p, const SurfaceMesh& mesh)
{
  MaterialTable table;
  table.materials = materialsInUse(scene);
  const std::int32_t count = table.count();
  table.laws.resize(static_cast<std::size_t>(count) * (count + 1));
  Dampings dampings(p.contactLaw);
  for (const MaterialPair& pair : completePairs(table.materials, p))
  {
    if (pair.cohesion > 0 && p.contactLaw != ContactLaw::HertzMindlin)
      throw InvalidInput("cohesion of " + nameOf(pair) + " is " + number(pair.cohesion) +
                         " J/m^3; between linear springs it would only soften the contact: choose "
                         "the contact law Hertz-Mindlin, or a cohesion of 0");
    const std::int32_t a = table.placeOf(pair.first);
    const bool onTerrain = pair.second == MaterialPair::kTerrain;
    const std::int32_t b = onTerrain ? count : table.placeOf(pair.second);
    const Material& first = table.materials[a];
    const double otherYoungs =
      onTerrain ? p.terrainYoungsModulus : table.materials[b].youngsModulus;
    const double otherPoisson =
      onTerrain ? p.terrainPoissonsRatio : table.materials[b].poissonsRatio;
    PairLaw law;
    law.damping = dampings.of(pair.restitution);
    law.friction = static_cast<float>(pair.friction);
    law.rollingFriction = static_cast<float>(pair.rollingFriction);
    law.cohesion = static_cast<float>(pair.cohesion);
    law.youngs = static_cast<float>(1 / (bulkCompliance(first.youngsModulus, first.poissonsRatio) +
                                          bulkCompliance(otherYoungs, otherPoisson)));
    law.shear = static_cast<float>(1 / (shearCompliance(first.youngsModulus, first.poissonsRatio) +
                                         shearCompliance(otherYoungs, otherPoisson)));
    table.laws[a * (count + 1) + b] = law;
    if (!onTerrain)
      table.laws[b * (count + 1) + a] = law;
    table.rolls = table.rolls || pair.rollingFriction > 0;
  }
  table.triangleLaws = makeTriangleLaws(scene, p.contactLaw, mesh);
  for (const TriangleLaw& law : table.triangleLaws)
    table.rolls = table.rolls || law.rollingFriction > 0;
  return table;
}

} // namespace lapilli
