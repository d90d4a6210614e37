"""Types of scenarios, for completion and type checkers.

Generated from the JSON Schema by `make generate`: do not edit. Ranges and rules between keys are
checked when a scenario is read. Any value may be a variable, a text such as `"$queue"`.
"""

from __future__ import annotations

from typing import Any, Literal, TypedDict, Union

Adaptation = TypedDict(
    "Adaptation",
    {
        # Faults that are forced upon PDUs.
        "faults": "Union[AdaptationFaults, Literal[False], str]",
        # Cells of the longest PDU.
        "longest": "Union[int, str]",
        # `"aal5"` loses a packet of which a cell is wrong or missing; `"aal-t"` retransmits until everything has arrived, once and in order.
        "name": "Union[Literal['aal5', 'aal-t'], str]",
        # Rule for the payload of a PDU, or a fixed number of cells.
        "payload": "Union[Literal['eq2', 'table1'], int, str]",
        # Reaction of the receiving host to cells that met congestion (`mark` of a queue), for a layer of the flow's own.
        "quench": "Union[AdaptationQuench, Literal[False], str]",
        # IP packets that may wait at either end for the layer; further ones are dropped.
        "queue": "Union[int, str]",
        # m: the control packets of a round trip, after which a missing PDU is retransmitted.
        "round-trip": "Union[Literal['measured'], int, str]",
        # alpha of the AAL-T paper's eq. 1.
        "smoothing": "Union[float, str]",
        # Transmissions over which the bit error ratio is estimated.
        "statistics": "Union[int, str]",
        # Time between control packets while PDUs have one cell. It grows with their cells, up to 50 ms or to the second of two times: `["1ms", "5ms"]`.
        "status-interval": "Union[str, list[str]]",
        # AAL-T's window in PDUs.
        "window": "Union[int, str]",
    },
    total=False,
)
"""An ATM adaptation layer with parameters, the same in both directions."""

AdaptationFaults = TypedDict(
    "AdaptationFaults",
    {
        # Which of the seven scenarios of section 3.4 of the AAL-T paper; `"any"` draws one at random.
        "scenario": "Union[int, Literal['any'], str]",
        # Share of the PDUs that it happens to.
        "share": "Union[float, str]",
    },
    total=False,
)
"""Faults that are forced upon PDUs."""

AdaptationQuench = TypedDict(
    "AdaptationQuench",
    {
        # Minimum time between two quenches to one flow.
        "every": "str",
        # Each is delayed at random, by up to this time (window scattering).
        "scatter": "str",
    },
    total=False,
)
"""Source quenches to the source of the data (AAL-T paper, section 3)."""

Blockage = TypedDict(
    "Blockage",
    {
        # Mean time of a blockage, exponentially distributed.
        "blocked-for": "str",
        # Mean time without a blockage, exponentially distributed.
        "clear-for": "str",
        # Rate while it is blocked; not above that of the link.
        "rate": "str",
    },
    total=False,
)
"""A line of sight that is blocked at times."""

Cell = TypedDict(
    "Cell",
    {
        # Where its access point is: to the east and to the north, in metres.
        "at": "Union[list[Union[float, str]], str]",
        # Node of the fixed network that the access point is attached to.
        "behind": "str",
        # Times at which the line of sight is blocked, with another rate; `rate` is that of a clear one.
        "blockage": "Union[Blockage, str]",
        # One-way delay after transmission.
        "delay": "str",
        # Recorded delays instead of a `delay`: a file with a delay in ms on each line, one for each 10 ms.
        "delay-trace": "str",
        # Share of the packets that arrive which arrive twice, each by itself.
        "duplicate": "Union[float, str]",
        # A scheduler that lets packets leave at fixed intervals only: the time from one grant to the next.
        "grants": "str",
        # Loss ahead of the queue, as a probability or in bursts: what is lost takes no room and no time at the transmitter. It counts as dropped.
        "ingress-loss": "Union[float, str, Loss]",
        # Random part of the delay, drawn for each packet: as much below the delay as above it, in order; or a table.
        "jitter": "Union[str, Jitter]",
        # Probability that a packet is lost after transmission, or a loss process.
        "loss": "Union[float, str, Loss]",
        # Name of the cell, of its node, and of its downlink; the uplink of `wlan` is called `wlan.back`. A flow to or from this node is that of a user who stays in the cell.
        "name": "str",
        # Network whose conditions the cell has: a table of the file, or a named one, such as `"starlink"`.
        "network": "str",
        # Queue of the access point, as in a link; shared by everyone in the cell.
        "queue": "Union[int, str, Literal['drop-tail', 'priority', 'red', 'wred', 'codel', 'fq-codel', 'cake', 'pie', 'dualpi2', 'policer', 'ack-filter'], LinkQueue]",
        # Distance from its middle at which it still reaches.
        "radius": "Union[float, str]",
        # Rate at which packets are transmitted, or a table with one that rises or falls. At `"unlimited"` nothing ever queues.
        "rate": "Union[str, Rate, Literal['unlimited']]",
        # Times at which the network assigns paths anew: the delay steps, and packets are lost for a moment.
        "reconfiguration": "Union[Reconfiguration, str]",
        # Packets that come late, so that others overtake them.
        "reorder": "Union[Reorder, str]",
        # Errors of what a wireless link reports, in both directions.
        "report-error": "Union[LinkReportError, str]",
        # Time over which a wireless link measures the loss that it reports.
        "report-window": "str",
        # Conditions that differ in the uplink.
        "reverse": "Union[LinkReverse, str]",
        # Recorded link instead of a `rate`: a file in mahimahi's format, with a line for each opportunity to send 1500 bytes, in ms; it repeats. The path is relative to the scenario file; on the command line, to the working directory.
        "trace": "str",
        # Place in its traces at which the link begins a run, the same in both directions. `"random"`: another for each seed, drawn evenly from the longest; data files have it as `trace_offset_s`.
        "trace-offset": "Union[str, Literal['random']]",
        # A station of Wi-Fi instead of a `rate`: it contends for its channel, and sends aggregates.
        "wifi": "Union[Wifi, str]",
    },
    total=False,
)
"""A radio cell: a node, and the wireless link between it and the node that it is behind."""

