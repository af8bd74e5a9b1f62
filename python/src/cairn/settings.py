"""Settings of a simulation, by name. Names, ranges and defaults are those of the library's table (docs: scene file, settings)."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from typing import Any

from ._native import ffi, lib
from .errors import Context, invalid, suggestion, text

Value = float | int | bool | str


def _rows() -> Iterator[Any]:
    return (lib.cairn_setting_at(index) for index in range(lib.cairn_setting_count()))


_TYPES: dict[str, int] = {text(row.name): row.type for row in _rows()}


def _written(value: Value) -> str:
    """A value as the command line has it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return value if isinstance(value, str) else repr(value)


def _read(kind: int, word: str) -> Value:
    if kind == lib.CAIRN_SETTING_NUMBER:
        return float(word)
    if kind == lib.CAIRN_SETTING_COUNT:
        return int(word)
    return word == "on" if kind == lib.CAIRN_SETTING_SWITCH else word


class Settings(MutableMapping[str, Value]):
    """All settings of a simulation, as a mapping and as attributes.

    >>> settings = Settings(step=0.005, integrator="stiff2")
    >>> settings.law = "pyramid(8)"
    """

    _struct: Any
    _context: Context

    def __init__(self, **values: Value) -> None:
        self.__dict__["_struct"] = ffi.new("cairn_settings *", lib.cairn_settings_default())
        self.__dict__["_context"] = Context()
        self.update(values)

    @classmethod
    def _from_struct(cls, struct: Any) -> Settings:
        settings = cls()
        if struct is not None:
            settings._struct[0] = struct
        return settings

    def copy(self) -> Settings:
        """A copy that can be changed by itself."""
        return Settings._from_struct(self._struct[0])

    def check(self) -> None:
        """Check all settings and their combinations. Every simulation does this when it is created."""
        self._context.check(lib.cairn_settings_check(self._context.pointer, self._struct))

    def __getitem__(self, name: str) -> Value:
        if name not in _TYPES:
            raise KeyError(name)
        room = ffi.new("char[]", 256)
        lib.cairn_settings_get(self._struct, name.encode(), room, 256)
        return _read(_TYPES[name], text(room))

    def __setitem__(self, name: str, value: Value) -> None:
        if name not in _TYPES:
            raise invalid(f"there is no setting '{name}'{suggestion(name, _TYPES)}")
        status = lib.cairn_settings_set(self._context.pointer, self._struct, name.encode(), _written(value).encode())
        self._context.check(status)

    def __delitem__(self, name: str) -> None:
        self[name] = Settings()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(_TYPES)

    def __len__(self) -> int:
        return len(_TYPES)

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"there is no setting '{name}'{suggestion(name, _TYPES)}") from None

    def __setattr__(self, name: str, value: Value) -> None:
        self[name] = value

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *_TYPES]

    def __repr__(self) -> str:
        preset = Settings()
        changed = (f"{name}={value!r}" for name, value in self.items() if value != preset[name])
        return f"Settings({', '.join(changed)})"
