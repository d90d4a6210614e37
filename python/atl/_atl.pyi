"""The compiled module."""

from collections.abc import Callable
from typing import Any, final

from atl._request import Packed, Request

__version__: str

@final
class Start:
    """State of a connection at the start."""

    initial_window: float
    """Initial window in packets."""
    ssthresh: float
    """Slow-start threshold in packets; infinite unless the path was probed beforehand."""
    rtt: float | None
    """Round-trip time in seconds, if measured beforehand."""
    packet_bytes: int
    """Bytes of a full data packet on the wire, headers included."""
    access_rate_bps: float | None
    """Rate of the sender's access link in bits per second, if the sender knows it."""
    receive_window: int
    """The receiver's window in packets."""
    seed: int
    """Seed for random draws: the same seed must give the same draws."""

@final
class Sent:
    """A data packet left the sender."""

    now: float
    """Time of sending, in seconds."""
    tx: int
    """Number of this transmission, from 0 without gaps; a retransmission has a number of its own."""
    bytes: int
    """Bytes on the wire, headers included."""
    in_flight: int
    """Packets in flight, this one included."""
    retransmission: bool
    """True if the data was sent before."""
    app_limited: bool
    """True if the application has no more data to send."""

@final
class Ack:
    """An acknowledgment arrived."""

    now: float
    """Time of arrival, in seconds."""
    delivered: int
    """Number of packets newly reported as arrived, cumulatively or selectively."""
    cumulative: int
    """Packets by which the cumulative ACK point moved."""
    duplicate: bool
    """True for a duplicate ACK (RFC 5681, sec. 2)."""
    newest: int | None
    """Number of the newest transmission reported as arrived."""
    newest_sent: float | None
    """Time at which that was sent, in seconds."""
    rtt: float | None
    """Measured round-trip time in seconds; `None` if the transmission is ambiguous."""
    srtt: float | None
    """Smoothed RTT including this measurement (RFC 6298), in seconds; `None` before the first one."""
    rtt_min: float | None
    """Minimum RTT of the connection so far, in seconds; `None` before the first measurement."""
    in_flight: int
    """Packets in flight after the ACK."""
    in_recovery: bool
    """True while the sender repairs losses, during which the window must not grow by AIMD."""
    window_limited: bool
    """True if the window, not the application, limited the sender since the previous ACK."""

@final
class Loss:
    """Packets were found lost."""

    now: float
    """When, in seconds."""
    packets: int
    """Number of packets lost."""
    link_failures: int
    """Number of those that the sender's own wireless link reported as failed."""
    tx: int
    """Transmission number of the newest lost packet."""
    new_episode: bool
    """True for the first loss of an episode; a window shrinks once per episode."""
    by_timeout: bool
    """True if the retransmission timer detected the loss; `on_timeout` follows."""
    in_flight: int
    """Packets in flight before the detection."""

@final
class Marked:
    """Routers marked packets as having met congestion (ECN)."""

    now: float
    """When that became known, in seconds."""
    packets: int
    """How many, as far as the host knows."""
    tx: int
    """The newest transmission that is known to have arrived."""
    new_episode: bool
    """It is the first sign of congestion in a round trip."""
    in_flight: int
    """Packets in flight."""

@final
class Timeout:
    """The retransmission timer expired."""

    now: float
    """When, in seconds."""
    in_flight: int
    """Packets in flight before the expiry."""
    consecutive: int
    """Number of successive timeouts, including this one."""

@final
class Steering:
    """Handle of a steered flow: set `window`, advance the simulation, then `take` the events in between."""

    def __init__(self, window: float = 10.0) -> None: ...
    window: float
    """Window of the flow in packets, from 1 to 1e9."""
    def take(self) -> tuple[int, int, int, float | None, float | None, float | None, int]:
        """Events since the last call.

        Packets delivered, packets lost, timeouts, mean RTT in seconds, SRTT, minimum RTT since the start, packets in flight
        at the last event. RTTs are `None` without a measurement.
        """

@final
class Table:
    """A table of results, read without a copy through the Arrow PyCapsule interface."""

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
    @property
    def metadata(self) -> list[tuple[str, str]]:
        """Metadata as in its Parquet file."""
    def __len__(self) -> int: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

class Result:
    name: str
    title: str
    hash: str
    command: str
    text: str
    warnings: str
    folder: str
    table_names: list[str]
    def table(self, name: str) -> Table | None: ...
    def page(self) -> str: ...
    def summaries(self) -> list[str]: ...
    def save(self, folder: str, csv: bool, overwrite: bool) -> list[str]: ...

class Sweep:
    name: str
    hash: str
    runs: int
    seconds: float
    packed: Packed
    def __init__(self, request: Request, on: list[str]) -> None: ...
    @staticmethod
    def unpack(request: Request, on: list[str], packed: Packed) -> Sweep: ...
    def runs_of(self, number: int, of: int) -> int: ...
    def run_part(
        self,
        number: int,
        of: int,
        folder: str,
        jobs: int | None = None,
        report: Callable[[float, float, int, int], None] | None = None,
    ) -> str: ...
    def unfit(self, number: int, of: int, file: str) -> str | None: ...
    def merge(self, files: list[str]) -> Result: ...

class Simulation:
    def __init__(
        self,
        request: Request,
        point: int,
        seed: int,
        controllers: list[tuple[str, Any]],
        steering: list[tuple[str, Steering]],
    ) -> None: ...
    def step(self) -> bool: ...
    def advance(self, seconds: float) -> bool: ...
    now: float
    duration: float
    events: int
    flows: list[str]
    links: list[str]
    def delivered(self, flow: int) -> int: ...
    def waiting(self, link: int) -> int: ...
    def state(self, flow: int) -> dict[str, float | None]: ...

def run(request: Request, running: dict[str, Any], controllers: list[tuple[str, Any]]) -> Result: ...
def merge(named: list[str], other_builds: bool = False) -> Result: ...
def path(words: list[str], running: dict[str, Any]) -> tuple[Result, str, str]: ...
def validate(request: Request) -> tuple[str, int, str]: ...
def builtin() -> list[tuple[str, str]]: ...
def engines() -> list[tuple[str, str]]: ...
def schema() -> str: ...
def command(words: list[str], itself: list[str]) -> int: ...
def text_of(spec: str) -> str: ...
