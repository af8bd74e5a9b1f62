"""A simulation: a model, a state and a way to step it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from ._arrays import Arrays
from ._native import ffi, lib
from ._stepper import _MOVED_BY_STEPS
from .errors import invalid, text
from .hooks import Filter, PreSolve
from .model import Model
from .quantities import Quantities
from .settings import Settings
from .state import State
from .things import Body, Force, Joint, Spring, System
from .values import BodyState, Record, Vector, vector3

if TYPE_CHECKING:
    from .assembly import Assembly
    from .keywords import Point, SettingsOptions
    from .problem import Problem, Solution


class Simulation(Arrays):
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
        chosen = (settings or model.settings).copy()
        chosen.update(changes)  # type: ignore[arg-type]
        self._begin(model)
        hooks = self._hooks(filter, pre_solve, touches)
        out = ffi.new("cairn_simulation **")
        status = lib.cairn_simulation_create_hooked(self._context.pointer, model._pointer, chosen._struct, hooks, out)
        self._own(out[0])
        self._check(status)

    def _own(self, pointer: Any) -> None:
        super()._own(pointer)
        self._quantities = Quantities(self)

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

    def stretch(self, spring: Spring | str) -> float:
        """m or rad: length or angle of a spring minus its rest value, now."""
        return float(lib.cairn_simulation_spring_stretch(self._live, self._model._handle("spring", spring)))

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
        vector = vector3(gravity, "gravity")
        self._check(lib.cairn_simulation_set_gravity(self._live, vector))

    def set_friction(self, friction: float | None) -> None:
        """Set one coefficient of friction for all contacts; None returns to those of the materials."""
        self._check(lib.cairn_simulation_set_friction(self._live, math.nan if friction is None else friction))

    def pull(self, body: Body | str, point: Point, target: Point, stiffness: float, damping: float) -> None:
        """Pull a point of a body (body frame) towards a target (world) by a spring and a damper, until let_go."""
        handle = self._model._handle("body", body)
        places = (vector3(point, "the point"), vector3(target, "the target"))
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

    @property
    def audit(self) -> dict[str, int]:
        """How many violations of each kind there were since the start."""
        totals = lib.cairn_simulation_audit(self._live)
        return {name: int(totals.count[kind]) for kind, name in enumerate(VIOLATIONS)}

    def population(self, name: str) -> Record:
        """What a population has gained and lost: present, inserted, removed, postponed, masses and energies."""
        index = lib.cairn_model_find_population(self._model._pointer, name.encode())
        if index < 0:
            raise invalid(f"there is no population '{name}'")
        return Record(lib.cairn_simulation_population(self._live, index))

    @property
    def freedoms(self) -> Record:
        """Degrees of freedom in the present configuration."""
        out = ffi.new("cairn_freedoms *")
        self._check(lib.cairn_simulation_freedoms(self._live, out, ffi.NULL))
        return Record(out[0])

    @property
    def assembly(self) -> Assembly | None:
        """How the mechanism was put together when the simulation was created; None where it was not, and in clones."""
        from .assembly import Assembly

        pointer = lib.cairn_simulation_assembly(self._live)
        return None if pointer == ffi.NULL else Assembly(self._model, pointer, (self._pointer, self._model_memory))

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


OUTCOMES = ("solved", "missed", "failed", "limited")
EVENTS = tuple(text(lib.cairn_event_name(kind)) for kind in range(lib.CAIRN_EVENT_KINDS))
VIOLATIONS = tuple(text(lib.cairn_violation_name(kind)) for kind in range(lib.CAIRN_VIOLATION_KINDS))
