"""Steps per second of many cart-poles in a batch, beside MuJoCo's rollout of the same model (pip install mujoco).

A cart of 1 kg on a rail with a stop at either end, a pole of 0.1 kg on it, a force on the cart: 0.02 s per step, no control. The poles
lean by 0.05 to 0.15 rad at first. Both programs take their steps in one call, and in one call per step. The table has microseconds of
processor time per step, which other programs disturb little, and steps per second by the clock; each is the best of some repetitions.
The poles of both must fall alike.

Usage: cart_poles.py [COUNT [STEPS]]
"""

import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import cairn

H, LEAN, STOP, INERTIA = 0.02, 0.05, 2.4, 0.1 / 12

MJCF = f"""<mujoco><compiler angle="radian"/><option timestep="{H}"/><worldbody>
<body><joint name="rail" type="slide" axis="1 0 0" limited="true" range="{-STOP} {STOP}"/>
<inertial pos="0 0 0" mass="1" diaginertia="0.1 0.1 0.1"/>
<body><joint type="hinge" axis="0 -1 0"/><inertial pos="0 0 0.5" mass="0.1" diaginertia="{INERTIA} {INERTIA} {INERTIA}"/></body></body>
</worldbody><actuator><motor joint="rail"/></actuator></mujoco>"""


def lean(index: int, count: int) -> float:
    return LEAN + 0.1 * index / count


def cart_pole(index: int, count: int = 1000) -> cairn.Simulation:
    model = cairn.Model(dimension=2)
    cart = model.add_body("cart", mass=1, inertia=(0, 0, 0.1))
    pole = model.add_body("pole", mass=0.1, inertia=(0, 0, INERTIA), position=(0, 0.5))
    rail = model.add_joint("rail", "prismatic", (0.0, 0.0), cart, axis=(1, 0))
    rail.set_coordinate(lower=-STOP, upper=STOP, drive="force", target=0.0)
    pin = model.add_joint("pin", "revolute", cart, pole.at((0, 0)))
    pin.set_coordinate(initial=lean(index, count))
    return cairn.Simulation(model, step=H, audit=False)


class Cost(NamedTuple):
    """s per step: by the clock, and of processor time in all threads."""

    clock: float
    processor: float


def cost(action: Callable[[], Any], prepare: Callable[[], None], steps: int, repeats: int = 9) -> Cost:
    clock, processor = [], []
    for _ in range(repeats):
        prepare()
        begin = time.perf_counter(), time.process_time()
        action()
        clock.append(time.perf_counter() - begin[0])
        processor.append(time.process_time() - begin[1])
    return Cost(min(clock) / steps, min(processor) / steps)


def run_cairn(count: int, steps: int, threads: int) -> tuple[Cost, Cost, np.ndarray]:
    """The cost in one call and in a call per step, and the angles after 20 steps."""
    with cairn.Batch(lambda index: cart_pole(index, count), count, threads=threads) as batch:
        states = [one.state for one in batch]

        def back() -> None:
            for one, state in zip(batch, states):
                one.state = state

        def singly() -> None:
            for _ in range(steps):
                batch.step()

        costs = [cost(action, back, count * steps) for action in (lambda: batch.step(steps), singly)]
        back()
        batch.step(20)
        return costs[0], costs[1], batch.quantity("pin.angle")


def run_mujoco(count: int, steps: int, threads: int) -> tuple[Cost, Cost, np.ndarray]:
    import mujoco
    from mujoco import rollout

    model = mujoco.MjModel.from_xml_string(MJCF)
    data = [mujoco.MjData(model) for _ in range(threads)]
    initial = np.zeros((count, mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS.value)))
    initial[:, 2] = [lean(index, count) for index in range(count)]
    with rollout.Rollout(nthread=threads if threads > 1 else 0) as roll:

        def advance(states: np.ndarray, n: int) -> np.ndarray:
            return roll.rollout(model, data if threads > 1 else data[0], states, nstep=n)[0][:, -1]

        def singly() -> None:
            states = initial
            for _ in range(steps):
                states = advance(states, 1)

        costs = [cost(action, lambda: None, count * steps) for action in (lambda: advance(initial, steps), singly)]
        return costs[0], costs[1], advance(initial, 20)[:, 2]


def main() -> None:
    count, steps = (int(x) for x in [*sys.argv[1:], *("1000", "50")[len(sys.argv) - 1 :]])
    programs = {"cairn": run_cairn, "mujoco": run_mujoco}
    try:
        import mujoco  # noqa: F401
    except ImportError:
        del programs["mujoco"]
        print("mujoco is not installed: Cairn alone")
    print(f"{count} cart-poles, {steps} steps each")
    print("threads  program  steps    us of processor time per step    steps/s")
    for threads in (1, 2):
        angles = []
        for name, program in programs.items():
            *costs, angle = program(count, steps, threads)
            angles.append(angle)
            for calls, found in zip(("in one call", "one per call"), costs):
                print(f"{threads:7d}  {name:8s} {calls:12s} {1e6 * found.processor:10.2f} {1 / found.clock:22.0f}")
        if np.abs(angles[0] / angles[-1] - 1).max() > 0.02:
            sys.exit("the poles do not fall alike")


if __name__ == "__main__":
    main()
