//! Marks that arrive, and those that a law over QUIC hears of. The library tells of an ACK that
//! counts more marks, not of how many: each is told as one.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use atl_core::time::Span;
use atl_core::window::prague::{Config, Prague};
use atl_core::window::{
    Ack, BuildController, ControllerConfig, Loss, Marked, Start, Timeout, WindowController,
};
use atl_engine::result::FlowResult;
use atl_engine::setup::Setup;
use atl_engine::{Engine as _, Watch};
use atl_sim::Sim;

use crate::support::{parse, run};

/// Prague that counts the marks it is told of.
#[derive(Clone, Debug)]
struct Listening {
    law: Prague,
    told: Arc<AtomicU64>,
}

impl WindowController for Listening {
    fn inner(&self) -> Option<&dyn WindowController> {
        Some(&self.law)
    }

    fn inner_mut(&mut self) -> Option<&mut dyn WindowController> {
        Some(&mut self.law)
    }

    fn on_ack(&mut self, ack: &Ack) {
        self.law.on_ack(ack);
    }

    fn on_loss(&mut self, loss: &Loss) {
        self.law.on_loss(loss);
    }

    fn on_timeout(&mut self, timeout: &Timeout) {
        self.law.on_timeout(timeout);
    }

    fn on_marked(&mut self, marked: &Marked) {
        self.told.fetch_add(marked.packets.into(), Ordering::Relaxed);
        self.law.on_marked(marked);
    }

    fn window(&self) -> f64 {
        self.law.window()
    }
}

#[derive(Clone, Debug, Default)]
struct Listens(Arc<AtomicU64>);

impl PartialEq for Listens {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl BuildController for Listens {
    fn build(&self, start: &Start) -> Box<dyn WindowController> {
        let law = Prague::new(&Config::default(), start);
        Box::new(Listening { law, told: Arc::clone(&self.0) })
    }
}

/// Prague alone through DualPI2; the way back loses a share of what it carries.
fn path(mbps: u32, rtt_ms: u32, back_loss: f64) -> Setup {
    parse(&format!(
        "title = \"A path\"\nduration = \"20s\"\n[[link]]\nname = \"wire\"\nfrom = \"a\"\n\
         to = \"b\"\nrate = \"{mbps}Mb/s\"\ndelay = \"{}us\"\n\
         queue = {{ discipline = {{ name = \"dualpi2\", step-packets = 1 }} }}\n\
         reverse = {{ loss = {back_loss} }}\n[[flow]]\nname = \"up\"\nfrom = \"a\"\nto = \"b\"\n\
         protocol = \"prague\"\ntcp = {{ segment = 1448, header = 52 }}\n",
        500 * rtt_ms
    ))
}

const CELLS: [(u32, u32); 6] = [(4, 20), (12, 10), (20, 50), (40, 20), (100, 10), (100, 50)];

/// Marks that the law was told of, and those that arrived.
fn told(mbps: u32, rtt_ms: u32, back_loss: f64) -> (u64, u64) {
    let mut setup = path(mbps, rtt_ms, back_loss);
    let listens = Listens::default();
    setup.flows[0].protocol.tcp_mut().expect("a law").controller =
        ControllerConfig::from(listens.clone());
    let result = run(&setup, 1);
    (listens.0.load(Ordering::Relaxed), result.flows[0].marked.expect("with ECN"))
}

/// rfc9000 13.2.1: A packet that arrives marked is acknowledged at once. So an ACK never tells of
/// two marks, unless one was lost: the law hears of each.
#[test]
fn each_mark_is_told_once() {
    for (mbps, rtt_ms) in CELLS {
        let (told, marked) = told(mbps, rtt_ms, 0.0);
        let said = format!("{mbps} Mb/s, {rtt_ms} ms: {told} of {marked}");
        assert!(marked > 50 && told <= marked, "{said}");
        assert!(told as f64 > 0.99 * marked as f64, "{said}");
    }
    // Marks of ACKs that were lost are told as one with the next.
    for loss in [0.01, 0.1, 0.3] {
        let (told, marked) = told(20, 50, loss);
        assert!(told as f64 > (0.95 - loss) * marked as f64, "{loss}: {told} of {marked}");
    }
}

/// Prague over QUIC does as over the simulator's TCP, which counts each mark.
#[test]
fn prague_does_as_over_the_simulators_tcp() {
    for (mbps, rtt_ms) in CELLS {
        let mut setup = path(mbps, rtt_ms, 0.0);
        setup.warmup = Span::from_secs(5);
        let quic = run(&setup, 1);
        let tcp = Sim.run(&setup, 1, &Watch::unwatched()).expect("it runs");
        let of = |flow: &FlowResult| {
            let marks = flow.marked_share().expect("with ECN");
            let wait = flow.queueing_p95_s().expect("samples");
            (flow.throughput_bps / 1e6, marks, 1e3 * wait)
        };
        let [quic, tcp] = [&quic.flows[0], &tcp.flows[0]].map(of);
        let said = format!("{mbps} Mb/s, {rtt_ms} ms: QUIC {quic:.3?}, TCP {tcp:.3?}");
        assert!((quic.0 / tcp.0 - 1.0).abs() < 0.08, "{said}");
    }
}
