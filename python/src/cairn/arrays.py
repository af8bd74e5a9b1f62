"""NumPy arrays over memory of the library, without a copy.

A view keeps the simulation's memory alive. What it cannot survive is that the library moves its arrays: contacts and events do so
with every step, poses and velocities when bodies come or go. A simulation therefore refuses such a step while a view of that kind
is held (BufferError), as Python's own bytearray does.
"""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np

from ._epoch import EPOCH
from ._native import ffi

_HANDLE = np.dtype([("id", "<i4"), ("model", "<u2"), ("generation", "<u2")])


def _dtype(ctype: Any) -> Any:
    """The layout of a C type as a NumPy type."""
    if ctype.kind == "struct":
        fields = list(ctype.fields)
        return np.dtype(
            {
                "names": [name for name, _ in fields],
                "formats": [_dtype(field.type) for _, field in fields],
                "offsets": [field.offset for _, field in fields],
                "itemsize": ffi.sizeof(ctype),
            }
        )
    if ctype.kind == "array":
        item = _dtype(ctype.item)
        base, shape = item.subdtype or (item, ())
        return np.dtype((base, (ctype.length, *shape)))
    size = ffi.sizeof(ctype)
    if ctype.cname in ("double", "float"):
        return np.dtype(f"<f{size}")
    if ctype.cname in ("_Bool", "bool"):
        return np.dtype(np.bool_)
    return np.dtype(f"<{'u' if ctype.cname.startswith('u') else 'i'}{size}")


CONTACT = _dtype(ffi.typeof("cairn_contact"))
EVENT = _dtype(ffi.typeof("cairn_event"))
VIOLATION = _dtype(ffi.typeof("cairn_violation"))
BODY_STATE = _dtype(ffi.typeof("cairn_body_state"))


class _Window:
    """What NumPy asks for an array, and the owner of its memory."""

    def __init__(self, owner: Any, pointer: Any, interface: dict[str, Any]) -> None:
        self.owner = owner
        self.address = int(ffi.cast("uintptr_t", pointer))
        self.__array_interface__ = {"version": 3, "data": (self.address, True), **interface}


def copied(pointer: Any, count: int, dtype: Any) -> Any:
    """A copy of `count` structs of the library."""
    if pointer == ffi.NULL or count == 0:
        return np.zeros(0, dtype)
    return np.frombuffer(ffi.buffer(pointer, count * dtype.itemsize), dtype).copy()


class Views:
    """The views that were lent out of one simulation, by what they show."""

    def __init__(self) -> None:
        self._lent: dict[str, weakref.ref[_Window]] = {}

    def _window(self, what: str, owner: Any, pointer: Any, interface: dict[str, Any]) -> Any:
        known = self._lent.get(what)
        window = known() if known else None
        if window is None or window.address != int(ffi.cast("uintptr_t", pointer)):
            window = _Window(owner, pointer, interface)
            self._lent[what] = weakref.ref(window)
            EPOCH.count += 1
        return np.asarray(window)

    def doubles(self, what: str, owner: Any, pointer: Any, shape: tuple[int, ...], strides: tuple[int, ...]) -> Any:
        """A view of numbers."""
        if pointer == ffi.NULL:
            return np.zeros(shape)
        return self._window(what, owner, pointer, {"typestr": "<f8", "shape": shape, "strides": strides})

    def structs(self, what: str, owner: Any, pointer: Any, count: int, dtype: Any) -> Any:
        """A view of structs."""
        if pointer == ffi.NULL or count == 0:
            return np.zeros(0, dtype)
        window = self._window(what, owner, pointer, {"typestr": "|u1", "shape": (count * dtype.itemsize,)})
        return window.view(dtype)

    def refuse(self, reason: str, kinds: tuple[str, ...] | None = None) -> None:
        """Raise BufferError while a view of these kinds (None: of any) is held."""
        for what in list(self._lent):
            if self._lent[what]() is None:
                del self._lent[what]
            elif kinds is None or what in kinds:
                raise BufferError(f"an array over the simulation's {what} is still held: {reason}; copy it or drop it first")
