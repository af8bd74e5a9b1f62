"""Python functions that the library calls while it steps.

The library hands each function back the pointer that it was given: a handle of a Callback. An exception must not travel through
C code. It is kept, the loop over steps is stopped, and the call that stepped raises it. In the meantime the library gets NaN
(or "no contact"), so that the step fails rather than goes on with an invented number.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ._epoch import EPOCH
from ._native import ffi, lib
from .values import BodyState

_NAN = float("nan")


class Faults:
    """Exceptions of callbacks that have not been raised yet."""

    def __init__(self) -> None:
        self.exceptions: list[BaseException] = []
        self.stop = ffi.new("int *")

    def add(self, exception: BaseException) -> None:
        """Keep an exception and stop the loop over steps."""
        self.exceptions.append(exception)
        self.stop[0] = 1
        EPOCH.count += 1

    def raise_first(self) -> None:
        """Raise the first exception that was kept, and forget the others."""
        if self.exceptions:
            first = self.exceptions[0]
            self.exceptions.clear()
            self.stop[0] = 0
            raise first


class Callback:
    """Functions of one thing, and where their exceptions go."""

    def __init__(self, faults: Faults, function: Any) -> None:
        self.faults = faults
        self.function = function
        self.handle = ffi.new_handle(self)


def _guarded(data: Any, answer: Callable[[Any], Any], otherwise: Callable[[], Any]) -> Any:
    callback = ffi.from_handle(data)
    try:
        return answer(callback.function)
    except BaseException as exception:
        callback.faults.add(exception)
        return otherwise()


def _doubles(pointer: Any, *shape: int) -> Any:
    """The numbers at a pointer as an array, for the time of a callback."""
    count = int(np.prod(shape))
    if pointer == ffi.NULL or count == 0:
        return np.zeros(shape)
    return np.frombuffer(ffi.buffer(pointer, 8 * count), dtype=np.float64).reshape(shape)


def _put(target: Any, value: Any) -> None:
    """Write a vector that may be shorter than its place."""
    array = np.asarray(value, dtype=np.float64)
    target[...] = 0
    target[: array.size] = array


def _put_planar_torque(target: Any, value: Any) -> None:
    if np.ndim(value) == 0:
        target[2] = value
    else:
        _put(target, value)


@ffi.def_extern()  # type: ignore[untyped-decorator]
def cairn_python_signal(data: Any, t: float) -> float:
    return _guarded(data, lambda function: float(function(t)), lambda: _NAN)  # type: ignore[no-any-return]


class ForceFunctions(NamedTuple):
    """The functions of a force."""

    force: Callable[..., Any]
    slopes: Callable[..., Any] | None


@ffi.def_extern()  # type: ignore[untyped-decorator]
def cairn_python_force(data: Any, t: float, state: Any, force: Any, torque: Any) -> None:
    force, torque = _doubles(force, 3), _doubles(torque, 3)

    def answer(functions: ForceFunctions) -> None:
        result = functions.force(t, BodyState._read(state))
        if isinstance(result, tuple) and len(result) == 2 and np.ndim(result[0]) == 1:
            _put(force, result[0])
            _put_planar_torque(torque, result[1])
        else:
            _put(force, result)

    _guarded(data, answer, lambda: force.fill(_NAN))


@ffi.def_extern()  # type: ignore[untyped-decorator]
def cairn_python_force_slopes(data: Any, t: float, state: Any, by_velocity: Any, by_position: Any) -> None:
    targets = _doubles(by_velocity, 6, 6), _doubles(by_position, 6, 6)

    def answer(functions: ForceFunctions) -> None:
        assert functions.slopes is not None
        for target, value in zip(targets, functions.slopes(t, BodyState._read(state)), strict=True):
            if value is not None:
                matrix = np.asarray(value, dtype=np.float64)
                target[: len(matrix), : len(matrix)] = matrix

    _guarded(data, answer, lambda: targets[0].fill(_NAN))


@ffi.def_extern()  # type: ignore[untyped-decorator]
def cairn_python_motion(data: Any, t: float, pose: Any) -> None:
    position, orientation = _doubles(pose.position, 3), _doubles(pose.orientation, 4)

    def answer(function: Any) -> None:
        where, turn = function(t)
        _put(position, where)
        if np.ndim(turn) == 0:
            pose.angle = turn
        else:
            orientation[...] = turn

    _guarded(data, answer, lambda: position.fill(_NAN))


@ffi.def_extern()  # type: ignore[untyped-decorator]
def cairn_python_filter(data: Any, simulation: Any, pair: Any) -> bool:
    return _guarded(data, lambda hooks: bool(hooks.call_filter(pair)), lambda: False)  # type: ignore[no-any-return]


@ffi.def_extern()  # type: ignore[untyped-decorator]
def cairn_python_pre_solve(data: Any, simulation: Any, candidate: Any, surface: Any) -> bool:
    def spoil() -> bool:
        surface.friction = _NAN
        return True

    return _guarded(data, lambda hooks: hooks.call_pre_solve(candidate, surface), spoil)  # type: ignore[no-any-return]


@ffi.def_extern()  # type: ignore[untyped-decorator]
def cairn_python_quantity(data: Any, name: Any, quantity: Any) -> None:
    _guarded(data, lambda visit: visit(name, quantity), lambda: None)


# ------------------------------------------------------------------------------------------------------ a user's own systems


@ffi.def_extern()  # type: ignore[untyped-decorator]
def cairn_python_mass(data: Any, q: Any, M: Any) -> None:
    _system_call(data, "mass", (q,), M)


@ffi.def_extern()  # type: ignore[untyped-decorator]
def cairn_python_system_force(data: Any, t: float, q: Any, v: Any, k: Any) -> None:
    _system_call(data, "force", (q, v), k, t)


@ffi.def_extern()  # type: ignore[untyped-decorator]
def cairn_python_system_force_q(data: Any, t: float, q: Any, v: Any, k_q: Any) -> None:
    _system_call(data, "force_q", (q, v), k_q, t)


@ffi.def_extern()  # type: ignore[untyped-decorator]
def cairn_python_system_force_v(data: Any, t: float, q: Any, v: Any, k_v: Any) -> None:
    _system_call(data, "force_v", (q, v), k_v, t)


def _system_call(data: Any, name: str, vectors: tuple[Any, ...], out: Any, *time: float) -> None:
    """One function of a system whose answer is one array."""
    system = ffi.from_handle(data).function
    n = system.n
    target = _doubles(out, n) if name == "force" else _doubles(out, n, n)

    def answer(_: Any) -> None:
        target[...] = system.functions[name](*time, *(_doubles(vector, n).copy() for vector in vectors))

    _guarded(data, answer, lambda: target.fill(_NAN))


@ffi.def_extern()  # type: ignore[untyped-decorator]
def cairn_python_joints(data: Any, q: Any, theta: Any, gradient: Any) -> None:
    system = ffi.from_handle(data).function
    targets = (_doubles(theta, system.joint_count), _doubles(gradient, system.joint_count, system.n))
    _several(data, "joints", q, targets)


@ffi.def_extern()  # type: ignore[untyped-decorator]
def cairn_python_gaps(data: Any, q: Any, phi: Any, gradient: Any, tangents: Any) -> None:
    system = ffi.from_handle(data).function
    gaps, n = system.gap_count, system.n
    targets: tuple[Any, ...] = (_doubles(phi, gaps), _doubles(gradient, gaps, n))
    if system.tangent_count:
        targets += (_doubles(tangents, gaps, system.tangent_count, n),)
    _several(data, "gaps", q, targets)


def _several(data: Any, name: str, q: Any, targets: tuple[Any, ...]) -> None:
    """One function of a system whose answer is several arrays."""
    system = ffi.from_handle(data).function

    def answer(_: Any) -> None:
        for target, value in zip(targets, system.functions[name](_doubles(q, system.n).copy()), strict=True):
            target[...] = value

    _guarded(data, answer, lambda: targets[0].fill(_NAN))


@ffi.def_extern()  # type: ignore[untyped-decorator]
def cairn_python_potential(data: Any, q: Any) -> float:
    system = ffi.from_handle(data).function
    value = lambda _: float(system.functions["potential"](_doubles(q, system.n).copy()))  # noqa: E731
    return _guarded(data, value, lambda: _NAN)  # type: ignore[no-any-return]


SYSTEM_FUNCTIONS = {
    "mass": lib.cairn_python_mass,
    "force": lib.cairn_python_system_force,
    "force_q": lib.cairn_python_system_force_q,
    "force_v": lib.cairn_python_system_force_v,
    "joints": lib.cairn_python_joints,
    "gaps": lib.cairn_python_gaps,
    "potential": lib.cairn_python_potential,
}
