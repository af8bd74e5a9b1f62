"""The one-step problem as plain data: solve it, certify a solution, read and write files (docs: one-step problem).

    dynamics   A v = p + G' c + sum_j H_j' r_j
    joints     G v + R_c c = b
    contacts   u_j = H_j v + w_j,  law(u_j, r_j, mu_j)
"""

from __future__ import annotations

import os
from typing import Any, TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike

from ._blocks import Blocks, gather, scatter, triplets
from ._native import ffi, lib
from ._options import Filler
from .errors import Context, invalid, text
from .values import Record, Vector, fields

OUTCOMES = ("solved", "missed", "failed", "limited")


class SolverOptions(TypedDict, total=False):
    """How to solve (cairn/solver.h)."""

    kind: str
    tolerance: float
    max_iterations: int
    time_limit: float
    threads: int
    guess: ArrayLike
    forces: str
    steady: bool
    before: ArrayLike
    work_limit: float


class Solution:
    """Velocities v, impulses c of joints and r of contacts; `report` says what the solver did, None where nothing was solved."""

    def __init__(self, v: ArrayLike, c: ArrayLike = (), r: ArrayLike = (), report: Record | None = None) -> None:
        self.v: Vector = np.ascontiguousarray(v, dtype=np.float64).reshape(-1)
        self.c: Vector = np.ascontiguousarray(c, dtype=np.float64).reshape(-1)
        self.r: Vector = np.ascontiguousarray(r, dtype=np.float64).reshape(-1)
        self.report = report

    @classmethod
    def _copy(cls, struct: Any, report: Record | None = None) -> Solution:
        sizes = (struct.n, struct.joint_rows, struct.contact_rows)
        v, c, r = (_read(pointer, n, np.float64) for pointer, n in zip((struct.v, struct.c, struct.r), sizes))
        return cls(v, c, r, report)

    def __repr__(self) -> str:
        outcome = f", {self.report.outcome}" if self.report else ""
        return f"<Solution: {self.v.size} velocities, {self.c.size} + {self.r.size} impulses{outcome}>"


def _read(pointer: Any, count: int, dtype: Any) -> Any:
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


