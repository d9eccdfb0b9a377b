# Cases of the contact engine: spheres in a box and on a terrain. Sourced by peers.sh, which has the functions used here.
# case_NAME runs each program of the case once and calls `programs OURS PEER...` with their names.

# box 100k|1m: the settled spheres
input_box() {
  case $1 in
    100k) local count=100000 nx=2 ny=2 pre=2500 ;;
    1m) local count=1000000 nx=4 ny=10 pre=1200 ;;
  esac
  [[ -f tile.txt ]] || prepare tile mpirun -np 1 lmp -in "$peers/tile.lmp" -log none -screen none
  [[ -f box$1.size ]] && return
  prepare "box of $1 spheres" "$python" "$peers/inputs.py" box tile.txt $count $nx $ny raw$1
  prepare "box of $1 spheres, settling" mpirun -np 2 lmp -in "$peers/box.lmp" -var data raw$1.data -var pre $pre \
    -var mode settle -var out settled$1.txt -log none -screen none
  "$python" "$peers/inputs.py" settled settled$1.txt box$1
  rm raw$1.*
}

input_mixed() {
  input_box 100k
  [[ -f mixed.size ]] && return
  prepare "mixed radii" "$python" "$peers/inputs.py" mixed box100k.bin raw
  prepare "mixed radii, settling" mpirun -np 2 lmp -in "$peers/box.lmp" -var data raw.data -var pre 3000 \
    -var mode settle -var out settled.txt -log none -screen none
  "$python" "$peers/inputs.py" settled settled.txt mixed
  mv raw.radii.bin mixed.radii.bin
  rm raw.*
}

# terrain 10k|1m: its mesh, and 100,000 spheres that roll on it. The state on the fine mesh comes from one that is a
# tenth of it, which LIGGGHTS computes in reasonable time.
input_terrain() {
  local grid="$root/Data/maunga_whau.asc" k=1 rolled=1
  [[ $1 == 1m ]] && k=10 rolled=3
  [[ -f rolling$1.size ]] && return
  prepare "terrain, cells divided $k x $k" "$python" "$peers/inputs.py" terrain "$grid" $k terrain$1
  [[ -f above.size ]] || prepare "spheres above the terrain" "$python" "$peers/inputs.py" above "$grid" 100000 above
  "$python" "$peers/inputs.py" terrain "$grid" $rolled rolled$1
  prepare "spheres that roll down the terrain" mpirun -np 2 liggghts -in "$peers/liggghts.lig" -var data above.data \
    -var terrain 1 -var mesh rolled$1.stl -var pre 8000 -var save 1 -var out rolled$1.txt -log none
  "$python" "$peers/inputs.py" settled rolled$1.txt rolling$1
  rm rolled$1.*
}

# in_box SIZE LAW STEPS REBUILD: Lapilli, LAMMPS, LIGGGHTS
in_box() {
  local tangential=dashpot contact=hooke hertz=0 each=0
  [[ $2 == hertz ]] && tangential=spring contact=hertz hertz=1
  [[ $4 == yes ]] && each=1
  input_box $1
  lapilli lapilli places=box$1.bin box="$(<box$1.size)" law=$2 tangential=$tangential steps=$3 pre=$3 rebuild=$4
  lammps box.lmp data=box$1.data contact=$contact steps=$3 pre=$3 rebuild=$4
  liggghts liggghts.lig data=box$1.data hertz=$hertz steps=$3 pre=$3 rebuild=$each
  programs lapilli lammps liggghts
}
case_linear-100k() { in_box 100k linear 200 no; }
case_hertz-100k() { in_box 100k hertz 200 no; }
case_linear-1m() { in_box 1m linear 100 no; }
case_hertz-1m() { in_box 1m hertz 100 no; }
case_linear-100k-rebuild() { in_box 100k linear 40 yes; }
case_hertz-100k-rebuild() { in_box 100k hertz 40 yes; }

# on_terrain 10k|1m: Lapilli, LIGGGHTS; linear springs
on_terrain() {
  input_terrain $1
  lapilli lapilli places=rolling$1.bin velocities=rolling$1.velocities.bin terrain=terrain$1.obj \
    box="$(<rolling$1.size)" steps=40 pre=120
  liggghts liggghts.lig data=rolling$1.data terrain=1 mesh=terrain$1.stl steps=40 pre=120
  programs lapilli liggghts
}
case_terrain-10k() { on_terrain 10k; }
case_terrain-1m() { on_terrain 1m; }

# Ours alone: the ratio is that of the first to the second.
case_threads-2-over-1() {
  input_box 100k
  local box=(places=box100k.bin box="$(<box100k.size)" steps=200 pre=200)
  lapilli lapilli "${box[@]}" threads=2
  lapilli lapilli-1-thread "${box[@]}" threads=1
  programs lapilli lapilli-1-thread
}
case_radii-1-to-10() {
  input_mixed
  lapilli lapilli places=mixed.bin radii=mixed.radii.bin box="$(<mixed.size)" steps=100 pre=100
  lapilli lapilli-equal places=box100k.bin box="$(<box100k.size)" steps=100 pre=100
  programs lapilli lapilli-equal
}
# Of small spheres on a lattice, eight twenty times as large among them; beside it the lattice alone.
case_radii-1-to-20() {
  local count=262144
  [[ -f unequal.size ]] || prepare "radii 1:20" "$python" "$peers/inputs.py" unequal $count 20 unequal
  lapilli lapilli places=unequal.bin radii=unequal.radii.bin box="$(<unequal.size)" steps=100 pre=200
  lapilli lapilli-equal lattice=$count steps=100 pre=200
  programs lapilli lapilli-equal
}
