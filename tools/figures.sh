#!/bin/sh
# Draw the figures of all five papers again, and those of docs/structures.md, from the built-in scenes, into docs/figures/.
# Usage: tools/figures.sh [CAIRN_BINARY] [OUTPUT_DIRECTORY]
# CAIRN_NUT_UNTIL: end time of the Brazil nut, which takes most of the time (default 75 s)
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
cairn=${1:-$root/build/cairn}
out=${2:-$root/docs/figures}
runs=$(mktemp -d)
trap 'rm -rf "$runs"' EXIT
mkdir -p "$out"

# run NAME SCENE [options]: a run file of that name
run()
{
    name=$1
    shift
    # an explicit scheme beyond its limit may end with status 1: that is what the figure shows
    "$cairn" run "$@" --quiet -o "$runs/$name.h5" >/dev/null 2>&1 || [ -f "$runs/$name.h5" ]
}

draw()
{
    file=$1
    shift
    "$cairn" plot "$@" -o "$out/$file" >/dev/null
    echo "$file"
}

# study NAME FILE [options]: the picture of a study
study()
{
    name=$1
    file=$2
    shift 2
    "$cairn" study "$name" "$@" --quiet -o "$out/$file" >/dev/null
    echo "$file"
}

for damper in 20 100; do
    run "stiff-$damper" "two-bodies-damper-$damper"
    run "euler-$damper" "two-bodies-damper-$damper" --integrator euler
done
draw paper0-figure3.svg "$runs/stiff-20.h5" "$runs/euler-20.h5" left.x right.x \
    --title "Damper 20: linearly implicit and explicit"
draw paper0-figure4.svg "$runs/stiff-100.h5" "$runs/euler-100.h5" left.x right.x --ylim -20:20 \
    --title "Damper 100: the explicit scheme is lost"
run stiff-1e6 two-bodies-damper-1e6
draw paper0-figure5a.svg "$runs/stiff-1e6.h5" left.x right.x --title "Damper 1e6"
draw paper0-figure5b.svg "$runs/stiff-1e6.h5" "distance(left,right)" --title "Damper 1e6: distance"
run heavy-20 two-bodies-heavy-20
run heavy-1e8 two-bodies-heavy-1e8
draw paper0-figure6a.svg "$runs/heavy-20.h5" left.x right.x --title "Masses 1 and 1e8, damper 20"
draw paper0-figure6b.svg "$runs/heavy-1e8.h5" left.x --title "Masses 1 and 1e8, damper 1e8: the light one"
for damper in 10 1000 1e8; do
    run "bars-$damper" "two-bars-damper-$damper"
done
draw paper0-figure7.svg "$runs/bars-10.h5" "$runs/bars-1000.h5" "$runs/bars-1e8.h5" positions --to 1.5 --every 10
for mu in 0.05 0.2 0.5; do
    run "bars-mu-$mu" "two-bars-mu-$mu"
done
draw paper0-figure8.svg "$runs/bars-mu-0.05.h5" "$runs/bars-mu-0.2.h5" "$runs/bars-mu-0.5.h5" positions --to 1.5 --every 10

run pendulum double-pendulum
draw paper1-figure2a.svg "$runs/pendulum.h5" bob1.x bob2.x --title "Double pendulum against a wall"
draw paper1-figure2b.svg "$runs/pendulum.h5" energy/total --title "Its energy"
for scheme in trapezoid trapezoid2 stiff2; do
    run "$scheme" stick-slip-block --integrator "$scheme" --events off
done
draw paper1-figure4a.svg "$runs/trapezoid.h5" "$runs/trapezoid2.h5" "$runs/stiff2.h5" block.x --title "Block: position"
draw paper1-figure4b.svg "$runs/trapezoid2.h5" "$runs/trapezoid.h5" "$runs/stiff2.h5" block.vx --from 0.3 --to 1 \
    --ylim -0.002:0.002 --title "Block: velocity once it sticks"
for delta in 100 1000 1e6; do
    run "carts-$delta" "two-carts-damper-$delta" --tolerance 1e-8
done
draw paper1-figure6a.svg "$runs/carts-100.h5" "$runs/carts-1000.h5" "$runs/carts-1e6.h5" "distance(left,right)" \
    --title "Two carts: distance"
draw paper1-figure6b.svg "$runs/carts-100.h5" "$runs/carts-1000.h5" "$runs/carts-1e6.h5" energy/total \
    --title "Two carts: energy"
for gamma in 100 1e4 1e6; do
    run "spring-$gamma" "two-carts-spring-$gamma" --tolerance 1e-8
done
draw paper1-figure7a.svg "$runs/spring-100.h5" "$runs/spring-1e4.h5" "$runs/spring-1e6.h5" left.x \
    --title "Two carts: the left one on a spring at rest at 0.2"
