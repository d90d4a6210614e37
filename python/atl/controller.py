"""Controllers written in Python.

A controller decides how many packets may be in flight. It is slow, since every event takes the
interpreter's lock; docs/python.md has measurements.
"""

from __future__ import annotations

from typing import Protocol

from atl._atl import Ack, Loss, Marked, Sent, Start, Timeout

__all__ = ["Ack", "Loss", "Marked", "Reno", "Sent", "Start", "Timeout", "WindowController"]


class WindowController(Protocol):
    """The interface of a controller: a constructor that takes a `Start`, three methods, and `window`.

    Optional are `ssthresh` (packets; only recorded), `on_sent(sent)`, `on_marked(marked)` and
    `on_recovered(now)`; without `on_marked`, ECN marks are told to `on_loss`. Seed random numbers
    only with `start.seed`, so that the same seed gives the same run. A sender that copies a
    controller (a mobile with several paths) uses `copy.deepcopy`.
    """

    window: float
    """Limit on the packets in flight, from 1 to 1e9; read after each event."""

    def on_ack(self, ack: Ack) -> None:
        """Called when an ACK arrives."""

    def on_loss(self, loss: Loss) -> None:
        """Called when packets are found lost. The sender repairs the loss; reduce the window here."""

    def on_timeout(self, timeout: Timeout) -> None:
        """Called when the retransmission timer expires."""


class Reno:
    """TCP's window (RFC 5681), packet for packet that of the built-in `reno`. A template to copy."""

    def __init__(self, start: Start) -> None:
        self.window = max(1.0, start.initial_window)
        self.ssthresh = max(2.0, start.ssthresh)

    def on_ack(self, ack: Ack) -> None:
        if not ack.window_limited or ack.in_recovery:
            return
        # Slow start below ssthresh, one packet per RTT above it (RFC 3465: packets are counted, not ACKs).
        step = 1.0 if self.window < self.ssthresh else min(1.0 / self.window, 1.0)
        self.window += min(ack.delivered, ack.cumulative, 2) * step

    def on_loss(self, loss: Loss) -> None:
        if loss.new_episode and not loss.by_timeout:
            self.ssthresh = max(0.5 * self.window, 2.0)
            self.window = max(1.0, min(self.ssthresh, self.window))

    def on_timeout(self, timeout: Timeout) -> None:
        # Not again for further timeouts in a row, when the same segment is lost repeatedly.
        if timeout.consecutive <= 1:
            self.ssthresh = max(0.5 * self.window, 2.0)
        self.window = 1.0
