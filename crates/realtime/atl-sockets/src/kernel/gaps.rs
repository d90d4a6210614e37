//! Parts of a setup that this engine cannot carry out.

use std::sync::OnceLock;

use atl_engine::Gap;
use atl_engine::setup::{
    EcnMode, FlowSetup, LinkSetup, Nagle, ReceiverAwareness, Setup, Source, Tcp,
};
use atl_net::tun::{HostPlan, Lab, MAX_HOSTS, Network, Options, Place};

use crate::live;
use crate::quic;

use super::control::{self, is_over_quic};
use super::settings::{MOST_FLOWS, packet_bytes};

/// Sizes of packets that the kernel takes: `TCP_MAXSEG` is at least 88 bytes, less 12 of
/// timestamps.
const PACKETS: std::ops::RangeInclusive<u32> = 128..=65_535;

/// All that it cannot do of a setup.
pub(super) fn gaps(setup: &Setup) -> Vec<Gap> {
    let (over_quic, of_kernel): (Vec<_>, Vec<_>) =
        setup.flows.iter().partition(|flow| is_over_quic(flow));
    let mut gaps: Vec<Gap> = of_kernel.iter().flat_map(|flow| of_flow(setup, flow)).collect();
    gaps.extend(over_quic.iter().flat_map(|flow| quic::gaps_of(flow)));
    if !over_quic.is_empty() {
        gaps.extend(live::loopback());
    }
    if of_kernel.is_empty() {
        let why = "Linux has no congestion control for any of them, and they run over QUIC: use the engine `quic`";
        gaps.push(Gap::new("the setup", "no flow of the kernel's TCP", why));
    }
    gaps.extend(setup.links.iter().flat_map(of_link));
    gaps.extend(of_setup(setup, &of_kernel));
    gaps.extend(of_machine());
    gaps
}

fn of_flow(setup: &Setup, flow: &FlowSetup) -> Vec<Gap> {
    let mut gaps = of_protocol(flow);
    let mut gap = |key: &str, what: String, why: &str| gaps.push(Gap::flow(flow, key, what, why));
    if let Source::Media(_) = flow.source {
        let why = "frames need a protocol that paces: use the engine `sim` or `udp`";
        gap("source", "a live encoder".into(), why);
    }
    if let Some(mobile) = flow.mobile {
        let end = if mobile.sends { "from" } else { "to" };
        let why = "a connection has one path here: use `roam` on a link, or the engine `sim`";
        gap(end, "a mobile that moves between cells".into(), why);
    }
    if flow.adaptation.is_some() {
        gap("adaptation", "packets in ATM cells".into(), CELLS);
    }
    if let ReceiverAwareness::Claims(claims) = flow.receiver
        && claims.changes_acks()
    {
        let why = "the kernel acknowledges as it should: use the engine `sim`";
        gap("receiver", "ACKs that are held back or sent early".into(), why);
    }
    if flow.tcp.nagle == Nagle::Rfc896 {
        let why = "Linux has Minshall's form: give `minshall` or `off`, or use the engine `sim`";
        gap("tcp.nagle", "RFC 896's form of Nagle's algorithm".into(), why);
    }
    let size = packet_bytes(flow);
    if !PACKETS.contains(&size) {
        let (least, most) = PACKETS.into_inner();
        let why = format!(
            "the kernel takes {least} to {most} bytes: give `segment` and `header` as many together"
        );
        gap("tcp.segment", format!("packets of {size} bytes"), &why);
    }
    gaps.extend(live::gaps_of(flow));
    gaps.extend(of_route(setup, flow));
    gaps
}