class Problem:
    """A one-step problem from arrays. Matrices are scipy.sparse ones or dense arrays.

    A, p         n x n and n: mass matrix of the step, momentum and impulses of known forces
    H, w, mu     dim rows per contact (normal first), bias velocities, coefficients of friction
    G, b, R_c    rows of joints, the rates they are to have, their compliances
    blocks       how many unknowns each body has, such as [6, 6]; default: every unknown is by itself
    joints       how many rows each joint has; default: every row is by itself
    """

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

    # ------------------------------------------------------------------------------------------------------- files

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Problem:
        """Load a problem from a file of Cairn, or one in FCLIB's layout."""
        problem = cls.__new__(cls)
        problem._begin(None)
        out = ffi.new("cairn_problem **")
        problem._context.check(lib.cairn_problem_load(problem._context.pointer, os.fsencode(path), out))
        problem._pointer = ffi.gc(out[0], lib.cairn_problem_destroy)
        return problem

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save the problem, bit by bit."""
        self._context.check(lib.cairn_problem_save(self._context.pointer, self._pointer, os.fsencode(path)))

    def save_fclib(
        self,
        path: str | os.PathLike[str],
        *,
        layout: str = "global",
        title: str | None = None,
        description: str | None = None,
    ) -> None:
        """Save the problem in one of FCLIB's layouts, "global" or "local", which other programs read."""
        filler = Filler(None, "FCLIB file")
        options = ffi.new("cairn_fclib_options *", lib.cairn_fclib_default())
        filler.fill(options, {"layout": layout, "title": title, "description": description})
        self._context.check(
            lib.cairn_problem_save_fclib(self._context.pointer, self._pointer, os.fsencode(path), options)
        )

    @classmethod
    def _copy(cls, pointer: Any) -> Problem:
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
                self._put(target, name, _read(pointer, count * item, np.uint8))

    # ------------------------------------------------------------------------------------------------------ contents

    @property
    def n(self) -> int:
        """The number of unknowns v."""
        return int(self._pointer.n)

    @property
    def dim(self) -> int:
        """Rows per contact."""
        return int(self._pointer.dim)

    @property
    def contact_count(self) -> int:
        """The number of contacts and bounded rows."""
        return int(self._pointer.contact_count)

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

    @property
    def p(self) -> Vector:
        """N s: momentum and impulses of known forces."""
        return _read(self._pointer.p, self.n, np.float64)  # type: ignore[no-any-return]

    @property
    def b(self) -> Vector:
        """The rates that the joints are to have."""
        return _read(self._pointer.b, self._pointer.joint_rows, np.float64)  # type: ignore[no-any-return]

    @property
    def R_c(self) -> Vector:
        """Diagonal compliance of the joints."""
        return _read(self._pointer.R_c, self._pointer.joint_rows, np.float64)  # type: ignore[no-any-return]

    @property
    def w(self) -> Vector:
        """m/s: bias velocities of the contacts."""
        return _read(self._pointer.w, self.dim * self.contact_count, np.float64)  # type: ignore[no-any-return]

    @property
    def mu(self) -> Vector:
        """Coefficients of friction."""
        return _read(self._pointer.mu, self.contact_count, np.float64)  # type: ignore[no-any-return]

    @property
    def A(self) -> Any:
        """Mass matrix of the step, as a scipy.sparse CSR array."""
        A = self._pointer.A
        start = self._ints(A.block_start, A.block_count + 1)
        return self._sparse(A, A.block_count, "row_start", "column", start, self.n)

    @property
    def G(self) -> Any:
        """Rows of the joints, as a scipy.sparse CSR array."""
        return self._rows(self._pointer.G, self._pointer.joint_rows)

    @property
    def H(self) -> Any:
        """Rows of the contacts, as a scipy.sparse CSR array."""
        return self._rows(self._pointer.H, self.dim * self.contact_count)

    def _ints(self, pointer: Any, count: int) -> Any:
        return _read(pointer, count, np.int32)

    def _rows(self, rows: Any, height: int) -> Any:
        item_start = self._ints(rows.row_start, rows.item_count + 1)
        return self._sparse(rows, rows.item_count, "entry_start", "block", item_start, height)

    def _sparse(self, blocks: Any, count: int, starts: str, columns: str, item_start: Any, height: int) -> Any:
        from scipy.sparse import csr_array

        if count == 0 or getattr(blocks, starts) == ffi.NULL:
            return csr_array((height, self.n))
        entry_start = self._ints(getattr(blocks, starts), count + 1)
        value_start = self._ints(blocks.value_start, entry_start[-1] + 1)
        found = Blocks(
            entry_start,
            self._ints(getattr(blocks, columns), entry_start[-1]),
            value_start,
            _read(blocks.value, value_start[-1], np.float64),
        )
        block_start = self._ints(self._pointer.block_start, self._pointer.block_count + 1)
        rows, places, values = scatter(found, item_start, block_start)
        return csr_array((values, (rows, places)), shape=(height, self.n))

    def delassus(self) -> tuple[Any, Vector]:
        """Bodies and joints eliminated: the dense W and q of u = W r + q."""
        rows = self.dim * self.contact_count
        W, q = np.zeros((rows, rows)), np.zeros(rows)
        places = (ffi.cast("double *", array.ctypes.data) for array in (W, q))
        self._context.check(lib.cairn_problem_delassus(self._context.pointer, self._pointer, *places))
        return W, q

    # ------------------------------------------------------------------------------------------------------- solving

    def solve(self, **options: Unpack[SolverOptions]) -> Solution:
        """Solve the problem. The outcome is in the report: "solved", "missed", "failed" or "limited"."""
        filler = Filler(None, "solver")
        chosen = filler.fill(ffi.new("cairn_solver_options *", lib.cairn_solver_default()), options)
        for name, size in (("guess", self.dim * self.contact_count), ("before", self.n)):
            if name in options and np.size(dict[str, Any](options)[name]) != size:
                raise invalid(f"solver: {name} must have {size} numbers")
        solver = ffi.gc(lib.cairn_solver_create(self._context.pointer), lib.cairn_solver_destroy)
        solution, report = ffi.new("cairn_solution *"), ffi.new("cairn_solver_report *")
        self._context.check(lib.cairn_solver_solve(solver, self._pointer, chosen, solution, report))
        return Solution._copy(solution[0], _report(report[0]))

    def certify(self, solution: Solution) -> Record:
        """The certificate of a solution from anywhere, from the problem's data alone."""
        sizes = (self.n, self._pointer.joint_rows, self.dim * self.contact_count)
        vectors = (solution.v, solution.c, solution.r)
        for name, vector, size in zip("vcr", vectors, sizes):
            if vector.size != size:
                raise invalid(f"certify: {name} must have {size} numbers, not {vector.size}")
        places = [ffi.cast("double *", vector.ctypes.data) for vector in vectors]
        struct = ffi.new("cairn_solution *", [*sizes, *places])
        certificate = ffi.new("cairn_certificate *")
        self._context.check(lib.cairn_certify(self._pointer, struct, certificate))
        return Record(certificate[0])

    def __repr__(self) -> str:
        return f"<Problem: {self.n} unknowns, {self._pointer.joint_rows} rows of joints, {self.contact_count} contacts>"


def _patch_values(source: Any) -> int:
    """How many numbers the dense blocks of all patches have, whatever their order."""
    start = _read(source.patch_start, source.patch_count + 1, np.int32)
    sizes = (source.dim * np.diff(start)).astype(np.int64) ** 2
    return int(np.max(_read(source.R_start, source.patch_count, np.int32) + sizes))


def _report(struct: Any) -> Record:
    return Record(struct, {"outcome": OUTCOMES.__getitem__, "cause": lambda cause: text(lib.cairn_cause_text(cause))})
