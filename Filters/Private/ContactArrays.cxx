#include "ContactArrays.h"

#include "ArrayBridge.h"
#include "PointArrays.h"

#include <utility>

namespace lapilli
{
namespace
{

struct ContactArray
{
  const char* name;
  std::vector<double> Surface::*values;
  const char* range;
  bool (*isInRange)(double);
};

constexpr ContactArray contactArrays[] = {
  { "restitution", &Surface::restitution, "(0, 1]", [](double v) { return v > 0 && v <= 1; } },
  { "friction", &Surface::friction, "[0, 10]", [](double v) { return v >= 0 && v <= 10; } },
  { "rolling_friction", &Surface::rollingFriction, "[0, 2]",
    [](double v) { return v >= 0 && v <= 2; } },
};

} // namespace

bool isContactArray(const std::string& name)
{
  return std::any_of(std::begin(contactArrays), std::end(contactArrays),
    [&name](const ContactArray& known) { return name == known.name; });
}

void readContactArrays(TerrainInput& terrain, const std::string& owner)
{
  for (const ContactArray& known : contactArrays)
  {
    const std::string what = owner + "'s cell array '" + known.name + "'";
    for (const std::string& note : terrain.notes)
    {
      if (note.rfind("Cell array '" + std::string(known.name) + "'", 0) == 0)
      {
        refuseInput(what, " cannot be used: ", note,
          " It must hold one number for each cell: correct it or leave it out (Pass Arrays)");
      }
    }
    vtkAbstractArray* any = terrain.cellData->GetAbstractArray(known.name);
    if (!any)
    {
      continue;
    }
    vtkDataArray* array = vtkDataArray::SafeDownCast(any);
    if (!array || array->GetNumberOfComponents() != 1)
    {
      refuseInput(what, " has ", any->GetNumberOfComponents(), " components of ",
        any->GetDataTypeAsString(),
        "; it must have one number for each cell: correct it, rename it or leave it out (Pass "
        "Arrays)");
    }
    std::vector<double> values = readDoubles(array);
    const auto isWrong = [&known](double v)
    { return v != Surface::kNotGiven && !known.isInRange(v); };
    const auto first = std::find_if(values.begin(), values.end(), isWrong);
    if (first != values.end())
    {
      refuseInput(what, " has ", std::count_if(values.begin(), values.end(), isWrong), " of ",
        values.size(), " values out of range, the first is ", *first, " at triangle ",
        first - values.begin(), "; each must lie in ", known.range, ", or be ", Surface::kNotGiven,
        " where the property holds: correct it or leave it out (Calculator, Pass Arrays)");
    }
    terrain.surface.*known.values = std::move(values);
  }
}

} // namespace lapilli