Figure = TypedDict(
    "Figure",
    {
        # Values at which swept variables are pinned.
        "at": "dict[str, Union[str, float, bool, dict[str, Any]]]",
        # A sentence below it.
        "caption": "str",
        # Part of the run over which the metric is taken: `["301s", "311s"]`.
        "during": "list[str]",
        # A metric against a variable (`"sweep"`), something over time, a metric against another (`"scatter"`), the mean in each network of a roaming flow (`"networks"`), or the share of the flows below each value of a metric (`"distribution"`).
        "kind": "Literal['sweep', 'time', 'scatter', 'networks', 'distribution']",
        # Over time, or in a sweep of one metric: only these flows. With `y = "ratio"`: the flows whose delivered bytes are compared.
        "of": "Union[str, list[str]]",
        # With `y = "ratio"`: the flows that they are compared with.
        "over": "Union[str, list[str]]",
        # The variable whose values are the curves, or `"flow"`.
        "series": "str",
        # Title.
        "title": "str",
        # The variable of a sweep, or the metric of a scatter or a distribution.
        "x": "str",
        # Logarithmic x axis of a sweep or a distribution.
        "x-log": "bool",
        # The metric, or what is drawn over time or in each network. In a sweep also a list of metrics of one unit, each a curve.
        "y": "Union[Literal['throughput', 'goodput', 'current-cell-goodput', 'loss', 'retransmissions', 'rtt-median', 'rtt-p95', 'queueing-p95', 'jain', 'timeouts', 'completion', 'cwnd', 'cwnd-beside', 'recovery', 'jitter', 'gap-jitter', 'late-frames', 'incomplete-frames', 'stalled', 'video-rate', 'switches', 'start-up', 'encoder-rate', 'rate-changes', 'offered', 'normalized-throughput', 'delay', 'exchanges', 'exchange-time', 'exchange-p95', 'losses', 'false-retransmissions', 'reordering', 'marked-share', 'probe-share', 'amplification', 'probe-charge', 'eq10-published', 'eq10-last-round', 'eq10-mended', 'eq10-half-round', 'cell-errors', 'cell-efficiency', 'cell-efficiency-model', 'arq-retransmissions', 'arq-payload', 'bit-errors', 'aal-delivered', 'undetected', 'quenches', 'srtt', 'alpha', 'delivered', 'rate', 'encoder', 'ratio'], list[Literal['throughput', 'goodput', 'current-cell-goodput', 'loss', 'retransmissions', 'rtt-median', 'rtt-p95', 'queueing-p95', 'jain', 'timeouts', 'completion', 'cwnd', 'cwnd-beside', 'recovery', 'jitter', 'gap-jitter', 'late-frames', 'incomplete-frames', 'stalled', 'video-rate', 'switches', 'start-up', 'encoder-rate', 'rate-changes', 'offered', 'normalized-throughput', 'delay', 'exchanges', 'exchange-time', 'exchange-p95', 'losses', 'false-retransmissions', 'reordering', 'marked-share', 'probe-share', 'amplification', 'probe-charge', 'eq10-published', 'eq10-last-round', 'eq10-mended', 'eq10-half-round', 'cell-errors', 'cell-efficiency', 'cell-efficiency-model', 'arq-retransmissions', 'arq-payload', 'bit-errors', 'aal-delivered', 'undetected', 'quenches']]]",
    },
    total=False,
)
"""A figure of the report."""

Flow = TypedDict(
    "Flow",
    {
        # Packets of this flow travel in cells from end to end, with an adaptation layer at both hosts.
        "adaptation": "Union[Literal['aal5', 'aal-t'], Adaptation, Literal[False], str]",
        # The copies do not start together but one after the other, at random (a Poisson process), with this mean time between two. The times are the same for all seeds.
        "arrivals": "str",
        # Number of copies, called `name-1`, `name-2`, ...; figures and quotes see them as the one flow `name`. With 0 it is left out.
        "count": "Union[int, str]",
        # File of flows instead of `count` and `source`: a line such as `1.25,40000` for each, with its start in seconds after `start` and its size in bytes. The path is relative to the scenario file; on the command line, to the working directory.
        "flows": "str",
        # Node that sends.
        "from": "str",
        # Flows of one group are one flow in figures and quotes, under this name.
        "group": "str",
        # Name of the flow in figures and quotes.
        "name": "str",
        # Notices by which a receiving mobile tells the sender of its paths, and an attacker's forgeries.
        "notices": "Union[FlowNotices, str]",
        # Random delay up to this before each packet leaves the sender, in order; breaks up phase effects. `"auto"`: the time of one packet on the slowest link of the path (on a trace, at its mean rate). Flows whose round trips differ by a fraction of that may need several times as much: half a millisecond can favour one of four SACK flows at a DropTail queue by a factor of 3.
        "overhead": "Union[str, Literal['auto']]",
        # Parameters of a paced flow.
        "pacing": "Union[FlowPacing, str]",
        # A performance-enhancing proxy on the way, which splits the connection.
        "pep": "Union[FlowPep, Literal[False], str]",
        # Protocol, or a table with its options.
        "protocol": "Union[Literal['tcp-atl', 'tcp-atl-robust', 'residual', 'reno', 'newreno', 'sack', 'westwood', 'westwood-nr', 'tahoe', 'fixed-window', 'vegas', 'peach', 'peach-plus', 'wtcp', 'freeze-tcp', 'cubic', 'bbr3', 'prague', 'dctcp', 'noq-cubic', 'noq-bbr3', 'noq-newreno', 'aimd-rate', 'lda-plus', 'rcp-atl', 'nada', 'tfrc', 'rap', 'rcs', 'rcs-robust', 'arc'], FlowProtocol, str]",
        # Reports of the receiver to a sender that listens: p_w, d_w and handoffs of its own wireless link (`"aware"`), nothing (`"unaware"`), or fixed claims (a table).
        "receiver": "Union[Literal['aware', 'unaware'], FlowReceiver, str]",
        # Data of the application: `"greedy"` always has data to send.
        "source": "Union[Literal['greedy'], FlowSource, str]",
        # When it starts; before the run ends.
        "start": "str",
        # The start is delayed at random, by up to this time.
        "start-jitter": "str",
        # Time from which on its application writes nothing, after the start. What it has written before is still delivered, and the flow's own time then ends.
        "stop": "str",
        # TCP parameters. A paced flow takes its packet sizes and access rate from here.
        "tcp": "Union[FlowTcp, str]",
        # Node that receives.
        "to": "str",
    },
    total=False,
)
"""A flow from one node to another."""

FlowNotices = TypedDict(
    "FlowNotices",
    {
        # Notices of an attacker.
        "forged": "Union[FlowNoticesForged, Literal[False], str]",
        # Notices carry a tag made with the session's key, and the sender ignores all others. `false`: any notice is believed if it is new and seems to come over the path that it is about.
        "signed": "Union[bool, str]",
    },
    total=False,
)
"""Notices by which a receiving mobile tells the sender of its paths, and an attacker's forgeries."""

FlowNoticesForged = TypedDict(
    "FlowNoticesForged",
    {
        # The cell that they are about; one that the mobile uses at some time.
        "cell": "str",
        # Time from one to the next.
        "every": "str",
        # Their content: the mobile is about to enter the cell (`"imminent"`), has moved there (`"moved"`), has left it (`"gone"`), each under a number above all of the mobile's own; or what the mobile has said before, word for word (`"replay"`).
        "says": "Union[Literal['imminent', 'moved', 'gone', 'replay'], str]",
        # When the first one arrives.
        "start": "str",
    },
    total=False,
)
"""Notices that an attacker sends in the name of the mobile. They reach the sender as if they came over the path that they are about, each as long as a data packet, and take no room on any link."""

FlowPacing = TypedDict(
    "FlowPacing",
    {
        # Explicit congestion notification: queues that mark spare the packets of this flow, and its receiver tells of marks, in ACKs (RFC 8888) or in reports (RFC 6679). A mark counts as a loss, but for NADA, which has a rule of its own. `true` is `"ect0"`. `"ect1"` marks the packets as those of L4S (RFC 9331), although no paced law responds as L4S asks: it shows what a queue does with a flow that takes marks for losses, or that does not respond.
        "ecn": "Union[bool, Literal['ect0', 'ect1'], str]",
        # `"acks"`: each packet is acknowledged; a time: the receiver reports at this interval, as RTCP does.
        "feedback": "Union[str, Literal['acks']]",
        # Minimum rate on the wire; at most `target`.
        "minimum": "str",
        # Rate on the wire that the application wants; never exceeded.
        "target": "str",
    },
    total=False,
)
"""Parameters of a paced flow; a flow's own come before those of `[pacing]`."""

