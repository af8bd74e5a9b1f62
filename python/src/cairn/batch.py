"""Many simulations, stepped together over threads. Every one has the bits that it would have alone, whatever the number of threads."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ._epoch import EPOCH
from ._native import ffi, lib
from ._stepper import _MOVED_BY_STEPS
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
    >>> batch.set_targets("rail", forces)          # one number each
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
        bounds = np.linspace(0, len(self._simulations), self._threads + 1).astype(int).tolist()
        self._parts = list(zip(bounds[:-1], bounds[1:]))
        self._status = ffi.new("cairn_status[]", len(self._simulations))
        self._seen = -1
        self._pointers: Any = None
        self._found: dict[str, Any] = {}
        self._drives: dict[tuple[str, str | None], _Drives] = {}

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

    def _ready(self) -> Any:
        """The library's simulations: all open, none with an array lent that a step would move, and all as their models are now."""
        if self._seen != EPOCH.count:
            before = EPOCH.count
            self._pointers = ffi.new("cairn_simulation *[]", [one._live for one in self._simulations])
            for one in self._simulations:
                one._views.refuse("steps move it", _MOVED_BY_STEPS)
            self._seen = before
        return self._pointers

    def step(self, n: int = 1) -> None:
        """Take n steps of each. Raises BatchError when some fail; the others have taken theirs."""
        if n < 0:
            raise invalid(f"the number of steps must not be negative: {n}")
        pointers, status = self._ready(), self._status

        def work(part: tuple[int, int]) -> int:
            begin, end = part
            stop = self._simulations[begin]._faults.stop
            return int(lib.cairn_python_step_many(pointers + begin, end - begin, n, stop, status + begin))

        failed = sum(self._pool.map(work, self._parts) if self._pool else map(work, self._parts)) if self._simulations else 0
        if failed or self._seen != EPOCH.count:
            self._raise(status, failed)

    def _raise(self, status: Any, failed: int) -> None:
        for one in self._simulations:
            if one._exceptions:
                one._faults.raise_first()
        if failed:
            wrong = (index for index in range(len(self._simulations)) if status[index])
            raise BatchError({index: self._simulations[index]._error(status[index]) for index in wrong})

    def _gather(self, function: Any, width: int) -> Vector:
        count = len(self._simulations)
        bodies = lib.cairn_model_body_count(self._simulations[0].model._pointer) if count else 0
        values = np.empty((count, bodies, width))
        stopped = function(self._ready(), count, bodies, ffi.cast("double *", values.ctypes.data))
        if stopped < count:
            self._simulations[stopped]._check(lib.cairn_simulation_update(self._simulations[stopped]._live))
            raise invalid(f"batch: simulation {stopped} has another number of bodies than the first, which has {bodies}")
        return values

    @property
    def positions(self) -> Vector:
        """m: a copy of all positions, (simulations, bodies, 3)."""
        return self._gather(lib.cairn_python_positions, 3)

    @property
    def velocities(self) -> Vector:
        """m/s and rad/s: a copy of all velocities, (simulations, bodies, 6)."""
        return self._gather(lib.cairn_python_velocities, 6)

    @property
    def times(self) -> Vector:
        """s: the times of all."""
        return np.array([one.time for one in self._simulations])

    def quantity(self, name: str) -> Vector:
        """A quantity of all: (simulations,), or (simulations, numbers) for a vector."""
        pointers, count = self._ready(), len(self._simulations)
        found = self._found.get(name)
        if found is None:
            found = self._found[name] = ffi.new("cairn_quantity[]", [one.quantities[name]._struct[0] for one in self._simulations])
        numbers = found[0].count if count else 1
        values = np.empty((count, numbers))
        stopped = lib.cairn_python_read(pointers, count, found, ffi.cast("double *", values.ctypes.data))
        if stopped < count:
            del self._found[name]
            self._simulations[stopped].quantities[name].value  # raises what is wrong with it
            raise invalid(f"batch: '{name}' has another number of components in simulation {stopped} than in the first")
        return values[:, 0] if numbers == 1 else values

    def set_targets(self, joint: str, targets: ArrayLike, coordinate: str | None = None) -> None:
        """Replace the target of a drive in every simulation by a number, from the next step on, as Joint.set_target does. The
        simulations must have models of their own; the coordinate may be left out where the joint has only one."""
        count = len(self._simulations)
        values = np.ascontiguousarray(targets, dtype=np.float64)
        if values.shape != (count,) or not np.all(np.isfinite(values)):
            raise invalid(f"batch: the targets of joint '{joint}' must be {count} finite numbers")
        self._ready()
        drives = self._drives.get((joint, coordinate))
        if drives is None:
            drives = self._drives[joint, coordinate] = _Drives(self._simulations, joint, coordinate)
        stopped = lib.cairn_python_set_targets(
            drives.models, count, drives.joints, drives.coordinate, ffi.cast("double *", values.ctypes.data)
        )
        if stopped < count:
            del self._drives[joint, coordinate]
            self._simulations[stopped].model._check(lib.CAIRN_INVALID)


class _Drives:
    """Where the targets of one drive go, in all simulations of a batch."""

    def __init__(self, simulations: list[Simulation], joint: str, coordinate: str | None) -> None:
        models = [one.model for one in simulations]
        if len({id(model) for model in models}) != len(models):
            raise invalid(
                "batch: targets belong to the model, and these simulations share one: make a batch with models of their own"
            )
        joints = [model.joint(joint) for model in models]
        names = {one._coordinate(coordinate) for one in joints}
        if len(names) > 1:
            raise invalid(f"batch: joint '{joint}' does not have the same coordinates in all models")
        self.models = ffi.new("cairn_model *[]", [model._pointer for model in models])
        self.joints = ffi.new("cairn_joint[]", [one._handle for one in joints])
        self.coordinate = names.pop() if names else b""


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
