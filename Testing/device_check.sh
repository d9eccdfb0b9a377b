#!/usr/bin/env bash
# The engine on a machine with a GPU, CMake, nvcc and Python 3, without ParaView, GoogleTest or network:
#
#   Testing/device_check.sh carry    here, once: GoogleTest's sources (Debian's package googletest) into build/googletest
#   Testing/device_check.sh          there, in a copy of the working tree with build/googletest
#
# Builds Core, its tests and ContactBenchmark for CPU and CUDA, runs the tests on both, then the benchmark on both, and
# prints one table. Takes less than 8 minutes: what has not ended by then is stopped and counts as failed.
# Without a GPU it stops behind the build.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
readonly limit="${DEVICE_CHECK_SECONDS:-470}" # [s], of all
readonly build=build/device
say() { printf '\n== %s\n' "$*"; }
fail() { printf 'error: %s\n' "$*" >&2; exit 1; }
left() { echo $((limit - SECONDS > 1 ? limit - SECONDS : 1)); }

if [[ "${1:-}" == carry || ! -d build/googletest ]]; then
  [[ -d /usr/src/googletest ]] ||
    fail "GoogleTest's sources are missing: run 'Testing/device_check.sh carry' where Debian's package googletest is" \
      "installed (apt-get install googletest), and copy build/googletest with the working tree"
  mkdir -p build
  rm -rf build/googletest
  cp -r /usr/src/googletest build/googletest
  [[ "${1:-}" == carry ]] && exit 0
fi
[[ -d /usr/local/cuda/bin ]] && PATH="$PATH:/usr/local/cuda/bin"
for program in cmake c++ nvcc python3; do
  command -v "$program" >/dev/null || fail "$program is missing on this machine"
done
generator=(-G Ninja)
command -v ninja >/dev/null || generator=(-G "Unix Makefiles")
gpu=$(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | head -1) || gpu=
architecture=75
[[ -n "$gpu" ]] && architecture=native

say "Building for CPU and CUDA ($(nvcc --version | grep -o 'release [0-9.]*'), $(nproc) threads)"
cmake --preset cuda -B "$build" "${generator[@]}" -DCMAKE_CUDA_ARCHITECTURES=$architecture \
  -DLAPILLI_GTEST_SOURCES="$PWD/build/googletest" -DLAPILLI_BUILD_BENCHMARKS=ON >"$build.log" 2>&1 ||
  { tail -20 "$build.log" >&2; fail "it cannot be configured"; }
timeout "$(left)" cmake --build "$build" --parallel "$(nproc)" >>"$build.log" 2>&1 ||
  { { grep -iE 'error|warning' "$build.log" || true; } | head -20 >&2; fail "it cannot be built in time; see $build.log"; }
built=$SECONDS
[[ -n "$gpu" ]] || fail "built in $built s; no GPU answers (nvidia-smi), so nothing was run"

say "Tests on both"
export GOMP_SPINCOUNT="${GOMP_SPINCOUNT:-10000}"
# The benchmark keeps a minute.
timeout $(($(left) > 90 ? $(left) - 60 : 30)) ctest --test-dir "$build" --label-regex fast --parallel "$(nproc)" \
  --timeout 120 >"$build.tests.log" 2>&1 || true
tested=$((SECONDS - built))
count() { grep -cE "$1" "$build.tests.log" || true; }
# on NAMES: passed and failed of the tests of one device; others have no device in their names
row() { printf '| tests, %s | %s passed | %s failed |\n' "$1" "$(count "Test +#.*$2.* Passed")" "$(count "Test +#.*$2.*\*\*\*")"; }

say "Benchmark on both"
figure() { # LAW TANGENTIAL COUNT DEVICE
  timeout "$(left)" "$build/bin/ContactBenchmark" lattice="$3" law="$1" tangential="$2" device="$4" \
    threads="$(nproc)" steps=20 pre=20 2>>"$build.tests.log" | sed -n 's/.*"median": \([^,]*\),.*/\1/p'
}
benchmarks=()
for count in 100000 1000000; do
  for law in "linear dashpot" "hertz spring"; do
    cpu=$(figure $law $count cpu) || true
    cuda=$(figure $law $count cuda) || true
    benchmarks+=("| $count spheres, $law [particle-steps/s] | CPU ${cpu:-failed} | CUDA ${cuda:-failed} |")
  done
done

say "$gpu, $(nproc) CPU threads, commit $(git rev-parse --short HEAD 2>/dev/null || echo unknown)"
printf '| what | | |\n|---|---|---|\n| build | %s s | |\n| tests | %s s | |\n' "$built" "$tested"
row CUDA '/Cuda'
row CPU '/Cpu'
printf '| tests, all | %s passed | %s failed |\n' "$(count 'Test +#.* Passed')" "$(count 'Test +#.*\*\*\*')"
printf '%s\n' "${benchmarks[@]}"
python3 Testing/Support/kernel_resources.py "$build/Core/liblapilli_core_cuda.a" |
  sed -nE 's/^\| ((ContactStep|SetLongRow|AddGround)[^ ]*) \| ([0-9]+) \| ([0-9]+) \|/| \1 | \3 registers | \4 bytes of local memory |/p'
printf '| total | %s s | |\n' "$SECONDS"
grep -qE '^100% tests passed' "$build.tests.log" ||
  { sed -n '/tests passed/,$p' "$build.tests.log" | head -30; fail "tests failed; see $build.tests.log"; }
