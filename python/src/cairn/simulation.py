"""A simulation: a model, a state and a way to step it."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from ._callbacks import Callback
from ._native import ffi, lib
from .arrays import BODY_STATE, CONTACT, EVENT, VIOLATION, Views, copied
from .errors import Context, Error, invalid, text
from .hooks import Filter, Hooks, PreSolve
from .model import Model
from .progress import Progress, reporter
from .quantities import Quantities
from .run import Recorder
from .settings import Settings
from .state import State
from .things import Body, Force, Joint, Shape, Spring, System
from .values import BodyState, Record, Vector

if TYPE_CHECKING:
    from .keywords import Point, SettingsOptions
    from .problem import Problem, Solution

# s: how long a loop over steps may run before Python looks for signals.
_PATIENCE = 0.05
_MOVED_BY_STEPS = ("contacts", "events")


class Simulation:
    """A model in motion.

    The settings are those of the model's scene; `settings` replaces them all, and keywords replace single ones:

    >>> simulation = Simulation(model, step=0.005, integrator="stiff2")
    >>> simulation.run(until=2.0)
    >>> simulation["ball.z"], simulation.energy.total

    One thread at a time may use a simulation; different simulations may be stepped in different threads, in parallel: the
    interpreter's lock is released while the library works.
    """

    def __init__(
        self,
        model: Model,
        settings: Settings | None = None,
        *,
        filter: Filter | None = None,
        pre_solve: PreSolve | None = None,
        touches: bool = False,
        **changes: Unpack[SettingsOptions],
    ) -> None:
        if not model._pointer:
            raise invalid("the model is closed")
        chosen = (settings or model.settings).copy()
        chosen.update(changes)  # type: ignore[arg-type]
        self._begin(model)
        hooks = self._hooks(filter, pre_solve, touches)
        out = ffi.new("cairn_simulation **")
        status = lib.cairn_simulation_create_hooked(
            self._context.pointer, model._pointer, chosen._struct, hooks, out
        )
        self._own(out[0])
        self._check(status)

    def _begin(self, model: Model) -> None:
        self._model = model
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
        self._quantities = Quantities(self)

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

    def __enter__(self) -> Simulation:
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

    def set_hooks(
        self, *, filter: Filter | None = None, pre_solve: PreSolve | None = None, touches: bool = False
    ) -> None:
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
            self._steps(n, ffi.NULL)

    def step_by(self, h: float) -> None:
        """Take one step of another length h (s, > 0)."""
        pointer = self._live
        self._views.refuse("steps move it", _MOVED_BY_STEPS)
        self._check(lib.cairn_simulation_step_by(pointer, h))

    def _steps(self, n: int, recorder: Any, after: Callable[[], None] | None = None) -> None:
        """Take n steps in portions, between which Python handles signals."""
        if n < 0:
            raise invalid(f"the number of steps must not be negative: {n}")
        steps = ffi.new("cairn_python_steps *", {"seconds": _PATIENCE, "recorder": recorder})
        steps.stop = self._faults.stop
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
            self._steps(whole, record._pointer if record else ffi.NULL, after)
            if last > 0:
                self.step_by(last)
                if record:
                    record.write()

    @property
    def time(self) -> float:
        """s: simulated time."""
        return float(lib.cairn_simulation_time(self._live))

    # ----------------------------------------------------------------------------------- all bodies at once, without a copy

    @property
    def positions(self) -> Vector:
        """m, in the world: an array (bodies, 3) over the library's memory. It shows the state until the next change; copy it to keep
        it."""
        stride = ffi.new("int *")
        pointer = lib.cairn_simulation_positions(self._live, stride)
        shape = (lib.cairn_model_body_count(self._model._pointer), 3)
        return self._views.doubles("positions", self._pointer, pointer, shape, (8 * stride[0], 8))  # type: ignore[no-any-return]

    @property
    def rotations(self) -> Vector:
        """The matrices from the bodies' frames to the world: an array (bodies, 3, 3), as `positions`."""
        stride = ffi.new("int *")
        pointer = lib.cairn_simulation_rotations(self._live, stride)
        shape = (lib.cairn_model_body_count(self._model._pointer), 3, 3)
        return self._views.doubles("rotations", self._pointer, pointer, shape, (8 * stride[0], 24, 8))  # type: ignore[no-any-return]

    @property
    def velocities(self) -> Vector:
        """m/s (world) and rad/s (body frame): an array (bodies, 6), as `positions`."""
        stride, out = ffi.new("int *"), ffi.new("double **")
        self._check(lib.cairn_simulation_velocities(self._live, out, stride))
        shape = (lib.cairn_model_body_count(self._model._pointer), 6)
        return self._views.doubles("velocities", self._pointer, out[0], shape, (8 * stride[0], 8))  # type: ignore[no-any-return]

    @property
    def states(self) -> Any:
        """The states of all bodies, as a structured array of their own. Assign such an array to set all at once."""
        states = np.zeros(lib.cairn_model_body_count(self._model._pointer), BODY_STATE)
        lib.cairn_python_states(self._live, ffi.cast("cairn_body_state *", states.ctypes.data))
        return states

    @states.setter
    def states(self, values: Any) -> None:
        array = np.ascontiguousarray(values, BODY_STATE)
        pointer = ffi.cast("cairn_body_state *", array.ctypes.data)
        self._check(lib.cairn_simulation_set_states(self._live, pointer, array.size))

    def contacts(self, copy: bool = True) -> Any:
        """The contacts of the last step, as a structured array with the fields of cairn_contact. With copy=False it lies over the
        library's memory, and must be dropped before the next step."""
        out, count = ffi.new("cairn_contact **"), ffi.new("int *")
        self._check(lib.cairn_simulation_contacts(self._live, out, count))
        if copy:
            return copied(out[0], count[0], CONTACT)
        return self._views.structs("contacts", self._pointer, out[0], count[0], CONTACT)

    def events(self, copy: bool = True) -> Any:
        """The events of the last step, as `contacts`; cairn.EVENTS names their kinds."""
        count = ffi.new("int *")
        pointer = lib.cairn_simulation_events(self._live, count)
        if copy:
            return copied(pointer, count[0], EVENT)
        return self._views.structs("events", self._pointer, pointer, count[0], EVENT)

    def body_of(self, handle: Any) -> Body | None:
        """The body of a handle in a structured array (contacts()["a"][0]); None: the world, or a user system."""
        found = ffi.new("cairn_body *", {name: int(handle[name]) for name in ("id", "model", "generation")})
        return Body(self._model, found[0]) if found.id else None

    def touches(self, phase: str = "began") -> list[tuple[Shape, Shape, float]]:
        """Shapes that "began", "went on" or "ended" to touch in the last step, with the sum of their normal impulses (N s). Empty
        unless the simulation was made with touches=True."""
        phases = {"began": lib.CAIRN_TOUCH_BEGAN, "went on": lib.CAIRN_TOUCH_WENT_ON, "ended": lib.CAIRN_TOUCH_ENDED}
        if phase not in phases:
            raise invalid(f"'{phase}' is not a phase of a touch; known: {', '.join(phases)}")
        count = ffi.new("int *")
        found = lib.cairn_simulation_touches(self._live, phases[phase], count)
        shapes = ((found[i].shape_a, found[i].shape_b, found[i].impulse) for i in range(count[0]))
        return [(Shape(self._model, a), Shape(self._model, b), float(impulse)) for a, b, impulse in shapes]

    # ------------------------------------------------------------------------------------------------ single things

    def body(self, body: Body | str) -> BodyState:
        """Pose and velocity of a body now."""
        return BodyState._read(lib.cairn_simulation_body(self._live, self._model._handle("body", body)))

    def set_body(self, body: Body | str, state: BodyState) -> None:
        """Move a dynamic body to another pose and velocity, between steps. Constraints are not checked."""
        handle = self._model._handle("body", body)
        self._check(lib.cairn_simulation_set_body(self._live, handle, state._struct()))

    def joint(self, joint: Joint | str) -> Record:
        """What a joint does: coordinates, rates, reaction, forces along its coordinates, works."""
        return Record(lib.cairn_simulation_joint_state(self._live, self._model._handle("joint", joint)))

    def joint_impulse(self, joint: Joint | str) -> Vector:
        """The impulses of a joint's rows over the last step."""
        numbers = ffi.new("double[6]")
        count = lib.cairn_simulation_joint_impulse(self._live, self._model._handle("joint", joint), numbers)
        return np.array(list(numbers)[:count])

    def work(self, thing: Joint | Spring | Force) -> float:
        """J: the work of a joint, a spring or a force since the start."""
        function = getattr(lib, f"cairn_simulation_{thing._noun}_work")
        return float(function(self._live, thing._handle))

    def system(self, system: System | str) -> tuple[Vector, Vector]:
        """Coordinates and velocities of a user system now."""
        handle = self._model._handle("system", system)
        q, v = ffi.new("double **"), ffi.new("double **")
        lib.cairn_simulation_system(self._live, handle, q, v)
        if q[0] == ffi.NULL:
            raise invalid("the system is not of this model")
        n = self._model._system_sizes[handle.id]
        return np.array(ffi.unpack(q[0], n)), np.array(ffi.unpack(v[0], n))

    # ------------------------------------------------------------------------------------------------- quantities

    def __getitem__(self, name: str) -> float | Vector:
        """A quantity by its name: a number, or an array for a vector."""
        return self._quantities[name].value

    @property
    def quantities(self) -> Quantities:
        """All quantities of the model, by name."""
        return self._quantities

    # --------------------------------------------------------------------------------------------- steering by hand

    def set_gravity(self, gravity: Point) -> None:
        """Set gravity (m/s^2) from now on."""
        vector = ffi.new("double[3]", [float(x) for x in gravity])
        self._check(lib.cairn_simulation_set_gravity(self._live, vector))

    def set_friction(self, friction: float | None) -> None:
        """Set one coefficient of friction for all contacts; None returns to those of the materials."""
        self._check(lib.cairn_simulation_set_friction(self._live, math.nan if friction is None else friction))

    def pull(self, body: Body | str, point: Point, target: Point, stiffness: float, damping: float) -> None:
        """Pull a point of a body (body frame) towards a target (world) by a spring and a damper, until let_go."""
        handle = self._model._handle("body", body)
        places = (ffi.new("double[3]", [float(x) for x in place]) for place in (point, target))
        self._check(lib.cairn_simulation_pull(self._live, handle, *places, stiffness, damping))

    def let_go(self) -> None:
        """End the pull."""
        lib.cairn_simulation_let_go(self._live)

    # -------------------------------------------------------------------------------------------- saved states, clones

    @property
    def state(self) -> State:
        """The state as it is now. Assign a state to go back to it."""
        out = ffi.new("cairn_state **")
        self._check(lib.cairn_simulation_save(self._live, out))
        return State(out[0])

    @state.setter
    def state(self, state: State) -> None:
        pointer = self._live
        self._views.refuse("a restored state moves it", _MOVED_BY_STEPS)
        self._check(lib.cairn_simulation_restore(pointer, state._pointer))

    def clone(self) -> Simulation:
        """A second simulation in the same state, with the same model, settings and hooks, that may be stepped in another thread."""
        other = Simulation.__new__(Simulation)
        other._begin(self._model)
        other._callback = self._callback
        other._older_callbacks = list(self._older_callbacks)
        out = ffi.new("cairn_simulation **")
        status = lib.cairn_simulation_clone(self._live, other._context.pointer, out)
        other._own(out[0])
        self._check(status)
        return other

    # --------------------------------------------------------------------------------------------- energies and reports

    @property
    def energy(self) -> Record:
        """J: the energy account now (kinetic, potential, elastic, total, the works, balance_error)."""
        return Record(lib.cairn_simulation_energy(self._live))

    @property
    def report(self) -> Record:
        """What the last step did: contacts, solver, penetration, joint_error, energy, physics."""
        return Record(lib.cairn_simulation_report(self._live)[0], {"outcome": OUTCOMES.__getitem__})

    def violations(self) -> Any:
        """The violations of physics in the last step, at most 20, as a structured array; cairn.VIOLATIONS names their kinds."""
        count = lib.cairn_simulation_violation_count(self._live)
        found = [lib.cairn_simulation_violation(self._live, index) for index in range(count)]
        return np.array([np.frombuffer(ffi.buffer(ffi.addressof(one)), VIOLATION)[0] for one in found], VIOLATION)

    @property
    def audit(self) -> dict[str, int]:
        """How many violations of each kind there were since the start."""
        totals = lib.cairn_simulation_audit(self._live)
        return {name: int(totals.count[kind]) for kind, name in enumerate(VIOLATIONS)}

    @property
    def freedoms(self) -> Record:
        """Degrees of freedom in the present configuration."""
        out = ffi.new("cairn_freedoms *")
        self._check(lib.cairn_simulation_freedoms(self._live, out, ffi.NULL))
        return Record(out[0])

    @property
    def problem(self) -> Problem | None:
        """A copy of the last one-step problem; None before the first step."""
        from .problem import Problem

        pointer = lib.cairn_simulation_problem(self._live)
        return None if pointer == ffi.NULL else Problem._copy(pointer)

    @property
    def solution(self) -> Solution | None:
        """A copy of the solution of the last one-step problem; None before the first step."""
        from .problem import Solution

        pointer = lib.cairn_simulation_solution(self._live)
        return None if pointer == ffi.NULL else Solution._copy(pointer[0])


def _plan(length: float, h: float, end: float) -> tuple[int, float]:
    """Whole steps and the length of a shorter last one, as `cairn run` plans them."""
    if length < -1e-9 * max(h, abs(end)):
        raise invalid(f"the simulation is already past t = {end:g} s")
    ratio = max(0.0, length / h)
    whole = round(ratio)
    if abs(ratio - whole) <= 1e-9 * max(1.0, ratio):
        return whole, 0.0
    return math.floor(ratio), length - math.floor(ratio) * h


OUTCOMES = ("solved", "missed", "failed", "limited")
EVENTS = tuple(text(lib.cairn_event_name(kind)) for kind in range(lib.CAIRN_EVENT_KINDS))
VIOLATIONS = tuple(text(lib.cairn_violation_name(kind)) for kind in range(lib.CAIRN_VIOLATION_KINDS))
