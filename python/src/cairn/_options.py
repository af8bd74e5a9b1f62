"""Keywords to option structs. The fields and their types are those of the C headers, as cffi knows them; a field that a header
gains is a keyword here at once.

    numbers, switches     as they are
    words                 enumerations by the names that scene files use: kind="driven"
    vectors               any sequence of numbers, at most as long as the field; the rest is 0
    texts, arrays         str; anything that NumPy turns into an array, the number of rows setting the count
    attachments           a body (its origin), (body, point), or a point of the world
    signals               a number, an expression in t, a table of (time, value), or a function of t
    things                a Body, a Material ... or its name
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ._native import ffi, lib
from .errors import invalid, suggestion, text
from .values import fields

if TYPE_CHECKING:
    from ._world import World

_WORDS: dict[str, dict[str, int]] = {
    "cairn_body_kind": {"dynamic": lib.CAIRN_DYNAMIC, "fixed": lib.CAIRN_FIXED, "driven": lib.CAIRN_DRIVEN},
    "cairn_spring_kind": {"linear": lib.CAIRN_SPRING_LINEAR, "angular": lib.CAIRN_SPRING_ANGULAR},
    "cairn_drive_kind": {
        "none": lib.CAIRN_DRIVE_NONE,
        "position": lib.CAIRN_DRIVE_POSITION,
        "speed": lib.CAIRN_DRIVE_SPEED,
        "force": lib.CAIRN_DRIVE_FORCE,
    },
    "cairn_sizes_kind": {
        "equal": lib.CAIRN_SIZES_EQUAL,
        "uniform": lib.CAIRN_SIZES_UNIFORM,
        "normal": lib.CAIRN_SIZES_NORMAL,
        "lognormal": lib.CAIRN_SIZES_LOGNORMAL,
        "table": lib.CAIRN_SIZES_TABLE,
    },
    "cairn_region_kind": {"box": lib.CAIRN_REGION_BOX, "cylinder": lib.CAIRN_REGION_CYLINDER, "mesh": lib.CAIRN_REGION_MESH},
    "cairn_packing": {
        "random": lib.CAIRN_PACKING_RANDOM,
        "lattice": lib.CAIRN_PACKING_LATTICE,
        "deposit": lib.CAIRN_PACKING_DEPOSIT,
        "growth": lib.CAIRN_PACKING_GROWTH,
    },
    "cairn_patch_kernel": {"mean": lib.CAIRN_KERNEL_MEAN, "point": lib.CAIRN_KERNEL_POINT},
    "cairn_shape_kind": {
        text(lib.cairn_shape_kind_name(kind)): kind for kind in range(len(ffi.typeof("cairn_shape_kind").elements))
    },
    "cairn_forces": {text(lib.cairn_forces_name(i)): i for i in range(len(ffi.typeof("cairn_forces").elements))},
    "cairn_solver_kind": {text(lib.cairn_solver_kind_name(i)): i for i in range(lib.CAIRN_SOLVER_KINDS)},
    "cairn_fclib_layout": {"global": lib.CAIRN_FCLIB_GLOBAL, "local": lib.CAIRN_FCLIB_LOCAL},
}

# Fields that follow from others, and those that users do not set.
_COUNTS = {"vertices": ("vertex_count",), "triangles": ("triangle_count",), "heights": ("rows", "columns"), "table": ("table_count",)}
_HIDDEN = {"struct_size", "data", "motion_data", "number_count", "term_count", "shape_count"}.union(*_COUNTS.values())

# Structs within structs that are given as mappings.
_FILLED = {"cairn_patch_options", "cairn_region", "cairn_sizes", "cairn_population_region", "cairn_insertion"}

_ARRAYS = {"double": np.float64, "int": np.int32}


def word(kind: str, value: str) -> int:
    """The value of an enumeration by its word."""
    words = _WORDS[kind]
    if value in words:
        return words[value]
    noun = kind.removeprefix("cairn_").replace("_", " ")
    hint = suggestion(value, words) or "; known: " + ", ".join(words)
    raise invalid(f"'{value}' is not a {noun}{hint}")


def words(kind: str) -> list[str]:
    """The words of an enumeration."""
    return list(_WORDS[kind])


def _keyword_error(what: str, name: str, known: Iterable[str]) -> TypeError:
    hint = suggestion(name, known) or "; known: " + ", ".join(known)
    return TypeError(f"{what}: there is no option '{name}'{hint}")


class Filler:
    """Fills option structs of a model. It keeps what they point to, until the struct has been copied by the library."""

    def __init__(self, model: World | None, what: str) -> None:
        self.model = model
        self.what = what
        self.kept: list[Any] = []

    def fill(self, struct: Any, values: Mapping[str, Any]) -> Any:
        """Set the fields of a struct by name, and return it."""
        known = {name: field.type for name, field in fields(struct) if name not in _HIDDEN}
        for name, value in values.items():
            if name not in known:
                raise _keyword_error(self.what, name, known)
            try:
                self._set(struct, name, known[name], value)
            except (TypeError, OverflowError) as error:
                raise TypeError(f"{self.what}: {name}: {error}") from None
        return struct

    def _set(self, struct: Any, name: str, ctype: Any, value: Any) -> None:
        if ctype.kind == "primitive":
            setattr(struct, name, bool(value) if ctype.cname in ("_Bool", "bool") else value)
        elif ctype.kind == "enum":
            setattr(struct, name, word(ctype.cname.removeprefix("enum "), value))
        elif ctype.kind == "array":
            self._set_vector(getattr(struct, name), name, ctype, value)
        elif ctype.kind == "struct":
            self._set_struct(struct, name, ctype.cname.removeprefix("struct "), value)
        else:
            self._set_pointer(struct, name, ctype, value)

    def _set_vector(self, field: Any, name: str, ctype: Any, value: Any) -> None:
        items = list(value)
        if len(items) > ctype.length:
            raise invalid(f"{self.what}: {name} has {len(items)} entries; at most {ctype.length} are possible")
        for index, item in enumerate(items):
            if ctype.item.kind == "array":
                self._set_vector(field[index], name, ctype.item, item)
            else:
                field[index] = self.text(item) if ctype.item.kind == "pointer" else item

    def _set_struct(self, struct: Any, name: str, cname: str, value: Any) -> None:
        if cname == "cairn_attachment":
            self.attach(getattr(struct, name), value)
        elif cname == "cairn_signal":
            self.signal(getattr(struct, name), value)
        elif cname in _FILLED:
            self.fill(getattr(struct, name), value)
        else:
            setattr(struct, name, self._handle(cname, value))

    def _set_pointer(self, struct: Any, name: str, ctype: Any, value: Any) -> None:
        if ctype.item.kind == "primitive" and ctype.item.cname == "char":
            setattr(struct, name, self.text(value))
        elif ctype.item.cname in _ARRAYS:
            setattr(struct, name, self._array(struct, name, ctype.item.cname, value))
        elif ctype.item.cname.endswith("cairn_joint_number"):
            setattr(struct, name, self._numbers(struct, value))
        elif ctype.item.cname.removeprefix("struct ") in _FILLED:
            self.kept.append(self.fill(ffi.new(ctype), value))
            setattr(struct, name, self.kept[-1])
        elif ctype.item.cname.endswith("cairn_shape_options"):
            struct.shapes, struct.shape_count = self._shapes(value), len(value)
        else:
            raise TypeError("this option cannot be given here")

    def _shapes(self, shapes: Iterable[Mapping[str, Any]]) -> Any:
        structs = [lib.cairn_shape_default(word("cairn_shape_kind", shape["kind"])) for shape in shapes]
        array = ffi.new("cairn_shape_options[]", structs)
        self.kept.append(array)
        for struct, shape in zip(array, shapes, strict=True):
            self.fill(struct, {name: value for name, value in shape.items() if name != "kind"})
        return array

    def text(self, value: Any) -> Any:
        """A text that lives as long as this object; numbers are written so that they are read back exactly."""
        if value is None:
            return ffi.NULL
        encoded = ffi.new("char[]", (value if isinstance(value, str) else repr(float(value))).encode())
        self.kept.append(encoded)
        return encoded

    def _array(self, struct: Any, name: str, cname: str, value: Any) -> Any:
        array = np.ascontiguousarray(value, dtype=_ARRAYS[cname])
        for axis, count in enumerate(_COUNTS.get(name, ())):
            if array.ndim != 2:
                raise invalid(f"{self.what}: {name} must be a table with rows and columns")
            setattr(struct, count, array.shape[axis])
        return self.pointer(array)

    def pointer(self, array: Any) -> Any:
        """The numbers of an array, which lives as long as this object."""
        if array.size == 0:
            return ffi.NULL
        self.kept.append(array)
        return ffi.cast("double *" if array.dtype == np.float64 else "int *", array.ctypes.data)

    def _numbers(self, struct: Any, values: Mapping[str, float]) -> Any:
        entries = [{"name": self.text(name), "value": value} for name, value in values.items()]
        struct.number_count = len(entries)
        self.kept.append(ffi.new("cairn_joint_number[]", entries))
        return self.kept[-1]

    def _handle(self, cname: str, value: Any) -> Any:
        assert self.model is not None
        noun = cname.removeprefix("cairn_")
        return self.model._handle(noun, value)

    def attach(self, field: Any, value: Any) -> None:
        """A point of a body, or of the world."""
        body: Any = value
        point: Any = ()
        if value is None or isinstance(value, (tuple, list, np.ndarray)):
            body, point = (None, () if value is None else value)
            if isinstance(value, (tuple, list)) and len(value) == 2 and np.ndim(value[1]) == 1:
                body, point = value
        field.body = self._handle("cairn_body", body)
        self._set_vector(field.point, "point", ffi.typeof("double[3]"), point)

    def signal(self, field: Any, value: Any) -> None:
        """A function of time."""
        if isinstance(value, str) or np.ndim(value) == 0 and not callable(value):
            field.expression = self.text(value)
        elif callable(value):
            assert self.model is not None
            field.function = lib.cairn_python_signal
            field.data = self.model._keep_callback(value)
        else:
            table = np.ascontiguousarray(value, dtype=np.float64)
            if table.ndim != 2 or table.shape[1] != 2:
                raise invalid(f"{self.what}: a table of a signal has two columns, times and values")
            field.table, field.table_count = self.pointer(table), table.shape[0]


Function = Callable[..., Any]
