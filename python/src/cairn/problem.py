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

from ._blocks import Blocks, scatter
from ._native import ffi, lib
from ._options import Filler
from ._problem_data import ProblemData, read
from .errors import invalid, text
from .values import Record, Vector

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
        v, c, r = (read(pointer, n, np.float64) for pointer, n in zip((struct.v, struct.c, struct.r), sizes))
        return cls(v, c, r, report)

    def __repr__(self) -> str:
        outcome = f", {self.report.outcome}" if self.report else ""
        return f"<Solution: {self.v.size} velocities, {self.c.size} + {self.r.size} impulses{outcome}>"


class Problem(ProblemData):
    """A one-step problem from arrays. Matrices are scipy.sparse ones or dense arrays.

    A, p         n x n and n: mass matrix of the step, momentum and impulses of known forces
    H, w, mu     dim rows per contact (normal first), bias velocities, coefficients of friction
    G, b, R_c    rows of joints, the rates they are to have, their compliances
    blocks       how many unknowns each body has, such as [6, 6]; default: every unknown is by itself
    joints       how many rows each joint has; default: every row is by itself
    """

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
        self._context.check(lib.cairn_problem_save_fclib(self._context.pointer, self._pointer, os.fsencode(path), options))

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
    def p(self) -> Vector:
        """N s: momentum and impulses of known forces."""
        return read(self._pointer.p, self.n, np.float64)  # type: ignore[no-any-return]

    @property
    def b(self) -> Vector:
        """The rates that the joints are to have."""
        return read(self._pointer.b, self._pointer.joint_rows, np.float64)  # type: ignore[no-any-return]

    @property
    def R_c(self) -> Vector:
        """Diagonal compliance of the joints."""
        return read(self._pointer.R_c, self._pointer.joint_rows, np.float64)  # type: ignore[no-any-return]

    @property
    def w(self) -> Vector:
        """m/s: bias velocities of the contacts."""
        return read(self._pointer.w, self.dim * self.contact_count, np.float64)  # type: ignore[no-any-return]

    @property
    def mu(self) -> Vector:
        """Coefficients of friction."""
        return read(self._pointer.mu, self.contact_count, np.float64)  # type: ignore[no-any-return]

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
        return read(pointer, count, np.int32)

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
            read(blocks.value, value_start[-1], np.float64),
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


def _report(struct: Any) -> Record:
    return Record(struct, {"outcome": OUTCOMES.__getitem__, "cause": lambda cause: text(lib.cairn_cause_text(cause))})
