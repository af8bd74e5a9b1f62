"""The one-step problem from arrays: solutions checked by hand, and by the laws themselves, computed here."""

import math

import numpy as np
import pytest
import scipy.sparse as sp

import cairn


def block_on_a_floor(mu, push, mass=2.0, h=0.01, g=9.81):
    """A point mass on a floor, pushed sideways: H is the unit matrix, normal first."""
    H = np.array([[0.0, 0, 1], [1, 0, 0], [0, 1, 0]])
    p = np.array([push, 0.0, -mass * g * h])
    return cairn.Problem(mass * np.eye(3), p, H, mu=[mu], blocks=[3])


@pytest.mark.parametrize("push", [0.01, 0.09, 0.2, -3.0])
def test_coulomb_by_hand(push):
    """It sticks while the push is at most mu m g h; beyond that it slides with the rest."""
    mu, limit = 0.5, 0.5 * 2 * 9.81 * 0.01
    solution = block_on_a_floor(mu, push).solve()
    assert solution.report.outcome == "solved"
    assert solution.r[0] == pytest.approx(2 * 9.81 * 0.01, rel=1e-9)
    rest = math.copysign(max(0.0, abs(push) - limit), push)
    np.testing.assert_allclose(solution.v, [rest / 2, 0, 0], atol=1e-9)


def random_problem(seed, law="cone", joints=True):
    """Bodies of six unknowns in random contacts with the world and each other, and a few joint rows."""
    rng = np.random.default_rng(seed)
    bodies, contacts = 5, 7
    n = 6 * bodies
    blocks = [rng.normal(size=(6, 6)) for _ in range(bodies)]
    A = sp.block_diag([b @ b.T + 6 * np.eye(6) for b in blocks], format="csr")
    H = sp.lil_array((3 * contacts, n))
    for j in range(contacts):
        a, b = rng.choice(bodies, 2, replace=False)
        H[3 * j : 3 * j + 3, 6 * a : 6 * a + 6] = rng.normal(size=(3, 6))
        if j % 2:
            H[3 * j : 3 * j + 3, 6 * b : 6 * b + 6] = rng.normal(size=(3, 6))
    G = sp.lil_array((2, n))
    G[:, 0:12] = rng.normal(size=(2, 12))
    options = dict(G=G.tocsr(), b=rng.normal(size=2), joints=[2]) if joints else {}
    return cairn.Problem(
        A,
        rng.normal(size=n),
        H.tocsr(),
        w=0.1 * rng.normal(size=3 * contacts),
        mu=rng.uniform(0.1, 0.9, contacts),
        law=law,
        blocks=[6] * bodies,
        **options,
    )


@pytest.mark.parametrize("seed", range(6))
def test_solution_obeys_the_laws(seed):
    """Dynamics, joints and Coulomb's law, evaluated with scipy from the problem's own arrays."""
    problem = random_problem(seed)
    solution = problem.solve(tolerance=1e-10)
    assert solution.report.outcome == "solved"
    v, c, r = solution.v, solution.c, solution.r
    np.testing.assert_allclose(problem.A @ v, problem.p + problem.G.T @ c + problem.H.T @ r, atol=1e-7)
    np.testing.assert_allclose(problem.G @ v, problem.b, atol=1e-7)
    u = (problem.H @ v + problem.w).reshape(-1, 3)
    for u_j, r_j, mu in zip(u, r.reshape(-1, 3), problem.mu):
        r_t, u_t = r_j[1:], u_j[1:]
        assert r_j[0] > -1e-9 and u_j[0] > -1e-7 and abs(u_j[0] * r_j[0]) < 1e-7
        assert np.linalg.norm(r_t) <= mu * r_j[0] + 1e-8
        np.testing.assert_allclose(np.linalg.norm(u_t) * r_t, -mu * r_j[0] * u_t, atol=1e-6)
    certificate = problem.certify(solution)
    assert certificate.relative <= 1e-10
    spoiled = cairn.Solution(v + 0.1, c, r)
    assert problem.certify(spoiled).relative > 1e-3


def test_arrays_come_back_as_they_were():
    rng = np.random.default_rng(3)
    A = sp.block_diag([np.eye(2) * 3, np.eye(3) * 2], format="csr")
    H = sp.csr_array(rng.normal(size=(6, 5)) * (rng.uniform(size=(6, 5)) < 0.5))
    for blocks in ([2, 3], None, [5]):
        problem = cairn.Problem(A, rng.normal(size=5), H, mu=0.3, blocks=blocks)
        np.testing.assert_array_equal(problem.A.toarray(), A.toarray())
        np.testing.assert_array_equal(problem.H.toarray(), H.toarray())
        assert problem.G.shape == (0, 5) and problem.n == 5 and problem.contact_count == 2
        np.testing.assert_array_equal(problem.mu, [0.3, 0.3])


