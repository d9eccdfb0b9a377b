#!/usr/bin/env bash
# Compiles the VTK module for a newer VTK than that of ParaView 5.11, with deprecated calls as errors:
# Testing/newer_vtk.sh [--tests]
#
# Headers come from the wheel vtk-sdk. PyPI does not have it for every system; headers and CMake files of another
# 64-bit system do as well, as long as nothing is linked. --tests links the libraries of the wheel vtk of the same
# version, which PyPI has for this system, and runs the tests of the filters with them; that builds the engine anew,
# because wheels use GCC's former std::string.
#
# Where a wheel cannot be had it is skipped, with the reason.
set -euo pipefail

version=9.5.0
tests=no
case "${1:-}" in
  "") ;;
  --tests) tests=yes ;;
  *) echo "usage: $0 [--tests]" >&2; exit 2 ;;
esac

source "$(dirname "${BASH_SOURCE[0]}")/../.ci/prepare.sh"
cd "$root"
say "VTK $version"
wheels="$root/build/wheels"
mkdir -p "$wheels"

skip() { echo "skipped: the wheel cannot be had: $*"; exit 0; }

# get NAME [OPTION...]: leaves the wheel's path in `wheel`, or pip's last line in `reason`.
get() {
  local name=$1
  shift
  local file
  for file in "$wheels/${name//-/_}-$version"-*.whl; do
    if [[ -f $file ]]; then wheel=$file; return 0; fi
  done
  reason="$(python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: \
    --dest "$wheels" "$@" "$name==$version" 2>&1 | tail -n 1)"
  for file in "$wheels/${name//-/_}-$version"-*.whl; do
    if [[ -f $file ]]; then wheel=$file; return 0; fi
  done
  return 1
}

wheel="" reason=""
get vtk-sdk ||
  get vtk-sdk --platform macosx_10_9_x86_64 --implementation cp --python-version 3.10 --abi cp310 ||
  skip "$reason"
sdk=$wheel
libraries=""
if [[ $tests == yes ]]; then
  get vtk || skip "$reason"
  libraries=$wheel
fi
folder="$(python3 Testing/Support/unpack_vtk_wheels.py "$sdk" ${libraries:+"$libraries"} "$root/build/vtk-$version")"

say "Building the filters for VTK $version"
cmake -S . -B build/newer-vtk -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O1 \
  -DCMAKE_CXX_FLAGS="-Werror=deprecated-declarations -D_GLIBCXX_USE_CXX11_ABI=0" \
  -DCMAKE_OPTIMIZE_DEPENDENCIES=ON -DLAPILLI_CUDA=OFF -DLAPILLI_NATIVE=OFF \
  -DLAPILLI_BUILD_PLUGIN=OFF -DLAPILLI_BUILD_FILTERS=ON \
  -DLAPILLI_BUILD_TESTING="$([[ $tests == yes ]] && echo ON || echo OFF)" \
  -DLAPILLI_GTEST_SOURCES=/usr/src/googletest/googletest \
  -DVTK_DIR="$folder" >build/newer-vtk.log ||
  { cat build/newer-vtk.log; fail "could not configure for VTK $version"; }
target=LapilliFilters
if [[ $tests == yes ]]; then target=FiltersTest; fi
cmake --build build/newer-vtk --parallel "$(nproc)" --target $target
if [[ $tests == yes ]]; then
  # The wheel's TIFF reader cannot read the compressed rasters of RealTerrain.
  ctest --test-dir build/newer-vtk --label-regex fast --tests-regex '^Filters\.' --exclude-regex RealTerrain \
    --output-on-failure --parallel "$(nproc)"
fi
