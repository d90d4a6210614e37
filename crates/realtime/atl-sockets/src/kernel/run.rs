//! A run: what takes part in it, from the setup to the result.

use std::io;
use std::net::SocketAddrV4;
use std::sync::{Arc, Mutex};
use std::thread;

use atl_core::time::Time;
use atl_engine::flow::record::{Marks, NetworkRtts};
use atl_engine::flow::{Build, Overhead};
use atl_engine::result::RunResult;
use atl_engine::setup::Setup;
use atl_engine::{Stopped, Watch};
use atl_link::relay::Frame;
use atl_net::tun::{Lab, Network};
use atl_quic::connection::{Reads, Writes};
use socket2::Socket;

use crate::live::{Both, Emulation, Held, Kept, Plugs, Readings};
use crate::quic;

use super::control;
use super::node::Node;
use super::observer::Observer;
use super::receiver::ReceiverEnd;
use super::result::assemble;
use super::sender::SenderEnd;
use super::settings::{self, packet_bytes, port_of};
use super::tunnel::{Seen, Tunnel};

/// Runs a setup without gaps.
///
/// # Errors
/// If it is cancelled, a connection breaks, or namespaces, devices, sockets or threads cannot be
/// had.
pub(super) fn run(setup: &Setup, seed: u64, watch: &Watch<'_>) -> Result<RunResult, Stopped> {
    // One that is over before it begins needs no namespaces.
    watch.reached(atl_core::time::Span::ZERO)?;
    let (of_kernel, over_quic): (Vec<usize>, Vec<usize>) =
        (0..setup.flows.len()).partition(|flow| !control::is_over_quic(&setup.flows[*flow]));
    let options = settings::of_namespaces(setup);
    let lab = Lab::new(Network::of(setup), options).map_err(|e| Stopped::failed(e.to_string()))?;
    let (mut nodes, mut seen, mut kept) = (Vec::new(), Vec::new(), Vec::new());
    let mut overheads = Vec::new();
    for (place, &index) in of_kernel.iter().enumerate() {
        let flow = of_flow(setup, seed, index, place, &lab)?;
        nodes.push(Node::Receiver(index, Box::new(flow.receiver)));
        nodes.push(Node::Sender(index, Box::new(flow.sender)));
        seen.push(flow.seen);
        kept.push(flow.kept);
        overheads.push(flow.overhead);
    }
    let readings = Arc::new(Readings::new(setup.links.len()));
    let cast = quic::cast(setup, seed, over_quic, &readings, &mut |_| {})?;
    nodes.extend(cast.nodes.into_iter().map(|node| Node::Quic(Box::new(node))));
    let seen = Arc::new(Mutex::new(seen));
    let tunnel = Tunnel {
        tuns: lab.ports(),
        indices: of_kernel,
        flows: Arc::clone(&seen),
        held: Held::new(overheads),
        clock: None,
    };
    let mut routes = lab.routes();
    let routes_of_first = routes.len();
    let plugs = Plugs::new(setup, quic::Traffic, cast.plans, readings, routes_of_first);
    routes.extend(plugs.routes(setup));
    let sides = Both { first: tunnel, routes_of_first, second: plugs };
    let emulation = Emulation::over(setup, seed, sides, routes, nodes.len());
    let (end, names) = (Time::ZERO + setup.duration, quic::names(setup));
    let outcome =
        emulation.run(nodes, watch, |node, clock, ending| node.run(clock, end, &names, ending))?;
    Ok(assemble(setup, outcome, &seen, kept, cast.kept, lab.losses()))
}

/// A flow before the run.
struct Flow {
    sender: SenderEnd,
    receiver: ReceiverEnd,
    seen: Seen,
    kept: Kept,
    overhead: Option<Box<Overhead<Frame>>>,
}

/// The flow with this index, at this place among those of the kernel.
fn of_flow(
    setup: &Setup,
    seed: u64,
    index: usize,
    place: usize,
    lab: &Lab,
) -> Result<Flow, Stopped> {
    let plan = &setup.flows[index];
    let build = Build::new(plan, &setup.links, seed);
    let (from, to) = setup.ends(plan.first_path());
    let failed = |what: &str, why: &dyn std::fmt::Display| {
        Stopped::failed(format!("cannot open the {what}'s socket of flow `{}`: {why}", plan.name))
    };
    let tcp = plan.protocol.tcp().ok_or_else(|| failed("sender", &"it is no TCP flow"))?;
    let name = control::name(tcp).map_err(|why| failed("sender", &why))?;
    let control = (name, control::is_paced(tcp));
    let (bytes, nagle) = (packet_bytes(plan), plan.tcp.nagle);
    let socket = within(lab, from, move || settings::sender(control, bytes, nagle));
    let socket = Arc::new(socket.map_err(|error| failed("sender", &error))?);
    let (address, port) = (lab.hosts()[to].v4, port_of(place));
    let window = u64::from(plan.tcp.receive_window) * u64::from(plan.tcp.segment);
    let listener = within(lab, to, move || settings::receiver(address, port, window));
    let listener = listener.map_err(|error| failed("receiver", &error))?;
    let end = Time::ZERO + setup.duration;
    Ok(Flow {
        sender: SenderEnd {
            socket: Arc::clone(&socket),
            to: SocketAddrV4::new(address, port),
            start: build.start,
            end,
            writes: Writes::new(&build),
        },
        receiver: ReceiverEnd {
            listener,
            end,
            marks: Marks::new(setup),
            reads: Reads::new(&build),
        },
        seen: Seen {
            socket,
            observer: Observer::new(NetworkRtts::of(setup, index, true)),
            wireless: build.wireless.first.map(|link| link as usize),
            samples: Vec::new(),
            timeouts_before: None,
        },
        kept: Kept::new(index, &build),
        overhead: Overhead::new(plan.overhead, build.stream("overhead")),
    })
}

/// A socket of a host.
fn within(
    lab: &Lab,
    host: usize,
    open: impl FnOnce() -> io::Result<Socket> + Send + 'static,
) -> io::Result<Socket> {
    let opened: thread::Result<_> = lab.run_in(host, open).join();
    opened.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}
