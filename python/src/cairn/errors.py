"""Exceptions: one class per status of the library, each with the library's sentences."""

from __future__ import annotations

from typing import Any, NamedTuple

from ._native import ffi, lib


class Message(NamedTuple):
    """A sentence that names the thing at fault, and where it stands if that is in a file."""

    text: str
    file: str | None = None
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        if not self.file:
            return self.text
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part)
        return f"{place}: {self.text}"


class Error(Exception):
    """An error of the library. `messages` has its sentences, one per fault."""

    messages: tuple[Message, ...]

    def __init__(self, messages: tuple[Message, ...]) -> None:
        super().__init__("\n".join(map(str, messages)))
        self.messages = messages

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.messages,)


class InvalidError(Error, ValueError):
    """The input is wrong, or a thing was removed from its model."""


class NoMemoryError(Error, MemoryError):
    """Memory ran out."""


class FileError(Error, OSError):
    """A file cannot be read or written, or a device failed."""


class NumericError(Error, ArithmeticError):
    """Numbers became unusable: overflow, NaN, a matrix that is not positive definite."""


class UnsolvedError(Error, RuntimeError):
    """No solver found a solution of the step."""


class UnsupportedError(Error, NotImplementedError):
    """A combination that has no meaning, or that this version lacks."""


_CLASSES: dict[int, type[Error]] = {
    lib.CAIRN_INVALID: InvalidError,
    lib.CAIRN_NO_MEMORY: NoMemoryError,
    lib.CAIRN_IO: FileError,
    lib.CAIRN_NUMERIC: NumericError,
    lib.CAIRN_UNSOLVED: UnsolvedError,
    lib.CAIRN_UNSUPPORTED: UnsupportedError,
}


def text(pointer: Any) -> str:
    """A text of the library."""
    return "" if pointer == ffi.NULL else ffi.string(pointer).decode("utf-8", "replace")


class Context:
    """Collects the messages of the objects made with it."""

    def __init__(self) -> None:
        self.pointer = ffi.gc(lib.cairn_context_create(), lib.cairn_context_destroy)

    def _take_messages(self) -> tuple[Message, ...]:
        found = []
        for index in range(lib.cairn_context_message_count(self.pointer)):
            message = lib.cairn_context_message(self.pointer, index)
            file = None if message.file == ffi.NULL else text(message.file)
            found.append(Message(text(message.text), file, message.line, message.column))
        lib.cairn_context_clear(self.pointer)
        return tuple(found)

    def error(self, status: int, *others: Context) -> Error:
        """The exception for a status, with the messages collected so far, which are cleared; those of other contexts follow."""
        messages = sum((context._take_messages() for context in (self, *others)), ())
        messages = messages or (Message(text(lib.cairn_status_text(status))),)
        return _CLASSES.get(status, Error)(messages)

    def check(self, status: int) -> None:
        """Raise the exception for a status other than success."""
        if status:
            raise self.error(status)


def invalid(sentence: str) -> InvalidError:
    """An InvalidError that the package itself raises."""
    return InvalidError((Message(sentence),))


def suggestion(word: str, names: Any) -> str:
    """The end of a sentence that suggests the name that an unknown word probably stands for; "" when none is near."""
    encoded = ffi.new("char[]", word.encode())
    found = ffi.new("cairn_suggestion *", {"word": encoded})
    for name in names:
        lib.cairn_suggestion_offer(found, name.encode())
    return text(found.hint)
