"""What type checkers must accept, and what they must refuse: mypy --strict reports an ignored line that has no error."""

import cairn

model = cairn.Model(dimension=3)
body = model.add_body("a", position=(0, 0, 1), mass=1.0)
shape: cairn.Shape = body.add_shape("sphere", radius=1.0, material="default")
model.add_body("b", mass="heavy")  # type: ignore[arg-type]
body.add_shape("sphere", radus=1.0)  # type: ignore[call-arg]
simulation = cairn.Simulation(model, step=0.01, integrator="stiff2")
cairn.Simulation(model, intgrator="stiff2")  # type: ignore[call-arg]
height: float = simulation.positions[0, 2]
simulation.step("many")  # type: ignore[arg-type]
