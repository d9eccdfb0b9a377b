#!/usr/bin/env bash
# Rocks tumbling down Maunga Whau, from nothing: Plugin/demo.sh [OUTPUT_DIR]
#
# Installs what is missing, builds the plugin and runs Plugin/Scenes/rockfall.py. Afterwards
# OUTPUT_DIR (default: output/) holds rockfall.pvd for ParaView, rockfall.png and a movie.
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/../.ci/prepare.sh"
output="$(realpath --canonicalize-missing "${1:-$root/output}")"
install_packages
configure_and_build release Lapilli

say "Rockfall"
pvpython "$root/Plugin/Scenes/rockfall.py" "$output"