FlowPep = TypedDict(
    "FlowPep",
    {
        # Node at which it is, on the way there and back.
        "at": "str",
        # Data that it keeps at most: arrived, and not acknowledged by the other side. At least two segments.
        "buffer": "str",
        # TCP protocol with which it sends, in both directions of an application.
        "protocol": "Union[Literal['tcp-atl', 'tcp-atl-robust', 'residual', 'reno', 'newreno', 'sack', 'westwood', 'westwood-nr', 'tahoe', 'fixed-window', 'vegas', 'peach', 'peach-plus', 'wtcp', 'freeze-tcp', 'cubic', 'bbr3', 'prague', 'dctcp', 'noq-cubic', 'noq-bbr3', 'noq-newreno', 'aimd-rate', 'lda-plus', 'rcp-atl', 'nada', 'tfrc', 'rap', 'rcs', 'rcs-robust', 'arc'], FlowProtocol, str]",
    },
    total=False,
)
"""A proxy that acknowledges what arrives and sends it on over a connection of its own."""

FlowProtocol = TypedDict(
    "FlowProtocol",
    {
        # Freeze-TCP: a host freezes the sender this long before it loses its link, and thaws it when the link is back.
        "freeze": "Union[str, Literal[False]]",
        # Display name in reports.
        "label": "str",
        # Protocol.
        "name": "Union[Literal['tcp-atl', 'tcp-atl-robust', 'residual', 'reno', 'newreno', 'sack', 'westwood', 'westwood-nr', 'tahoe', 'fixed-window', 'vegas', 'peach', 'peach-plus', 'wtcp', 'freeze-tcp', 'cubic', 'bbr3', 'prague', 'dctcp', 'noq-cubic', 'noq-bbr3', 'noq-newreno', 'aimd-rate', 'lda-plus', 'rcp-atl', 'nada', 'tfrc', 'rap', 'rcs', 'rcs-robust', 'arc'], str]",
        # Behaviour of the sender when a mobile brings it to a path that is new to it: go on as if nothing had changed (`"keep"`), start again with its initial window or rate (`"reset"`), probe the path with low-priority dummies before it moves (`"probe"`), resume on a path that it knows from half of what that carried (`"resume"`, TCP), or fill with dummies what the application leaves of its window (`"pad"`, TCP); or a table.
        "new-path": "Union[Literal['keep', 'reset', 'probe', 'resume', 'pad'], FlowProtocolNewPath, str]",
        # TCP's repair of losses. `"rack"` is what current stacks use, `"quic"` what QUIC does; `"none"` repairs nothing, for a flow whose `adaptation` is AAL-T.
        "recovery": "Union[Literal['reno', 'newreno', 'sack', 'rack', 'quic', 'tahoe', 'tahoe-ns2', 'reno-ns2', 'newreno-ns2', 'go-back-n', 'none'], str]",
    },
    total=False,
)
"""A protocol with options."""

FlowProtocolNewPath = TypedDict(
    "FlowProtocolNewPath",
    {
        # To pad: limit on the dummies on a path between two moves.
        "budget": "Union[int, str]",
        # Limit on the dummies of a probe, with TCP.
        "dummies": "Union[int, str]",
        # Rate that a paced sender takes from the report of a probe: that at which dummies arrived, or, as the handoff paper words it, the dummies' rate times LDA+'s 1 - sqrt(loss) (`"lda-plus"`).
        "from-report": "Union[Literal['arrived', 'lda-plus'], str]",
        # Method of the start.
        "how": "Union[Literal['keep', 'reset', 'probe', 'resume', 'pad'], str]",
        # To resume: time after leaving a path for which its state is still used.
        "lifetime": "str",
        # Path of the data after a probe until the mobile has moved, with TCP: the new one at once (`"new"`), the old one (`"old"`: the window found waits for the handoff), or both, each with a window of its own (`"both"`).
        "meanwhile": "Union[Literal['new', 'old', 'both'], str]",
        # To resume: limit on the window of the leap, in packets.
        "most": "Union[int, str]",
        # Time that a probe's dummies are spread over.
        "over": "str",
        # To pad: window in packets up to which padding makes it grow.
        "target": "Union[int, str]",
        # The sender sends at most three times what came from a new path before that path has answered it (RFC 9000, section 8). `false`, as in the paper: any path that is named is believed.
        "validate": "Union[bool, str]",
    },
    total=False,
)
"""The start of a sender on a path that is new to it."""

FlowReceiver = TypedDict(
    "FlowReceiver",
    {
        # Segments beyond those that have arrived which its ACKs cover; TCP, simulator.
        "ahead": "Union[int, str]",
        # The d_w that it claims.
        "delay": "str",
        # It claims them for this long, then no loss and no delay for as long, by turns.
        "flap": "str",
        # It claims a handoff at multiples of this time.
        "handoffs": "str",
        # Its ACKs leave together, at multiples of this time: that blurs the sender's round-trip times.
        "hold": "str",
        # Each ACK leaves this long after there is something to acknowledge: the path looks longer. Instead of `hold`.
        "late": "str",
        # Each ACK leaves this long after the packet that it answers was sent: that hides shorter queues from the sender. Instead of `hold`.
        "level": "str",
        # The p_w that it claims.
        "loss": "Union[float, str]",
        # Only every n-th ACK leaves, at once: one for many packets. Instead of `hold`.
        "thin": "Union[int, str]",
    },
    total=False,
)
"""Link information that the receiver claims, whatever its link is like."""

FlowSource = TypedDict(
    "FlowSource",
    {
        # An application whose two ends answer each other, over a protocol that delivers every byte: its name, or a table with its options. A second flow, `NAME.back`, carries the answers.
        "application": "Union[Literal['request-response', 'web-page', 'dash'], FlowSourceApplication, str]",
        # Sends this much data, then stops: `{ bytes = "10MB" }`.
        "bytes": "str",
        # Distribution of `on` and `off`, or of `every`.
        "distribution": "Union[Literal['constant', 'exponential'], str]",
        # Submits a file of `bytes` again and again, the first at the start: `{ bytes = "1MB", every = "10s" }`. Earlier files may still be under way.
        "every": "str",
        # File of sizes for `sizes = "file"`: a line such as `40000` for each size in bytes, or such as `40000,0.9` for each point of their distribution: nine tenths of the flows are no longer than that. The path is relative to the scenario file; on the command line, to the working directory.
        "file": "str",
        # Frames per second of live media.
        "frames": "Union[float, str]",
        # Maximum rate of such an encoder; at least `min`.
        "max": "str",
        # Minimum rate of an encoder with a continuous range, headers excluded.
        "min": "str",
        # Mean off period.
        "off": "str",
        # Mean on period of a source that pauses: `{ on = "1s", off = "2s", rate = "1Mb/s" }`.
        "on": "str",
        # Time from a frame's capture until it is due to be shown.
        "playout": "str",
        # Alone a constant bit rate, delivered or not: `{ rate = "1Mb/s" }`. With `on`, the rate while on. With `frames`, the encoder's only rate, or a rising list of its steps.
        "rate": "Union[str, list[str]]",
        # Time from a change of the flow's rate until the encoder produces frames of the new rate.
        "reaction": "str",
        # Lognormal: standard deviation of the natural logarithm.
        "sigma": "Union[float, str]",
        # The copies of the flow have sizes of this distribution, with `bytes` as its mean: its quantiles in random order, the same for all seeds. `"pareto"`: few flows have most of the bytes. `"lognormal"`: the logarithm is normal. `"file"`: sizes or their distribution from `file`, without `bytes`.
        "sizes": "Union[Literal['pareto', 'lognormal', 'file'], str]",
        # Pareto: the share of flows above a size falls as this power of it; 2 and less have an infinite variance.
        "tail": "Union[float, str]",
    },
    total=False,
)
"""Data of the application: a size, files, a constant rate, on and off periods, live media, or what an application writes in answer to the other end."""

