"""Many simulations, stepped together over threads. Every one has the bits that it would have alone, whatever the number of threads."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Any

import numpy as np

from ._native import ffi, lib
from .errors import Error, invalid
from .simulation import Simulation
from .values import Vector


class BatchError(Error):
    """Steps of some simulations failed. `failures` has the error of each by its index; the others have taken their steps."""

    failures: dict[int, Error]

    def __init__(self, failures: dict[int, Error]) -> None:
        super().__init__(tuple(message for error in failures.values() for message in error.messages))
        self.failures = failures

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.failures,)


class Batch(Sequence[Simulation]):
    """Simulations that are stepped together.

    >>> batch = Batch(simulation, 1000)            # clones of one, which share its model
    >>> batch = Batch(make_simulation, 1000)       # make_simulation(i): one model each, e.g. for drives with targets of their own
    >>> batch.step(10)
    >>> batch.positions                            # (1000, bodies, 3)
    """

    def __init__(
        self,
        source: Simulation | Callable[[int], Simulation] | Sequence[Simulation],
        count: int | None = None,
        threads: int | None = None,
    ) -> None:
        self._simulations = _make(source, count)
        self._threads = max(1, min(threads or os.cpu_count() or 1, len(self._simulations) or 1))
        self._pool = ThreadPoolExecutor(self._threads) if self._threads > 1 else None
        self._bounds = np.linspace(0, len(self._simulations), self._threads + 1).astype(int)

    def __len__(self) -> int:
        return len(self._simulations)

    def __getitem__(self, index: Any) -> Any:
        return self._simulations[index]

    def __iter__(self) -> Iterator[Simulation]:
        return iter(self._simulations)

    def close(self) -> None:
        """Release the simulations and the threads."""
        if self._pool:
            self._pool.shutdown()
        for simulation in self._simulations:
            simulation.close()

    def __enter__(self) -> Batch:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def step(self, n: int = 1) -> None:
        """Take n steps of each. Raises BatchError when some fail; the others have taken theirs."""
        if n < 0:
            raise invalid(f"the number of steps must not be negative: {n}")
        pointers = ffi.new("cairn_simulation *[]", [one._live for one in self._simulations])
        for one in self._simulations:
            if one._views._lent:
                one._views.refuse("steps move it", ("contacts", "events"))
        status = ffi.new("cairn_status[]", len(self._simulations))
        parts = list(zip(self._bounds[:-1].tolist(), self._bounds[1:].tolist()))

        def work(part: tuple[int, int]) -> int:
            begin, end = part
            stop = self._simulations[begin]._faults.stop
            return int(lib.cairn_python_step_many(pointers + begin, end - begin, n, stop, status + begin))

        failed = sum(self._pool.map(work, parts) if self._pool else map(work, parts)) if pointers else 0
        self._raise(status, failed)

    def _raise(self, status: Any, failed: int) -> None:
        for one in self._simulations:
            if one._exceptions:
                one._faults.raise_first()
        if failed:
            wrong = (index for index in range(len(self._simulations)) if status[index])
            raise BatchError({index: self._simulations[index]._error(status[index]) for index in wrong})

    @property
    def positions(self) -> Vector:
        """m: a copy of all positions, (simulations, bodies, 3)."""
        return np.stack([one.positions for one in self._simulations])

    @property
    def velocities(self) -> Vector:
        """m/s and rad/s: a copy of all velocities, (simulations, bodies, 6)."""
        return np.stack([one.velocities for one in self._simulations])

    @property
    def times(self) -> Vector:
        """s: the times of all."""
        return np.array([one.time for one in self._simulations])

    def quantity(self, name: str) -> Vector:
        """A quantity of all: (simulations,), or (simulations, numbers) for a vector."""
        return np.array([one[name] for one in self._simulations])


def _make(source: Any, count: int | None) -> list[Simulation]:
    if isinstance(source, Simulation):
        return [source.clone() for _ in range(_needed(count))]
    if callable(source):
        return [source(index) for index in range(_needed(count))]
    found = list(source)
    if len({id(one) for one in found}) != len(found):
        raise invalid("batch: a simulation is in it twice")
    return found


def _needed(count: int | None) -> int:
    if count is None or count < 1:
        raise invalid("batch: say how many simulations it has, 1 or more")
    return count
