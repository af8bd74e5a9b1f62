"""Environments, by Gymnasium's own checker, by equations of motion, and by geometry."""

import warnings

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402

import cairn  # noqa: E402
from cairn.environments import CartPole, PegInHole, PushBox  # noqa: E402
from cairn.environments.drawing import PAPER, Canvas, Outline, disc, rectangle  # noqa: E402

G = 9.81
NAMES = ["CartPole", "PegInHole", "PushBox"]


@pytest.mark.parametrize("name", NAMES)
def test_the_checker_of_gymnasium(name):
    env = gymnasium.make(f"cairn/{name}-v0", render_mode="rgb_array").unwrapped
    with warnings.catch_warnings():
        # Of what it says beside errors, only that the observations have no bounds is expected.
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*observation space.*infinity")
        check_env(env)
    assert env.metadata["render_fps"] == round(1 / env.period) == 50
    env.close()


@pytest.mark.parametrize("make", [CartPole, PegInHole, PushBox])
def test_episodes_repeat_and_are_certified(make):
    env, rng = make(), np.random.default_rng(5)
    actions = rng.uniform(-1, 1, (80, *env.action_space.shape)).astype(np.float32)
    runs = []
    for _ in range(2):
        trace = [env.reset(seed=7)[0]]
        trace += [env.step(action)[0] for action in actions]
        runs.append(np.array(trace))
        assert sum(env.simulation.audit.values()) == 0
    np.testing.assert_array_equal(runs[0], runs[1])
    assert env.render() is None
    env.close()


@pytest.mark.parametrize("make", [CartPole, PegInHole, PushBox])
def test_wrong_uses_are_refused(make):
    with pytest.raises(cairn.InvalidError, match="no render mode 'human'; known: rgb_array"):
        make(render_mode="human")
    env = make()
    with pytest.raises(cairn.InvalidError, match="'start' must have"):
        env.reset(options={"start": (1.0,)})
    env.reset(seed=1)
    with pytest.raises(cairn.InvalidError, match="not a number"):
        env.step(np.full(env.action_space.shape, np.nan, np.float32))
    env.close()


# ------------------------------------------------------------------------------------------------------------- cart-pole


@pytest.mark.parametrize("start", [(0.1, 0.2, 0.3, -0.4), (-0.5, -0.1, 0.0, 1.0)])
@pytest.mark.parametrize("push", [0.0, 0.7])
def test_motion_is_that_of_the_equations(start, push):
    """(M + m) x'' - m l (cos(a) a'' - sin(a) a'^2) = F and (4/3) l a'' = g sin(a) + cos(a) x'', l half the pole, by Runge-Kutta."""
    M, m, half = 1.0, 0.1, 0.5

    def rate(y):
        _, a, v, w = y
        matrix = [[M + m, -m * half * np.cos(a)], [-np.cos(a), 4 / 3 * half]]
        forces = [10 * push - m * half * np.sin(a) * w * w, G * np.sin(a)]
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
        env = CartPole(step=step)
        seen, _ = env.reset(options={"start": start})
        np.testing.assert_allclose(seen, start, atol=1e-12)
        for _ in range(round(time / step)):
            seen, *_ = env.step(np.array([push], np.float32))
        errors.append(np.abs(seen - y).max())
        env.close()
    assert errors[1] < 0.02 and errors[1] < 0.6 * errors[0]


def test_the_stop_holds():
    env = CartPole()
    env.reset(seed=7)
    way = [env.step(np.array([1.0], np.float32))[0][0] for _ in range(150)]
    assert 2.3 < max(way) <= 2.4 + 1e-6
    env.close()


# ----------------------------------------------------------------------------------------------------------- peg in hole