FlowSourceApplication = TypedDict(
    "FlowSourceApplication",
    {
        # Its name.
        "name": "Union[Literal['request-response', 'web-page', 'dash'], str]",
    },
    total=False,
)
"""An application that talks in both directions, with its options."""

FlowTcp = TypedDict(
    "FlowTcp",
    {
        # Rate of its interface that the sending host knows. `"auto"`: the rate of the first link, if it never changes.
        "access-rate": "Union[str, Literal['auto', 'unknown']]",
        # Bytes of an ACK on the wire.
        "ack": "Union[int, str]",
        # One ACK for every second packet, or after this time; `false`: one ACK for each packet.
        "delayed-ack": "Union[str, Literal[False]]",
        # Explicit congestion notification: queues that mark spare the packets of this flow, and its receiver tells of marks once a round trip (`"classic"`, RFC 3168) or counts them in each ACK (`"accurate"`, RFC 9768). `"off"`: queues can only drop.
        "ecn": "Union[Literal['off', 'classic', 'accurate'], str]",
        # Each ACK of a TCP flow with accurate feedback also has the AccECN option, which counts marked bytes (RFC 9768, sec. 3.2.3): the sender then knows the marks of more than seven packets whose ACKs are lost. Its bytes are part of `ack`.
        "ecn-option": "Union[bool, str]",
        # Starts with a three-way handshake.
        "handshake": "Union[bool, str]",
        # Header bytes of a data segment on the wire: 40 of IPv4 and TCP, 12 of timestamps.
        "header": "Union[int, str]",
        # Initial window in packets (RFC 6928).
        "initial-window": "Union[float, str]",
        # Maximum retransmission timeout; at least `min-rto`.
        "max-rto": "str",
        # Minimum retransmission timeout (RFC 6298: 1 s; common stacks: 0.2 s above SRTT). The timeout is also kept 0.2 s above SRTT, or this much if it is less.
        "min-rto": "str",
        # A segment that is not full waits while another such is unacknowledged (`"minshall"`, as in Linux), while anything is (`"rfc896"`), or never (`false`, the socket option TCP_NODELAY). The end of a transfer never waits.
        "nagle": "Union[Literal['minshall', 'rfc896'], Literal[False], str]",
        # Feedback on marks that the receiving end of a TCP flow supports. The ends use the lesser of both: with `handshake` by the flags of the SYN and its answer (RFC 9768, sec. 3.1), without one from the start. A protocol that counts marks then takes each for a loss (`"classic"`).
        "peer-ecn": "Union[Literal['off', 'classic', 'accurate'], str]",
        # The receiver's window in packets, however long they are.
        "receive-window": "Union[int, str]",
        # Most data bytes of a segment; with `header`, at most 65 535.
        "segment": "Union[int, str]",
        # ACKs echo timestamps (RFC 7323), so that each gives an RTT sample. `false`: one segment at a time is timed, none that was resent, and the timer stays backed off until then (Karn and Partridge 1987), as in ns-2. The recoveries `*-ns2` never have timestamps.
        "timestamps": "Union[bool, str]",
    },
    total=False,
)
"""TCP parameters; a flow's own come before those of `[tcp]`."""

Jitter = TypedDict(
    "Jitter",
    {
        # `"kept"`: a packet waits for those ahead of it, as behind any queue or radio link. `"lost"`: each comes when its own delay is over and overtakes others, as in Linux's netem without a rate.
        "order": "Union[Literal['kept', 'lost'], str]",
        # `"uniform"`: evenly from `spread` below the delay to `spread` above it. `"normal"`: about the delay, with a standard deviation of `spread`. `"exponential"`: on top of the delay, with a mean of `spread`. `"wifi"`: on top of the delay, contention and bad moments of a busy channel (picoquic's model); `spread` is from 1 ms, calm, to 85 ms. `"harq"`: on top of the delay, retransmissions of a cellular link; `spread` is the time of one. No delay gets below zero: the `spread` of the first two is at most the delay (with the step of a `reconfiguration`, if there is one).
        "shape": "Union[Literal['uniform', 'normal', 'exponential', 'wifi', 'harq'], str]",
        # Size of the variation.
        "spread": "str",
    },
    total=False,
)
"""A random part of the delay."""

Link = TypedDict(
    "Link",
    {
        # Packets cross this link in cells, with an adaptation layer at both ends.
        "adaptation": "Union[Literal['aal5', 'aal-t'], Adaptation, Literal[False], str]",
        # Agent at the access point of a two-way wireless link.
        "agent": "Union[Literal['snoop'], LinkAgent, Literal[False], str]",
        # Packets on the wire at a change of network: the link delivers or loses them.
        "at-change": "Union[Literal['deliver', 'lose'], str]",
        # Times at which the link is dead.
        "blackout": "Union[list[Union[LinkBlackout, str]], str]",
        # Times at which the line of sight is blocked, with another rate; `rate` is that of a clear one.
        "blockage": "Union[Blockage, str]",
        # One-way delay after transmission.
        "delay": "str",
        # Recorded delays instead of a `delay`: a file with a delay in ms on each line, one for each 10 ms.
        "delay-trace": "str",
        # Share of the packets that arrive which arrive twice, each by itself.
        "duplicate": "Union[float, str]",
        # Treatment of the ECN field of all packets, in both directions: `"keep"` it; clear it (`"bleach"`), as broken networks do; set it in every capable packet (`"mark"`).
        "ecn": "Union[Literal['keep', 'bleach', 'mark'], str]",
        # Node at which the link starts.
        "from": "str",
        # A scheduler that lets packets leave at fixed intervals only: the time from one grant to the next.
        "grants": "str",
        # Loss ahead of the queue, as a probability or in bursts: what is lost takes no room and no time at the transmitter. It counts as dropped.
        "ingress-loss": "Union[float, str, Loss]",
        # Random part of the delay, drawn for each packet: as much below the delay as above it, in order; or a table.
        "jitter": "Union[str, Jitter]",
        # Probability that a packet is lost after transmission, or a loss process.
        "loss": "Union[float, str, Loss]",
        # Name of the link. The reverse direction of `air` is called `air.back`.
        "name": "str",
        # Network whose conditions the link starts with: a table of the file, or a named one, such as `"starlink"`.
        "network": "str",
        # The link has no reverse direction.
        "one-way": "Union[bool, str]",
        # Queue ahead of the transmitter: its length in packets, in bytes or in time at the link's rate (DropTail), the name of a discipline that has a usual length, such as `"codel"`, or a table. Left out, the network's, if that has one.
        "queue": "Union[int, str, Literal['drop-tail', 'priority', 'red', 'wred', 'codel', 'fq-codel', 'cake', 'pie', 'dualpi2', 'policer', 'ack-filter'], LinkQueue]",
        # Rate at which packets are transmitted, or a table with one that rises or falls. At `"unlimited"` nothing ever queues.
        "rate": "Union[str, Rate, Literal['unlimited']]",
        # Times at which the network assigns paths anew: the delay steps, and packets are lost for a moment.
        "reconfiguration": "Union[Reconfiguration, str]",
        # Packets that come late, so that others overtake them.
        "reorder": "Union[Reorder, str]",
        # Errors of what a wireless link reports, in both directions.
        "report-error": "Union[LinkReportError, str]",
        # Time over which a wireless link measures the loss that it reports.
        "report-window": "str",
        # Conditions that differ in the reverse direction.
        "reverse": "Union[LinkReverse, str]",
        # Changes of network: a list in order of time, or a table with networks that take turns.
        "roam": "Union[list[Union[LinkRoam, str]], Roam, str]",
        # Token bucket that delays what exceeds a rate below the link's own, as a throttled plan does. The same in both directions, each with a bucket of its own.
        "shaper": "Union[LinkShaper, str]",
        # Node at which the link ends.
        "to": "str",
        # Recorded link instead of a `rate`: a file in mahimahi's format, with a line for each opportunity to send 1500 bytes, in ms; it repeats. The path is relative to the scenario file; on the command line, to the working directory.
        "trace": "str",
        # Place in its traces at which the link begins a run, the same in both directions. `"random"`: another for each seed, drawn evenly from the longest; data files have it as `trace_offset_s`.
        "trace-offset": "Union[str, Literal['random']]",
        # A station of Wi-Fi instead of a `rate`: it contends for its channel, and sends aggregates.
        "wifi": "Union[Wifi, str]",
        # The link reports its loss and delay (p_w, d_w) to the host at its end.
        "wireless": "Union[bool, str]",
    },
    total=False,
)
"""A link between two nodes."""

