#include "vtkLapilliRunReport.h"

#include "vtkDataObject.h"
#include "vtkFieldData.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkNew.h"
#include "vtkObjectFactory.h"
#include "vtkStringArray.h"
#include "vtkTable.h"

#include <sstream>
#include <string>

vtkStandardNewMacro(vtkLapilliRunReport);

namespace
{

std::string reportOf(vtkDataObject* data)
{
  const auto textOf = [data](const char* name)
  {
    auto* array =
      data ? vtkStringArray::SafeDownCast(data->GetFieldData()->GetAbstractArray(name)) : nullptr;
    return array && array->GetNumberOfValues() > 0 ? std::string(array->GetValue(0))
                                                   : std::string();
  };
  if (data && data->GetFieldData()->HasArray("model") && textOf("model").empty())
  {
    return "there is no run: a property or an input was refused, and the message then tells why";
  }
  const std::string report = textOf("report");
  return !report.empty()
           ? report
           : "the input has no report; connect the particles of a simulation, such as "
             "Granular Flow";
}

constexpr std::size_t longestLine =
  88; // half the width of a usual view in the representation's letters
constexpr std::size_t continuation = 20; // where the values of a report begin

/// With lines broken at blanks, and what follows below the values.
std::string broken(const std::string& report)
{
  std::string text;
  std::istringstream lines(report);
  for (std::string line; std::getline(lines, line);)
  {
    const std::size_t indent = line.rfind("  ", 0) == 0 ? continuation : 0;
    while (line.size() > longestLine)
    {
      const std::size_t blank = line.rfind(' ', longestLine);
      if (blank == std::string::npos || blank <= indent)
      {
        break; // one long word
      }
      text += line.substr(0, blank) + "\n";
      line = std::string(indent, ' ') + line.substr(blank + 1);
    }
    text += line + "\n";
  }
  return text;
}

} // namespace

//------------------------------------------------------------------------------
int vtkLapilliRunReport::FillInputPortInformation(int, vtkInformation* info)
{
  info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkDataObject");
  return 1;
}

//------------------------------------------------------------------------------
int vtkLapilliRunReport::RequestData(
  vtkInformation*, vtkInformationVector** inputs, vtkInformationVector* outputs)
{
  vtkNew<vtkStringArray> text;
  text->SetName("report");
  text->InsertNextValue(broken(reportOf(vtkDataObject::GetData(inputs[0]))));
  vtkTable::GetData(outputs)->AddColumn(text);
  return 1;
}
