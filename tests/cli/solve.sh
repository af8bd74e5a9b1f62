#!/bin/sh
# cairn solve and cairn run --save-problems: files made here, solved, compared, checked by other means.
#   sh solve.sh CAIRN SCRATCH
set -eu
. "$(dirname "$0")/lib.sh"

# Every N-th step is saved, and steps without contacts are not.
expect 0 run box-stack --until 0.2 --step 0.01 --save-problems 5 --problems-dir stack --quiet
silent err
[ "$(ls stack | tr '\n' ' ')" = "box-stack-0000005.hdf5 box-stack-0000010.hdf5 box-stack-0000015.hdf5 box-stack-0000020.hdf5 " ] ||
    fail "problems saved: $(ls stack)"
expect 0 run tennis-racket --until 0.1 --save-problems 1 --problems-dir none --json
says out '"problems_saved": 0'
[ -z "$(ls none)" ] || fail "problems without contacts were saved"
expect 0 run box-stack --until 0.05 --step 0.01 --save-problems 5 --problems-dir local --problems-layout local --quiet
expect 2 run box-stack --save-problems 5 --problems-layout sideways
says err "sideways"
: >occupied
expect 1 run box-stack --until 0.05 --save-problems 1 --problems-dir occupied/inside --quiet
expect 1 run box-stack --until 0.05 --save-problems 1 --problems-dir occupied --quiet

# The same step, global and local, with an exact answer for the polyhedral law.
expect 0 solve stack/box-stack-0000005.hdf5 local/box-stack-0000005.hdf5 --law "pyramid(4)" --solver lemke
silent err
says out "40 contacts in space, 60 unknowns"
says out "40 contacts in space, 0 unknowns"
says out "Siconos' error"
expect 0 solve stack/box-stack-0000005.hdf5 --law "pyramid(4)" --solver all
says out "lemke  *solved"
says out "auto  *solved"

# The file's own law is Coulomb's cone.
"$cairn" solve stack/box-stack-0000005.hdf5 --solver-tolerance 1e-6 >out 2>err || fail "the cone is not solved"
says out "law cone"

# A tolerance that no arithmetic reaches is missed, and said to be.
expect 1 solve stack/box-stack-0000005.hdf5 --law "pyramid(4)" --solver lemke --solver-tolerance 1e-300
says out "missed"

# A time limit that is too short is said to be the reason.
expect 1 solve stack/box-stack-0000005.hdf5 --solver gauss-seidel --solver-tolerance 1e-300 --time-limit 1e-9
says out "time limit reached"
expect 2 solve stack/box-stack-0000005.hdf5 --tolerance 1e-4
says err "did you mean '--solver-tolerance'"
expect 2 solve stack/box-stack-0000005.hdf5 --time-limit -1
says err "time-limit"

# Forces can be left as the solver finds them, and chosen otherwise.
for forces in auto minimum-norm minimum-energy maximum-energy any; do
    expect 0 solve local/box-stack-0000005.hdf5 --forces $forces
    says out "solved"
done
expect 2 solve local/box-stack-0000005.hdf5 --forces least
says err "expected auto, minimum-norm"

# Wrong input: files, laws, solvers.
echo "not HDF5" >text.h5
expect 2 solve text.h5
says err "text.h5"
expect 2 solve text.h5 stack/box-stack-0000005.hdf5 --law "pyramid(4)"
says out "solved"
expect 2 solve nowhere.h5
expect 2 solve stack/box-stack-0000005.hdf5 --law conical
says err "conical"
expect 2 solve stack/box-stack-0000005.hdf5 --solver quantum
says err "lemke"
expect 2 solve stack/box-stack-0000005.hdf5 --solver lemke --law cone
expect 2 solve stack/box-stack-0000005.hdf5 --solver-tolerance 0
expect 2 solve stack/box-stack-0000005.hdf5 local/box-stack-0000005.hdf5 -o both.h5
expect 2 solve
head -c 3000 stack/box-stack-0000005.hdf5 >cut.h5
expect 2 solve cut.h5

# What is written fulfils the equations of the layout, recomputed here.
expect 0 solve stack/box-stack-0000005.hdf5 --law "pyramid(4)" --json -o solution.h5
silent err
if have_python h5py numpy; then
    "$python" - out solution.h5 stack/box-stack-0000010.hdf5 <<'END' || fail "the equations of the layout"
import json, sys
import h5py, numpy as np

def matrix(group):
    m, n, nz = (int(group[k][0]) for k in ("m", "n", "nz"))
    dense = np.zeros((m, n))
    assert nz == len(group["x"]) >= 1
    np.add.at(dense, (group["i"][:], group["p"][:]), group["x"][:])
    return dense

def measure(path):
    file = h5py.File(path, "r")
    g, s = file["fclib_global"], file["solution"]
    M, H = matrix(g["M"]), matrix(g["H"])
    f, w, mu = (g["vectors"][k][:] for k in ("f", "w", "mu"))
    v, u, r = (s[k][:] for k in ("v", "u", "r"))
    assert g["spacedim"][0] == 3 and len(mu) * 3 == len(w)
    assert np.abs(M @ v - H @ r - f).max() < 1e-12 * np.abs(f).max()  # at rest, M v is rounding
    assert np.abs(H.T @ v + w - u).max() < 1e-9
    q = H.T @ np.linalg.solve(M, f) + w
    R, U = r.reshape(-1, 3), u.reshape(-1, 3)
    x = R - U
    x[:, 0] -= mu * np.hypot(U[:, 1], U[:, 2])
    P = x.copy()
    for j, m in enumerate(mu):
        t = np.hypot(x[j, 1], x[j, 2])
        if t > m * x[j, 0]:
            a = max(0.0, (x[j, 0] + m * t) / (1 + m * m))
            P[j] = [a, m * a * x[j, 1] / t, m * a * x[j, 2] / t]
    return np.linalg.norm(R - P) / max(np.linalg.norm(z) for z in (q, r, u))

d = json.load(open(sys.argv[1]))
problem, = d["problems"]
result, = problem["results"]
assert problem["contacts"] == 40 and problem["law"] == "pyramid(4)" and problem["unknowns"] == 60
assert result["islands"] == {"count": 1, "largest": 40}
assert result["outcome"] == "solved" and result["certificate"]["relative"] <= problem["tolerance"]
assert abs(measure(sys.argv[2]) - result["siconos_error"]) <= 1e-9 + 1e-6 * result["siconos_error"]
measure(sys.argv[3])
END
fi

# JSON of a file that cannot be read: still one object.
expect 2 solve text.h5 --json
if have_python h5py numpy; then
    "$python" -c 'import json, sys; d = json.load(open("out")); assert "text.h5" in d["problems"][0]["error"]' ||
        fail "JSON of a refused file"
fi

# Bytes changed at random never end the program by a signal.
if have_python h5py numpy; then
    "$python" - "$cairn" stack/box-stack-0000005.hdf5 <<'END' || fail "a damaged file"
import random, subprocess, sys
random.seed(4)
whole = open(sys.argv[2], "rb").read()[:-16]  # without the seal
for k in range(30):
    data = bytearray(whole)
    for _ in range(3):
        data[random.randrange(len(data))] ^= 1 << random.randrange(8)
    open("damaged.h5", "wb").write(data[: random.randrange(len(data))] if k % 3 == 0 else data)
    status = subprocess.run([sys.argv[1], "solve", "damaged.h5", "--law", "pyramid(4)", "--solver", "lemke"],
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120).returncode
    assert status in (0, 1, 2), (k, status)
END
fi

[ "$failures" -eq 0 ] || exit 1
