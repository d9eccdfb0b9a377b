#include "HiddenCells.h"

#include "ArrayCopy.h"

#include <vtkCellData.h>
#include <vtkDataSet.h>
#include <vtkDataSetAttributes.h>
#include <vtkPointData.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>

namespace lapilli
{
namespace
{

/// Which points or cells are blanked, or refined by a finer block; empty if none is marked.
std::vector<unsigned char> hiddenFlags(vtkDataSetAttributes* attributes, unsigned char mask)
{
  auto* ghosts = vtkDataArray::SafeDownCast(
    attributes->GetAbstractArray(vtkDataSetAttributes::GhostArrayName()));
  if (auto* bytes = vtkUnsignedCharArray::SafeDownCast(ghosts))
  {
    std::vector<unsigned char> flags = copyValues<unsigned char>(bytes);
    for (unsigned char& flag : flags)
    {
      flag &= mask;
    }
    return flags;
  }
  // Of scripts and calculators, which make numbers of any type.
  const std::vector<double> numbers = copyValues<double>(ghosts);
  std::vector<unsigned char> flags(numbers.size(), 0);
  for (std::size_t i = 0; i < numbers.size(); ++i)
  {
    flags[i] =
      numbers[i] >= 0 && numbers[i] <= 255 ? static_cast<unsigned char>(numbers[i]) & mask : 0;
  }
  return flags;
}

} // namespace

std::vector<unsigned char> hiddenPoints(vtkDataSet* data)
{
  return hiddenFlags(data->GetPointData(), vtkDataSetAttributes::HIDDENPOINT);
}

std::vector<unsigned char> hiddenCells(vtkDataSet* data)
{
  return hiddenFlags(
    data->GetCellData(), vtkDataSetAttributes::HIDDENCELL | vtkDataSetAttributes::REFINEDCELL);
}

bool touchesHidden(
  const std::vector<unsigned char>& hidden, const vtkTypeInt64* corners, std::size_t count)
{
  return !hidden.empty() &&
         std::any_of(corners, corners + count, [&](std::int64_t p) { return hidden[p] != 0; });
}

} // namespace lapilli
