"""All bodies, contacts and events of a simulation at once, as NumPy arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._native import ffi, lib
from ._stepper import Stepper
from .arrays import BODY_STATE, CONTACT, EVENT, VIOLATION, copied
from .errors import invalid
from .things import Body, Shape
from .values import Vector


class Arrays(Stepper):
    """A simulation whose numbers can be read as arrays."""

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

    def violations(self) -> Any:
        """The violations of physics in the last step, at most 20, as a structured array; cairn.VIOLATIONS names their kinds."""
        count = lib.cairn_simulation_violation_count(self._live)
        found = [lib.cairn_simulation_violation(self._live, index) for index in range(count)]
        return np.array([np.frombuffer(ffi.buffer(ffi.addressof(one)), VIOLATION)[0] for one in found], VIOLATION)
