"""Saved states: a simulation at one moment, to go back to, to branch from, or to continue elsewhere."""

from __future__ import annotations

from typing import Any

from ._native import ffi, lib
from .errors import Context


class State:
    """A saved state. It never changes, refers to no simulation, and can be pickled. Two are equal exactly if all their bits are."""

    __slots__ = ("_pointer",)

    def __init__(self, pointer: Any) -> None:
        self._pointer = ffi.gc(pointer, lib.cairn_state_destroy)

    @classmethod
    def from_bytes(cls, data: bytes) -> State:
        """Make a state from its bytes, written by the same version of the library."""
        context, out = Context(), ffi.new("cairn_state **")
        context.check(lib.cairn_state_from_bytes(context.pointer, data, len(data), out))
        return cls(out[0])

    def __bytes__(self) -> bytes:
        size = ffi.new("size_t *")
        pointer = lib.cairn_state_bytes(self._pointer, size)
        return bytes(ffi.buffer(pointer, size[0]))

    @property
    def time(self) -> float:
        """s: the simulated time."""
        return float(lib.cairn_state_time(self._pointer))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and bytes(self) == bytes(other)

    def __hash__(self) -> int:
        return hash(bytes(self))

    def __reduce__(self) -> tuple[Any, ...]:
        return State.from_bytes, (bytes(self),)

    def __repr__(self) -> str:
        return f"<State at t = {self.time:g} s>"
