#!/usr/bin/env bash
# Builds everything and proves it: Testing/run.sh [--full]
#
# Without an option: CTest's label `fast`, the engine's tests also under the address and
# undefined-behaviour sanitizers, and the filters compiled for a newer VTK where its wheel can be had. --full
# adds the slow statistical laws and the filters' tests with that VTK, and rewrites the verification table of the README.
set -euo pipefail

full=no
case "${1:-}" in
  "") ;;
  --full) full=yes ;;
  *) echo "usage: $0 [--full]" >&2; exit 2 ;;
esac

source "$(dirname "${BASH_SOURCE[0]}")/../.ci/prepare.sh"
cd "$root"
install_packages

# Larger data sets that are not part of the project; tests that want them skip without.
export LAPILLI_SHARED_DATA="${LAPILLI_SHARED_DATA:-$root/../shared/data}"

configure_and_build release
configure_and_build sanitizers

say "Engine's tests under sanitizers"
# A leak is a failure; the address sanitizer cannot give a buffer back that OpenMP keeps.
ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1 \
  ctest --test-dir build/sanitizers --label-regex fast --label-exclude unsanitized \
  --output-on-failure --parallel "$(nproc)"

if [[ $full == no ]]; then
  bash Testing/newer_vtk.sh
else
  bash Testing/newer_vtk.sh --tests
  say "Slow laws"
  ctest --test-dir build/release --label-regex full --output-on-failure --parallel "$(nproc)"
  cp build/release/Testing/Temporary/LastTest.log build/release/full.log
fi

say "Tests" # last, so that the output ends with CTest's closing lines
ctest --test-dir build/release --label-regex fast --output-on-failure --parallel "$(nproc)"

if [[ $full == yes ]]; then
  /usr/bin/env python3 Testing/Support/verification_table.py README.md \
    build/release/full.log build/release/Testing/Temporary/LastTest.log
fi
