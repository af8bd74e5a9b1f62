"""Models as scene files (docs: export)."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ._native import ffi, lib
from ._options import Filler
from .errors import text
from .settings import Settings

if TYPE_CHECKING:
    from .model import Model


def _options(filler: Filler, title: str | None, settings: Settings | None, until: float, sensors: list[dict[str, Any]]) -> Any:
    """What a scene file holds besides the model; `filler` keeps what the struct points to."""
    options = ffi.new("cairn_save_options *", lib.cairn_save_default())
    options.title = filler.text(title or None)
    options.settings = settings._struct if settings is not None else ffi.NULL
    options.until = until
    if sensors:
        filler.kept.append(ffi.new("cairn_sensor[]", sensors))
        options.sensors, options.sensor_count = filler.kept[-1], len(sensors)
    return options


class SceneFile:
    """A model and what its scene file says besides it. What is not given is that of the scene that the model was read from."""

    def __init__(
        self,
        model: Model,
        title: str | None = None,
        settings: Settings | None = None,
        until: float | None = None,
        sensors: Mapping[str, str] | None = None,
    ) -> None:
        self._model = model
        self._filler = Filler(model, "scene file")
        if model._scene:
            title = model.title if title is None else title
            settings = settings or model.settings
        end = model.until if until is None else until
        self._options = _options(self._filler, title, settings, end, self._sensors(sensors))
        # The options point to the settings.
        self._settings = settings

    def _sensors(self, given: Mapping[str, str] | None) -> list[dict[str, Any]]:
        scene, write = self._model._scene, self._filler.text
        if given is not None:
            return [{"name": write(name), "quantity": write(quantity), "every": 1} for name, quantity in given.items()]
        own = (lib.cairn_scene_sensor(scene, index) for index in range(lib.cairn_scene_sensor_count(scene) if scene else 0))
        return [{"name": one.name, "quantity": one.quantity, "every": one.every} for one in own]

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the file."""
        self._model._check(lib.cairn_model_save(self._model._pointer, self._options, os.fsencode(path)))

    def write_robot(self, path: str | os.PathLike[str]) -> tuple[str, ...]:
        """Write a URDF or MJCF file, by the ending of its name; the notes."""
        writers = {".urdf": lib.cairn_model_save_urdf, ".xml": lib.cairn_model_save_mjcf}
        write = writers.get(os.path.splitext(os.fspath(path))[1].lower())
        if write is None:
            raise ValueError(f"{os.fspath(path)}: robots are written to files that end in .urdf, or in .xml for MJCF")
        notes = ffi.new("cairn_import_notes **")
        self._model._check(write(self._model._pointer, self._options, os.fsencode(path), notes))
        try:
            return tuple(text(lib.cairn_import_note(notes[0], i).text) for i in range(lib.cairn_import_note_count(notes[0])))
        finally:
            lib.cairn_import_notes_destroy(notes[0])

    def text(self) -> str:
        """Its text."""
        out = ffi.new("char **")
        self._model._check(lib.cairn_model_text(self._model._pointer, self._options, out))
        try:
            return text(out[0])
        finally:
            lib.cairn_text_destroy(out[0])
