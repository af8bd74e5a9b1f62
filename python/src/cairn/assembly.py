"""Mechanisms put together: bodies are placed so that their joints meet (docs: joints)."""

from __future__ import annotations

from typing import Any

from ._native import ffi, lib
from .errors import Context, Message
from .model import Model
from .settings import Settings
from .things import Body, Joint
from .values import BodyState, Record


class Assembly:
    """What an assembly did, and what it left.

    report      the fields of cairn_assembly_report: assembled, consistent, error, worst, most_moved, moved ...
    messages    why the mechanism cannot be put together; its bodies are then in the closest position that was found
    """

    def __init__(self, model: Model, pointer: Any, owner: Any, messages: tuple[Message, ...] = ()) -> None:
        # What `pointer` points to lives as long as its owner.
        self._model, self._pointer, self._owner = model, pointer, owner
        self.messages = messages
        things = {"worst": Joint, "most_moved": Body, "most_turned": Body}
        convert = {name: lambda handle, kind=kind: kind(model, handle) if handle.id else None for name, kind in things.items()}
        self.report = Record(lib.cairn_assembly_result(pointer), convert)

    @property
    def assembled(self) -> bool:
        """All joints meet, and limits and initial values hold."""
        return bool(self.report.assembled)

    def __repr__(self) -> str:
        return f"<Assembly: {'assembled' if self.assembled else 'not assembled'}, error {self.report.error:.3g}>"

    def state(self, body: Body | str) -> BodyState:
        """The pose and velocity in which a body begins."""
        # The state lies within the struct, which must live while it is read.
        move = self._move(body)
        return BodyState._read(move.state)

    def move(self, body: Body | str) -> Record:
        """How far a body was moved (m) and turned (rad), and the changes of its velocities."""
        return Record(self._move(body), {"state": BodyState._read})

    def _move(self, body: Body | str) -> Any:
        return lib.cairn_assembly_body(self._pointer, self._model._handle("body", body))

    def joint(self, joint: Joint | str) -> Record:
        """m or rad: the largest violation of a joint before and after."""
        return Record(lib.cairn_assembly_joint(self._pointer, self._model._handle("joint", joint)))


def assemble(model: Model, settings: Settings) -> Assembly:
    """Put a mechanism together. Only wrong settings and bodies without mass raise an exception."""
    context, out = Context(), ffi.new("cairn_assembly **")
    status = lib.cairn_assembly_create(context.pointer, model._pointer, settings._struct, out)
    if out[0] == ffi.NULL:
        raise context.error(status, model._context)
    messages = context.error(status, model._context).messages if status else ()
    pointer = ffi.gc(out[0], lib.cairn_assembly_destroy)
    return Assembly(model, pointer, (pointer, model._memory, model._scene, context), messages)
