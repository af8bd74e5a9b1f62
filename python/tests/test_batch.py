"""Many simulations over threads: the bits of each are those that it has alone."""

import math

import numpy as np
import pytest
from test_core import tower

import cairn


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_bits_do_not_depend_on_threads(threads):
    original = tower(4)
    original.step(3)
    with cairn.Batch(original, 7, threads=threads) as batch:
        for index, simulation in enumerate(batch):
            simulation.set_gravity((1.5 * index, 0, -9.81))
        batch.step(40)
        assert batch.positions.shape == (7, 5, 3) and batch.velocities.shape == (7, 5, 6)
        for index, simulation in enumerate(batch):
            alone = original.clone()
            alone.set_gravity((1.5 * index, 0, -9.81))
            alone.step(40)
            assert alone.state == simulation.state
        np.testing.assert_allclose(batch.times, 0.43)
        assert len(set(batch.quantity("box3.x"))) == 7


def cart(index):
    model = cairn.Model(dimension=2, gravity=(0, 0))
    wheel = model.add_body("wheel", mass=1, inertia=(0, 0, 0.1))
    axle = model.add_joint("axle", "revolute", (0.0, 0.0), wheel)
    axle.set_coordinate(drive="speed", target=float(index))
    return cairn.Simulation(model, step=0.01)


def test_models_of_their_own():
    with cairn.Batch(cart, 20, threads=3) as batch:
        batch.step(5)
        np.testing.assert_allclose(batch.quantity("axle.angle.rate"), np.arange(20), atol=1e-9)
        batch[3].model.joint("axle").set_target(-1.0)
        batch.step()
        assert batch[3]["axle.angle.rate"] == pytest.approx(-1)
        assert batch.quantity("wheel.position").shape == (20, 2)


def test_failures_are_told_apart():
    def make(index):
        model = cairn.Model(dimension=2)
        body = model.add_body("body", mass=1, inertia=(0, 0, 1))
        if index == 2:
            model.add_force("push", body, force=("log(0.045 - t)", 0))
        return cairn.Simulation(model, step=0.01)

    with cairn.Batch(make, 4, threads=2) as batch:
        with pytest.raises(cairn.BatchError) as caught:
            batch.step(10)
        assert list(caught.value.failures) == [2] and str(caught.value)
        np.testing.assert_allclose(batch.times[[0, 1, 3]], 0.1)
        assert batch.times[2] < 0.06 and math.isfinite(batch[2]["body.x"])


def test_exceptions_of_callbacks_arrive():
    def make(index):
        model = cairn.Model(dimension=2)
        body = model.add_body("body", mass=1, inertia=(0, 0, 1))
        model.add_force("push", body, lambda t, state: (1 / 0 if index == 1 else 0, 0))
        return cairn.Simulation(model, step=0.01)

    with cairn.Batch(make, 3, threads=3) as batch:
        with pytest.raises(ZeroDivisionError):
            batch.step(2)


def test_wrong_batches_are_refused():
    simulation = tower(1)
    with pytest.raises(cairn.InvalidError, match="how many"):
        cairn.Batch(simulation)
    with pytest.raises(cairn.InvalidError, match="twice"):
        cairn.Batch([simulation, simulation])
    with pytest.raises(cairn.InvalidError, match="negative"):
        cairn.Batch([simulation]).step(-1)


def test_targets_of_all_at_once():
    rng = np.random.default_rng(1)
    with cairn.Batch(cart, 12, threads=2) as batch:
        for _ in range(3):
            speeds = rng.normal(size=12)
            batch.set_targets("axle", speeds)
            batch.step(2)
            # A rigid drive of speed holds the number that was set, to the last digits.
            np.testing.assert_allclose(batch.quantity("axle.angle.rate"), speeds, rtol=1e-12)
        alone = cart(0)
        alone.model.joint("axle").set_target(float(speeds[5]))
        alone.step(2)
        assert alone["axle.angle.rate"] == batch.quantity("axle.angle.rate")[5]
        with pytest.raises(cairn.InvalidError, match="must be 12 finite numbers"):
            batch.set_targets("axle", speeds[:3])
        with pytest.raises(cairn.InvalidError, match="must be 12 finite numbers"):
            batch.set_targets("axle", np.full(12, np.nan))
        with pytest.raises(cairn.InvalidError, match="no joint 'axel'; did you mean 'axle'"):
            batch.set_targets("axel", speeds)
        batch[7].model.joint("axle").remove()
        with pytest.raises(cairn.InvalidError):
            batch.set_targets("axle", speeds)
    with cairn.Batch(cart(1), 3) as clones, pytest.raises(cairn.InvalidError, match="share one"):
        clones.set_targets("axle", [1, 2, 3])


def test_a_batch_notices_what_happens_to_its_simulations():
    with cairn.Batch(tower(2), 3) as batch:
        batch.step(30)
        held = batch[1].contacts(copy=False)
        with pytest.raises(BufferError, match="contacts"):
            batch.step()
        del held
        batch.step()
        places = batch[2].positions
        batch.step()
        np.testing.assert_array_equal(places, batch.positions[2])
        np.testing.assert_array_equal(batch[2].velocities, batch.velocities[2])
        late = batch[0].model.add_body("late", position=(0, 0, 5))
        late.add_shape("sphere", radius=0.1, density=1000)
        with pytest.raises(BufferError, match="positions"):
            batch.step()
        del places
        batch.step()
        assert batch.positions.shape == (3, 4, 3) and batch.quantity("late.position").shape == (3, 3)
        batch[1].close()
        for use in (batch.step, lambda: batch.positions, lambda: batch.quantity("late.z")):
            with pytest.raises(cairn.InvalidError, match="closed"):
                use()


def test_simulations_that_differ_are_told_apart():
    with cairn.Batch([tower(1), tower(2)]) as batch:
        batch.step(2)
        with pytest.raises(cairn.InvalidError, match="simulation 1 has another number of bodies"):
            batch.positions  # noqa: B018
        with pytest.raises(cairn.InvalidError, match="box1"):
            batch.quantity("box1.z")
        assert batch.quantity("box0.position").shape == (2, 3)
    with cairn.Batch([]) as empty:
        empty.step()
        assert empty.positions.shape == (0, 0, 3)
