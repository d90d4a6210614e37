"""Links for tests: `atl.link`, and the fixture of pytest."""

import os
import socket
import time

import atl
import pytest
from atl import Link

COMMAND = [os.environ["ATL"]] if "ATL" in os.environ else None


@pytest.fixture
def server():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
        udp.bind(("127.0.0.1", 0))
        udp.settimeout(10)
        yield udp


def ask(server: socket.socket, link: Link) -> float:
    """The round trip over a link, in seconds."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
        client.settimeout(10)
        began = time.monotonic()
        client.sendto(b"question", link.address)
        question, from_ = server.recvfrom(100)
        server.sendto(b"answer", from_)
        answer = client.recv(100)
        assert (question, answer) == (b"question", b"answer")
        return time.monotonic() - began


def test_a_server_is_behind_the_link_for_a_block(server):
    words = "--rate 8Mb/s --delay 30ms --back-delay 20ms"
    with atl.link(words, to=server.getsockname(), command=COMMAND) as link:
        assert 0.05 <= ask(server, link) < 1.0
        assert link.summary == {}
    up, down = link.summary["links"]
    assert (up["delivered"], down["delivered"]) == (1, 1)
    assert link.summary["trust"]["level"] in ("fine", "note", "distrust")


def test_words_name_a_network_and_change_it(server):
    words = ["wifi", "--loss", "0", "--delay", "40ms"]
    with atl.link(words, to=server.getsockname(), command=COMMAND) as link:
        assert ask(server, link) >= 0.07


def test_words_without_sense_are_an_error(server):
    with pytest.raises(atl.AtlError, match="no-such-network"):
        with atl.link("no-such-network", to=server.getsockname(), command=COMMAND):
            pass


def test_an_error_in_the_block_ends_the_link(server):
    with pytest.raises(ZeroDivisionError):
        with atl.link("--rate 1Mb/s", to=server.getsockname(), command=COMMAND) as link:
            1 / 0
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as again:
        again.bind(link.address)


def test_the_fixture_is_a_link_for_the_test(atl_link, server):
    link = atl_link("--delay 25ms", to=server.getsockname(), command=COMMAND)
    assert ask(server, link) >= 0.05
