#!/bin/sh
# Breaks the library in one place at a time, builds it, and asks the physics certificate: each defect must be found, by
# its kind. Slow, since it builds: only with CAIRN_LONG in the environment. Usage: check_audit_mutants.sh SOURCE_DIR CAIRN_BINARY
set -eu
source=$1
if [ -z "${CAIRN_LONG:-}" ]; then
    echo "skipped: set CAIRN_LONG to build the mutants"
    exit 77
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/tree"
(cd "$source" && tar cf - CMakeLists.txt cmake tools include src cli scenes schema docs viewer 2>/dev/null) | (cd "$scratch/tree" && tar xf -)
cmake -S "$scratch/tree" -B "$scratch/build" -DCMAKE_BUILD_TYPE=Release -DCAIRN_TESTS=OFF -DCAIRN_VIEWER=OFF >"$scratch/log" 2>&1 ||
    { cat "$scratch/log"; exit 1; }
failures=0
caught=0

build()
{
    cmake --build "$scratch/build" --target cairn -j 2 >"$scratch/log" 2>&1 || { tail -20 "$scratch/log"; exit 1; }
}

# mutant NAME FILE SED-EXPRESSION KIND RUN-ARGUMENTS...: with that one change the run must fail with violations of that kind.
mutant()
{
    name=$1 file=$2 change=$3 kind=$4
    shift 4
    sed "$change" "$source/$file" >"$scratch/mutated"
    if cmp -s "$scratch/mutated" "$source/$file"; then
        echo "FAILED: $name: nothing in $file to change"
        failures=$((failures + 1))
        return
    fi
    cp "$scratch/mutated" "$scratch/tree/$file"
    build
    found=0
    "$scratch/build/cairn" run "$@" --json -q >"$scratch/out" 2>"$scratch/err" || found=$?
    if [ "$found" -eq 1 ] && grep -q "\"$kind\": [1-9]" "$scratch/out"; then
        caught=$((caught + 1))
        echo "$name: caught: $(sed -n 's/.*worst: //p' "$scratch/err")"
    else
        echo "FAILED: $name: not found as '$kind', exit status $found: $(cat "$scratch/err")"
        failures=$((failures + 1))
    fi
    cp "$source/$file" "$scratch/tree/$file"
}

build
for scene in bouncing-balls rolling-balls double-pendulum two-bars-mu-0.2; do
    "$scratch/build/cairn" run "$scene" --until 0.5 -q || { echo "FAILED: the unbroken library: $scene"; failures=1; }
done

mutant "restitution, nine tenths" src/formulate/contact_rows.c 's/return restitution \* u_n_old;/return 0.9 * restitution * u_n_old;/' \
    restitution bouncing-balls --integrator stiff --until 1
mutant "friction, sign on one body" src/formulate/contact_rows.c \
    's/contact->body_b, contact->point_b, direction\[i\], -1);/contact->body_b, contact->point_b, direction[i], i > 0 ? 1 : -1);/' \
    jump rolling-balls --until 0.5
mutant "friction, twice the cone" src/formulate/contact_rows.c 's/problem->mu\[j\] = contact->friction;/problem->mu[j] = 2 * contact->friction;/' \
    friction two-bars-mu-0.2 --until 1
mutant "Jacobian, an angular entry by a thousandth" src/model/joints/joint_table.c \
    's/g\[3 + k\] = sign \* turn\[k\];/g[3 + k] = sign * turn[k] * (k == 2 ? 1.001 : 1.0);/' jump two-bars-mu-0.2 --until 1
mutant "Jacobian, a joint's row by a thousandth" src/model/joints/distance.c \
    's/joint->b.body, place->x\[1\], unit, 1);/joint->b.body, place->x[1], unit, 1.001);/' jump double-pendulum --until 0.5
mutant "book, friction by a thousandth" src/step/account/energy.c \
    's/work_friction += stage->weight \* rows_work/work_friction += 1.001 * stage->weight * rows_work/' book two-bars-mu-0.2 --until 1
mutant "book, kinetic energy" src/step/account/energy.c '0,/return 0.5 \* twice;/s//return 0.501 * twice;/' book bouncing-balls --until 0.2
mutant "gravity by a thousandth" src/formulate/dynamics.c 's/p\[i\] += in->h \* m \* g\[i\];/p[i] += 1.001 * in->h * m * g[i];/' \
    jump bouncing-balls --until 0.2
mutant "springs, one end by a thousandth" src/formulate/springs_add.c \
    's/p\[k\] -= a \* row\[side\]\[k\];/p[k] -= (side ? 1.001 : 1.0) * a * row[side][k];/' jump two-carts-spring-100 --until 0.2
mutant "gaps, used up twice" src/formulate/contact_rows.c 's/return gap > 0 ? gap \/ in->h/return gap > 0 ? 2 * gap \/ in->h/' \
    penetration bouncing-balls --integrator stiff --until 2

echo "$caught mutants caught, $failures failures"
[ "$failures" -eq 0 ]
