"""Emulated links for tests: any UDP program behind the link that a line of words describes.

    with atl.link("wifi --loss 1%", to=("127.0.0.1", 6000)) as link:
        client = connect(link.address)

The links are those of `atl link` (docs/real-links.md), run as a process of its own that ends with
the block. As a fixture of pytest, where `atl` is installed:

    def test_a_call_survives_wifi(atl_link):
        link = atl_link("wifi --loss 1%", to=server.address)
"""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from .errors import AtlError

__all__ = ["Link", "link"]

Address = tuple[str, int]


@dataclass
class Link:
    """A link while it runs, and what passed it once it has ended."""

    #: Host and port that clients send to.
    address: Address
    #: Host and port of the server behind the link.
    to: Address
    #: The last line of `atl link --json`, once the block has ended: counts of each link, lateness,
    #: and `trust`. Empty before.
    summary: dict[str, Any] = field(default_factory=dict)


@contextmanager
def link(
    words: str | Sequence[str],
    *,
    to: Address,
    listen: Address = ("127.0.0.1", 0),
    command: Sequence[str] | None = None,
) -> Iterator[Link]:
    """Puts a UDP server behind a link for the time of a block.

    `words` are the arguments of `atl link`: a named network, a scenario or a file, and options, as
    in `"wifi --loss 1%"` or `"--rate 2Mb/s --delay 50ms --seed 7"`. Datagrams to `address` of the
    result reach the server at `to` over the link, and its answers come back over it. Port 0 of
    `listen` is any free one. `command` starts the program `atl`; this package has it.

    Raises `AtlError` if the words make no sense, or an address cannot be used.
    """
    start = list(command) if command is not None else [sys.executable, "-m", "atl"]
    given = shlex.split(words) if isinstance(words, str) else list(words)
    addresses = ["--listen", _text(listen), "--to", _text(to)]
    # Its own lines go to a pipe that is read at the end: they are few, a state every minute.
    process = subprocess.Popen(
        [*start, "link", *given, *addresses, "--json", "--every", "1min"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    running = None
    try:
        first = process.stdout.readline()
        # A mistake in the words is told in JSON, over several lines.
        if '"type":"start"' not in first:
            told = process.stderr.read()
            raise AtlError(told.removeprefix("error: ").strip() or "atl link has ended")
        ports = json.loads(first)["ports"]
        running = Link(_address(ports["listen"]), _address(ports["to"]))
        yield running
    finally:
        if process.poll() is None:
            process.terminate()
        try:
            rest, _ = process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            rest, _ = process.communicate()
    if running is not None:
        for said in map(json.loads, rest.splitlines()):
            if said["type"] == "summary":
                running.summary = said


def _text(address: Address) -> str:
    host, port = address
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _address(text: str) -> Address:
    host, _, port = text.rpartition(":")
    return host.strip("[]"), int(port)
