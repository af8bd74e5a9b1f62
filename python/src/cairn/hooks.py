"""Hooks: functions that decide which shapes may touch, and change the surface of single contacts.

They must be pure: the same answer for the same arguments. A step calls them several times, at the state and at trial poses.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from ._native import ffi, lib
from .things import Body, Shape

if TYPE_CHECKING:
    from .model import Model


class Pair(NamedTuple):
    """Two shapes and their bodies; normals point from b to a."""

    body_a: Body
    body_b: Body
    shape_a: Shape
    shape_b: Shape


class Candidate(NamedTuple):
    """A contact that is about to become part of a one-step problem: m, in the world; the normal from b to a."""

    pair: Pair
    identity: int
    point: tuple[float, float, float]
    normal: tuple[float, float, float]
    gap: float


class Surface(NamedTuple):
    """What a hook may change of a contact."""

    friction: float
    restitution: float


Filter = Callable[[Pair], bool]
PreSolve = Callable[[Candidate, Surface], Surface | None]


class Hooks:
    """The hooks of a simulation, as the callbacks see them."""

    def __init__(self, model: Model, filter: Filter | None, pre_solve: PreSolve | None) -> None:
        self._model = model
        self._filter = filter
        self._pre_solve = pre_solve

    def _pair(self, pair: Any) -> Pair:
        model = self._model
        bodies = Body(model, pair.body_a), Body(model, pair.body_b)
        return Pair(*bodies, Shape(model, pair.shape_a), Shape(model, pair.shape_b))

    def call_filter(self, pair: Any) -> bool:
        """Whether two shapes may touch."""
        assert self._filter is not None
        return self._filter(self._pair(pair))

    def call_pre_solve(self, candidate: Any, surface: Any) -> bool:
        """Change a contact's surface; whether the contact stays."""
        assert self._pre_solve is not None
        seen = Candidate(
            self._pair(candidate.pair), candidate.identity, tuple(candidate.point), tuple(candidate.normal), candidate.gap
        )
        answer = self._pre_solve(seen, Surface(surface.friction, surface.restitution))
        if answer is not None:
            surface.friction, surface.restitution = answer
        return answer is not None

    def struct(self, data: Any, touches: bool) -> Any:
        """The hooks for the library."""
        hooks = ffi.new("cairn_hooks *", lib.cairn_hooks_default())
        hooks.data, hooks.touches = data, touches
        if self._filter is not None:
            hooks.filter = lib.cairn_python_filter
        if self._pre_solve is not None:
            hooks.pre_solve = lib.cairn_python_pre_solve
        return hooks
