#include "CountingSimulation.h"

vtkStandardNewMacro(vtkCountingSimulation);
