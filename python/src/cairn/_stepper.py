"""What all parts of a simulation share: its life, and the steps."""

from __future__ import annotations

import math
import os
import tempfile
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

from ._callbacks import Callback
from ._epoch import EPOCH
from ._native import ffi, lib
from .arrays import Views
from .errors import Context, Error, invalid
from .hooks import Filter, Hooks, PreSolve
from .model import Model
from .progress import Progress, reporter
from .run import Recorder
from .settings import Settings
from .view import View, view_file

# s: how long a loop over steps may run before Python looks for signals.
_PATIENCE = 0.05
_MOVED_BY_STEPS = ("contacts", "events")


class Stepper:
    """A simulation that can be stepped."""

    def _begin(self, model: Model) -> None:
        self._model = model
        # The library reads the model in every step: its memory lives as long as the simulation, also when the model is closed.
        self._model_memory = (model._pointer, model._scene)
        self._context = Context()
        self._faults = model._faults
        self._exceptions = model._faults.exceptions
        self._views = Views()
        self._followed = model._changes
        self._callback: Callback | None = None
        self._older_callbacks: list[Callback | None] = []
        self._pointer: Any = None

    def _own(self, pointer: Any) -> None:
        self._pointer = ffi.gc(pointer, lib.cairn_simulation_destroy) if pointer != ffi.NULL else None

    def _hooks(self, filter: Filter | None, pre_solve: PreSolve | None, touches: bool) -> Any:
        if filter is None and pre_solve is None and not touches:
            return ffi.NULL
        hooks = Hooks(self._model, filter, pre_solve)
        self._callback = Callback(self._faults, hooks)
        return hooks.struct(self._callback.handle, touches)

    # ------------------------------------------------------------------------------------------------------- life

    def close(self) -> None:
        """Release the simulation. Arrays over its memory stay valid as long as they are held."""
        self._pointer = None
        EPOCH.count += 1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Simulation at t = {self.time:g} s>" if self._pointer else "<Simulation, closed>"

    def _check(self, status: int) -> None:
        """Raise what a callback raised, or else the error of the library."""
        if self._exceptions:
            lib.cairn_context_clear(self._context.pointer)
            self._faults.raise_first()
        if status:
            raise self._error(status)

    def _error(self, status: int) -> Error:
        # What is wrong with the model is said in the model's own context.
        return self._context.error(status, self._model._context)

    @property
    def _live(self) -> Any:
        """The library's simulation, which has followed all changes of the model."""
        if not self._pointer:
            raise invalid("the simulation is closed")
        if self._followed != self._model._changes:
            self._follow()
        return self._pointer

    def _follow(self) -> None:
        self._views.refuse("the model has changed, and its arrays must move")
        self._check(lib.cairn_simulation_update(self._pointer))
        self._followed = self._model._changes

    def update(self) -> None:
        """Follow the model after it was changed. Every step begins with this."""
        self._check(lib.cairn_simulation_update(self._live))

    @property
    def model(self) -> Model:
        """The model that the simulation was created from."""
        return self._model

    @property
    def settings(self) -> Settings:
        """A copy of the simulation's settings."""
        return Settings._from_struct(lib.cairn_simulation_settings(self._live)[0])

    def set_hooks(self, *, filter: Filter | None = None, pre_solve: PreSolve | None = None, touches: bool = False) -> None:
        """Replace the hooks between steps."""
        pointer, before = self._live, self._callback
        status = lib.cairn_simulation_set_hooks(pointer, self._hooks(filter, pre_solve, touches))
        # Whichever of the two the library now has, it stays valid.
        self._older_callbacks.append(before)
        self._check(status)

    # --------------------------------------------------------------------------------------------------- stepping

    def step(self, n: int = 1) -> None:
        """Take n steps of the settings' h. When one fails, the state is that before it."""
        if self._followed != self._model._changes or not self._pointer:
            self._live
        if self._views._lent:
            self._views.refuse("steps move it", _MOVED_BY_STEPS)
        if n == 1:
            status = lib.cairn_simulation_step(self._pointer)
            if status or self._exceptions:
                self._check(status)
        else:
            self._steps(n)

    def step_by(self, h: float) -> None:
        """Take one step of another length h (s, > 0)."""
        pointer = self._live
        self._views.refuse("steps move it", _MOVED_BY_STEPS)
        self._check(lib.cairn_simulation_step_by(pointer, h))

    def _steps(self, n: int, record: Recorder | None = None, after: Callable[[], None] | None = None) -> None:
        """Take n steps in portions, between which Python handles signals."""
        recorder = record._pointer if record else ffi.NULL
        if n < 0:
            raise invalid(f"the number of steps must not be negative: {n}")
        steps = ffi.new("cairn_python_steps *", {"seconds": _PATIENCE, "recorder": recorder})
        steps.stop = self._faults.stop
        steps.samples = record is not None and record._memory[1] is not None
        while n > 0:
            steps.wanted = n
            self._check(lib.cairn_python_step(self._live, steps))
            n -= steps.done
            if after:
                after()

    def run(
        self,
        until: float | None = None,
        *,
        progress: Progress = False,
        record: str | os.PathLike[str] | Recorder | None = None,
    ) -> None:
        """Step until a time (default: the scene's), with a shorter last step where it is no multiple of h.

        progress   True: a line on stderr; or a function that is called with the time, some twenty times a second
        record     a run file to write, or a recorder
        """
        end = self._model.until if until is None else float(until)
        whole, last = _plan(end - self.time, float(self.settings.step), end)
        if isinstance(record, (str, os.PathLike)):
            with Recorder(self, record) as recorder:
                self.run(end, progress=progress, record=recorder)
            return
        self._views.refuse("steps move it", _MOVED_BY_STEPS)
        with reporter(progress, self, end) as after:
            self._steps(whole, record, after)
            if last > 0:
                self.step_by(last)
                if record:
                    record.write()

    def view(self, height: int = 600) -> View:
        """The present state in the viewer's page, for a notebook cell (height in pixels) or to save. Run.view shows a motion."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "state.h5")
            Recorder(self, path).close()
            return view_file(path, height)

    @property
    def time(self) -> float:
        """s: simulated time."""
        return float(lib.cairn_simulation_time(self._live))


def _plan(length: float, h: float, end: float) -> tuple[int, float]:
    """Whole steps and the length of a shorter last one, as `cairn run` plans them."""
    if length < -1e-9 * max(h, abs(end)):
        raise invalid(f"the simulation is already past t = {end:g} s")
    ratio = max(0.0, length / h)
    whole = round(ratio)
    if abs(ratio - whole) <= 1e-9 * max(1.0, ratio):
        return whole, 0.0
    return math.floor(ratio), length - math.floor(ratio) * h
