#include "vtkLapilliLocalCoordinates.h"

#include "Error.h"
#include "Private/LocalFrame.h"

#include "vtkBoundingBox.h"
#include "vtkCompositeDataIterator.h"
#include "vtkCompositeDataSet.h"
#include "vtkDataSet.h"
#include "vtkFieldData.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkMultiProcessController.h"
#include "vtkObjectFactory.h"
#include "vtkSmartPointer.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <optional>
#include <sstream>
#include <string>

namespace
{

/// From the middle of the data to an origin that was found before [m]: single precision still steps by less than a centimetre.
constexpr double farthestFromOrigin = 1e5;

/// Of this process's part of the data.
struct Found
{
  vtkBoundingBox bounds;
  std::optional<lapilli::MapPoint> origin;
};

/// With data sets of its own, whose points can be exchanged.
void copyTree(vtkCompositeDataSet* from, vtkCompositeDataSet* to)
{
  to->CopyStructure(from);
  to->GetFieldData()->ShallowCopy(from->GetFieldData());
  auto blocks = vtkSmartPointer<vtkCompositeDataIterator>::Take(from->NewIterator());
  for (blocks->InitTraversal(); !blocks->IsDoneWithTraversal(); blocks->GoToNextItem())
  {
    vtkDataObject* block = blocks->GetCurrentDataObject();
    const auto copy = vtkSmartPointer<vtkDataObject>::Take(block->NewInstance());
    copy->ShallowCopy(block);
    to->SetDataSet(blocks, copy);
  }
}

/// Whether this process may choose an origin: another one would choose another.
bool mayChoose()
{
  vtkMultiProcessController* controller = vtkMultiProcessController::GetGlobalController();
  return !controller || controller->GetNumberOfProcesses() < 2 ||
         controller->GetLocalProcessId() == 0;
}

std::string textOf(const double v[3])
{
  std::ostringstream text;
  text.precision(12);
  text << '(' << v[0] << ", " << v[1] << ", " << v[2] << ')';
  return text.str();
}

} // namespace

vtkStandardNewMacro(vtkLapilliLocalCoordinates);

int vtkLapilliLocalCoordinates::FillInputPortInformation(int, vtkInformation* info)
{
  info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkDataObject");
  return 1;
}

void vtkLapilliLocalCoordinates::SetAutomaticOrigin(bool automatic)
{
  if (this->AutomaticOrigin != automatic)
  {
    this->AutomaticOrigin = automatic;
    this->IsFound = false;
    this->Modified();
  }
}

// The origin that an automatic one should be now.
lapilli::MapPoint vtkLapilliLocalCoordinates::FindOrigin(
  const double* bounds, const lapilli::MapPoint& own)
{
  bool isNear = this->IsFound;
  for (int axis = 0; axis < 2 && isNear && bounds; ++axis)
  {
    const double middle = 0.5 * bounds[2 * axis] + 0.5 * bounds[2 * axis + 1];
    isNear = std::abs(middle + own[static_cast<std::size_t>(axis)] - this->FoundOrigin[axis]) <=
             farthestFromOrigin;
  }
  if (isNear)
  {
    return { this->FoundOrigin[0], this->FoundOrigin[1], this->FoundOrigin[2] };
  }
  if (!bounds)
  {
    return own; // nothing to move
  }
  if (own == lapilli::MapPoint{ 0, 0, 0 } && !mayChoose())
  {
    throw lapilli::InvalidInput("automatic origin needs all points in process 0, which has only a "
                                "part of them here; turn Automatic Origin off and "
                                "give the Origin");
  }
  const lapilli::MapPoint origin = lapilli::outputOrigin(lapilli::Coordinates::Local, own, bounds);
  std::copy(origin.begin(), origin.end(), this->FoundOrigin);
  this->IsFound = true;
  return origin;
}

int vtkLapilliLocalCoordinates::RequestData(
  vtkInformation*, vtkInformationVector** inputs, vtkInformationVector* outputs)
{
  vtkDataObject* input = vtkDataObject::GetData(inputs[0]);
  vtkDataObject* output = vtkDataObject::GetData(outputs);
  auto* composite = vtkCompositeDataSet::SafeDownCast(output);
  if (composite)
  {
    copyTree(vtkCompositeDataSet::SafeDownCast(input), composite);
  }
  else
  {
    output->ShallowCopy(input);
  }
  try
  {
    Found found;
    found.bounds.AddBounds(lapilli::boundsOf(input).data());
    found.origin = lapilli::localOriginOf(input, "the input");
    const lapilli::MapPoint from = found.origin.value_or(lapilli::MapPoint{ 0, 0, 0 });
    lapilli::MapPoint to{ 0, 0, 0 };
    if (this->Direction == TO_LOCAL && this->AutomaticOrigin)
    {
      double bounds[6];
      found.bounds.GetBounds(bounds);
      to = this->FindOrigin(found.bounds.IsValid() ? bounds : nullptr, from);
    }
    else if (this->Direction == TO_LOCAL)
    {
      if (!std::all_of(this->Origin, this->Origin + 3, [](double v) { return std::isfinite(v); }))
      {
        throw lapilli::InvalidInput("origin is " + textOf(this->Origin) +
                                    "; it must be three finite numbers, map coordinates in metres: "
                                    "correct it, or choose Automatic Origin");
      }
      to = { this->Origin[0], this->Origin[1], this->Origin[2] };
    }
    std::copy(to.begin(), to.end(), this->OriginUsed);

    bool isMoved = true;
    if (composite)
    {
      auto blocks = vtkSmartPointer<vtkCompositeDataIterator>::Take(composite->NewIterator());
      for (blocks->InitTraversal(); !blocks->IsDoneWithTraversal(); blocks->GoToNextItem())
      {
        auto* set = vtkDataSet::SafeDownCast(blocks->GetCurrentDataObject());
        isMoved &= set && lapilli::moveOrigin(set, from, to);
      }
      lapilli::setLocalOrigin(composite, to);
    }
    else
    {
      auto* set = vtkDataSet::SafeDownCast(output);
      isMoved = set && lapilli::moveOrigin(set, from, to);
    }
    if (!isMoved)
    {
      vtkWarningMacro(<< "the input is or has " << input->GetClassName()
                      << " without coordinates, which was passed on as it is: Local Coordinates "
                         "moves points, polygons, "
                         "grids and images");
    }
  }
  catch (const std::exception& error)
  {
    vtkErrorMacro(<< error.what());
  }
  return 1;
}

void vtkLapilliLocalCoordinates::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Direction: " << this->Direction << '\n'
     << indent << "AutomaticOrigin: " << this->AutomaticOrigin << '\n'
     << indent << "Origin: " << textOf(this->Origin) << " m\n"
     << indent << "OriginUsed: " << textOf(this->OriginUsed) << " m\n";
}
