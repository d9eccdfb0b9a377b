/**
 * @class   vtkSMLapilliSourceProxy
 * @brief   a source proxy whose information properties are those of the data that are shown
 *
 * ParaView asks for information properties before it updates the data, so that its panel shows what held one Apply
 * or one time step before. This proxy asks once more whenever its data have been updated. In the XML it is the
 * element LapilliSourceProxy, used as SourceProxy.
 */
#ifndef vtkSMLapilliSourceProxy_h
#define vtkSMLapilliSourceProxy_h

#include "LapilliServerManagerModule.h" // for export macro
#include "vtkSMSourceProxy.h"

class LAPILLISERVERMANAGER_EXPORT vtkSMLapilliSourceProxy : public vtkSMSourceProxy
{
public:
  static vtkSMLapilliSourceProxy* New();
  vtkTypeMacro(vtkSMLapilliSourceProxy, vtkSMSourceProxy);

protected:
  vtkSMLapilliSourceProxy() = default;
  ~vtkSMLapilliSourceProxy() override = default;

  void PostUpdateData(bool usingCache) override;

private:
  vtkSMLapilliSourceProxy(const vtkSMLapilliSourceProxy&) = delete;
  void operator=(const vtkSMLapilliSourceProxy&) = delete;
};

#endif
