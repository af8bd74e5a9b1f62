"""A counter of everything that may keep a simulation from stepping: a model that changed, an array that was lent, a simulation that was
closed, an exception in a callback. Whoever has looked at many simulations need not look again while it stands still.

It counts after the change has been made, so that who sees the new number also sees the change.
"""


class Epoch:
    """The counter."""

    __slots__ = ("count",)

    def __init__(self) -> None:
        self.count = 0


EPOCH = Epoch()
