"""Controllers written in Python, and runs step by step."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

import atl

SHAPED = ["time_s", "cwnd", "ssthresh", "in_flight", "srtt_s", "delivered_bytes", "losses"]


def trajectory(result: atl.Result) -> list[dict[str, Any]]:
    samples = pa.table(result.samples)
    return samples.select([name for name in SHAPED if name in samples.column_names]).to_pylist()


@pytest.mark.parametrize("recovery", ["sack", "newreno", "rack"])
def test_reno_in_python_takes_the_path_of_reno(phone: dict[str, Any], recovery: str) -> None:
    phone["flow"][0]["protocol"]["recovery"] = recovery
    own, copied = atl.run(phone), atl.run(phone, controllers={"upload": atl.Reno})
    assert trajectory(own) == trajectory(copied)
    assert max(row["cwnd"] for row in trajectory(own)) > 20
    assert pa.table(copied.flows)["protocol"].to_pylist() == ["python:Reno"] * 2
    assert own.hash != copied.hash and "controllers in Python: upload=Reno" in copied.command


def test_a_changed_reno_takes_another_path(phone: dict[str, Any]) -> None:
    class Timid(atl.Reno):
        def on_loss(self, loss: atl.Loss) -> None:
            self.window = 1.0

    assert trajectory(atl.run(phone)) != trajectory(atl.run(phone, controllers=Timid))


def test_what_a_controller_raises_ends_the_run(phone: dict[str, Any]) -> None:
    class Broken(atl.Reno):
        def on_ack(self, ack: atl.Ack) -> None:
            super().on_ack(ack)
            if ack.now > 1.0:
                raise ArithmeticError("lost my way")

    with pytest.raises(ArithmeticError, match="lost my way"):
        atl.run(phone, controllers=Broken)
    with pytest.raises(ArithmeticError, match="lost my way"):
        atl.Simulation(phone, controllers=Broken).advance(20)


@pytest.mark.parametrize("window", [0.0, float("nan"), float("inf"), -3.0])
def test_a_window_must_make_sense(phone: dict[str, Any], window: float) -> None:
    class Odd(atl.Reno):
        def on_ack(self, ack: atl.Ack) -> None:
            self.window = window

    with pytest.raises(ValueError, match="expected 1 to 1e9 packets"):
        atl.run(phone, controllers=Odd)


def test_what_is_no_controller_is_refused(phone: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match="expected a class"):
        atl.run(phone, controllers={"upload": 5})  # type: ignore[dict-item]
    with pytest.raises(TypeError, match="no method on_ack"):
        atl.run(phone, controllers=lambda start: object())  # type: ignore[arg-type,return-value]
    with pytest.raises(atl.UsageError, match="no TCP flow `download`"):
        atl.run(phone, controllers={"download": atl.Reno})


def test_optional_methods_are_called_if_they_are_there(phone: dict[str, Any]) -> None:
    sent: list[int] = []
    ends: list[float] = []

    class Noted(atl.Reno):
        def on_sent(self, packet: atl.Sent) -> None:
            sent.append(packet.tx)

        def on_recovered(self, now: float) -> None:
            ends.append(now)

    atl.run(phone, seeds=1, controllers=Noted)
    assert sent == list(range(len(sent))) and len(sent) > 1000
    assert ends and ends == sorted(ends)


def test_steps_lead_to_the_end_of_the_same_run(phone: dict[str, Any]) -> None:
    whole = pa.table(atl.run(phone, seeds=[2]).samples).to_pylist()[-1]
    run = atl.Simulation(phone, seed=2)
    before, steps = run.now, 0
    while run.now < 1.0:
        assert run.step() and run.now >= before
        before, steps = run.now, steps + 1
    assert run.events == steps > 100
    assert run.advance(5.0) and run.now == pytest.approx(6.0, abs=0.1)
    assert not run.advance(1000.0) and run.now == run.duration == 20.0
    assert run.state("upload")["cwnd"] == pytest.approx(whole["cwnd"], rel=0.2)
    assert run.flows == ["upload"] and run.links == ["up", "up.back"]
    assert 0 <= run.waiting("up") <= 60
    with pytest.raises(IndexError, match="there are 1"):
        run.delivered(3)


def test_a_steered_flow_keeps_its_window(phone: dict[str, Any]) -> None:
    wheel = atl.Steering(4)
    run = atl.Simulation(phone, set={"link.up.loss": 0}, steering={"upload": wheel})
    run.advance(2.0)
    delivered, lost, timeouts, rtt, srtt, least, in_flight = wheel.take()
    assert (lost, timeouts) == (0, 0) and delivered > 100 and in_flight <= 4
    assert rtt is not None and srtt is not None and least is not None and least <= rtt
    wheel.window = 20
    run.advance(2.0)
    assert wheel.take()[0] > 1.5 * delivered
    with pytest.raises(ValueError, match="expected 1 to 1e9"):
        wheel.window = 0.5
