#!/usr/bin/env bash
# The engine against other programs on this machine: Testing/Benchmarks/peers.sh [CASE...]
#
# Installs Debian's lammps and liggghts, builds ContactBenchmark, makes the inputs (once, in build/peers/inputs: some
# minutes), and runs for each case our benchmark and every peer in turn on two threads or processes. Prints a table, and
# on lines of their own CSV: case,ours,peer,peer_figure,ratio in particle-steps/s; a ratio above 1: we are faster.
# Without a CASE all are run; `peers.sh list` names them. They stand in peers/*.sh: a function case_NAME each.
#
# A figure is the median of the blocks of all rounds. A CPU column below 190 % means that the machine was busy with
# something else, and that the figures of this case say nothing.
#
#   PEERS_ROUNDS=3     rounds, default 1: five blocks of each program
#   PEERS_ENGINE=PATH  a ContactBenchmark that is there already, to compare two builds
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/../../.ci/prepare.sh"
peers="$root/Testing/Benchmarks/peers"
work="$root/build/peers"
packages=(g++ cmake ninja-build libthrust-dev lammps liggghts openmpi-bin python3-numpy time)

python=
# Threads wait for one another as they do for a user who sets nothing.
unset GOMP_SPINCOUNT OMP_WAIT_POLICY OMP_SCHEDULE
# LAMMPS and LIGGGHTS: one thread in each process; root may run mpirun in a container.
export OMP_NUM_THREADS=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# prepare WHAT COMMAND...: an input, with its output in a log
prepare() {
  local what=$1
  shift
  say "Preparing $what"
  "$@" >"$work/logs/prepare.log" 2>&1 || {
    tail -5 "$work/logs/prepare.log" >&2
    fail "cannot prepare $what; see $work/logs/prepare.log"
  }
}

# timed LOG COMMAND...: one process's memory and share of a CPU after its output
timed() {
  local log=$1
  shift
  "$@" >>"$log" 2>&1 || { tail -5 "$log" >&2; fail "a program of case $case failed; see $log"; }
  cat process.txt >>"$log"
}

process_time=(env time --append --output process.txt --format 'PROCESS %M KiB %P CPU')

# lapilli NAME ARGUMENT...: our benchmark, under a name
lapilli() {
  local log="$work/logs/$case.$1.log"
  shift
  rm -f process.txt
  echo RUN >>"$log"
  timed "$log" "${process_time[@]}" "$engine" "$@"
}

# peer PROGRAM INPUT NAME=VALUE...
peer() {
  local program=$1 input=$2 name=$1 variables=() pair
  [[ $program == lmp ]] && name=lammps
  shift 2
  for pair in "$@"; do variables+=(-var "${pair%%=*}" "${pair#*=}"); done
  local log="$work/logs/$case.$name.log"
  rm -f process.txt
  echo RUN >>"$log"
  timed "$log" mpirun -np 2 "${process_time[@]}" "$program" -in "$peers/$input" "${variables[@]}" -log none
}
lammps() { peer lmp "$@"; }
liggghts() { peer liggghts "$@"; }

programs() { compared=("$@"); }

for file in "$peers"/*.sh; do source "$file"; done
mapfile -t all < <(declare -F | sed -n 's/^declare -f case_//p')
[[ "${1:-}" == list ]] && { printf '%s\n' "${all[@]}"; exit 0; }
cases=("${@:-${all[@]}}")
for case in "${cases[@]}"; do
  declare -F "case_$case" >/dev/null || fail "case '$case' is unknown; there are: ${all[*]}"
done

install_packages
for program in lmp liggghts mpirun time; do
  [[ -n "$(type -P "$program")" ]] || fail "$program is missing; it is in Debian's ${packages[*]}"
done
for candidate in python3 /usr/bin/python3; do
  "$candidate" -c 'import numpy' 2>/dev/null && { python=$candidate; break; }
done
[[ -n "$python" ]] || fail "a python3 with numpy is missing; Debian has it in python3-numpy"

mkdir -p "$work/inputs" "$work/logs"
engine="${PEERS_ENGINE:-$work/engine/bin/ContactBenchmark}"
if [[ -z "${PEERS_ENGINE:-}" ]]; then
  say "Building ContactBenchmark"
  cmake -S "$root" -B "$work/engine" -G Ninja -DCMAKE_BUILD_TYPE=Release -DLAPILLI_CUDA=OFF \
    -DLAPILLI_BUILD_PLUGIN=OFF -DLAPILLI_BUILD_TESTING=OFF -DLAPILLI_BUILD_BENCHMARKS=ON >"$work/logs/configure.log"
  cmake --build "$work/engine" --target ContactBenchmark --parallel "$(nproc)" >"$work/logs/build.log" ||
    { tail -5 "$work/logs/build.log" >&2; fail "the build failed"; }
fi
[[ "$engine" == /* ]] || engine="$PWD/$engine"

cd "$work/inputs"
for case in "${cases[@]}"; do
  rm -f "$work/logs/$case".*.log
  for ((round = 0; round < ${PEERS_ROUNDS:-1}; ++round)); do "case_$case"; done
  printf '\n'
  "$python" "$peers/report.py" "$work/logs" "$case" "${compared[@]}"
done