LinkAgent = TypedDict(
    "LinkAgent",
    {
        # Time that it takes to process a packet.
        "delay": "str",
        # Minimum timeout of its own retransmission timer.
        "min-timeout": "str",
        # `"snoop"` repairs what the wireless link loses, for flows whose source or receiver is at that link.
        "name": "Union[Literal['snoop'], str]",
        # Packets of a flow that it keeps.
        "window": "Union[int, str]",
    },
    total=False,
)
"""An agent with parameters. One agent serves both directions of the link."""

LinkBlackout = TypedDict(
    "LinkBlackout",
    {
        # When it begins.
        "at": "str",
        # Repeats the blackout: time from one beginning to the next, above `lasts`.
        "every": "str",
        # Packets wait in the queue instead of being transmitted and lost.
        "hold": "Union[bool, str]",
        # Its duration. Blackouts do not overlap.
        "lasts": "str",
        # Number of blackouts, the first included; with `every`.
        "times": "Union[int, str]",
    },
    total=False,
)
"""A time at which the link is dead."""

LinkQueue = TypedDict(
    "LinkQueue",
    {
        # Every 0.5 s RED moves `drop`, to keep the average in the middle fifth between `min` and `max` (Floyd, Gummadi, Shenker 2001).
        "adaptive": "Union[bool, str]",
        # Length in bytes.
        "bytes": "str",
        # Which packets are dropped, and which go first. `"drop-tail"`: first in, first out. `"priority"`: two bands, as `priority`. `"red"`: first in, first out, and drops at random before the queue is full (Floyd and Jacobson 1993). `"wred"`: RED with two precedences and one average; probe packets are dropped by the table `low`. `"codel"`: CoDel (RFC 8289). `"cake"`: CAKE, without its classes, hosts and shaper (LANMAN 2018). `"fq-codel"`: FQ-CoDel (RFC 8290). `"pie"`: PIE (RFC 8033). `"dualpi2"`: DualPI2, for L4S (RFC 9332). `"policer"`: a token bucket that drops. `"ack-filter"`: of the acknowledgments of a flow that wait, only the newest go on (RFC 3449). A table names a discipline with its options.
        "discipline": "Union[Literal['drop-tail', 'priority', 'red', 'wred', 'codel', 'fq-codel', 'cake', 'pie', 'dualpi2', 'policer', 'ack-filter'], LinkQueueDiscipline, str]",
        # Drop probability as the average approaches `max`. Drops are spread evenly, which makes the share dropped about twice the probability.
        "drop": "Union[float, str]",
        # Beyond `max` the probability grows from `drop` to 1 at twice `max`, instead of jumping to 1 (Floyd 2000).
        "gentle": "Union[bool, str]",
        # Thresholds for probe packets under WRED.
        "low": "Union[LinkQueueLow, str]",
        # Marks a packet (a cell: EFCI) that finds at least this many waiting; smaller than `packets`.
        "mark": "Union[int, str]",
        # Average length at which `drop` is reached, above `min` and at most the queue's length. What comes from there on is dropped, unless `gentle`.
        "max": "Union[float, str]",
        # Packet length by which the average decays while the link is idle.
        "mean-packet": "str",
        # Average length up to which nothing is dropped early: packets, or a size where the queue has `bytes`.
        "min": "Union[float, str]",
        # Length in packets (under an adaptation layer, in cells).
        "packets": "Union[int, str]",
        # Serves probe packets after all others. Where the queue is full, others push them out, the last one first. Short for `discipline = "priority"`.
        "priority": "Union[bool, str]",
        # Weight of the newest length in the average, updated at each arrival.
        "weight": "Union[float, str]",
    },
    total=False,
)
"""A queue in full."""

LinkQueueDiscipline = TypedDict(
    "LinkQueueDiscipline",
    {
        # Its name.
        "name": "Union[Literal['drop-tail', 'priority', 'red', 'wred', 'codel', 'fq-codel', 'cake', 'pie', 'dualpi2', 'policer', 'ack-filter'], str]",
    },
    total=False,
)
"""A queue discipline with its options."""

LinkQueueLow = TypedDict(
    "LinkQueueLow",
    {
        # Drop probability as the average approaches `max`. Drops are spread evenly, which makes the share dropped about twice the probability.
        "drop": "Union[float, str]",
        # Average length at which `drop` is reached, above `min` and at most the queue's length. What comes from there on is dropped, unless `gentle`.
        "max": "Union[float, str]",
        # Average length up to which nothing is dropped early: packets, or a size where the queue has `bytes`.
        "min": "Union[float, str]",
    },
    total=False,
)
"""Treatment of probe packets, those of low priority, by WRED."""

LinkReportError = TypedDict(
    "LinkReportError",
    {
        # Age of what is reported; until the run has lasted as long, the first measurement.
        "age": "str",
        # The delay reported over the delay.
        "delay": "Union[float, str]",
        # The loss reported over the loss measured; never more than 1 is reported.
        "loss": "Union[float, str]",
    },
    total=False,
)
"""Errors of what a link reports."""

LinkReverse = TypedDict(
    "LinkReverse",
    {
        # Times at which the line of sight is blocked, with another rate; `rate` is that of a clear one.
        "blockage": "Union[Blockage, str]",
        # One-way delay after transmission.
        "delay": "str",
        # Recorded delays instead of a `delay`: a file with a delay in ms on each line, one for each 10 ms.
        "delay-trace": "str",
        # Share of the packets that arrive which arrive twice, each by itself.
        "duplicate": "Union[float, str]",
        # A scheduler that lets packets leave at fixed intervals only: the time from one grant to the next.
        "grants": "str",
        # Loss ahead of the queue, as a probability or in bursts: what is lost takes no room and no time at the transmitter. It counts as dropped.
        "ingress-loss": "Union[float, str, Loss]",
        # Random part of the delay, drawn for each packet: as much below the delay as above it, in order; or a table.
        "jitter": "Union[str, Jitter]",
        # Probability that a packet is lost after transmission, or a loss process.
        "loss": "Union[float, str, Loss]",
        # Queue ahead of the transmitter, as in the link.
        "queue": "Union[int, str, Literal['drop-tail', 'priority', 'red', 'wred', 'codel', 'fq-codel', 'cake', 'pie', 'dualpi2', 'policer', 'ack-filter'], LinkQueue]",
        # Rate at which packets are transmitted, or a table with one that rises or falls. At `"unlimited"` nothing ever queues.
        "rate": "Union[str, Rate, Literal['unlimited']]",
        # Times at which the network assigns paths anew: the delay steps, and packets are lost for a moment.
        "reconfiguration": "Union[Reconfiguration, str]",
        # Packets that come late, so that others overtake them.
        "reorder": "Union[Reorder, str]",
        # Recorded link instead of a `rate`: a file in mahimahi's format, with a line for each opportunity to send 1500 bytes, in ms; it repeats. The path is relative to the scenario file; on the command line, to the working directory.
        "trace": "str",
        # A station of Wi-Fi instead of a `rate`: it contends for its channel, and sends aggregates.
        "wifi": "Union[Wifi, str]",
    },
    total=False,
)
"""Conditions that differ in the reverse direction, in every network that the link roams to."""

