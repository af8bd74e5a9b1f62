"""What a call of Simulation.step costs: one step per call, against as many steps in one call. Prints
nanoseconds of processor time, the least of some repetitions, since other programs disturb."""

import time

import cairn


def seconds_per_step(simulation: cairn.Simulation, calls: int, n: int) -> float:
    begin = time.process_time()
    for _ in range(calls):
        simulation.step(n)
    return (time.process_time() - begin) / (calls * n)


def main() -> None:
    model = cairn.Model(dimension=2, gravity=(0, 0))
    model.add_body("point", point=True, mass=1)
    simulation = cairn.Simulation(model, audit=False)
    single, many = [], []
    for _ in range(50):
        single.append(seconds_per_step(simulation, 2000, 1))
        many.append(seconds_per_step(simulation, 1, 2000))
    step = min(many)
    print(f"step of one free point in C    {1e9 * step:6.0f} ns")
    print(f"call from Python, beyond that  {1e9 * (min(single) - step):6.0f} ns")


if __name__ == "__main__":
    main()