def test_the_gripper_is_a_spring_with_a_damper():
    """m x'' + d x' + k (x - target) = 0 after a move of the target upwards: 0.5 kg of a slide and 0.32 kg of the peg."""
    m, d, k, move, time = 0.82, 60.0, 800.0, 0.002, 0.1
    roots = np.roots([m, d, k])
    left = move * (roots[1] * np.exp(roots[0] * time) - roots[0] * np.exp(roots[1] * time)) / (roots[1] - roots[0])
    errors = []
    for step in (0.001, 0.0005):
        env = PegInHole(step=step)
        first, _ = env.reset(options={"start": (0.03, 0.02, 0)})
        env.step(np.array([0, 1, 0], np.float32))
        for _ in range(round(time / 0.02) - 1):
            seen, *_ = env.step(np.zeros(3, np.float32))
        errors.append(abs(seen[1] - first[1] - (move - left.real)))
        env.close()
    assert errors[0] < 0.02 * move and errors[1] < 0.6 * errors[0]


@pytest.mark.parametrize("side", [-1, 1])
@pytest.mark.parametrize("clearance", [0.0005, 0.001])
@pytest.mark.parametrize("depth", [0.01, 0.03])
def test_the_peg_leans_as_far_as_two_corners_allow(side, clearance, depth):
    """W = w cos(a) + s sin(a), where the peg without friction is held at the depth s and turned by its servo."""
    env = PegInHole(clearance=clearance, friction=0.0)
    env.reset(options={"start": (0, -depth, 0)})
    for _ in range(60):
        seen, *_ = env.step(np.array([0, 0, side], np.float32))
    a = abs(seen[2])
    tip = env.tip
    # The corner that lies deepest touches one wall; the other wall ends at the mouth, where it touches the peg's side.
    deep = -tip[1] + env.PEG[0] / 2 * np.sin(a)
    assert np.sign(seen[2]) == side and abs(seen[8]) > 0.1
    wide = env.PEG[0] / np.cos(a) + (deep - env.PEG[0] * np.sin(a)) * np.tan(a)
    assert wide == pytest.approx(env.PEG[0] + clearance, abs=2e-5)
    env.close()


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("step", [0.005, 0.002])
def test_the_peg_goes_in_when_it_is_aligned(seed, step):
    env = PegInHole(step=step)
    env.reset(seed=seed)
    start = np.hypot(env.tip[0], env.tip[1] + env.DEPTH)
    rewards, arrived = 0.0, False
    for _ in range(250):
        x, _, angle = env._targets
        aligned = np.abs(env.tip[0]) < 1e-4 or env.tip[1] < 0
        move = np.array([-x / 0.002, -1.0 if aligned else 0.0, -angle / 0.02], np.float32)
        _, reward, arrived, _, told = env.step(move)
        rewards += reward
        if arrived:
            break
    assert arrived and env.tip[1] == pytest.approx(-env.DEPTH, abs=0.002) and abs(env.tip[0]) < 0.0005
    assert rewards == pytest.approx(1 + start - told["way"])
    assert sum(env.simulation.audit.values()) == 0
    env.close()


def test_a_peg_beside_the_hole_stays_out():
    env = PegInHole()
    env.reset(options={"start": (0.015, 0.01, 0)})
    for _ in range(60):
        *_, arrived, _, _ = env.step(np.array([0, -1, 0], np.float32))
    assert not arrived and env.tip[1] == pytest.approx(0, abs=1e-4)
    env.close()


# ----------------------------------------------------------------------------------------------------------- push a box


@pytest.mark.parametrize("speed", [0.4, 0.8])
@pytest.mark.parametrize("friction", [0.2, 0.5])
def test_the_box_slides_as_far_as_friction_lets_it(speed, friction):
    """v^2/(2 mu g), to the first order in the step."""
    errors = []
    for step in (0.005, 0.0025):
        env = PushBox(step=step, friction=friction)
        env.reset(options={"start": (-0.3, 0.2, 0.5, -0.4, -0.4)})
        states = env.simulation.states
        states["velocity"][env.simulation.model.body("box").index] = (speed, 0, 0)
        env.simulation.states = states
        for _ in range(30):
            seen, *_ = env.step(np.zeros(2, np.float32))
        assert np.abs(seen[4:7]).max() < 1e-9
        errors.append(abs(seen[0] + 0.3 - speed**2 / (2 * friction * G)))
        env.close()
    assert errors[0] < 0.6 * speed * 0.005 and errors[1] < 0.6 * errors[0]


