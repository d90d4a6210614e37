//! Everything that takes part in a run, ready to start.

use std::io;
use std::sync::{Arc, mpsc};

use atl_core::time::{Span, Time};
use atl_endpoint::meters::{Offered, Rtts};
use atl_flow::record::{Marks, NetworkCounts};
use atl_flow::{Build, Overhead, paced, receiver_feedback, report_source};
use atl_link::Service;
use atl_net::emulator::Stop;
use atl_relay::Relay;
use atl_scenario::protocol::Transport;
use atl_scenario::setup::{FlowSetup, Setup};

use crate::crossing::{self, Plug};
use crate::datagram;
use crate::ends::{FlowEnd, ReceiverEnd, Receiving, SenderEnd, Sending};
use crate::mac::{News, Readings};
use crate::network::{Flow, Network};
use crate::node::{Ending, Node};
use crate::record::{NetworkRecord, Trouble};

/// What takes part in a run.
pub(super) struct Cast {
    pub nodes: Vec<Node>,
    pub relay: Relay,
    pub network: Network,
    pub ending: Arc<Ending>,
    pub stop: Stop,
    /// Where the network puts what it has written down.
    pub record: mpsc::Receiver<(NetworkRecord, Trouble)>,
    pub plan: Plan,
}

/// What the result needs to know of the setup.
pub(super) struct Plan {
    pub end: Time,
    pub measured_from: Time,
    pub every: Option<Span>,
}

/// A node before it has all its ends.
struct Place {
    ends: Vec<FlowEnd>,
    tell: mpsc::Sender<News>,
    news: mpsc::Receiver<News>,
}

/// What the ends of all flows share.
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
    let mut listeners = vec![Vec::new(); links];
    let mut receivers = vec![Vec::new(); links];
    let mut reporting = Vec::new();
    let (mut plugs, mut flows, mut routes) = (Vec::new(), Vec::new(), Vec::new());
    for (index, plan) in setup.flows.iter().enumerate() {
        let path = plan.first_path();
        routes.extend([path.forward.clone(), path.back.clone()]);
        let (sender_plug, port) = crossing::connect()?;
        let (receiver_plug, far_port) = crossing::connect()?;
        tap(&sender_plug);
        tap(&receiver_plug);
        plugs.extend([port, far_port]);
        let built = ends_of(&shared, index, plan, (sender_plug, receiver_plug));
        let (first, last) = (path.forward.first(), path.forward.last());
        let from = first.map_or(0, |link| setup.links[*link].from);
        let to = last.map_or(0, |link| setup.links[*link].to);
        let sender = settle(&mut places, from, FlowEnd::Sender(Box::new(built.sender)));
        let receiver = settle(&mut places, to, FlowEnd::Receiver(Box::new(built.receiver)));
        if let Some(link) = built.access {
            listeners[link].push(index);
            if built.listens && !reporting.contains(&link) {
                reporting.push(link);
            }
        }
        if let Some(link) = built.peer_access.filter(|_| built.reports) {
            receivers[link].push(index);
        }
        flows.push(Flow { access: built.access, first: built.first, sender, receiver });
    }
    reporting.sort_unstable();
    let places: Vec<Place> = places.into_iter().flatten().collect();
    let ending = Arc::new(Ending::new(places.len()));
    let stop = Stop::default();
    let (done, record) = mpsc::channel();
    let measured_from = Time::ZERO + setup.warmup;
    let network = Network {
        plugs,
        flows,
        listeners,
        reporting,
        receivers,
        readings,
        marks: shared.marks,
        record: NetworkRecord::new(NetworkCounts::new(setup.flows.len(), measured_from, end)),
        end,
        trace_offsets: setup.links.iter().map(|link| link.trace_offset(seed)).collect(),
        next_report: Time::ZERO,
        next_reading: Time::ZERO,
        ended: false,
        ending: Arc::clone(&ending),
        stop: stop.clone(),
        done,
        buffer: vec![0; datagram::LONGEST],
    };
    let node = |place: Place| Node { ends: place.ends, news: place.news, end };
    Ok(Cast {
        nodes: places.into_iter().map(node).collect(),
        relay: Relay::new(&setup.links, routes, seed),
        network,
        ending,
        stop,
        record,
        plan: Plan { end, measured_from, every: setup.sample_every },
    })
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
    access: Option<usize>,
    peer_access: Option<usize>,
    first: Option<usize>,
    /// Its sender takes reports of wireless links.
    listens: bool,
    /// Its receiver reports of its own.
    reports: bool,
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
    let reports = feedback.is_some();
    let sender = SenderEnd {
        flow,
        plug: plugs.0,
        sender: built.sender,
        header: plan.tcp.header,
        packet_bytes,
        overhead: Overhead::new(plan.overhead, build.stream("overhead")),
        frames,
        rtts: Rtts::new(true),
        offered: Offered::new(build.app(), paced::sizes(plan.tcp.segment), build.start),
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
    Ends {
        sender,
        receiver,
        access: link(wireless.access),
        peer_access: link(wireless.peer_access),
        first: link(wireless.first),
        listens,
        reports,
    }
}
