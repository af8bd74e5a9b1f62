"""Distances, rays and regions, against geometry; assemblies, against triangles."""

import math

import numpy as np
import pytest

import cairn


def balls():
    model = cairn.Model(dimension=3, gravity=(0, 0, 0))
    model.add_body("a", position=(0, 0, 0), velocity=(1, 0, 0)).add_shape("sphere", radius=0.5, density=1)
    model.add_body("b", position=(3, 4, 0)).add_shape("sphere", radius=1.0, density=1)
    model.add_body("bare", mass=1, inertia=(1, 1, 1), position=(9, 9, 9))
    return model


def test_distances_of_balls():
    query = cairn.Query(balls())
    found = query.distance("a", "b")
    assert found.distance == pytest.approx(3.5)
    np.testing.assert_allclose(found.normal, [-0.6, -0.8, 0])
    np.testing.assert_allclose(found.point_a, [0.3, 0.4, 0])
    np.testing.assert_allclose(found.point_a - found.point_b, found.distance * found.normal)
    assert found.shape_a.body.name == "a" and found.shape_b.kind == "sphere"
    inside = query.closest("b", (3, 4, 0.25))
    assert inside.distance == pytest.approx(-0.75) and inside.shape_b is None
    with pytest.raises(cairn.InvalidError, match="bare"):
        query.distance("a", "bare")
    with pytest.raises(cairn.InvalidError, match="no body 'c'"):
        query.distance("a", "c")


def test_a_query_follows_when_it_is_told():
    simulation = cairn.Simulation(balls(), step=0.01)
    query = cairn.Query(simulation)
    simulation.step(100)
    assert query.distance("a", "b").distance == pytest.approx(3.5)
    query.follow()
    assert query.distance("a", "b").distance == pytest.approx(math.hypot(2, 4) - 1.5)
    states = simulation.states
    states["position"][0] = (3, 4, 2)
    query.place(states)
    assert query.distance("a", "b").distance == pytest.approx(0.5)
    with pytest.raises(cairn.InvalidError, match="3 bodies, but 2"):
        query.place(states[:2])
    with pytest.raises(cairn.InvalidError, match="of a model"):
        cairn.Query(simulation.model).follow()
    simulation.model.body("bare").remove()
    with pytest.raises(cairn.InvalidError):
        query.distance("a", "b")


@pytest.mark.parametrize("seed", range(4))
def test_a_turned_box_by_its_own_axes(seed):
    """The closest point of a box is that of its coordinates, each clamped to its side."""
    rng = np.random.default_rng(seed)
    turn = rng.normal(size=4)
    turn /= np.linalg.norm(turn)
    place, half = rng.uniform(-1, 1, 3), np.array([0.2, 0.5, 0.9])
    model = cairn.Model(dimension=3)
    model.add_body("box", position=place, orientation=turn).add_shape("box", size=2 * half, density=1)
    query, R = cairn.Query(model), cairn.Simulation(model).rotations[0]
    for _ in range(5):
        point = rng.uniform(-3, 3, 3)
        local = R.T @ (point - place)
        if np.all(np.abs(local) < half):
            continue
        nearest = place + R @ np.clip(local, -half, half)
        found = query.closest("box", point)
        assert found.distance == pytest.approx(np.linalg.norm(point - nearest), rel=1e-9)
        np.testing.assert_allclose(found.point_a, nearest, atol=1e-9)


def test_rays_meet_all_shapes_in_order():
    model = cairn.Model(dimension=3)
    for index in range(12):
        model.add_body(f"ball{index}", position=(2 * index, 0.3, 0)).add_shape("sphere", radius=0.5, density=1)
    query = cairn.Query(model)
    hits = query.ray((-1, 0, 0), (5, 0, 0))
    assert [hit.body.name for hit in hits] == [f"ball{index}" for index in range(12)]
    np.testing.assert_allclose([hit.distance for hit in hits], 1 + 2 * np.arange(12) - 0.4)
    np.testing.assert_allclose(hits[3].normal, [-0.8, -0.6, 0])
    assert [hit.body.name for hit in query.ray((-1, 0, 0), (1, 0, 0), most=3.0)] == ["ball0", "ball1"]
    assert query.ray((0, 0.3, 0), (0, 0, 1))[0].inside and query.ray((0, 5, 0), (0, 1, 0)) == []
    with pytest.raises(cairn.InvalidError):
        query.ray((0, 0, 0), (0, 0, 0))


