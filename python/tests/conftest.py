"""Fixtures shared by the tests."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture
def phone() -> dict[str, Any]:
    """A TCP over a link that loses 1 %, in a few hundred milliseconds of real time."""
    return {
        "title": "A phone",
        "duration": "20s",
        "seeds": 2,
        "link": [
            {"name": "up", "from": "phone", "to": "server", "rate": "4Mb/s", "delay": "20ms", "queue": 60, "loss": "1%"},
        ],
        "flow": [{"name": "upload", "from": "phone", "to": "server", "protocol": {"name": "reno", "recovery": "sack"}}],
        "record": {"every": "100ms"},
    }