LinkRoam = TypedDict(
    "LinkRoam",
    {
        # When; later than the change before. Only the first may be at `"0s"`: the link starts with it.
        "at": "str",
        # Times at which the line of sight is blocked, with another rate; `rate` is that of a clear one.
        "blockage": "Union[Blockage, str]",
        # One-way delay after transmission.
        "delay": "str",
        # Recorded delays instead of a `delay`: a file with a delay in ms on each line, one for each 10 ms.
        "delay-trace": "str",
        # Share of the packets that arrive which arrive twice, each by itself.
        "duplicate": "Union[float, str]",
        # A scheduler that lets packets leave at fixed intervals only: the time from one grant to the next.
        "grants": "str",
        # Loss ahead of the queue, as a probability or in bursts: what is lost takes no room and no time at the transmitter. It counts as dropped.
        "ingress-loss": "Union[float, str, Loss]",
        # Random part of the delay, drawn for each packet: as much below the delay as above it, in order; or a table.
        "jitter": "Union[str, Jitter]",
        # Probability that a packet is lost after transmission, or a loss process.
        "loss": "Union[float, str, Loss]",
        # The network from then on: a table of the file, or a named one, such as `"starlink"`.
        "network": "str",
        # Queue ahead of the transmitter from then on, as in the link: a time is one at this network's rate. Packets that wait move there, in the order in which they would have been sent; what finds no room is dropped. In both directions, unless a `reverse` has a queue.
        "queue": "Union[int, str, Literal['drop-tail', 'priority', 'red', 'wred', 'codel', 'fq-codel', 'cake', 'pie', 'dualpi2', 'policer', 'ack-filter'], LinkQueue]",
        # Rate at which packets are transmitted, or a table with one that rises or falls. At `"unlimited"` nothing ever queues.
        "rate": "Union[str, Rate, Literal['unlimited']]",
        # Times at which the network assigns paths anew: the delay steps, and packets are lost for a moment.
        "reconfiguration": "Union[Reconfiguration, str]",
        # Packets that come late, so that others overtake them.
        "reorder": "Union[Reorder, str]",
        # Recorded link instead of a `rate`: a file in mahimahi's format, with a line for each opportunity to send 1500 bytes, in ms; it repeats. The path is relative to the scenario file; on the command line, to the working directory.
        "trace": "str",
        # A station of Wi-Fi instead of a `rate`: it contends for its channel, and sends aggregates.
        "wifi": "Union[Wifi, str]",
    },
    total=False,
)
"""A change of network."""

LinkShaper = TypedDict(
    "LinkShaper",
    {
        # Tokens that are kept: so many bytes pass at the link's own rate after a pause.
        "burst": "str",
        # Tokens, each for a byte, come at this rate.
        "rate": "str",
    },
    total=False,
)
"""A token bucket between the queue and the transmitter."""

Loss = TypedDict(
    "Loss",
    {
        # Mean length of a burst, exponentially distributed. All that is sent meanwhile meets it.
        "bad-for": "str",
        # Probability of a transition from bad to good.
        "bad-to-good": "Union[float, str]",
        # Single bits flip independently with this probability; instead of all keys above. A receiver that guesses gets half of the bits right.
        "bit-errors": "Union[float, str]",
        # The same, at the bit error ratio at which this share of ATM cells is lost or arrives with a wrong payload (AAL-T paper, eq. 8: one wrong bit of the header is corrected).
        "cell-errors": "Union[float, str]",
        # ARC's model of a path: the chain of its wired part.
        "congestion": "Union[float, str, LossWireless]",
        # Single bits flip as on a fading channel; instead of all keys above.
        "fading": "Union[LossFading, str]",
        # Bursts in time: mean time without them, exponentially distributed; instead of the transitions.
        "good-for": "str",
        # Probability of a transition from good to bad, before each packet.
        "good-to-bad": "Union[float, str]",
        # Loss in the bad state.
        "loss-bad": "Union[float, str]",
        # Loss in the good state.
        "loss-good": "Union[float, str]",
        # ARC's model of a path: the chain of its wireless part; instead of the keys above.
        "wireless": "Union[float, str, LossWireless]",
    },
    total=False,
)
"""A loss process: bursts, a whole path, bit errors, or fading."""

LossFading = TypedDict(
    "LossFading",
    {
        # Sets the mean ratio at which this share of ATM cells is lost or arrives with a wrong payload, averaged over fading that is slow against a cell.
        "cell-errors": "Union[float, str]",
        # Maximum Doppler shift: speed times carrier frequency over the speed of light.
        "doppler": "Union[float, str]",
        # `"two-state"` is the two-state approximation of the same channel, made for blocks of one cell.
        "model": "Union[Literal['rayleigh', 'two-state'], str]",
        # `"bpsk"` and `"qpsk"` are coherent, `"dpsk"` is differential, `"fsk"` non-coherent.
        "modulation": "Union[Literal['bpsk', 'qpsk', 'dpsk', 'fsk'], str]",
        # Mean signal-to-noise ratio per bit, E_b/N_0.
        "snr": "Union[float, str]",
    },
    total=False,
)
"""A channel with Rayleigh fading and white Gaussian noise."""

LossWireless = TypedDict(
    "LossWireless",
    {
        # Probability of a transition from bad to good: r of the wireless part, s of the wired part.
        "bad-to-good": "Union[float, str]",
        # Probability of a transition from good to bad: p of the wireless part, q of the wired part.
        "good-to-bad": "Union[float, str]",
    },
    total=False,
)
"""One part of a path, good or bad, with a transition before each packet."""

Mobile = TypedDict(
    "Mobile",
    {
        # Currents of its radio, for the metric `probe-charge`.
        "card": "Union[MobileCard, str]",
        # Its changes of cell: where (`at`), or a table.
        "handoff": "Union[Literal['middle', 'entry', 'exit', 'strongest'], MobileHandoff, str]",
        # Name of the host, and of its node.
        "name": "str",
        # Way points, in order: places as of a cell, or tables. It stays at the last one.
        "path": "Union[list[Union[list[Union[float, str]], MobilePath, str]], str]",
        # Its speed.
        "speed": "str",
        # When it leaves the first way point.
        "start": "str",
    },
    total=False,
)
"""A host that moves between cells; flows name it as their source or receiver."""

MobileCard = TypedDict(
    "MobileCard",
    {
        # Rate at which packets are in the air.
        "rate": "str",
        # Current while it receives.
        "receiving": "str",
        # Current while it transmits.
        "transmitting": "str",
    },
    total=False,
)
"""Currents and battery of a radio. Only the metric `probe-charge` depends on them."""

MobileHandoff = TypedDict(
    "MobileHandoff",
    {
        # Where it changes, while both cells cover it: on the line through the corners of the overlap (`"middle"`), when it enters the next cell (`"entry"`), when it leaves its own (`"exit"`), or where the next signal exceeds its own by `hysteresis` (`"strongest"`).
        "at": "Union[Literal['middle', 'entry', 'exit', 'strongest'], str]",
        # Time that its address in a cell takes to set up, from when it enters the cell.
        "binding": "str",
        # A hard handoff: the host can be in one cell at a time, and is in none for this long before it has the next. What is under way in the cell that it leaves is lost.
        "break-before-make": "Union[str, Literal[False]]",
        # Exponent of the path loss, with `"strongest"`: the signal is 10 n log10(radius / distance) dB above that at the cell's edge.
        "exponent": "Union[float, str]",
        # Earlier journeys, each the names of its cells in order, with `"history"`.
        "history": "Union[list[Union[list[str], str]], str]",
        # By how much the next signal must exceed its own, with `"strongest"`.
        "hysteresis": "Union[float, str]",
        # Which cell it expects next where several cover it: the one with the best signal (`"nearest"`), the one that it would change to if it kept its course (`"heading"`), or the one that it most often went to before (`"history"`).
        "predict": "Union[Literal['nearest', 'heading', 'history'], str]",
    },
    total=False,
)
"""Changes of cell."""

