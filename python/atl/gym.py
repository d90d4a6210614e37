"""A Gymnasium environment: an agent sets the window of a TCP sender on a path of its own.

**Action.** A number a from -1 to 1. The window is multiplied by 2^a within the limits 1 and
`most_packets`: -1 halves it, 0 keeps it, 1 doubles it. The first window is `initial_packets`.

**Time.** A step lasts `interval` simulated seconds (0.1 by default). An episode lasts as long as the
scenario and is then truncated; it never terminates. Each has a seed of its own, drawn from the
environment's.

**Observation.** Seven numbers, as float32, about the last step:

===  ==================================================================================  ===========
0    the window, log2 of packets, over log2 of `most_packets`                            0 to 1
1    payload delivered, over `rate` (1 is a full link)                                   0 to 2
2    share of lost packets among those delivered or lost                                 0 to 1
3    the smoothed RTT over the minimum so far, minus 1; 0 before the first measurement   0 to 10
4    the step's mean RTT over the minimum so far, minus 1; without one the last step's   0 to 10
5    packets in flight over the window                                                   0 to 2
6    1 if the retransmission timer expired                                               0 or 1
===  ==================================================================================  ===========

**Reward.** Per step: `delivered - delay * queueing - loss * lost`, with numbers 1, 4 and 2 of the
observation and the weights `delay` (0.1 by default) and `loss` (0 by default). With both weights at 0
an episode's mean reward is the goodput as a share of `rate`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from atl._atl import Steering
from atl._request import ScenarioLike
from atl.errors import UsageError
from atl.simulation import Simulation

__all__ = ["PathEnv", "satellite"]

Observation = NDArray[np.float32]

LOW = np.zeros(7, dtype=np.float32)
HIGH = np.array([1, 2, 1, 10, 10, 2, 1], dtype=np.float32)


def satellite(rate: str = "10Mb/s", delay: str = "30ms", loss: str = "2%", duration: str = "20s") -> dict[str, Any]:
    """A path on which Reno does badly: losses on the link without congestion, and a deep queue."""
    link = {"name": "down", "from": "server", "to": "phone", "rate": rate, "delay": delay, "queue": 100, "loss": loss}
    flow = {"name": "download", "from": "server", "to": "phone", "protocol": {"name": "reno", "recovery": "rack"}}
    return {"title": "A link that loses packets", "duration": duration, "link": [link], "flow": [flow]}


class PathEnv(gymnasium.Env[Observation, NDArray[np.float32]]):
    """An agent sets a TCP sender's window. The module's documentation defines action, observation and
    reward.

    `scenario` is a file, a name or a mapping; `flow` is the name of the steered flow (by default the
    first); `rate` is the payload in bits per second that counts as 1. `point` is the index of the
    sweep's point; `set` changes values as for `atl.run`.
    """

    metadata = {"render_modes": []}

    def __init__(
        self,
        scenario: ScenarioLike | None = None,
        *,
        flow: str | None = None,
        rate: float = 10e6,
        interval: float = 0.1,
        most_packets: float = 1024.0,
        initial_packets: float = 10.0,
        delay: float = 0.1,
        loss: float = 0.0,
        point: int = 0,
        set: Mapping[str, Any] | None = None,
        duration: str | float | None = None,
    ) -> None:
        if not (rate > 0 and interval > 0 and delay >= 0 and loss >= 0):
            raise UsageError("PathEnv: rate and interval must be greater than 0, delay and loss not negative")
        if not 1 <= initial_packets <= most_packets or most_packets < 2:
            raise UsageError("PathEnv: expected 1 <= initial_packets <= most_packets, and most_packets of at least 2")
        self._scenario = satellite() if scenario is None else scenario
        self._options: dict[str, Any] = {"point": point, "set": set, "duration": duration}
        self._rate, self._interval = rate, interval
        self._most, self._initial = float(most_packets), float(initial_packets)
        self._delay, self._loss = delay, loss
        if flow is None:
            flow = Simulation(self._scenario, **self._options).flows[0]
        self._flow = flow
        self.action_space = spaces.Box(-1.0, 1.0, shape=(1,), dtype=np.float32)
        self.observation_space = spaces.Box(LOW, HIGH, dtype=np.float32)
        self._begin(1)

    def _begin(self, seed: int) -> None:
        self._wheel = Steering(self._initial)
        self._run = Simulation(self._scenario, seed=seed, steering={self._flow: self._wheel}, **self._options)
        self._delivered = 0
        self._queueing = 0.0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins an episode. `options={"run_seed": n}` makes it the scenario's run with seed n."""
        super().reset(seed=seed)
        drawn = int(self.np_random.integers(1, 2**31))
        self._begin(int((options or {}).get("run_seed", drawn)))
        return self._observe()[0], {"now_s": 0.0}

    def step(self, action: NDArray[np.float32]) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Sets the window and advances the simulation by an interval."""
        factor = 2.0 ** float(np.clip(np.asarray(action, dtype=np.float64).reshape(-1)[0], -1.0, 1.0))
        self._wheel.window = min(max(self._wheel.window * factor, 1.0), self._most)
        more = self._run.advance(self._interval)
        observation, info = self._observe()
        reward = float(observation[1] - self._delay * observation[4] - self._loss * observation[2])
        return observation, reward, False, not more, info

    def _observe(self) -> tuple[Observation, dict[str, Any]]:
        delivered, lost, timeouts, rtt, srtt, least, in_flight = self._wheel.take()
        total = self._run.delivered(self._flow)
        goodput = (total - self._delivered) * 8 / self._interval
        self._delivered = total
        if least:
            self._queueing = self._queueing if rtt is None else rtt / least - 1.0
        smoothed = srtt / least - 1.0 if srtt and least else 0.0
        window = self._wheel.window
        seen = [
            math.log2(window) / math.log2(self._most),
            goodput / self._rate,
            lost / max(lost + delivered, 1),
            smoothed,
            self._queueing,
            in_flight / window,
            float(timeouts > 0),
        ]
        info = {"now_s": self._run.now, "goodput_bps": goodput, "delivered_bytes": total, "window": window}
        return np.clip(np.array(seen, dtype=np.float32), LOW, HIGH), info
