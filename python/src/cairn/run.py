"""Run files: everything that a run did, in one HDF5 file (docs: run file). A recorder writes one, a Run reads one."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Iterator, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any

import numpy as np

from ._native import ffi, lib
from ._options import Filler
from .arrays import BODY_STATE, CONTACT, EVENT, VIOLATION, copied
from .errors import Context, InvalidError, invalid, suggestion, text
from .settings import Settings
from .values import Vector
from .view import View, view_file

if TYPE_CHECKING:
    from ._stepper import Stepper
    from .model import Model
    from .quantities import Watch


_GROUPS = {"contacts": 1, "velocities": 2, "joints": 4}


def _group(name: str) -> int:
    """The bit of a group that may be left out."""
    if name not in _GROUPS:
        raise invalid(f"there is no group '{name}' to leave out{suggestion(name, _GROUPS)}")
    return _GROUPS[name]


class Recorder:
    """Writes a run file while a simulation steps.

    >>> with Recorder(simulation, "out.h5") as recorder:
    ...     simulation.run(until=2.0, record=recorder)

    every, interval          every n-th step, or a step per interval (s), is recorded
    leave_out                groups that are not recorded: "contacts", "velocities", "joints"
    precision, compression   "double" or "single"; 0 (none) to 9
    """

    def __init__(
        self,
        simulation: Stepper,
        path: str | os.PathLike[str],
        *,
        every: int = 1,
        interval: float = 0.0,
        leave_out: Iterable[str] = (),
        precision: str = "double",
        compression: int = 0,
        watch: Watch | None = None,
    ) -> None:
        self._simulation = simulation
        # The recorder reads the simulation and the watch, also when it closes.
        self._memory = (simulation._live, watch)
        model = simulation._model
        filler = Filler(model, "recorder")
        options = ffi.new("cairn_recorder_options *", lib.cairn_recorder_default())
        options.every, options.interval, options.compression = every, interval, compression
        options.leave_out = sum({_group(name) for name in leave_out})
        if precision not in ("double", "single"):
            raise invalid(f"precision must be 'double' or 'single', found '{precision}'")
        options.single = precision == "single"
        self._fill_scene(options, filler, simulation, path)
        if watch is not None:
            options.watch = watch._pointer
        out = ffi.new("cairn_recorder **")
        context = simulation._context
        context.check(lib.cairn_recorder_create(context.pointer, os.fsencode(path), simulation._live, options, out))
        self._pointer = out[0]

    def _fill_scene(self, options: Any, filler: Filler, simulation: Stepper, path: str | os.PathLike[str]) -> None:
        """The scene as it was read, or written out where the model was built or changed here. The viewer has the shapes from it."""
        model = simulation._model
        if model._scene and not model._changes:
            options.scene_text = lib.cairn_scene_text(model._scene)
            given = [{"name": filler.text(k), "value": filler.text(v)} for k, v in model._parameters.items()]
            filler.kept.append(ffi.new("cairn_parameter[]", given))
            options.parameters, options.parameter_count = filler.kept[-1], len(given)
            return
        try:
            options.scene_text = filler.text(model.to_text(settings=simulation.settings))
        except InvalidError as error:
            # A function of Python's, such as a force, has no place in a file.
            warnings.warn(f"'{os.fspath(path)}' will show no shapes, since it cannot hold the scene: {error}", stacklevel=4)

    def flush(self) -> None:
        """Write all frames that are still in memory to the file, so that others can read them."""
        if self._pointer:
            self._simulation._check(lib.cairn_recorder_flush(self._pointer))

    def write(self) -> None:
        """Record the state after a step; Simulation.run does this by itself."""
        if not self._pointer:
            raise invalid("the recorder is closed")
        self._simulation._live
        self._simulation._check(lib.cairn_recorder_write(self._pointer))

    def checkpoint(self) -> None:
        """Write a checkpoint beside the file, to resume from (docs: long runs)."""
        if not self._pointer:
            raise invalid("the recorder is closed")
        live = self._simulation._live
        self._simulation._check(lib.cairn_recorder_checkpoint(self._pointer, live, ffi.NULL, 0))

    @classmethod
    def resume(cls, simulation: Stepper, path: str | os.PathLike[str], *, watch: Watch | None = None) -> Recorder:
        """Continue a run file from its last checkpoint. The simulation, which must be of the same model and settings, is put into the state
        of the checkpoint, and later frames are cut off."""
        recorder = cls.__new__(cls)
        recorder._simulation, recorder._memory, recorder._pointer = simulation, (simulation._live, watch), None
        context, place = simulation._context, os.fsencode(path)
        options = ffi.new("cairn_recorder_options *", lib.cairn_recorder_default())
        if watch is not None:
            options.watch = watch._pointer
        found, out = ffi.new("cairn_checkpoint **"), ffi.new("cairn_recorder **")
        context.check(lib.cairn_checkpoint_open(context.pointer, place, found))
        checkpoint = ffi.gc(found[0], lib.cairn_checkpoint_close)
        context.check(lib.cairn_recorder_resume(context.pointer, place, checkpoint, simulation._live, options, out))
        recorder._pointer = out[0]
        return recorder

    def close(self, status: str = "done") -> None:
        """Complete the file."""
        if self._pointer:
            pointer, self._pointer = self._pointer, None
            self._simulation._context.check(lib.cairn_recorder_close(pointer, status.encode()))

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self.close("failed" if kind else "done")

    def __del__(self) -> None:
        if getattr(self, "_pointer", None):
            self.close("abandoned")


class Run(Mapping[str, Vector]):
    """A run file. As a mapping it has the series by name: run["time"], run["energy/kinetic"]."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = os.fspath(path)
        self._context = Context()
        out = ffi.new("cairn_run **")
        self._context.check(lib.cairn_run_open(self._context.pointer, os.fsencode(path), out))
        self._pointer: Any = ffi.gc(out[0], lib.cairn_run_close)
        count = lib.cairn_run_series_count(self._live)
        self._series = {text(lib.cairn_run_series_name(self._live, i)): i for i in range(count)}

    def close(self) -> None:
        """Close the file."""
        self._pointer = None

    def __enter__(self) -> Run:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    @property
    def _live(self) -> Any:
        if not self._pointer:
            raise invalid("the run file is closed")
        return self._pointer

    @property
    def status(self) -> str:
        """How the run ended: "done" or another word; "running" while it goes on."""
        return text(lib.cairn_run_status(self._live))

    @property
    def frame_count(self) -> int:
        """The number of frames, that of the start included."""
        return int(lib.cairn_run_frame_count(self._live))

    @property
    def dimension(self) -> int:
        """2 (planar) or 3 (spatial)."""
        return int(lib.cairn_run_dimension(self._live))

    @property
    def settings(self) -> Settings:
        """The settings of the run, exactly as they were."""
        found = Settings()
        self._context.check(lib.cairn_run_settings(self._live, found._struct))
        return found

    @property
    def bodies(self) -> list[str]:
        """The names of the bodies."""
        count = lib.cairn_run_body_count(self._live)
        return [text(lib.cairn_run_body_name(self._live, index)) for index in range(count)]

    @property
    def masses(self) -> Vector:
        """kg: the masses of the bodies, 0 of those that are not dynamic."""
        return np.array([lib.cairn_run_body_mass(self._live, index) for index in range(len(self.bodies))])

    @property
    def radii(self) -> Vector:
        """m: the radius of the ball about each body that holds its shapes, of a sphere its own."""
        return np.array([lib.cairn_run_body_radius(self._live, index) for index in range(len(self.bodies))])

    def __getitem__(self, name: str) -> Vector:
        if name not in self._series:
            raise KeyError(f"there is no series '{name}'{suggestion(name, self._series)}")
        values = np.empty(self.frame_count)
        pointer = ffi.cast("double *", values.ctypes.data)
        self._context.check(lib.cairn_run_read_series(self._live, name.encode(), pointer))
        return values

    def __iter__(self) -> Iterator[str]:
        return iter(self._series)

    def __len__(self) -> int:
        return len(self._series)

    def unit(self, name: str) -> str:
        """The unit of a series."""
        if name not in self._series:
            raise KeyError(f"there is no series '{name}'{suggestion(name, self._series)}")
        return text(lib.cairn_run_series_unit(self._live, self._series[name]))

    def states(self, frame: int) -> Any:
        """The states of all bodies in one frame; negative frames count from the end."""
        values = np.zeros(lib.cairn_run_body_count(self._live), BODY_STATE)
        pointer = ffi.cast("cairn_body_state *", values.ctypes.data)
        self._context.check(lib.cairn_run_read_frame(self._live, self._frame(frame), pointer))
        return values

    def contacts(self, frame: int) -> Any:
        """The contacts of one frame."""
        out, count = ffi.new("cairn_contact **"), ffi.new("int *")
        self._context.check(lib.cairn_run_read_contacts(self._live, self._frame(frame), out, count))
        return copied(out[0], count[0], CONTACT)

    def _frame(self, frame: int) -> int:
        return frame + self.frame_count if frame < 0 else frame

    def events(self) -> Any:
        """All events, in order of time."""
        out, count = ffi.new("cairn_event **"), ffi.new("int64_t *")
        self._context.check(lib.cairn_run_read_events(self._live, out, count))
        return copied(out[0], count[0], EVENT)

    def violations(self) -> Any:
        """The violations of physics."""
        out, count = ffi.new("cairn_violation **"), ffi.new("int64_t *")
        self._context.check(lib.cairn_run_read_violations(self._live, out, count))
        return copied(out[0], count[0], VIOLATION)

    def sensors(self) -> dict[str, Vector]:
        """All samples of the sensors by the names of their columns, with "time"; empty where there are none."""
        size, count = lib.cairn_run_sample_count(self._live), lib.cairn_run_sensor_count(self._live)
        found: dict[str, Vector] = {}
        for index in range(-1, count) if count else ():
            name = "time" if index < 0 else text(lib.cairn_run_sensor_name(self._live, index))
            found[name] = np.empty(size)
            pointer = ffi.cast("double *", found[name].ctypes.data)
            self._context.check(lib.cairn_run_read_samples(self._live, index, pointer))
        return found

    def model(self) -> Model:
        """The scene as it was run."""
        from .model import Model

        source = text(lib.cairn_run_scene_text(self._live))
        if not source:
            raise invalid("the run file holds no scene")
        parameters = (lib.cairn_run_parameter(self._live, index) for index in range(lib.cairn_run_parameter_count(self._live)))
        return Model.parse(source, {text(one.name): text(one.value) for one in parameters})

    def plot(self, *names: str, axes: Any = None) -> Any:
        """Draw series over the time with Matplotlib, one panel per unit; by default the energies. Returns the panels, or the axes
        that were given."""
        from .plot import plot_series

        return plot_series(self, names, axes)

    def view(self, height: int = 600) -> View:
        """The viewer's page of this run, for a notebook cell (height in pixels) or to save."""
        return view_file(self._path, height)

    def to_pandas(self) -> Any:
        """All series as a pandas DataFrame over the time."""
        import pandas

        table = pandas.DataFrame({name: self[name] for name in self if name != "time"})
        table.index = pandas.Index(self["time"], name="time")
        return table

    def to_xarray(self) -> Any:
        """Series and states as an xarray Dataset over time and body, with units."""
        import xarray

        states = np.stack([self.states(frame) for frame in range(self.frame_count)])
        data: dict[str, Any] = {name: ("time", self[name], {"units": self.unit(name)}) for name in self if name != "time"}
        for field in ("position", "velocity", "angular_velocity"):
            data[field] = (("time", "body", "axis"), states[field])
        data["orientation"] = (("time", "body", "quaternion"), states["orientation"])
        places = {"time": self["time"], "body": self.bodies, "axis": list("xyz"), "quaternion": list("wxyz")}
        return xarray.Dataset(data, coords=places)
