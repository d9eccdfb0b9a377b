#!/usr/bin/env bash
# Looks for bytes that do harm: Testing/fuzz.sh [SECONDS [TARGET...]]
#
# Each target of Testing/Fuzz runs for so many seconds (60), one after the other on one core, with an allocation of
# at most 512 MB at once and 2 GB in all. What it has found stays in build/fuzz/findings, the inputs that reached new
# code in build/fuzz/corpus, where the next start goes on from. Fails if there is a finding.
set -euo pipefail

seconds="${1:-60}"
[[ $seconds =~ ^[0-9]+$ ]] || { echo "usage: $0 [SECONDS [TARGET...]]" >&2; exit 2; }
shift $(($# > 0 ? 1 : 0))

source "$(dirname "${BASH_SOURCE[0]}")/../.ci/prepare.sh"
cd "$root"
packages+=(clang libclang-rt-dev libomp-dev)
install_packages
configure_and_build fuzz fuzzers

cd build/fuzz
targets=("$@")
((${#targets[@]})) || for fuzzer in bin/*Fuzzer; do targets+=("$(basename "$fuzzer" Fuzzer)"); done
export OMP_NUM_THREADS=1 UBSAN_OPTIONS=print_stacktrace=1 LAPILLI_CACHE_FOLDER=

found=()
for target in "${targets[@]}"; do
  say "$target, $seconds s"
  mkdir -p "corpus/$target" "findings/$target"
  "bin/${target}Replay" --write-seeds "corpus/$target"
  nice -n 10 "bin/${target}Fuzzer" -max_total_time="$seconds" -max_len=16384 -timeout=20 \
    -malloc_limit_mb=512 -rss_limit_mb=2048 -print_final_stats=1 \
    -artifact_prefix="findings/$target/" "corpus/$target" >"$target.log" 2>&1 || found+=("$target")
  grep -E 'DONE |^stat::(number|average|peak)|^SUMMARY|^broken|Test unit written' "$target.log" || true
done
((${#found[@]} == 0)) || fail "findings in ${found[*]}: see build/fuzz/TARGET.log, and run bin/TARGETReplay FILE"
say "No findings"
