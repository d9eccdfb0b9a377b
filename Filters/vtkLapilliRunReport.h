/**
 * @class   vtkLapilliRunReport
 * @brief   the report of a run as text
 *
 * Input port 0: the particles of a simulation, or what a filter has made of them and still carries their field data; also
 * a terrain surface or a particle source. Any other input gives one sentence that says what is missing.
 *
 * Output port 0: vtkTable with the string column "report" and one row, of the frame that is shown; lines are broken
 * where they are longer than ParaView's view is wide.
 */
#ifndef vtkLapilliRunReport_h
#define vtkLapilliRunReport_h

#include "LapilliFiltersModule.h" // for export macro
#include "vtkTableAlgorithm.h"

class LAPILLIFILTERS_EXPORT vtkLapilliRunReport : public vtkTableAlgorithm
{
public:
  static vtkLapilliRunReport* New();
  vtkTypeMacro(vtkLapilliRunReport, vtkTableAlgorithm);

protected:
  vtkLapilliRunReport() = default;
  ~vtkLapilliRunReport() override = default;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  int RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;

private:
  vtkLapilliRunReport(const vtkLapilliRunReport&) = delete;
  void operator=(const vtkLapilliRunReport&) = delete;
};

#endif
