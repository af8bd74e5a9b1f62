"""The arrays of a one-step problem: from matrices, and copied from the library."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from ._blocks import gather, triplets
from ._native import ffi, lib
from .errors import Context, invalid, text
from .values import fields


def read(pointer: Any, count: int, dtype: Any) -> Any:
    """A copy of numbers of the library; empty where there are none."""
    if pointer == ffi.NULL or count == 0:
        return np.zeros(0, dtype)
    return np.frombuffer(ffi.buffer(pointer, count * np.dtype(dtype).itemsize), dtype).copy()


def _starts(sizes: ArrayLike | None, total: int, what: str) -> Any:
    """Where parts of the given sizes start, and one past the last; parts of size 1 where no sizes are given."""
    if sizes is None:
        return np.arange(total + 1, dtype=np.int32)
    starts = np.concatenate([[0], np.cumsum(np.asarray(sizes, dtype=np.int64))])
    if starts[-1] != total or np.any(np.diff(starts) <= 0):
        raise invalid(f"problem: {what} must be positive and add up to {total}, not {starts[-1]}")
    return starts.astype(np.int32)


class ProblemData:
    """A problem and its arrays."""

    def __init__(
        self,
        A: Any,
        p: ArrayLike,
        H: Any = None,
        w: ArrayLike | None = None,
        mu: ArrayLike | None = None,
        *,
        G: Any = None,
        b: ArrayLike | None = None,
        R_c: ArrayLike | None = None,
        dim: int = 3,
        law: str = "cone",
        blocks: ArrayLike | None = None,
        joints: ArrayLike | None = None,
        radius: ArrayLike | None = None,
    ) -> None:
        self._begin(ffi.new("cairn_problem *"))
        momentum = np.asarray(p, dtype=np.float64).reshape(-1)
        n = momentum.size
        start = _starts(blocks, n, "the sizes of the blocks")
        problem = self._pointer
        problem.n, problem.dim, problem.block_count = n, dim, len(start) - 1
        self._put(problem, "block_start", start)
        self._put(problem, "p", momentum)
        self.law = law
        self._put_matrix(triplets(A, (n, n), "A"), start)
        self._put_joints(G, b, R_c, joints, start)
        self._put_contacts(H, w, mu, radius, start)
        self._validate()

    def _begin(self, pointer: Any) -> None:
        self._pointer = pointer
        self._context = Context()
        self._kept: list[Any] = []

    def _put(self, struct: Any, name: str, array: Any) -> None:
        """Point a field at an array, which lives as long as the problem. Empty arrays have a place too."""
        array = np.ascontiguousarray(array)
        kept = array if array.size else np.zeros(1, array.dtype)
        self._kept.append(kept)
        ctype = next(field.type for key, field in fields(struct) if key == name)
        setattr(struct, name, ffi.cast(ctype, kept.ctypes.data))

    def _put_matrix(self, entries: tuple[Any, Any, Any], start: Any) -> None:
        A = self._pointer.A
        A.block_count = len(start) - 1
        A.block_start = self._pointer.block_start
        found = gather(entries, start, start, diagonal=True)
        for name, array in zip(("row_start", "column", "value_start", "value"), found):
            self._put(A, name, array)

    def _put_rows(self, rows: Any, entries: tuple[Any, Any, Any], item_start: Any, start: Any) -> None:
        rows.item_count = len(item_start) - 1
        self._put(rows, "row_start", item_start)
        found = gather(entries, item_start, start, diagonal=False)
        for name, array in zip(("entry_start", "block", "value_start", "value"), found):
            self._put(rows, name, array)

    def _vector(self, values: ArrayLike | None, size: int, what: str) -> Any:
        vector = np.zeros(size) if values is None else np.asarray(values, dtype=np.float64).reshape(-1)
        if vector.size == 1 and size != 1:
            vector = np.full(size, vector[0])
        if vector.size != size:
            raise invalid(f"problem: {what} must have {size} numbers, not {vector.size}")
        return vector

    def _put_joints(self, G: Any, b: Any, R_c: Any, joints: Any, start: Any) -> None:
        problem = self._pointer
        rows = 0 if G is None else (G.shape[0] if hasattr(G, "shape") else len(G))
        problem.joint_rows = rows
        entries = triplets(np.zeros((0, problem.n)) if G is None else G, (rows, problem.n), "G")
        self._put_rows(problem.G, entries, _starts(joints, rows, "the rows of the joints"), start)
        self._put(problem, "b", self._vector(b, rows, "b"))
        self._put(problem, "R_c", self._vector(R_c, rows, "R_c"))

    def _put_contacts(self, H: Any, w: Any, mu: Any, radius: Any, start: Any) -> None:
        problem = self._pointer
        rows = 0 if H is None else (H.shape[0] if hasattr(H, "shape") else len(H))
        if problem.dim not in (2, 3) or rows % problem.dim:
            raise invalid(f"problem: H must have dim (2 or 3) rows per contact; it has {rows}, and dim is {problem.dim}")
        count = rows // problem.dim
        problem.contact_count = count
        entries = triplets(np.zeros((0, problem.n)) if H is None else H, (rows, problem.n), "H")
        self._put_rows(problem.H, entries, np.arange(count + 1, dtype=np.int32) * problem.dim, start)
        self._put(problem, "w", self._vector(w, rows, "w"))
        self._put(problem, "mu", self._vector(mu, count, "mu"))
        self._put(problem, "identity", np.arange(1, count + 1, dtype=np.uint64))
        if radius is not None:
            self._put(problem, "radius", self._vector(radius, count, "radius"))

    def _validate(self) -> None:
        if not lib.cairn_problem_is_valid(self._context.pointer, self._pointer):
            raise self._context.error(lib.CAIRN_INVALID)

    @classmethod
    def _copy(cls, pointer: Any) -> Self:
        """A problem with arrays of its own, from one that dies with the next step."""
        problem = cls.__new__(cls)
        problem._begin(ffi.new("cairn_problem *", pointer[0]))
        problem._copy_arrays(pointer[0])
        return problem

    def _copy_arrays(self, source: Any) -> None:
        contacts, rows = source.contact_count, source.joint_rows
        sizes = {
            "block_start": source.block_count + 1,
            **dict.fromkeys(("p", "length"), source.n),
            **dict.fromkeys(("R_c", "b", "joint_weight", "joint_length"), rows),
            **dict.fromkeys(("mu", "radius", "identity", "bound", "weight"), contacts),
            "w": source.dim * contacts,
        }
        if source.patch_count:
            sizes.update(patch_start=source.patch_count + 1, R_start=source.patch_count, R=_patch_values(source))
        self._copy_fields(self._pointer, source, sizes)
        self._copy_blocks(self._pointer.A, source.A, source.A.block_count, "row_start", "column")
        self._pointer.A.block_start = self._pointer.block_start
        for name in ("G", "H"):
            rows_of = getattr(source, name)
            self._copy_fields(getattr(self._pointer, name), rows_of, {"row_start": rows_of.item_count + 1})
            self._copy_blocks(getattr(self._pointer, name), rows_of, rows_of.item_count, "entry_start", "block")
        if source.W.block_count:
            self._copy_fields(self._pointer.W, source.W, {"block_start": source.W.block_count + 1})
            self._copy_blocks(self._pointer.W, source.W, source.W.block_count, "row_start", "column")

    def _copy_blocks(self, target: Any, source: Any, count: int, starts: str, blocks: str) -> None:
        entries = getattr(source, starts)[count] if getattr(source, starts) != ffi.NULL else 0
        values = source.value_start[entries] if source.value_start != ffi.NULL else 0
        sizes = {starts: count + 1, blocks: entries, "value_start": entries + 1, "value": values}
        self._copy_fields(target, source, sizes)

    def _copy_fields(self, target: Any, source: Any, sizes: dict[str, int]) -> None:
        for name, count in sizes.items():
            pointer = getattr(source, name)
            if pointer != ffi.NULL:
                item = ffi.sizeof(ffi.typeof(pointer).item)
                self._put(target, name, read(pointer, count * item, np.uint8))

    @property
    def law(self) -> str:
        """The friction law of all contacts, such as "cone" or "pyramid(8)". It can be changed."""
        room = ffi.new("char[]", 64)
        lib.cairn_law_name(self._pointer.law, room, 64)
        return text(room)

    @law.setter
    def law(self, name: str) -> None:
        law = ffi.new("cairn_law *")
        if not lib.cairn_law_parse(name.encode(), law):
            raise invalid(f"'{name}' is not a friction law")
        self._pointer.law = law[0]


def _patch_values(source: Any) -> int:
    """How many numbers the dense blocks of all patches have, whatever their order."""
    start = read(source.patch_start, source.patch_count + 1, np.int32)
    sizes = (source.dim * np.diff(start)).astype(np.int64) ** 2
    return int(np.max(read(source.R_start, source.patch_count, np.int32) + sizes))
