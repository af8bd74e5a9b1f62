"""Environments, by Gymnasium's own checker and by the equations of motion."""

import warnings

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402

import cairn.environments  # noqa: E402


def test_the_checker_of_gymnasium():
    env = gymnasium.make("cairn/CartPole-v0").unwrapped
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(env, skip_render_check=True)
    env.close()


@pytest.mark.parametrize("start", [(0.1, 0.2, 0.3, -0.4), (-0.5, -0.1, 0.0, 1.0)])
@pytest.mark.parametrize("push", [0.0, 0.7])
def test_motion_is_that_of_the_equations(start, push):
    """(M + m) x'' - m l (cos(a) a'' - sin(a) a'^2) = F and (4/3) l a'' = g sin(a) + cos(a) x'', l half the pole, by Runge-Kutta."""
    M, m, half, g = 1.0, 0.1, 0.5, 9.81

    def rate(y):
        _, a, v, w = y
        matrix = [[M + m, -m * half * np.cos(a)], [-np.cos(a), 4 / 3 * half]]
        forces = [10 * push - m * half * np.sin(a) * w * w, g * np.sin(a)]
        return np.array([v, w, *np.linalg.solve(matrix, forces)])

    h, time = 1e-3, 0.4
    y = np.array(start)
    for _ in range(int(time / h)):
        k1 = rate(y)
        k2 = rate(y + h / 2 * k1)
        k3 = rate(y + h / 2 * k2)
        k4 = rate(y + h * k3)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    errors = []
    for step in (2e-3, 1e-3):
        env = cairn.environments.CartPole(step=step)
        seen, _ = env.reset(options={"start": start})
        np.testing.assert_allclose(seen, start, atol=1e-12)
        for _ in range(round(time / step)):
            seen, *_ = env.step(np.array([push], np.float32))
        errors.append(np.abs(seen - y).max())
        env.close()
    assert errors[1] < 0.02 and errors[1] < 0.6 * errors[0]


def test_the_stop_holds_and_nothing_leaks_between_episodes():
    env = cairn.environments.CartPole()
    runs = []
    for _ in range(2):
        seen, _ = env.reset(seed=7)
        trace = [seen]
        for _ in range(150):
            trace.append(env.step(np.array([1.0], np.float32))[0])
        runs.append(np.array(trace))
    np.testing.assert_array_equal(runs[0], runs[1])
    assert 2.3 < runs[0][:, 0].max() <= 2.4 + 1e-6
    assert sum(env.simulation.audit.values()) == 0
    env.close()
