//! A run: what takes part in it, from the setup to the result.

pub(super) mod result;
#[cfg(test)]
mod tests;

use std::io;
use std::sync::{Arc, Mutex};

use crate::live::{Emulation, FlowPlan, Kept, Plug, Readings};
use atl_core::time::{Span, Time};
use atl_engine::flow::record::Marks;
use atl_engine::flow::record::NetworkRtts;
use atl_engine::flow::{Build, Hearing, Overhead, receiver_feedback, report_source};
use atl_engine::result::RunResult;
use atl_engine::setup::Setup;
use atl_engine::{Stopped, Watch};
use atl_link::Service;
use atl_quic::Crypto;
use atl_quic::connection::{
    BELOW_QUIC, Controllers, Field, Pair, Reads, Tap, Writes, endpoint, mtu, receiver, sender,
};
use tokio::sync::Notify;

use crate::quic::mac::Ends;
use crate::quic::meter::Meter;
use crate::quic::node::Node;
use crate::quic::receiver::{ReceiverEnd, Reporter};
use crate::quic::sender::SenderEnd;
use crate::quic::timer::TimerLateness;
use crate::quic::traffic::Quic;
use result::assemble;

/// The scale of a timer's lateness on a link whose rate is not constant.
const WITHOUT_RATE: Span = Span::from_millis(1);

/// Runs a setup without gaps. `tap` sees the sockets at the flows' ends before anything runs.
///
/// # Errors
/// If it is cancelled, a connection breaks, or sockets, threads or TLS cannot be had.
pub(crate) fn run(
    setup: &Setup,
    seed: u64,
    watch: &Watch<'_>,
    tap: &mut dyn FnMut(&Plug),
) -> Result<RunResult, Stopped> {
    let end = Time::ZERO + setup.duration;
    let readings = Arc::new(Readings::new(setup.links.len()));
    let Cast { nodes, plans, kept } = cast(setup, seed, 0..setup.flows.len(), &readings, tap)?;
    let emulation = Emulation::new(setup, seed, Quic, plans, readings, nodes.len());
    let names = names(setup);
    let outcome =
        emulation.run(nodes, watch, |node, clock, ending| node.run(clock, end, &names, ending))?;
    Ok(assemble(setup, outcome, kept))
}

/// The names of the flows, for errors.
pub(crate) fn names(setup: &Setup) -> Vec<String> {
    setup.flows.iter().map(|plan| plan.name.clone()).collect()
}

/// Flows over QUIC, ready to run.
pub(crate) struct Cast {
    pub nodes: Vec<Node>,
    /// For the network.
    pub plans: Vec<FlowPlan>,
    pub kept: Vec<Kept>,
}

/// Builds these flows of a setup.
///
/// # Errors
/// If sockets or TLS cannot be had.
pub(crate) fn cast(
    setup: &Setup,
    seed: u64,
    flows: impl IntoIterator<Item = usize>,
    readings: &Arc<Readings>,
    tap: &mut dyn FnMut(&Plug),
) -> Result<Cast, Stopped> {
    let sockets = |error| Stopped::failed(format!("cannot open sockets on loopback: {error}"));
    let mut nodes: Vec<Option<Node>> = setup.nodes.iter().map(|_| None).collect();
    let (mut plans, mut kept) = (Vec::new(), Vec::new());
    for index in flows {
        let plugs = connect(tap).map_err(sockets)?;
        let built = of_flow(setup, seed, index, readings, plugs)?;
        let (from, to) = setup.ends(setup.flows[index].first_path());
        nodes[from].get_or_insert_default().senders.push(built.sender);
        nodes[to].get_or_insert_default().receivers.push(built.receiver);
        plans.push(built.plan);
        kept.push(built.kept);
    }
    Ok(Cast { nodes: nodes.into_iter().flatten().collect(), plans, kept })
}

/// Sockets of a flow: at its sender and receiver, and at the network's side of each.
struct Plugs {
    sender: Plug,
    receiver: Plug,
    network: (Plug, Plug),
}