fn of_protocol(flow: &FlowSetup) -> Vec<Gap> {
    let gap = |what: String, why: String| vec![Gap::flow(flow, "protocol", what, why)];
    // Only flows of the kernel come here: one without a window paces.
    let Some(tcp) = flow.protocol.tcp() else {
        let why = "the kernel's TCP has a window: use the engine `sim` or `udp`";
        return gap("a protocol that paces".into(), why.into());
    };
    let label = &flow.protocol.label;
    let name = match control::name(tcp) {
        Ok(name) => name,
        Err(why) => return gap(format!("{label} with these parameters"), why.into()),
    };
    let mut gaps = Vec::new();
    if !control::is_available(name) {
        let why = format!(
            "this kernel has {}: `modprobe tcp_{name}` may load it, or use the engine `sim`",
            control::available()
        );
        gaps.extend(gap(format!("the kernel's congestion control `{name}`"), why));
    }
    if flow.tcp.ecn_for(flow.protocol.mark_response()) != EcnMode::Off {
        let why = "the namespaces' TCP does not negotiate ECN: use the engine `sim`";
        gaps.push(Gap::flow(flow, "tcp.ecn", "explicit congestion notification", why));
    }
    gaps
}

/// Packets take the fewest links here, whatever a flow asks for.
fn of_route(setup: &Setup, flow: &FlowSetup) -> Option<Gap> {
    let path = flow.first_path();
    let (from, to) = setup.ends(path);
    let usual = setup.path(from, to);
    (usual.as_ref() != Some(path)).then(|| {
        let why = "packets take the fewest links here: leave out links that are not to be used";
        Gap::flow(flow, "via", "a path that is not the shortest", why)
    })
}

/// All connections of a namespace share these.
fn of_setup(setup: &Setup, of_kernel: &[&FlowSetup]) -> Vec<Gap> {
    let mut gaps = Vec::new();
    let count = setup.flows.len();
    if count > MOST_FLOWS {
        let why =
            format!("each flow takes two threads or four sockets: run at most {MOST_FLOWS} flows");
        gaps.push(Gap::new("the setup", format!("{count} flows"), why));
    }
    let nodes = setup.nodes.len();
    if nodes > MAX_HOSTS {
        let why = format!("each node is a namespace, and there are addresses for {MAX_HOSTS}");
        gaps.push(Gap::new("the setup", format!("{nodes} nodes"), why));
    }
    let Some(first) = of_kernel.first() else { return gaps };
    type Differs = fn(&Tcp, &Tcp) -> bool;
    let shared: [(&str, Differs); 4] = [
        ("initial-window", |a, b| a.initial_window as u32 != b.initial_window as u32),
        ("min-rto", |a, b| a.min_rto != b.min_rto),
        ("delayed-ack", |a, b| a.delayed_ack.is_some() != b.delayed_ack.is_some()),
        ("timestamps", |a, b| a.timestamps != b.timestamps),
    ];
    for flow in of_kernel {
        for (key, differs) in shared {
            if differs(&flow.tcp, &first.tcp) {
                let why = "the kernel has one for all connections: give every flow the same";
                let what = format!("another `{key}` than that of flow `{}`", first.name);
                gaps.push(Gap::flow(flow, &format!("tcp.{key}"), what, why));
            }
        }
    }
    gaps
}

const CELLS: &str = "packets are not cut into cells here: use the engine `sim`";

fn of_link(link: &LinkSetup) -> Vec<Gap> {
    let mut gaps = Vec::new();
    if link.adaptation.is_some() {
        gaps.push(Gap::link(link, "adaptation", "a tunnel of ATM cells", CELLS));
    }
    if link.agent.is_some() {
        let why = "agents are known to the simulator only: use the engine `sim`";
        gaps.push(Gap::link(link, "agent", "an agent at the access point", why));
    }
    gaps
}

/// A gap unless this machine lets us have namespaces and TUN devices.
fn of_machine() -> Option<Gap> {
    static TRIED: OnceLock<Option<String>> = OnceLock::new();
    let tried = TRIED.get_or_init(|| {
        let host = HostPlan { name: "host".into(), node: 0, place: Place::Namespace };
        let network = Network { nodes: 1, links: Vec::new(), hosts: vec![host] };
        Lab::new(network, Options::default()).err().map(|error| error.to_string())
    });
    let why = tried.clone()?;
    Some(Gap::new("this machine", "network namespaces with TUN devices", why))
}
