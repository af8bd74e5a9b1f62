"""What it costs to read the positions of many bodies without a copy, and with one. Usage: positions.py [BODIES]"""

import resource
import sys
import time

import numpy as np

import cairn


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    model = cairn.Model(dimension=3, gravity=(0, 0, 0))
    begin = time.process_time()
    for index in range(count):
        model.add_body(f"p{index}", point=True, mass=1, position=(index, 0, 0), velocity=(0, 1, 0))
    built = time.process_time() - begin
    simulation = cairn.Simulation(model, step=0.5, audit=False)
    simulation.step()
    first = simulation.positions
    begin = time.process_time()
    for _ in range(1000):
        positions = simulation.positions
    reading = (time.process_time() - begin) / 1000
    begin = time.process_time()
    copy = positions.copy()
    copying = time.process_time() - begin
    assert np.shares_memory(first, positions) and positions.shape == (count, 3)
    assert np.array_equal(copy[:, 0], np.arange(count)) and np.all(copy[:, 1] == 0.5)
    print(f"{count} bodies, built in {built:.1f} s, {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.1f} GB")
    print(f"positions without a copy {1e6 * reading:10.2f} us")
    print(f"a copy of them           {1e6 * copying:10.2f} us")


if __name__ == "__main__":
    main()