MobilePath = TypedDict(
    "MobilePath",
    {
        # Where it is.
        "at": "Union[list[Union[float, str]], str]",
        # Speed from here to the next way point.
        "speed": "str",
        # Time that the host stays here.
        "wait": "str",
    },
    total=False,
)
"""A way point with more than its place."""

NetworkNamed = TypedDict(
    "NetworkNamed",
    {
        # Times at which the line of sight is blocked, with another rate; `rate` is that of a clear one.
        "blockage": "Union[Blockage, str]",
        # One-way delay after transmission.
        "delay": "str",
        # Recorded delays instead of a `delay`: a file with a delay in ms on each line, one for each 10 ms.
        "delay-trace": "str",
        # Share of the packets that arrive which arrive twice, each by itself.
        "duplicate": "Union[float, str]",
        # A scheduler that lets packets leave at fixed intervals only: the time from one grant to the next.
        "grants": "str",
        # Loss ahead of the queue, as a probability or in bursts: what is lost takes no room and no time at the transmitter. It counts as dropped.
        "ingress-loss": "Union[float, str, Loss]",
        # Random part of the delay, drawn for each packet: as much below the delay as above it, in order; or a table.
        "jitter": "Union[str, Jitter]",
        # Probability that a packet is lost after transmission, or a loss process.
        "loss": "Union[float, str, Loss]",
        # Queue ahead of the transmitter in this network, as in a link: a time is one at this network's rate. A queue of the link stands in its place only where the link starts with this network, and one of a roam in that roam.
        "queue": "Union[int, str, Literal['drop-tail', 'priority', 'red', 'wred', 'codel', 'fq-codel', 'cake', 'pie', 'dualpi2', 'policer', 'ack-filter'], LinkQueue]",
        # Rate at which packets are transmitted, or a table with one that rises or falls. At `"unlimited"` nothing ever queues.
        "rate": "Union[str, Rate, Literal['unlimited']]",
        # Times at which the network assigns paths anew: the delay steps, and packets are lost for a moment.
        "reconfiguration": "Union[Reconfiguration, str]",
        # Packets that come late, so that others overtake them.
        "reorder": "Union[Reorder, str]",
        # Conditions that differ in the reverse direction.
        "reverse": "Union[NetworkNamedReverse, str]",
        # Recorded link instead of a `rate`: a file in mahimahi's format, with a line for each opportunity to send 1500 bytes, in ms; it repeats. The path is relative to the scenario file; on the command line, to the working directory.
        "trace": "str",
        # A station of Wi-Fi instead of a `rate`: it contends for its channel, and sends aggregates.
        "wifi": "Union[Wifi, str]",
    },
    total=False,
)
"""The conditions of a network."""

NetworkNamedReverse = TypedDict(
    "NetworkNamedReverse",
    {
        # Times at which the line of sight is blocked, with another rate; `rate` is that of a clear one.
        "blockage": "Union[Blockage, str]",
        # One-way delay after transmission.
        "delay": "str",
        # Recorded delays instead of a `delay`: a file with a delay in ms on each line, one for each 10 ms.
        "delay-trace": "str",
        # Share of the packets that arrive which arrive twice, each by itself.
        "duplicate": "Union[float, str]",
        # A scheduler that lets packets leave at fixed intervals only: the time from one grant to the next.
        "grants": "str",
        # Loss ahead of the queue, as a probability or in bursts: what is lost takes no room and no time at the transmitter. It counts as dropped.
        "ingress-loss": "Union[float, str, Loss]",
        # Random part of the delay, drawn for each packet: as much below the delay as above it, in order; or a table.
        "jitter": "Union[str, Jitter]",
        # Probability that a packet is lost after transmission, or a loss process.
        "loss": "Union[float, str, Loss]",
        # Queue in the reverse direction, also where the link or a roam states one for both.
        "queue": "Union[int, str, Literal['drop-tail', 'priority', 'red', 'wred', 'codel', 'fq-codel', 'cake', 'pie', 'dualpi2', 'policer', 'ack-filter'], LinkQueue]",
        # Rate at which packets are transmitted, or a table with one that rises or falls. At `"unlimited"` nothing ever queues.
        "rate": "Union[str, Rate, Literal['unlimited']]",
        # Times at which the network assigns paths anew: the delay steps, and packets are lost for a moment.
        "reconfiguration": "Union[Reconfiguration, str]",
        # Packets that come late, so that others overtake them.
        "reorder": "Union[Reorder, str]",
        # Recorded link instead of a `rate`: a file in mahimahi's format, with a line for each opportunity to send 1500 bytes, in ms; it repeats. The path is relative to the scenario file; on the command line, to the working directory.
        "trace": "str",
        # A station of Wi-Fi instead of a `rate`: it contends for its channel, and sends aggregates.
        "wifi": "Union[Wifi, str]",
    },
    total=False,
)
"""Conditions that differ in the reverse direction of a network."""

Quick = TypedDict(
    "Quick",
    {
        # Replaces `duration`.
        "duration": "str",
        # Replaces `seeds`.
        "seeds": "Union[int, list[int]]",
        # Shorter lists for swept variables.
        "sweep": "dict[str, list[Union[str, Union[float, bool], dict[str, Union[str, Union[float, bool], list[Any], dict[str, Any]]]]]]",
        # Replaces `warmup`.
        "warmup": "str",
    },
    total=False,
)
"""Changes made by `--quick`, for a first look."""

Quote = TypedDict(
    "Quote",
    {
        # The metric is above that elsewhere, along a variable.
        "above": "QuoteAbove",
        # The `id` of the quote that this is another reading of: the claim counts once.
        "claim": "str",
        # Part of the run over which it is measured: `["301s", "311s"]`.
        "during": "list[str]",
        # The parameters fitted and their values, where the set-up differs from the paper's as printed.
        "fitted": "str",
        # Short name, unique in the file.
        "id": "str",
        # The metric of the claim.
        "metric": "Literal['throughput', 'goodput', 'current-cell-goodput', 'loss', 'retransmissions', 'rtt-median', 'rtt-p95', 'queueing-p95', 'jain', 'timeouts', 'completion', 'cwnd', 'cwnd-beside', 'recovery', 'jitter', 'gap-jitter', 'late-frames', 'incomplete-frames', 'stalled', 'video-rate', 'switches', 'start-up', 'encoder-rate', 'rate-changes', 'offered', 'normalized-throughput', 'delay', 'exchanges', 'exchange-time', 'exchange-p95', 'losses', 'false-retransmissions', 'reordering', 'marked-share', 'probe-share', 'amplification', 'probe-charge', 'eq10-published', 'eq10-last-round', 'eq10-mended', 'eq10-half-round', 'cell-errors', 'cell-efficiency', 'cell-efficiency-model', 'arq-retransmissions', 'arq-payload', 'bit-errors', 'aal-delivered', 'undetected', 'quenches']",
        # Known reasons why the claim holds or cannot hold.
        "note": "str",
        # The metric falls from each selection to the next.
        "order": "list[Selection]",
        # A check or a finding of ours, not a claim of a paper.
        "own": "bool",
        # The metric is a multiple of that elsewhere.
        "ratio": "QuoteRatio",
        # Where it is claimed.
        "source": "str",
        # The claim in words.
        "text": "str",
        # The metric has a value.
        "value": "QuoteValue",
    },
    total=False,
)
"""A claim of a document, which the report judges."""