draw paper1-figure7b.svg "$runs/spring-100.h5" "$runs/spring-1e4.h5" "$runs/spring-1e6.h5" energy/total \
    --title "Two carts: energy"
study double-pendulum paper1-table1.svg

for eps in 1e-9 1e-10 1e-11; do
    run "ellipse-$eps" "ellipse-compliant-$eps" --every 10
done
run ellipse-rigid ellipse-rigid --every 10
run ellipse-fine ellipse-compliant-1e-10 --until 0.15
soft="$runs/ellipse-1e-10.h5"
elements="element 1 (left),element 2,element 3 (right)"
pair="ellipse,plane"
draw paper2-figure4a.svg "$soft" "element($pair,1).normal" "element($pair,2).normal" "element($pair,3).normal" \
    --legend "$elements" --title "Normal forces over the patch"
draw paper2-figure4b.svg "$soft" "element($pair,1).friction" "element($pair,2).friction" "element($pair,3).friction" \
    --legend "$elements" --title "Friction forces over the patch"
draw paper2-figure4c.svg "$soft" "element($pair,1).share" "element($pair,2).share" "element($pair,3).share" \
    --legend "$elements" --title "Friction over its limit: rolling and sliding" --size 760x400
draw paper2-figure4d.svg "$runs/ellipse-fine.h5" "element($pair,1).share" "element($pair,2).share" \
    "element($pair,3).share" --legend "$elements" --ylim 0:1.05 --title "Microslip: the right element slides first"
all="$runs/ellipse-1e-9.h5 $runs/ellipse-1e-10.h5 $runs/ellipse-1e-11.h5 $runs/ellipse-rigid.h5"
names="1e-9,1e-10,1e-11,rigid"
draw paper2-figure5a.svg "$runs/ellipse-rigid.h5" positions --title "The rigid ellipse rocks to rest"
# shellcheck disable=SC2086 # a list of files
{
    draw paper2-figure5b.svg $all ellipse.y --legend "$names" --title "Height of the centre"
    draw paper2-figure5c.svg $all "force($pair).y" --legend "$names" --title "Sum of the normal forces"
    draw paper2-figure5d.svg $all "force($pair).x" --legend "$names" --title "Sum of the friction forces"
}
study ellipse-compliance paper2-figure5e.svg
run ball hertz-mindlin --set n=15
draw hertz-mindlin.svg "$runs/ball.h5" patch --at 1.1,1.6,2.1 --title "A ball pressed (1.1 s) and pulled aside on a plane"
study hertz-mindlin hertz-mindlin-errors.svg

for kind in min-energy min-norm max-energy; do
    run "table-$kind" "sliding-table-$kind"
done
tables="$runs/table-min-energy.h5 $runs/table-min-norm.h5 $runs/table-max-energy.h5"
kinds="minimum energy,minimum norm,maximum energy"
# shellcheck disable=SC2086
{
    draw paper3-figure2a.svg $tables energy/total --legend "$kinds" --title "Sliding table: energy"
    draw paper3-figure2b.svg $tables table.omega_z --legend "$kinds" --title "Sliding table: spin"
    draw paper3-figure2c.svg $tables table.vx --legend "$kinds" --title "Sliding table: velocity"
}

laws="convex law (QP),exact law (LCP)"
for scene in particle-2 bar-2; do
    run "$scene-convex" "$scene" --law "convex pyramid(4)"
    run "$scene-exact" "$scene" --law "pyramid(4)"
done
draw paper4-figure2.svg "$runs/particle-2-convex.h5" "$runs/particle-2-exact.h5" particle.y --legend "$laws" --to 1 \
    --title "Particle that slides from the start: height, h = 0.001 s"
draw paper4-figure5.svg "$runs/bar-2-convex.h5" "$runs/bar-2-exact.h5" "point(bar,-1,0).y" --legend "$laws" --to 0.2 \
    --title "Bar that slides from the start: height of its lower tip"

study particle-qp-lcp paper4-table1.svg
study bar-qp-lcp paper4-table2.svg
study brazil-nut paper4-figure6.svg --vary seed=1 --until "${CAIRN_NUT_UNTIL:-75}"

run arch-thin arch-25 --set depth=0.1
draw arch-falls.svg "$runs/arch-thin.h5" frames --at 0,0.3,0.5,0.8
run stones dry-stone-wall --until 0.1
draw dry-stone-wall.svg "$runs/stones.h5" frames --at 0.1
run wheels gears --until 1
draw gears.svg "$runs/wheels.h5" frames --at 0,1
run peg peg
draw peg.svg "$runs/peg.h5" frames --at 0,0.2,0.4,1
