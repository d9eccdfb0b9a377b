# What Plugin/demo.sh and Testing/run.sh share: get the Debian packages, configure, build.
# Sourced, not run. Every step first looks whether there is anything to do, so a second start is
# short and needs no network.

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"

packages=(
  g++ cmake ninja-build ccache git libthrust-dev libgtest-dev           # engine and its tests
  libblosc-dev                                                          # frames on disk
  libgdal-dev                                                           # rasters of heights
  libnetcdf-dev python3-netcdf4 python3-xarray                          # trajectories, and what reads them
  paraview paraview-dev python3-paraview python3-dev                    # plugin
  libopenmpi-dev libutfcpp-dev libdouble-conversion-dev                 # what paraview-dev forgets
  xvfb xauth libgl1-mesa-dri fonts-dejavu-core ffmpeg imagemagick       # pictures and movies
  libqt5svg5                                                            # icons of ParaView's own window
  python3-pyside2.qtwidgets                                             # reads its panel in a test
  python3-pip                                                           # wheels of a newer VTK
  binutils procps)                                                      # strings, and ps for checks

# Threads that wait for one another shall soon let others have the core: where something else runs too,
# OpenMP's default, to spin on, makes a run ten times slower.
export GOMP_SPINCOUNT="${GOMP_SPINCOUNT:-10000}"

say() { printf '\n== %s\n' "$*"; }
fail() { printf 'error: %s\n' "$*" >&2; exit 1; }

# Installs the packages that are missing, or names the command that does.
install_packages() {
  command -v dpkg-query >/dev/null || {
    echo "Not a Debian system: expecting ParaView >= 5.11 with its development files, CMake, Ninja," \
      "a C++17 compiler, Thrust and GoogleTest to be installed."
    return 0
  }
  local package missing=()
  for package in "${packages[@]}"; do
    [[ "$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null)" == installed ]] ||
      missing+=("$package")
  done
  ((${#missing[@]})) || return 0

  local sudo=()
  if ((EUID != 0)); then sudo=(sudo); fi
  local remedy="sudo apt-get update && sudo apt-get install --no-install-recommends ${missing[*]}"
  ((EUID == 0)) || command -v sudo >/dev/null || fail "missing Debian packages; install them with: $remedy"

  say "Installing ${missing[*]}"
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq &&
    "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
      apt-get install -qq --yes --no-install-recommends "${missing[@]}" >/dev/null ||
    fail "could not install all packages; try: $remedy"
}

# configure_and_build PRESET [TARGET...]
configure_and_build() {
  local preset=$1
  shift
  say "Building ($preset)"
  cd "$root"
  cmake --preset "$preset"
  cmake --build "build/$preset" --parallel "$(nproc)" ${1:+--target "$@"}
}
