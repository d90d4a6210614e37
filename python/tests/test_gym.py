"""The Gymnasium environment."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import atl
from atl.gym import PathEnv, satellite


def test_the_checker_of_gymnasium_is_content() -> None:
    check_env(PathEnv(duration="2s"), skip_render_check=True)


def test_the_same_seed_gives_the_same_episode() -> None:
    def episode(seed: int) -> list[float]:
        env = PathEnv(duration="3s")
        env.reset(seed=seed)
        env.action_space.seed(7)
        return [env.step(env.action_space.sample())[1] for _ in range(30)]

    assert episode(5) == episode(5) != episode(6)


def test_an_episode_ends_with_its_scenario() -> None:
    env = gymnasium.wrappers.TimeLimit(PathEnv(duration="2s"), 1000)
    env.reset(seed=1)
    steps, truncated = 0, False
    while not truncated:
        _, _, terminated, truncated, info = env.step(np.zeros(1, dtype=np.float32))
        assert not terminated
        steps += 1
    assert steps == 20 and info["now_s"] == pytest.approx(2.0)


def test_the_reward_is_what_the_documentation_says() -> None:
    env = PathEnv(duration="5s", delay=0.3, loss=2.0)
    env.reset(seed=3)
    for _ in range(50):
        seen, reward, *_, info = env.step(np.array([0.2], dtype=np.float32))
        assert reward == pytest.approx(seen[1] - 0.3 * seen[4] - 2.0 * seen[2], abs=1e-5)
        assert seen[1] == pytest.approx(min(info["goodput_bps"] / 10e6, 2.0), abs=1e-5)


def test_options_must_make_sense() -> None:
    with pytest.raises(atl.UsageError, match="interval"):
        PathEnv(interval=0)
    with pytest.raises(atl.UsageError, match="there is no TCP flow `nobody`"):
        PathEnv(satellite(), flow="nobody")
