"""Steps per second of many cart-poles in a batch, each with a model of its own and a stop at either end of its rail.
Usage: cart_poles.py [COUNT [STEPS [THREADS]]]"""

import sys
import time

import cairn


def cart_pole(index: int) -> cairn.Simulation:
    model = cairn.Model(dimension=2)
    cart = model.add_body("cart", mass=1, inertia=(0, 0, 0.1))
    lean = 0.05 + 0.0001 * index
    pole = model.add_body("pole", mass=0.1, inertia=(0, 0, 0.0083), position=(0, 0.5))
    rail = model.add_joint("rail", "prismatic", (0.0, 0.0), cart, axis=(1, 0))
    rail.set_coordinate(lower=-2.4, upper=2.4, drive="force", target=0.0)
    pin = model.add_joint("pin", "revolute", cart, pole.at((0, 0)))
    pin.set_coordinate(initial=lean)
    return cairn.Simulation(model, step=0.02, audit=False)


def main() -> None:
    count, steps, threads = (int(x) for x in [*sys.argv[1:], *("1000", "200", "2")[len(sys.argv) - 1 :]])
    begin = time.perf_counter()
    with cairn.Batch(cart_pole, count, threads=threads) as batch:
        made = time.perf_counter() - begin
        batch.step(10)
        states = [one.state for one in batch]
        begin = time.perf_counter()
        batch.step(steps)
        spent = time.perf_counter() - begin
        for one, state in zip(batch, states, strict=True):
            one.state = state
        begin = time.perf_counter()
        for _ in range(steps):
            batch.step()
        single = time.perf_counter() - begin
        print(f"{count} cart-poles made in {made:.2f} s, {threads} threads")
        print(f"{count * steps / spent:12.0f} steps/s in one call of {steps} steps")
        print(f"{count * steps / single:12.0f} steps/s in calls of one step")


if __name__ == "__main__":
    main()