QuoteAbove = TypedDict(
    "QuoteAbove",
    {
        # The variable at each of whose values this holds.
        "along": "str",
        # Lowest value of the variable.
        "from": "Union[float, str]",
        # The selection with the higher metric.
        "of": "Selection",
        # The selection with the lower metric.
        "over": "Selection",
        # Highest value of the variable.
        "to": "Union[float, str]",
        # Relative distance by which it may be below and still count.
        "within": "Union[float, str]",
    },
    total=False,
)
"""The metric is above that elsewhere, at every value of a variable."""

QuoteRatio = TypedDict(
    "QuoteRatio",
    {
        # A lower bound instead of a ratio.
        "at-least": "float",
        # An upper bound instead of a ratio.
        "at-most": "float",
        # The ratio.
        "expect": "float",
        # The numerator.
        "of": "Selection",
        # The denominator.
        "over": "Selection",
        # Relative distance that still counts as met, for a bound that beyond it.
        "within": "Union[float, str]",
    },
    total=False,
)
"""The metric is a multiple of that elsewhere."""

QuoteValue = TypedDict(
    "QuoteValue",
    {
        # A lower bound instead of a value, in the metric's unit.
        "at-least": "Union[str, float]",
        # An upper bound instead of a value, in the metric's unit.
        "at-most": "Union[str, float]",
        # The value in the metric's unit: a rate, a time, a share or a number.
        "expect": "Union[str, float]",
        # Which runs and flows.
        "of": "Selection",
        # Relative distance that still counts as met, for a bound that beyond it; for an error such as `eq10-mended`, the distance itself.
        "within": "Union[float, str]",
    },
    total=False,
)
"""The metric has a value."""

Rate = TypedDict(
    "Rate",
    {
        # Rate at the beginning: of the run, or of the roam that brings it.
        "from": "str",
        # Time that the change takes.
        "over": "str",
        # Rate at the end and from then on.
        "to": "str",
    },
    total=False,
)
"""A rate that changes evenly, and then stays."""

Reconfiguration = TypedDict(
    "Reconfiguration",
    {
        # Time from one to the next; the first comes after it.
        "every": "str",
        # Probability that a packet is lost then.
        "loss": "Union[float, str]",
        # Packets are lost for this long afterwards; shorter than `every`.
        "outage": "str",
        # Each interval has a delay of its own, drawn evenly from this much below the link's to this much above it.
        "step": "str",
    },
    total=False,
)
"""Paths that a network assigns anew at fixed intervals."""

Record = TypedDict(
    "Record",
    {
        # Time between samples of each flow. Figures over time, parts of a run (`during`) and some metrics need samples.
        "every": "str",
    },
    total=False,
)
"""Samples to record over time."""

Reorder = TypedDict(
    "Reorder",
    {
        # Time by which they come late. Those sent within it overtake: 10 at 12 Mb/s, packets of 1500 bytes and `"10ms"`.
        "by": "str",
        # Share of packets that come late, each by itself.
        "share": "Union[float, str]",
    },
    total=False,
)
"""Deliberate reordering."""

Roam = TypedDict(
    "Roam",
    {
        # Time in each network.
        "every": "str",
        # Networks in order, from the start of the run and again and again: tables of the file, or named ones.
        "networks": "Union[list[str], str]",
    },
    total=False,
)
"""Networks that take turns."""

Selection = TypedDict(
    "Selection",
    {
        # Only the flow of this name, or the mean over these flows.
        "flow": "Union[str, list[str]]",
    },
    total=False,
)
"""Runs, by the values of their variables, and flows."""

Sweep = TypedDict(
    "Sweep",
    {
        # Further points beside the combinations.
        "also": "list[dict[str, Union[Union[str, Union[float, bool], dict[str, Union[str, Union[float, bool], list[Any], dict[str, Any]]]], list[Union[str, Union[float, bool], dict[str, Union[str, Union[float, bool], list[Any], dict[str, Any]]]]]]]]",
    },
    total=False,
)
"""Swept variables: every combination of their values is run."""

VarsNamed = TypedDict(
    "VarsNamed",
    {
        # Label of the value; unique among the variable's values.
        "label": "str",
        # The value: a list, a table, a text or a number.
        "value": "Union[str, Union[float, bool], list[Any], dict[str, Any]]",
    },
    total=False,
)
"""A value with a label, which reports show in its place."""

Wifi = TypedDict(
    "Wifi",
    {
        # MPDUs in an aggregate at most.
        "aggregate": "Union[int, str]",
        # Probability that an MPDU is wrong, each time that it is sent.
        "errors": "Union[float, str]",
        # Octets in an aggregate at most.
        "octets": "str",
        # Rate of the PHY: that of its modulation, width and streams, such as `"65Mb/s"`.
        "rate": "str",
        # Times that an MPDU is sent again before it is lost.
        "retries": "Union[int, str]",
        # Decides preamble and symbols: 802.11n, 802.11ac, 802.11ax.
        "standard": "Union[Literal['n', 'ac', 'ax'], str]",
        # Stations that contend, this one included; the others always have full aggregates of packets of 1500 bytes to send, at the same rate.
        "stations": "Union[int, str]",
    },
    total=False,
)
"""A station of Wi-Fi in a cell of busy ones."""

ScenarioDict = TypedDict(
    "ScenarioDict",
    {
        # Setup, assumptions and what to expect, in Markdown paragraphs.
        "about": "str",
        # Radio cells, `[[cell]]` each.
        "cell": "Union[list[Union[Cell, str]], str]",
        # Simulated time of each run.
        "duration": "str",
        # The report's figures, `[[figure]]` each.
        "figure": "list[Figure]",
        # The flows, `[[flow]]` each.
        "flow": "Union[list[Union[Flow, str]], str]",
        # Display names of variables in reports.
        "labels": "dict[str, str]",
        # The links, `[[link]]` each.
        "link": "Union[list[Union[Link, str]], str]",
        # Hosts that move between cells, `[[mobile]]` each.
        "mobile": "Union[list[Union[Mobile, str]], str]",
        # Named conditions that links refer to.
        "network": "Union[dict[str, Union[NetworkNamed, str]], str]",
        # Parameters of all paced flows.
        "pacing": "Union[FlowPacing, str]",
        # Changes made by `--quick`.
        "quick": "Quick",
        # The claims that the scenario is checked against, `[[quote]]` each.
        "quote": "list[Quote]",
        # Samples to record over time.
        "record": "Union[Record, str]",
        # Number of seeds (`5`: seeds 1 to 5), or a list of seeds.
        "seeds": "Union[int, list[int]]",
        # Document and section that the scenario comes from.
        "source": "str",
        # Swept variables.
        "sweep": "Sweep",
        # TCP parameters of all flows.
        "tcp": "Union[FlowTcp, str]",
        # The question that the scenario asks, in one line.
        "title": "str",
        # Variables and their values.
        "vars": "dict[str, Union[str, Union[float, bool], dict[str, Union[str, Union[float, bool], list[Any], dict[str, Any]]]]]",
        # Time at the start that measurements leave out; shorter than `duration`.
        "warmup": "str",
    },
    total=False,
)
"""A scenario: a network, the flows on it, what is varied, what is measured and what is claimed."""