@pytest.mark.parametrize("share", [0.3, 1.0])
@pytest.mark.parametrize("angle", [0.0, np.pi / 2])
@pytest.mark.parametrize("slip", [0.0, 0.1])
def test_a_steady_push_needs_the_force_of_friction(share, angle, slip):
    """The servo of the finger carries mu m g; the box moves with the speed of the finger and arrives. A finger with friction may
    also lift or press the box a little: F = mu (m g + f), |f| <= mu_finger F."""
    env = PushBox(friction=0.4, finger_friction=slip)
    env.reset(options={"start": (-0.2, 0, angle, -0.32, 0)})
    mass = env.simulation.model.body("box").mass
    rewards, arrived, steady = 0.0, False, []
    while not arrived:
        seen, reward, arrived, _, _ = env.step(np.array([share, 0], np.float32))
        rewards += reward
        if -0.15 < seen[0] < -0.02:
            steady.append((float(env.simulation["along.position.drive"]), seen[4] - seen[9], abs(seen[6])))
    np.testing.assert_allclose([force for force, _, _ in steady[2:-1]], 0.4 * mass * G, rtol=1e-6 + 0.4 * slip / (1 - 0.4 * slip))
    np.testing.assert_allclose([lag for _, lag, _ in steady[2:-1]], 0, atol=1e-6)
    assert rewards == pytest.approx(1 + 0.2 - abs(seen[0]), abs=1e-3) and sum(env.simulation.audit.values()) == 0
    env.close()


def test_the_box_may_leave_the_table():
    env = PushBox()
    env.reset(options={"start": (0.3, 0, 0, 0.15, 0)})
    for _ in range(100):
        seen, reward, over, _, _ = env.step(np.array([1, 0], np.float32))
        if over:
            break
    assert over and reward < -0.9 and seen[0] > 0.5
    env.close()


# -------------------------------------------------------------------------------------------------------------- pictures


@pytest.mark.parametrize("turn", [0.0, 0.3, 1.1])
@pytest.mark.parametrize("shape", [rectangle(0.3, 0.2), disc(0.2, 40)])
def test_a_picture_has_the_area_and_the_middle_of_what_it_shows(turn, shape):
    R = np.array([[[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]]])
    place = np.array([[0.11, -0.07, 0]])
    canvas = Canvas(1.0, 0.8, pixels=200)
    image = canvas.draw([Outline(0, shape, (0, 0, 0))], place, R)
    assert image.shape == (160, 200, 3) and image.dtype == np.uint8
    dark = 1 - image[:, :, 0] / PAPER[0]
    x, y = (shape @ R[0, :2, :2].T).T
    area = 0.5 * np.sum(x * np.roll(y, -1) - y * np.roll(x, -1))
    assert dark.sum() / 200**2 == pytest.approx(area, rel=0.01)
    rows, columns = np.mgrid[0:160, 0:200]
    middle = [(dark * columns).sum() / dark.sum(), (dark * rows).sum() / dark.sum()]
    np.testing.assert_allclose(middle, [(0.5 + 0.11) * 200 - 0.5, (0.4 + 0.07) * 200 - 0.5], atol=0.1)


@pytest.mark.parametrize("name", NAMES)
def test_pictures_follow_the_motion(name):
    env = gymnasium.make(f"cairn/{name}-v0", render_mode="rgb_array")
    env.reset(seed=3)
    first = env.render()
    for _ in range(20):
        env.step(np.ones(env.action_space.shape, np.float32))
    assert first.shape == env.render().shape and (first != env.render()).any()
    assert len(np.unique(first.reshape(-1, 3), axis=0)) > 3
    env.close()