def test_partition_into_blocks_does_not_matter():
    p = np.array([0.3, 0.1, -0.5])
    H = np.array([[0.0, 0, 1], [1, 0, 0], [0, 1, 0]])
    A = np.array([[2, 0.5, 0], [0.5, 3, 0.1], [0, 0.1, 1]])
    results = [cairn.Problem(A, p, H, mu=0.4, blocks=blocks).solve().v for blocks in ([3], None, [1, 2])]
    for other in results[1:]:
        np.testing.assert_allclose(other, results[0], atol=1e-8)


def test_delassus_matrix():
    problem = random_problem(11, joints=False)
    W, q = problem.delassus()
    inverse = np.linalg.inv(problem.A.toarray())
    H = problem.H.toarray()
    np.testing.assert_allclose(W, H @ inverse @ H.T, atol=1e-10)
    np.testing.assert_allclose(q, H @ inverse @ problem.p + problem.w, atol=1e-10)


def test_files(tmp_path):
    problem = random_problem(5)
    problem.save(tmp_path / "problem.h5")
    again = cairn.Problem.load(tmp_path / "problem.h5")
    for name in "AHG":
        np.testing.assert_array_equal(getattr(again, name).toarray(), getattr(problem, name).toarray())
    np.testing.assert_array_equal(again.solve().v, problem.solve().v)
    problem.save_fclib(tmp_path / "fclib.hdf5", title="a title")
    fclib = cairn.Problem.load(tmp_path / "fclib.hdf5")
    np.testing.assert_allclose(fclib.solve().v, problem.solve().v, atol=1e-6)
    import h5py

    with h5py.File(tmp_path / "fclib.hdf5") as file:
        assert "fclib_global" in file
    with pytest.raises(OSError):
        cairn.Problem.load(tmp_path / "none.h5")


def test_problem_of_a_simulation_outlives_the_step():
    model = cairn.Model(dimension=3)
    model.add_body("floor", kind="fixed").add_shape("half-space", normal=(0, 0, 1))
    model.add_body("box", position=(0, 0, 0.1)).add_shape("box", size=(0.2, 0.2, 0.2), density=500)
    simulation = cairn.Simulation(model, step=0.01)
    assert simulation.problem is None and simulation.solution is None
    simulation.step()
    problem, solution = simulation.problem, simulation.solution
    A, r = problem.A.toarray(), solution.r
    simulation.step(20)
    simulation.close()
    np.testing.assert_array_equal(problem.A.toarray(), A)
    assert A[0, 0] == pytest.approx(4.0) and problem.contact_count == 4
    assert r[0::3].sum() == pytest.approx(4 * 9.81 * 0.01, rel=1e-9)
    assert problem.certify(solution).relative < 1e-9
    problem.law = "convex cone"
    assert problem.law == "convex cone" and problem.solve().report.outcome == "solved"


def test_wrong_problems_are_refused():
    eye = np.eye(3)
    with pytest.raises(ValueError, match="A must have 3 rows"):
        cairn.Problem(np.eye(2), np.zeros(3))
    with pytest.raises(cairn.InvalidError, match="2 or 3"):
        cairn.Problem(eye, np.zeros(3), np.zeros((4, 3)))
    with pytest.raises(cairn.InvalidError, match="add up to 3"):
        cairn.Problem(eye, np.zeros(3), blocks=[2, 2])
    with pytest.raises(cairn.InvalidError, match="mu"):
        cairn.Problem(eye, np.zeros(3), eye, mu=[0.1, 0.2])
    with pytest.raises(cairn.InvalidError):
        cairn.Problem(eye, np.zeros(3), eye, mu=-1)
    with pytest.raises(cairn.InvalidError):
        cairn.Problem(eye * math.nan, np.zeros(3), eye)
    with pytest.raises(cairn.InvalidError, match="friction law"):
        cairn.Problem(eye, np.zeros(3), law="cone(5)")
    problem = block_on_a_floor(0.5, 0.1)
    with pytest.raises(cairn.InvalidError, match="r must have 3"):
        problem.certify(cairn.Solution(np.zeros(3)))
    with pytest.raises(cairn.InvalidError, match="guess must have 3"):
        problem.solve(guess=[1.0])
    with pytest.raises(TypeError, match="did you mean 'tolerance'"):
        problem.solve(tolerence=1e-3)
    with pytest.raises((cairn.NumericError, cairn.InvalidError)):
        cairn.Problem(-eye, np.ones(3), eye, mu=0.5).solve()
