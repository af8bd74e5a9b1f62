#!/bin/sh
# What has no solution: scenes and problem files, a sentence with the cause, in a short time.
#   sh unsolvable.sh CAIRN SCRATCH
set -eu
. "$(dirname "$0")/lib.sh"

limit=60 # an answer comes within a minute
cat >squeezed.yaml <<'END'
cairn: 1
title: A block between two walls that close
dimension: 2
bodies:
  - {name: left, kind: driven, motion: {position: ["-1 + t", "0"]}, shapes: [{type: rectangle, size: [1, 3]}]}
  - {name: right, kind: driven, motion: {position: ["1 - t", "0"]}, shapes: [{type: rectangle, size: [1, 3]}]}
  - {name: block, position: [0, 0], shapes: [{type: rectangle, size: [0.6, 0.6], density: 1}]}
simulation: {step: 0.01, until: 1}
END
cat >pushed.yaml <<'END'
cairn: 1
title: A ball on a rod that a piston pushes into a wall
dimension: 2
bodies:
  - {name: wall, kind: fixed, shapes: [{type: half-plane, normal: [-1, 0], position: [1, 0]}]}
  - {name: piston, kind: driven, motion: {position: ["t", "0"]}}
  - {name: ball, position: [0.5, 0], mass: 1, inertia: 0.1, shapes: [{type: circle, radius: 0.2}]}
joints: [{name: rod, type: revolute, bodies: [piston, ball], at: [0.5, 0]}]
simulation: {step: 0.01, until: 1}
END
cat >torn.yaml <<'END'
cairn: 1
title: Two rods that pull one body apart
dimension: 2
bodies:
  - {name: a, kind: driven, motion: {position: ["-1 - t", "0"]}}
  - {name: b, kind: driven, motion: {position: ["1 + t", "0"]}}
  - {name: bob, point: true, mass: 1, position: [0, 0]}
joints:
  - {name: left rod, type: distance, bodies: [a, bob], points: [[-1, 0], [0, 0]]}
  - {name: right rod, type: distance, bodies: [b, bob], points: [[1, 0], [0, 0]]}
simulation: {step: 0.01, until: 1}
END

# Every solver, under a law it takes, in the plane.
for solver in auto lemke gauss-seidel apgd admm interior-point; do
    for law in frictionless cone "convex cone"; do
        expect 1 run squeezed.yaml --solver "$solver" --law "$law"
        says err "every motion that the joints allow closes some contact further; see the contact of '.*' and 'block'"
        expect 1 run pushed.yaml --solver "$solver" --law "$law"
        says err "every motion that the joints allow closes some contact further; see the contact of 'wall' and 'ball'"
        [ "$(grep -c 'not positive definite' err)" -eq 0 ] || fail "$solver: an attempt on the way left its message"
        expect 1 run torn.yaml --solver "$solver" --law "$law"
        says err "the equations of the joints contradict each other; see joint '.* rod'"
    done
done
# What was done before the step without solution is kept.
expect 1 run pushed.yaml -o pushed.h5 --json
says out '"status": "failed"'
expect 0 export pushed.h5 -o - --table series
[ "$(wc -l <out)" -eq 32 ] || fail "the run to t = 0.3 is not there: $(wc -l <out) lines"

# Contact problems of others: two contacts that face each other and close; numbers that are none.
if have_python h5py numpy; then
    "$python" - <<'END'
import h5py, numpy as np

def write(name, q, mu):
    J = np.zeros((6, 3))
    J[:3], J[3:] = np.eye(3), np.diag([-1, 1, 1])
    W = J @ J.T
    rows, columns = np.nonzero(W)
    with h5py.File(name, "w") as f:
        g = f.create_group("fclib_local")
        g["spacedim"] = np.array([3], dtype="i4")
        m = g.create_group("W")
        for key, value in (("m", 6), ("n", 6), ("nz", len(rows)), ("nzmax", len(rows))):
            m[key] = np.array([value], dtype="i4")
        m["i"], m["p"], m["x"] = rows.astype("i4"), columns.astype("i4"), W[rows, columns]
        g["vectors/q"], g["vectors/mu"] = np.array(q, dtype=float), np.array(mu, dtype=float)

write("facing.hdf5", [-1, 0, 0, -1, 0, 0], [0.3, 0.3])
write("nan.hdf5", [-1, 0, np.nan, 1, 0, 0], [0.3, 0.3])
write("infinite.hdf5", [-1, 0, 0, 1, 0, 0], [0.3, np.inf])
write("negative.hdf5", [-1, 0, 0, 1, 0, 0], [0.3, -0.3])
write("fine.hdf5", [-1, 0, 0, 1, 0, 0], [0.3, 0.3])
END
    expect 0 solve fine.hdf5
    for law in frictionless "pyramid(4)" box cone "convex pyramid(6)" "convex cone"; do
        expect 1 solve facing.hdf5 --law "$law"
        says out "cause  *every motion that the joints allow closes some contact further; see contact [01]"
        expect 1 solve facing.hdf5 --law "$law" --solver all
        says out "auto  *failed .*closes some contact further"
    done
    expect 1 solve facing.hdf5 --json
    says out '"cause": "every motion'
    expect 2 solve nan.hdf5
    says err "nan"
    expect 2 solve infinite.hdf5
    says err "inf"
    expect 2 solve negative.hdf5
    says err "negative"
fi

[ "$failures" -eq 0 ] || exit 1
echo "all good"
