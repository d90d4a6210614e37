"""A single run, advanced step by step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atl import _atl
from atl._request import ScenarioLike, Seeds, request
from atl._run import Factory, factories

__all__ = ["Simulation"]


class Simulation:
    """One run of a scenario in the simulator, which pauses between calls.

    `point` is the index of the sweep's point, from 0. `controllers` is as for `run`. `steering` gives
    flows a window set from outside: `{"up": atl.Steering()}`. Otherwise the run equals that of `run`
    with the same point and seed.
    """

    def __init__(
        self,
        scenario: ScenarioLike,
        *,
        point: int = 0,
        seed: int = 1,
        set: Mapping[str, Any] | None = None,
        duration: str | float | None = None,
        quick: bool = False,
        controllers: Factory | Mapping[str, Factory] | None = None,
        steering: Mapping[str, _atl.Steering] | None = None,
    ) -> None:
        asked = request(scenario, set, None, duration, quick)
        wheels = list((steering or {}).items())
        self._run = _atl.Simulation(asked, point, seed, factories(controllers), wheels)

    def step(self) -> bool:
        """Handles the next event; false at the end of the run."""
        return self._run.step()

    def advance(self, seconds: float) -> bool:
        """Advances by this many simulated seconds, or to the end of the run; false at the end."""
        return self._run.advance(seconds)

    @property
    def now(self) -> float:
        """Simulated seconds since the run began."""
        return self._run.now

    @property
    def duration(self) -> float:
        """Duration of the run in simulated seconds."""
        return self._run.duration

    @property
    def events(self) -> int:
        """Number of events handled so far."""
        return self._run.events

    @property
    def flows(self) -> list[str]:
        """Names of the flows, by index."""
        return self._run.flows

    @property
    def links(self) -> list[str]:
        """Names of the links, by index."""
        return self._run.links

    def _flow(self, flow: int | str) -> int:
        return self.flows.index(flow) if isinstance(flow, str) else flow

    def delivered(self, flow: int | str = 0) -> int:
        """Payload bytes that a flow has delivered in order so far."""
        return self._run.delivered(self._flow(flow))

    def waiting(self, link: int | str = 0) -> int:
        """Packets queued at a link."""
        return self._run.waiting(self.links.index(link) if isinstance(link, str) else link)

    def state(self, flow: int | str = 0) -> dict[str, float | None]:
        """State of a flow: `cwnd`, `cwnd_beside` and `ssthresh` in packets, `rate_bps`, `in_flight` in
        packets, `srtt_s`.

        `cwnd` is that of the current path, `cwnd_beside` that of a second path of a mobile's flow.
        Values are `None` if the flow does not have them, or not yet.
        """
        return self._run.state(self._flow(flow))
