# --device gpu: a sentence and status 1 where there is no library; through the library's twin, runs and run files.
. "$(dirname "$0")/lib.sh"

CAIRN_GPU_LIBRARY=/nowhere/libcairn_gpu.so
export CAIRN_GPU_LIBRARY
expect 1 run sphere-heap --device gpu -o none.h5
says err "device gpu: the library '/nowhere/libcairn_gpu.so' cannot be opened"
[ ! -e none.h5 ] || fail "a run file was begun"
expect 2 run gyroscope --device gpu --integrator stiff2
says err "second-order schemes.*device"

CAIRN_GPU_LIBRARY=$(dirname "$cairn")/libcairn_gpu_twin.so
if [ ! -e "$CAIRN_GPU_LIBRARY" ]; then
    echo "the device's twin was not built"
    exit 77
fi
expect 0 run sphere-heap --device gpu --until 0.2 --every 4 -o heap.h5
says out "40 steps of 0.005 s to t = 0.2 s"
says out "physics *no violation; 4 of 40 steps audited"
says out "device *gpu: 20 sweeps per step"
if have_python h5py; then
    "$python" - <<'END' || fail "the run file is not as expected"
import h5py
with h5py.File("heap.h5") as f:
    times = list(f["time"])
assert len(times) == 11 and abs(times[-1] - 0.2) < 1e-12 and abs(times[1] - 0.02) < 1e-12, times
END
fi
expect 0 run sphere-heap --device gpu --until 0.2 --every 4 --audit-every 1 --json -o often.h5
says out '"audited_steps": *10,'
# every step that misses its tolerance counts, not every batch
expect 1 run sphere-heap --device gpu --accuracy exact --solver-tolerance 1e-4 --max-iterations 30 --until 0.5 --quiet
says err "[1-9][0-9] of 100 steps missed the solver's tolerance"
# the same scene with the setting in it
sed 's/^simulation: {/simulation: {device: gpu, sweeps: 30, /' "$(dirname "$0")/../../scenes/bouncing-balls.yaml" >balls.yaml
expect 0 run balls.yaml --until 0.5 --json
says out '"steps": *250'
# a run that is ended and resumed goes on to the same bits: single spheres, shapes, joints
motion()
{
    rm -rf table
    "$cairn" export "$1" --csv --output table --quiet >/dev/null || fail "'$1' cannot be exported"
    cat table/bodies.csv table/contacts.csv
}
for scene in sphere-heap shapes watt-governor; do
    expect 0 run "$scene" --device gpu --integrator stiff --every 10 --until 0.5 --quiet -o whole.h5
    expect 0 run "$scene" --device gpu --integrator stiff --every 10 --until 0.3 --checkpoint 0.2 --quiet -o part.h5
    expect 0 run --resume part.h5 --until 0.5 --quiet
    motion whole.h5 >first.csv
    motion part.h5 >second.csv
    [ "$(wc -l <first.csv)" -gt 20 ] || fail "'$scene' holds too little"
    cmp first.csv second.csv || fail "'$scene', resumed, moves otherwise"
    rm -f whole.h5 part.h5
done
# convex shapes, which processes that share a scene have too (ranks_run.sh); planar scenes none of them has
expect 0 run shapes --device ranks --integrator stiff --until 0.1 --quiet
expect 2 run simple-shear --device ranks
says err "planar scenes are not supported on the device yet; use device cpu"
[ "$failures" -eq 0 ]
