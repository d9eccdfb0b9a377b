# Finds a VTK without ParaView and builds the module of Filters/ on it, as applications of their own do.
find_package(VTK QUIET COMPONENTS
  CommonCore CommonDataModel CommonExecutionModel CommonMath CommonSystem CommonTransforms
  FiltersCore FiltersGeneral FiltersGeometry FiltersSources IOCore IOImage IOPLY ParallelCore netcdf)
if (NOT VTK_FOUND)
  message(FATAL_ERROR "VTK (headers and CMake files) is missing: ${VTK_NOT_FOUND_MESSAGE} Set -DVTK_DIR, or configure with -DLAPILLI_BUILD_FILTERS=OFF.")
endif ()
if (VTK_VERSION VERSION_LESS 9.2)
  message(FATAL_ERROR "VTK is ${VTK_VERSION}; it must be 9.2 or later: set -DVTK_DIR to another.")
endif ()
message(STATUS "VTK ${VTK_VERSION}: ${VTK_DIR}")

include(GNUInstallDirs)
vtk_module_scan(
  MODULE_FILES "${PROJECT_SOURCE_DIR}/Filters/vtk.module"
  PROVIDES_MODULES lapilli_modules
  REQUEST_MODULES LapilliFilters)
vtk_module_build(
  MODULES ${lapilli_modules}
  INSTALL_HEADERS OFF)
