# Finds ParaView and builds the plugin, which is Plugin/ with the VTK module of Filters/ inside.
#
# Included, not a subdirectory: the targets of ParaView are then known to Testing too, and
# paraview_plugin_build() itself adds the folder that holds paraview.plugin.

# Each of these is looked for by ParaView's package without a word on where it comes from.
function (lapilli_require what apt found)
  if (NOT found)
    message(FATAL_ERROR "${what} is missing: apt-get install ${apt}, or configure with -DLAPILLI_BUILD_PLUGIN=OFF.")
  endif ()
endfunction ()

find_package(MPI QUIET COMPONENTS C)
lapilli_require("MPI for C (ParaView's own is built with it)" libopenmpi-dev "${MPI_C_FOUND}")

find_path(LAPILLI_UTF8CPP_INCLUDE_DIR utf8.h PATH_SUFFIXES utf8cpp utf8)
find_path(LAPILLI_DOUBLE_CONVERSION_INCLUDE_DIR double-conversion/double-conversion.h)
mark_as_advanced(LAPILLI_UTF8CPP_INCLUDE_DIR LAPILLI_DOUBLE_CONVERSION_INCLUDE_DIR)
if (EXISTS "/etc/debian_version")
  # Other builds of ParaView bring these two themselves.
  lapilli_require("utf8cpp (headers)" libutfcpp-dev "${LAPILLI_UTF8CPP_INCLUDE_DIR}")
  lapilli_require("double-conversion (headers)" libdouble-conversion-dev
    "${LAPILLI_DOUBLE_CONVERSION_INCLUDE_DIR}")
  find_package(Python3 QUIET COMPONENTS Development)
  lapilli_require("Python (headers)" python3-dev "${Python3_Development_FOUND}")
endif ()

# One component: a bare find_package(ParaView) looks for some 25 packages more.
find_package(ParaView QUIET COMPONENTS RemotingServerManager)
if (NOT ParaView_FOUND)
  message(FATAL_ERROR "ParaView (headers and CMake files) is missing: apt-get install paraview paraview-dev python3-paraview, "
    "set -DParaView_DIR, or configure with -DLAPILLI_BUILD_PLUGIN=OFF.")
endif ()
# The netCDF library that ParaView itself is built with, so that there are no two in one process.
find_package(VTK QUIET COMPONENTS netcdf PATHS "${ParaView_DIR}/vtk" NO_DEFAULT_PATH)
lapilli_require("netCDF (ParaView's own is built with it)" libnetcdf-dev "${VTK_netcdf_FOUND}")
if (ParaView_VERSION VERSION_LESS 5.11)
  message(FATAL_ERROR "ParaView is ${ParaView_VERSION}; it must be 5.11 or later: apt-get install paraview-dev (Debian 12 or later) "
    "or set -DParaView_DIR.")
endif ()
message(STATUS "ParaView ${ParaView_VERSION}: ${ParaView_DIR}")

# Where ParaView has a GDAL of its own it must be the same, so that there are no two in one process.
set(LAPILLI_WITH_GDAL OFF)
if (NOT LAPILLI_GDAL STREQUAL OFF)
  find_package(GDAL 3.4 QUIET) # 3.4: OCTTransformBounds
  if (GDAL_FOUND)
    set(LAPILLI_WITH_GDAL ON)
    message(STATUS "Terrain Reader: GDAL ${GDAL_VERSION}")
  elseif (LAPILLI_GDAL STREQUAL AUTO)
    message(STATUS "Terrain Reader is left out: GDAL 3.4 or later is missing (apt-get install libgdal-dev)")
  else ()
    message(FATAL_ERROR "GDAL 3.4 or later is missing: apt-get install libgdal-dev, or configure with -DLAPILLI_GDAL=AUTO.")
  endif ()
endif ()

include(GNUInstallDirs)
paraview_plugin_scan(
  PLUGIN_FILES "${PROJECT_SOURCE_DIR}/Plugin/paraview.plugin"
  PROVIDES_PLUGINS lapilli_plugins
  ENABLE_BY_DEFAULT ON
  HIDE_PLUGINS_FROM_CACHE ON)
# -> lib/paraview-VERSION/plugins/Lapilli/Lapilli.so under the build folder.
paraview_plugin_build(
  PLUGINS ${lapilli_plugins}
  LIBRARY_SUBDIRECTORY "${PARAVIEW_PLUGIN_SUBDIR}"
  PLUGINS_FILE_NAME lapilli.xml
  INSTALL_HEADERS OFF
  DISABLE_XML_DOCUMENTATION ON) # it would need the help tools of Qt
