"""Environments for Gymnasium (pip install gymnasium).

>>> import gymnasium
>>> import cairn.environments
>>> env = gymnasium.make("cairn/PegInHole-v0", render_mode="rgb_array")

cairn/CartPole-v0     a pole on a cart, on a rail with stops
cairn/PegInHole-v0    a compliant gripper pushes a peg into a narrow hole
cairn/PushBox-v0      a finger pushes a box over a table to a mark
"""

import gymnasium

from .base import Environment
from .cart_pole import CartPole
from .peg_in_hole import PegInHole
from .push_box import PushBox

__all__ = ["CartPole", "Environment", "PegInHole", "PushBox"]

gymnasium.register("cairn/CartPole-v0", entry_point="cairn.environments:CartPole", max_episode_steps=500)
gymnasium.register("cairn/PegInHole-v0", entry_point="cairn.environments:PegInHole", max_episode_steps=300)
gymnasium.register("cairn/PushBox-v0", entry_point="cairn.environments:PushBox", max_episode_steps=400)