fn connect(tap: &mut dyn FnMut(&Plug)) -> io::Result<Plugs> {
    let (sender, near) = crate::live::connect()?;
    let (receiver, far) = crate::live::connect()?;
    tap(&sender);
    tap(&receiver);
    Ok(Plugs { sender, receiver, network: (near, far) })
}

/// A flow before the run.
struct Built {
    sender: SenderEnd,
    receiver: ReceiverEnd,
    plan: FlowPlan,
    kept: Kept,
}

fn of_flow(
    setup: &Setup,
    seed: u64,
    index: usize,
    readings: &Arc<Readings>,
    plugs: Plugs,
) -> Result<Built, Stopped> {
    let plan = &setup.flows[index];
    let build = Build::new(plan, &setup.links, seed);
    let failed = |why: String| Stopped::failed(format!("flow `{}` over QUIC: {why}", plan.name));
    let mtu = mtu(plan).ok_or_else(|| failed("packets of this size do not carry QUIC".into()))?;
    let controllers = Controllers::of_protocol(&build, mtu, BELOW_QUIC)
        .ok_or_else(|| failed("its protocol paces by itself: it has no window for QUIC".into()))?;
    let tap = Tap::of(NetworkRtts::of(setup, index, true));
    let Pair { client: mut sending, server: mut receiving } =
        Crypto::Tls.pair().map_err(|error| failed(error.to_string()))?;
    sending.transport_config(Arc::new(sender(plan, mtu, tap.on(controllers.factory()))));
    receiving.transport_config(Arc::new(receiver(plan, mtu)));
    let mut seeds = build.stream("quic");
    let mut config = || {
        let words: [[u8; 8]; 4] = std::array::from_fn(|_| seeds.next_u64().to_be_bytes());
        let mut octets = [0; 32];
        octets.copy_from_slice(words.as_flattened());
        (*endpoint(octets, mtu)).clone()
    };
    let own = match &controllers {
        Controllers::Own { factory, marks } => Some((Arc::clone(factory), marks.clone())),
        Controllers::Foreign(_) => None,
    };
    let listens = plan.protocol.listens() && own.is_some();
    let source = report_source(plan, &build.wireless, listens);
    let feedback = receiver_feedback(None, source, false, build.packet_bytes);
    let feedback = feedback.map(|feedback| Arc::new(Mutex::new(feedback)));
    let reporter = feedback.clone().map(|feedback| Reporter {
        feedback,
        arrived: Arc::new(Notify::new()),
        link: build.wireless.peer_access.map(|link| link as usize),
        readings: Arc::clone(readings),
    });
    let marks = Marks::new(setup);
    let packet_time = plan.first_path().forward.first().and_then(|link| {
        match setup.links[*link].config.initial.service {
            Service::Constant(rate) => Some(rate.time_for(u64::from(build.packet_bytes))),
            _ => None,
        }
    });
    let lateness = TimerLateness::new(packet_time.unwrap_or(WITHOUT_RATE));
    let link_marks = own.as_ref().and_then(|(_, marks)| marks.clone());
    let begin = Time::ZERO + setup.warmup;
    let field = Field::of(plan);
    let arrived = reporter.as_ref().map(|reporter| Arc::clone(&reporter.arrived));
    Ok(Built {
        sender: SenderEnd {
            flow: index,
            plug: (plugs.sender, field),
            meter: Meter::sender(tap.clone(), link_marks, begin),
            endpoint: config(),
            config: sending,
            start: build.start,
            writes: Writes::new(&build),
            factory: own.as_ref().map(|(factory, _)| Arc::clone(factory)),
            tap,
            mtu,
            marks: marks.clone(),
            lateness: lateness.clone(),
        },
        receiver: ReceiverEnd {
            flow: index,
            plug: (plugs.receiver, field),
            meter: Meter::receiver(marks, Reads::new(&build), arrived, field.is_some()),
            endpoint: config(),
            config: receiving,
            reporter,
            lateness,
        },
        plan: FlowPlan {
            flow: index,
            plugs: plugs.network,
            hearing: Hearing { wireless: build.wireless, listens, reports: feedback.is_some() },
            hosts: Box::new(Ends { controllers: own, feedback }),
            overhead: Overhead::new(plan.overhead, build.stream("overhead")),
        },
        kept: Kept::new(index, &build),
    })
}
