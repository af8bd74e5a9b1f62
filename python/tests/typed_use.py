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
hits: list[cairn.Hit] = cairn.Query(simulation).ray((0, 0, 2), (0, 0, -1), most=5.0)
cairn.Query(simulation).distance(body, 3)  # type: ignore[arg-type]
units: dict[str, str] = model.quantities
batch = cairn.Batch(simulation, 3)
batch.set_targets("hinge", [1.0, 2.0, 3.0])
model.save("scene.yaml", settings=simulation.settings, until=2.0)
model.save("scene.yaml", untl=2.0)  # type: ignore[call-arg]
assembly: cairn.Assembly | None = simulation.assembly
