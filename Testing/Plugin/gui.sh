#!/usr/bin/env bash
# A script in the real window under a virtual X server: gui.sh OUTPUT_DIR SCRIPT
# Leaves found.json (what the script has found, its last act) and window.png there.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
export LAPILLI_OUTPUT=$1
if [[ "${3:-}" != inside ]]; then
  # -n: two that start at once must not choose one display
  exec xvfb-run -a -n $((100 + $$ % 10000)) -s "-screen 0 1400x900x24" "./$(basename "$0")" "$1" "$2" inside
fi

rm -f "$LAPILLI_OUTPUT"/{found.json,window.png}
export HOME="$LAPILLI_OUTPUT/home" XDG_RUNTIME_DIR="$LAPILLI_OUTPUT/home" # nobody's own settings
mkdir -p "$HOME" && chmod 700 "$HOME"
export PYTHONPATH="$PWD${PYTHONPATH:+:$PYTHONPATH}"
paraview --dr -qwindowgeometry 1400x900+0+0 --script="$2" >"$LAPILLI_OUTPUT/gui.log" 2>&1 &
window=$!
trap 'kill -KILL $window 2>/dev/null || true' EXIT

for ((second = 0; second < 100; second++)); do
  [[ -e "$LAPILLI_OUTPUT/found.json" ]] && break
  ! grep -qs Traceback "$LAPILLI_OUTPUT/gui.log" || break
  kill -0 $window || { cat "$LAPILLI_OUTPUT/gui.log"; echo "ParaView ended before the script did"; exit 1; }
  sleep 1
done
sleep 3 # panels and menus catch up
import -window root "$LAPILLI_OUTPUT/window.png"
kill -0 $window || { cat "$LAPILLI_OUTPUT/gui.log"; echo "ParaView ended after the script"; exit 1; }
cat "$LAPILLI_OUTPUT/gui.log"
