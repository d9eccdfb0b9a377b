#include "vtkSMLapilliSourceProxy.h"

#include "vtkObjectFactory.h"

vtkStandardNewMacro(vtkSMLapilliSourceProxy);

//------------------------------------------------------------------------------
void vtkSMLapilliSourceProxy::PostUpdateData(bool usingCache)
{
  const bool isUpdated = this->NeedsUpdate; // the superclass clears it
  this->Superclass::PostUpdateData(usingCache);
  if (isUpdated)
  {
    this->UpdatePropertyInformation();
  }
}
