//! Everything that takes part in a run, ready to start.

use std::io;
use std::sync::{Arc, mpsc};

use crate::live::{Emulation, FlowPlan, Plug, Plugs, Readings};
use atl_core::time::{Span, Time};
use atl_endpoint::meters::Offered;
use atl_engine::flow::record::Marks;
use atl_engine::flow::record::NetworkRtts;
use atl_engine::flow::{Build, Hearing, Overhead, paced, receiver_feedback, report_source};
use atl_engine::protocol::Transport;
use atl_engine::setup::{FlowSetup, Setup};
use atl_link::Service;

use crate::udp::datagram::Paced;
use crate::udp::ends::{FlowEnd, ReceiverEnd, Receiving, SenderEnd, Sending};
use crate::udp::mac::{News, Nodes};
use crate::udp::node::Node;

/// The parts of a run, ready to start.
pub(super) struct Cast {
    pub nodes: Vec<Node>,
    pub emulation: Emulation<Plugs<Paced>>,
    pub plan: Plan,
}

/// Times of the setup that the result needs.
pub(super) struct Plan {
    pub end: Time,
    pub measured_from: Time,
    pub every: Option<Span>,
    /// When the application of each flow stops.
    pub stops: Vec<Option<Time>>,
}

/// A node before it has all its ends.
struct Place {
    ends: Vec<FlowEnd>,
    tell: mpsc::Sender<News>,
    news: mpsc::Receiver<News>,
}

/// Common to the ends of all flows.
struct Shared<'a> {
    setup: &'a Setup,
    seed: u64,
    readings: Arc<Readings>,
    marks: Marks,
    end: Time,
}

/// Builds everything, with the same random streams as the simulator.
///
/// # Errors
/// If sockets cannot be had.
pub(super) fn build(setup: &Setup, seed: u64, tap: &mut dyn FnMut(&Plug)) -> io::Result<Cast> {
    let links = setup.links.len();
    let readings = Arc::new(Readings::new(links));
    let end = Time::ZERO + setup.duration;
    let marks = Marks::new(setup);
    let shared = Shared { setup, seed, readings: Arc::clone(&readings), marks, end };
    let mut places: Vec<Option<Place>> = setup.nodes.iter().map(|_| None).collect();
    let mut flows = Vec::new();
    for (index, plan) in setup.flows.iter().enumerate() {
        let (from, to) = setup.ends(plan.first_path());
        let (sender_plug, port) = crate::live::connect()?;
        let (receiver_plug, far_port) = crate::live::connect()?;
        tap(&sender_plug);
        tap(&receiver_plug);
        let built = ends_of(&shared, index, plan, (sender_plug, receiver_plug));
        let sender = settle(&mut places, from, FlowEnd::Sender(Box::new(built.sender)));
        let receiver = settle(&mut places, to, FlowEnd::Receiver(Box::new(built.receiver)));
        flows.push(FlowPlan {
            flow: index,
            plugs: (port, far_port),
            hearing: built.hearing,
            hosts: Box::new(Nodes { flow: index, sender, receiver }),
            // The sender's end has it.
            overhead: None,
        });
    }
    let node = |place: Place| Node { ends: place.ends, news: place.news, end };
    let nodes: Vec<Node> = places.into_iter().flatten().map(node).collect();
    let emulation = Emulation::new(setup, seed, Paced, flows, readings, nodes.len());
    let measured_from = Time::ZERO + setup.warmup;
    let stops = setup.flows.iter().map(|flow| flow.stop).collect();
    let plan = Plan { end, measured_from, every: setup.sample_every, stops };
    Ok(Cast { nodes, emulation, plan })
}

/// Puts an end at its node, and returns how that node is told of its links.
fn settle(places: &mut [Option<Place>], node: usize, end: FlowEnd) -> mpsc::Sender<News> {
    let place = places[node].get_or_insert_with(|| {
        let (tell, news) = mpsc::channel();
        Place { ends: Vec::new(), tell, news }
    });
    place.ends.push(end);
    place.tell.clone()
}

/// Both ends of a flow.
struct Ends {
    sender: SenderEnd,
    receiver: ReceiverEnd,
    /// The wireless links that they hear of.
    hearing: Hearing,
}

fn ends_of(shared: &Shared<'_>, flow: usize, plan: &FlowSetup, plugs: (Plug, Plug)) -> Ends {
    let Transport::Paced(config) = &plan.protocol.transport else {
        unreachable!("a TCP flow is a gap");
    };
    let setup = shared.setup;
    let build = Build::new(plan, &setup.links, shared.seed);
    let built = paced::build(&build, config);
    let wireless = build.wireless;
    let listens = built.sender.controller().listens();
    let source = report_source(plan, &wireless, listens);
    let feedback = receiver_feedback(None, source, false, build.packet_bytes);
    let link = |link: Option<u32>| link.map(|link| link as usize);
    let (frames, news) = built.playout.map_or((None, None), |playout| {
        let (frames, news) = mpsc::channel();
        (Some(frames), Some((playout, news)))
    });
    let rate = plan.first_path().forward.first().and_then(|link| {
        match setup.links[*link].config.initial.service {
            Service::Constant(rate) => Some(rate),
            _ => None,
        }
    });
    // The reader of scenario files refuses longer packets.
    let packet_bytes = build.packet_bytes as u16;
    let hearing = Hearing { wireless, listens, reports: feedback.is_some() };
    let sender = SenderEnd {
        flow,
        plug: plugs.0,
        sender: built.sender,
        header: plan.tcp.header,
        packet_bytes,
        overhead: Overhead::new(plan.overhead, build.stream("overhead")),
        frames,
        rtts: NetworkRtts::of(setup, flow, true),
        offered: Offered::new(build.app(), build.start),
        start: build.start,
        end: shared.end,
        marks: shared.marks.clone(),
        clock: None,
        rate,
        state: Sending::starting(build.start),
    };
    let receiver = ReceiverEnd {
        flow,
        plug: plugs.1,
        receiver: built.receiver,
        header: plan.tcp.header,
        ack_bytes: plan.tcp.ack as u16,
        feedback,
        link: link(wireless.peer_access),
        readings: Arc::clone(&shared.readings),
        playout: news,
        end: shared.end,
        marks: shared.marks.clone(),
        state: Receiving::default(),
    };
    Ends { sender, receiver, hearing }
}
