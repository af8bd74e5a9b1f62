"""How far a run has come."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from ._stepper import Stepper

Progress = bool | Callable[[float], None]


class _Line:
    """A line on a terminal, rewritten as the time goes on."""

    def __init__(self, start: float, end: float, stream: TextIO) -> None:
        self._start, self._end, self._stream = start, end, stream
        self._begun = time.monotonic()

    def __call__(self, t: float) -> None:
        share = (t - self._start) / max(self._end - self._start, 1e-300)
        spent = time.monotonic() - self._begun
        left = spent * (1 - share) / share if share > 0 else 0.0
        self._stream.write(f"\rt = {t:.4g} of {self._end:.4g} s  {100 * share:3.0f} %  {left:.0f} s left ")
        self._stream.flush()


@contextmanager
def reporter(progress: Progress, simulation: Stepper, end: float) -> Iterator[Callable[[], None] | None]:
    """The function to call between portions of a run; None when nobody wants to know."""
    if not progress:
        yield None
        return
    tell = _Line(simulation.time, end, sys.stderr) if progress is True else progress
    yield lambda: tell(simulation.time)
    if progress is True:
        sys.stderr.write("\n")
