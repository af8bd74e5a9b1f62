"""Quantities: any number of a simulation by its name (docs: quantities)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ._callbacks import Callback, Faults
from ._native import ffi, lib
from .errors import Context, text
from .values import Vector

if TYPE_CHECKING:
    from .model import Model
    from .simulation import Simulation


class Quantity:
    """A quantity of a simulation, found once and read after every step."""

    __slots__ = ("_simulation", "_struct", "_values", "name", "unit", "count")

    def __init__(self, simulation: Simulation, name: str) -> None:
        self._simulation = simulation
        self.name = name
        self._struct = ffi.new("cairn_quantity *")
        model = simulation._model
        model._check(lib.cairn_quantity_find(model._context.pointer, model._pointer, name.encode(), self._struct))
        self._values = ffi.new("double[]", lib.CAIRN_QUANTITY_MOST)
        self.unit: str = text(self._struct.unit)
        self.count: int = self._struct.count

    @property
    def value(self) -> float | Vector:
        """Its value now: a number, or an array for a vector."""
        simulation = self._simulation
        status = lib.cairn_quantity_value(simulation._live, self._struct, self._values)
        if status:
            simulation._check(status)
        if self.count == 1:
            return self._values[0]  # type: ignore[no-any-return]
        return np.array(ffi.unpack(self._values, self.count))

    def __repr__(self) -> str:
        return f"<Quantity '{self.name}' in {self.unit or 'no unit'}>"


class Quantities(Mapping[str, Quantity]):
    """All quantities of a simulation, by name. Names with arguments (docs: quantities) can be looked up, but are not listed."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._found: dict[str, Quantity] = {}

    def __getitem__(self, name: str) -> Quantity:
        found = self._found.get(name)
        if found is None:
            found = self._found[name] = Quantity(self._simulation, name)
        return found

    def __contains__(self, name: object) -> bool:
        return name in quantity_units(self._simulation._model)

    def __iter__(self) -> Iterator[str]:
        return iter(quantity_units(self._simulation._model))

    def __len__(self) -> int:
        return len(quantity_units(self._simulation._model))


def quantity_units(model: Model) -> dict[str, str]:
    """The units of all quantities of a model, by name."""
    units: dict[str, str] = {}
    visit = Callback(Faults(), lambda name, quantity: units.__setitem__(text(name), text(quantity.unit)))
    model._check(lib.cairn_quantity_each(model._pointer, lib.cairn_python_quantity, visit.handle))
    visit.faults.raise_first()
    return units


class Watch:
    """A list of quantities that are read together, as columns of a table: a vector is one column per number."""

    def __init__(self, simulation: Simulation, *names: str, sensors: bool = False, **labelled: str) -> None:
        self._simulation = simulation
        self._context = Context()
        out = ffi.new("cairn_watch **")
        self._context.check(lib.cairn_watch_create(self._context.pointer, simulation._live, out))
        self._pointer = ffi.gc(out[0], lib.cairn_watch_destroy)
        self._memory = simulation._live
        if sensors and simulation._model._scene:
            self._context.check(lib.cairn_watch_add_sensors(self._pointer, simulation._model._scene))
        for name in names:
            self.add(name)
        for label, name in labelled.items():
            self.add(name, label)

    def add(self, quantity: str, label: str | None = None, every: int = 1) -> None:
        """Add a quantity, read at every n-th step."""
        encoded = ffi.NULL if label is None else label.encode()
        self._context.check(lib.cairn_watch_add(self._pointer, encoded, quantity.encode(), every))

    def _texts(self, function: Any) -> list[str]:
        return [text(function(self._pointer, index)) for index in range(lib.cairn_watch_count(self._pointer))]

    @property
    def labels(self) -> list[str]:
        """The names of the columns."""
        return self._texts(lib.cairn_watch_label)

    @property
    def units(self) -> list[str]:
        """The units of the columns."""
        return self._texts(lib.cairn_watch_unit)

    def read(self) -> Vector:
        """All values now, one per column."""
        self._simulation._live
        out = ffi.new("double **")
        self._context.check(lib.cairn_watch_read(self._pointer, out))
        return np.array(ffi.unpack(out[0], lib.cairn_watch_count(self._pointer)))
