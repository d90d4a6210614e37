//! Parts of a setup that this engine cannot carry out.

use atl_core::roaming::NewPath;
use atl_core::window::{Start, peach, peach_plus};
use atl_engine::Gap;
use atl_engine::protocol::{Recovery, TcpProtocol, Transport};
use atl_engine::setup::{FlowSetup, LinkSetup, ReceiverAwareness, Setup, Source};
use atl_noq::roaming::Config;

use crate::connection::LIBRARY;
use crate::transport::{self, BELOW_QUIC, LEAST_MTU};

/// All that it cannot do of a setup.
pub fn gaps(setup: &Setup) -> Vec<Gap> {
    let flows = setup.flows.iter().flat_map(of_flow);
    flows.chain(setup.links.iter().flat_map(of_link)).collect()
}

/// Gaps of a flow.
pub fn of_flow(flow: &FlowSetup) -> Vec<Gap> {
    let mut gaps = Vec::new();
    match &flow.protocol.transport {
        Transport::Paced(_) => gaps.push(Gap::flow(
            flow,
            "protocol",
            "a protocol that paces",
            "QUIC has a window: choose one of the window controllers, or the engine `sim` or `udp`",
        )),
        Transport::Tcp(tcp) => gaps.extend(of_controller(flow, tcp)),
        Transport::Quic(_) => {}
    }
    if let Source::Media(_) = flow.source {
        let why = "frames need a protocol that paces: use the engine `sim` or `udp`";
        gaps.push(Gap::flow(flow, "source", "a live encoder", why));
    }
    if let ReceiverAwareness::Claims(claims) = flow.receiver
        && claims.changes_acks()
    {
        let why = "here QUIC's own receiver acknowledges: use the engine `sim`";
        gaps.push(Gap::flow(flow, "receiver", "ACKs that are held back or sent early", why));
    }
    if flow.mobile.is_some() && !flow.protocol.paces() {
        gaps.extend(of_mobile(flow));
    }
    gaps.extend(splits(flow));
    if flow.adaptation.is_some() {
        gaps.push(Gap::flow(flow, "adaptation", "packets in ATM cells", CELLS));
    }
    if transport::mtu(flow).is_none() {
        let least = LEAST_MTU + BELOW_QUIC;
        let size = flow.tcp.segment + flow.tcp.header;
        gaps.push(Gap::flow(
            flow,
            "tcp.segment",
            format!("packets of {size} bytes"),
            format!(
                "QUIC needs datagrams of {LEAST_MTU} bytes and more (RFC 9000, sec. 14): give \
                 `segment` and `header` at least {least} and at most 65 535 bytes together"
            ),
        ));
    }
    gaps
}

fn splits(flow: &FlowSetup) -> Option<Gap> {
    let why = "QUIC's acknowledgments are encrypted, and nobody can split it: leave `pep` out, or use the engine `sim`";
    flow.onward.is_some().then(|| Gap::flow(flow, "pep", "a proxy that splits it", why))
}

fn of_mobile(flow: &FlowSetup) -> Vec<Gap> {
    let mut gaps = Vec::new();
    if flow.notices.forged.is_some() {
        let why = "here nobody forges what a mobile says of its paths: use the engine `sim`";
        gaps.push(Gap::flow(flow, "notices", "forged notices", why));
    }
    let mut gap = |what: String, why: String| gaps.push(Gap::flow(flow, "protocol", what, why));
    let knows = matches!(flow.protocol.new_path, NewPath::Probe(_) | NewPath::Resume(_));
    if let Transport::Quic(_) = flow.protocol.transport
        && knows
    {
        let why = "the library's own controllers cannot be told of a path: choose another controller, or `new-path = \"reset\"`";
        gap("a controller that begins with what is known of a path".into(), why.into());
    }
    match flow.protocol.new_path {
        NewPath::Keep | NewPath::Reset | NewPath::Resume(_) => {}
        NewPath::Pad(_) => {
            let why =
                "QUIC's sender has no dummies but on a path that it probes: use the engine `sim`";
            gap("a sender that pads its window".into(), why.into());
        }
        NewPath::Probe(probe) => {
            if !probe.validate {
                let why = "QUIC always validates a path (RFC 9000, sec. 8.2): leave `validate` out, or use the engine `sim`";
                gap("a sender that does not validate a new path".into(), why.into());
            }
            let most = u32::from(Config::PROBED_MTU) + BELOW_QUIC;
            let size = flow.tcp.segment + flow.tcp.header;
            if size > most {
                let why = format!(
                    "{LIBRARY} pads probes to full packets, and then no packet may be longer than {} bytes: give `segment` and \
                     `header` {most} bytes together, or use the engine `sim`",
                    Config::PROBED_MTU
                );
                gaps.push(Gap::flow(flow, "tcp.segment", format!("probes of {size} bytes"), why));
            }
        }
    }
    gaps
}

fn of_controller(flow: &FlowSetup, tcp: &TcpProtocol) -> Option<Gap> {
    let gap = |what: &str, why: &str| Some(Gap::flow(flow, "protocol", what, why));
    if tcp.freeze.is_some() {
        return gap("a TCP whose hosts freeze it", "QUIC cannot be frozen: use the host `sim`");
    }
    let config = &tcp.controller;
    if config.get::<peach::Config>().is_some() || config.get::<peach_plus::Config>().is_some() {
        let why = "QUIC has no packets of low priority to probe with: use the engine `sim`";
        return gap("a controller that sends probes", why);
    }
    if config.build_receiver(&Start::default()).is_some() {
        let why = "receivers do not compute rates here: use the engine `sim`";
        return gap("a controller with a half at the receiver", why);
    }
    match tcp.recovery {
        Recovery::None | Recovery::GoBackN => gap(
            "a sender without loss recovery, or one that goes back N",
            "QUIC repairs losses as RFC 9002 says: use the engine `sim`",
        ),
        _ => None,
    }
}

const CELLS: &str = "datagrams are not cut into cells here: use the engine `sim`";

fn of_link(link: &LinkSetup) -> Vec<Gap> {
    let mut gaps = Vec::new();
    if link.adaptation.is_some() {
        gaps.push(Gap::link(link, "adaptation", "a tunnel of ATM cells", CELLS));
    }
    if link.agent.is_some() {
        let why =
            "QUIC's headers are encrypted, so agents see no acknowledgments: use the engine `sim`";
        gaps.push(Gap::link(link, "agent", "an agent at the access point", why));
    }
    gaps
}