def test_regions_of_the_plane():
    model = cairn.Model(dimension=2)
    for index in range(5):
        model.add_body(f"disc{index}", position=(index, 0)).add_shape("circle", radius=0.1, density=1)
    query = cairn.Query(model)
    assert [body.name for body in query.overlap((2, 0.5), radius=0.45)] == ["disc2"]
    assert [body.name for body in query.overlap((1.5, 0), size=(1, 1))] == ["disc1", "disc2"]
    # Turned upright, the rectangle of 4 m by 0.2 m meets one disc only.
    assert len(query.overlap((2, 0), size=(4, 0.2))) == 5
    assert [body.name for body in query.overlap((2, 0), size=(4, 0.2), angle=math.pi / 2)] == ["disc2"]
    with pytest.raises(cairn.InvalidError, match="at most 3"):
        query.overlap((0, 0, 0, 0), radius=1)


# ------------------------------------------------------------------------------------------------------------ assemblies


def two_links(first, second, reach):
    """Links of given lengths from the origin to (reach, 0), given apart; the elbow is to be above."""
    model = cairn.Model(dimension=2)
    a = model.add_body("a", mass=1, inertia=(0, 0, 0.1), position=(0.3, 0.4), angle=0.9)
    b = model.add_body("b", mass=1, inertia=(0, 0, 0.1), position=(reach - 0.3, 0.4), angle=-0.9)
    model.add_joint("left", "revolute", (0.0, 0.0), (a, (-first / 2, 0)))
    model.add_joint("elbow", "revolute", (a, (first / 2, 0)), (b, (-second / 2, 0)))
    model.add_joint("right", "revolute", (reach, 0.0), (b, (second / 2, 0)))
    return model


@pytest.mark.parametrize("first, second, reach", [(1.0, 1.0, 1.2), (1.0, 0.8, 1.5), (0.7, 1.1, 1.0)])
def test_links_meet_where_the_triangle_says(first, second, reach):
    model = two_links(first, second, reach)
    assembly = model.assemble()
    assert assembly.assembled and assembly.messages == () and assembly.report.error < 1e-9
    x = (first**2 - second**2 + reach**2) / (2 * reach)
    elbow = np.array([x, math.sqrt(first**2 - x**2)])
    np.testing.assert_allclose(assembly.state("a").position[:2], elbow / 2, atol=1e-8)
    np.testing.assert_allclose(assembly.state("b").position[:2], (elbow + (reach, 0)) / 2, atol=1e-8)
    moved = np.linalg.norm(elbow / 2 - (0.3, 0.4))
    assert assembly.move("a").moved == pytest.approx(moved, abs=1e-8)
    assert assembly.joint("elbow").before > 1e-3 and assembly.joint("elbow").after < 1e-9
    simulation = cairn.Simulation(model, initial="assemble")
    np.testing.assert_allclose(simulation.body("a").position[:2], elbow / 2, atol=1e-8)
    told = simulation.assembly
    assert told.assembled and told.report.most_moved.name in "ab" and simulation.clone().assembly is None
    assert cairn.Simulation(cairn.Model.builtin("bar-2")).assembly is None


def test_what_cannot_be_put_together_is_told():
    assembly = two_links(1.0, 1.0, 2.6).assemble()
    assert not assembly.assembled and assembly.report.worst.name in ("left", "elbow", "right")
    assert any("left" in message.text or "elbow" in message.text or "right" in message.text for message in assembly.messages)
    # Stretched, the links lack 0.6 m, in three joints together.
    assert 0.15 < assembly.report.error < 0.6
    with pytest.raises(cairn.InvalidError):
        cairn.Model(dimension=2).assemble(step=-1)
