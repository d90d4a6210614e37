"""The fixture `atl_link` of pytest: `atl.link` without a block of its own.

Links end with the test, the last one first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from ._link import Link, link


@pytest.fixture
def atl_link() -> Iterator[Callable[..., Link]]:
    """Starts a link as `atl.link` does, for the time of the test."""
    with ExitStack() as stack:

        def start(*words: Any, **options: Any) -> Link:
            return stack.enter_context(link(*words, **options))

        yield start
