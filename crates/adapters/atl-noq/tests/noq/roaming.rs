//! Handoffs in the middle of a transfer, in virtual time.

use std::sync::Arc;

use atl_core::roaming::{Meanwhile, NewPath, Probe};
use atl_core::time::{Span, Time};
use atl_core::window::{ControllerConfig, atl, reno};
use atl_link::random::Stream;
use atl_noq::roaming::{Config, Happened, Roaming, Role};
use atl_noq::{Factory, PathHandle};
use noq_proto::{Event, PathId, TransportConfig};

use crate::world::{CLIENT, Driver, Network, SERVER, World, network, over, transport};

/// Data stays on the old path until the host moves.
const PROBE: NewPath = NewPath::Probe(Probe { meanwhile: Meanwhile::Old, ..Probe::DEFAULT });

#[derive(Clone, Copy, Debug)]
enum Signal {
    Imminent(usize),
    Done(usize),
    Gone(usize),
    /// The network carries nothing any more.
    Cut(usize),
    /// It does again.
    Mend(usize),
    /// Stalls count from here.
    Watch,
}

/// Both ends of a connection roam, by a script.
struct Roams {
    configs: [Config; 2],
    roaming: [Option<Roaming>; 2],
    script: Vec<(Time, Signal)>,
    happened: Vec<(Time, usize, Happened)>,
}

impl Roams {
    fn new(configs: [Config; 2], mut script: Vec<(Time, Signal)>) -> Self {
        script.sort_by_key(|(at, _)| *at);
        Roams { configs, roaming: [None, None], script, happened: Vec::new() }
    }

    fn signal(&mut self, world: &mut World, signal: Signal) {
        let now = world.instant(world.now);
        match (signal, &mut self.roaming[CLIENT]) {
            (Signal::Cut(network), _) => world.networks[network].cut = true,
            (Signal::Mend(network), _) => world.networks[network].cut = false,
            (Signal::Watch, _) => world.transfer.forget_stalls(),
            (Signal::Imminent(network), Some(roaming)) => roaming.on_imminent(now, over(network)),
            (Signal::Done(network), Some(roaming)) => roaming.on_done(now, over(network)),
            (Signal::Gone(network), Some(roaming)) => roaming.on_gone(now, over(network)),
            (_, None) => unreachable!("the connection is there"),
        }
    }

    /// The moves of an end, and when they were.
    fn moves(&self, end: usize) -> Vec<(Time, PathId)> {
        let moves = self.happened.iter().filter(|(_, at, _)| *at == end);
        moves
            .filter_map(|(at, _, happened)| match happened {
                Happened::Moved { to, .. } => Some((*at, *to)),
                _ => None,
            })
            .collect()
    }
}

impl Driver for Roams {
    fn on_event(&mut self, world: &mut World, end: usize, event: &Event) {
        let now = world.instant(world.now);
        match event {
            Event::Connected => {
                let connection = world.connection(end);
                let network = match end {
                    CLIENT => over(0),
                    _ => connection.network_path(PathId::ZERO).expect("a path"),
                };
                let roaming = Roaming::new(now, self.configs[end], network, connection);
                self.roaming[end] = Some(roaming);
            }
            Event::Path(event) => {
                let roaming = self.roaming[end].as_mut().expect("connected");
                roaming.on_path_event(now, event, world.connection(end));
            }
            _ => {}
        }
    }

    fn poll(&mut self, world: &mut World) -> Time {
        // A handshake may take longer than until the first signal.
        let connected = self.roaming[CLIENT].is_some();
        while connected && self.script.first().is_some_and(|(at, _)| *at <= world.now) {
            let (_, signal) = self.script.remove(0);
            self.signal(world, signal);
        }
        let next = self.script.first().filter(|_| connected);
        let mut next = next.map_or(Time::MAX, |(at, _)| *at);
        let now = world.instant(world.now);
        for end in [CLIENT, SERVER] {
            let Some(roaming) = &mut self.roaming[end] else { continue };
            if let Some(at) = roaming.poll(now, world.connection(end)) {
                next = next.min(world.time(at).max(world.now));
            }
            let happened = roaming.take_happened();
            self.happened.extend(happened.into_iter().map(|happened| (world.now, end, happened)));
        }
        next
    }
}

fn ms(ms: u64) -> Time {
    Time::from_millis(ms)
}

/// A transport that roams with this controller.
fn roaming_transport(factory: &Arc<Factory>, config: &Config) -> TransportConfig {
    let mut transport = transport();
    config.prepare(&mut transport);
    transport.congestion_controller_factory(factory.clone());
    transport
}

/// 10 Mb/s with an RTT of 40 ms, then 20 Mb/s with one of 80 ms.
fn two_networks(seed: u64) -> Vec<Network> {
    vec![network(seed, 10.0, 20, 40, 0.0), network(seed, 20.0, 40, 150, 0.0)]
}

struct Roamed {
    world: World,
    roams: Roams,
    factory: Arc<Factory>,
}

impl Roamed {
    fn stall(&self) -> Span {
        self.world.transfer.longest_stall
    }

    fn handle(&mut self, end: usize, path: PathId) -> PathHandle {
        PathHandle::of(self.world.connection(end), path).expect("a controller of ours")
    }
}

/// Sends a file from `sender` through a script; the sender does `new_path` with paths that are new.
fn roam(
    config: impl Into<ControllerConfig>,
    sender: usize,
    new_path: NewPath,
    total: u64,
    networks: Vec<Network>,
    script: Vec<(Time, Signal)>,
) -> Roamed {
    let factory = Arc::new(Factory::new(config.into()).observing());
    let config = |end, role| {
        Config::new(role).new_path(if end == sender { new_path } else { NewPath::Reset })
    };
    let configs = [config(CLIENT, Role::Mobile), config(SERVER, Role::Fixed)];
    let transports = configs.map(|config| roaming_transport(&factory, &config));
    let mut world = World::new(11, transports, networks, sender, total);
    let mut roams = Roams::new(configs, script);
    world.run(ms(120_000), &mut roams);
    assert!(world.transfer.done.is_some(), "received {} of {total}", world.transfer.received);
    assert!(world.transfer.intact, "the file is another");
    assert_eq!(world.transfer.received, total);
    Roamed { world, roams, factory }
}

/// The new network comes into reach at 2 s, the host moves at 3 s, the old one is gone at 4 s.
fn overlap() -> Vec<(Time, Signal)> {
    use Signal::{Cut, Done, Gone, Imminent, Watch};
    vec![
        (ms(1900), Watch),
        (ms(2000), Imminent(1)),
        (ms(3000), Done(1)),
        (ms(4000), Cut(0)),
        (ms(4000), Gone(0)),
    ]
}

/// With overlap nothing stalls, whichever end sends. What the dummies lose does not concern the
/// controller, which begins with about the 138 packets that 20 Mb/s carry in 80 ms.
#[test]
fn a_probed_path_is_taken_over_without_a_stall_and_at_its_window() {
    for sender in [CLIENT, SERVER] {
        let config = reno::Config::default();
        let mut probed = roam(config.clone(), sender, PROBE, 12 << 20, two_networks(1), overlap());
        let path = PathId::from(1_u8);
        for end in [CLIENT, SERVER] {
            let moves = probed.roams.moves(end);
            assert_eq!((moves.len(), moves[0].1), (1, path), "{moves:?}");
            assert!(moves[0].0 < ms(3100), "{moves:?}");
        }
        // Three round trips of the new path. 84 ms were measured.
        assert!(probed.stall() < Span::from_millis(240), "{:?}", probed.stall());
        let observed = probed.handle(sender, path).observed();
        let [sent, acked, lost] = observed.counts.probes;
        assert!(sent >= 1000 && acked >= 150 && lost >= 500, "{observed:?}");
        assert_eq!(observed.counts.lost, 0, "{observed:?}");
        let found = probed.roams.happened.iter().find_map(|(_, _, happened)| match happened {
            Happened::Probed { found, .. } => Some(*found),
            _ => None,
        });
        let found = found.expect("probed");
        // The ACKs come back over the old path, which is faster: a round trip of 60 ms.
        assert!((90..=150).contains(&found.acks), "{found:?}");
        assert!((observed.ssthresh - f64::from(found.acks - 1)).abs() < 1e-9, "{observed:?}");

        let reset = roam(config, sender, NewPath::Reset, 12 << 20, two_networks(1), overlap());
        assert!(probed.stall() < reset.stall(), "{:?}", reset.stall());
    }
}

/// The old network is gone before the new one is there. noq sends again what was on it three probe
/// timeouts after both ends have given the path up: 1.6 to 1.8 s were measured.
#[test]
fn without_overlap_a_transfer_resumes() {
    use Signal::{Cut, Done, Gone, Watch};
    for sender in [CLIENT, SERVER] {
        let script =
            vec![(ms(2000), Watch), (ms(3000), Cut(0)), (ms(3000), Gone(0)), (ms(3200), Done(1))];
        let config = atl::Config::default();
        let roamed = roam(config, sender, PROBE, 8 << 20, two_networks(1), script);
        assert!(roamed.stall() < Span::from_millis(3000), "{:?}", roamed.stall());
        assert_eq!(roamed.roams.moves(sender).len(), 1);
    }
}

#[test]
fn a_path_that_nothing_comes_back_from_is_given_up_and_the_transfer_stays() {
    use Signal::{Cut, Imminent, Watch};
    let script = vec![(ms(1000), Cut(1)), (ms(1900), Watch), (ms(2000), Imminent(1))];
    let config = reno::Config::default();
    let roamed = roam(config, CLIENT, PROBE, 4 << 20, two_networks(1), script);
    assert!(roamed.stall() < Span::from_millis(120), "{:?}", roamed.stall());
    let happened: Vec<_> = roamed.roams.happened.iter().map(|(_, _, happened)| happened).collect();
    let stayed = Happened::Stayed { network: over(1), reason: None };
    assert!(happened.contains(&&stayed), "{happened:?}");
    assert!(roamed.roams.moves(CLIENT).is_empty());
}

/// A handoff that is called off: the new network is gone again while it is probed.
#[test]
fn a_survey_that_is_cut_off_leaves_the_transfer_where_it_was() {
    use Signal::{Cut, Gone, Imminent, Watch};
    let script =
        vec![(ms(1900), Watch), (ms(2000), Imminent(1)), (ms(2100), Cut(1)), (ms(2100), Gone(1))];
    let config = reno::Config::default();
    let roamed = roam(config, CLIENT, PROBE, 4 << 20, two_networks(1), script);
    assert!(roamed.stall() < Span::from_millis(120), "{:?}", roamed.stall());
    assert!(roamed.roams.moves(CLIENT).is_empty());
    assert!(roamed.world.transfer.done < Some(ms(4500)), "{:?}", roamed.world.transfer.done);
}

/// From a network with 200 ms and back: the first path's window is known.
#[test]
fn a_path_that_was_left_is_resumed_from_what_it_carried() {
    use Signal::{Done, Gone, Imminent};
    let networks = || vec![network(1, 30.0, 100, 500, 0.0), network(1, 5.0, 20, 50, 0.0)];
    let script = vec![
        (ms(4000), Imminent(1)),
        (ms(4500), Done(1)),
        (ms(5500), Gone(0)),
        (ms(6000), Imminent(0)),
        (ms(7000), Done(0)),
    ];
    let run = |new_path| {
        let config = reno::Config::default();
        let roamed = roam(config, CLIENT, new_path, 24 << 20, networks(), script.clone());
        assert_eq!(roamed.roams.moves(CLIENT).len(), 2);
        roamed.world.transfer.done.expect("done")
    };
    let (resumed, reset) = (run(NewPath::RESUME), run(NewPath::Reset));
    assert!(resumed + Span::from_millis(200) < reset, "{resumed:?}, reset {reset:?}");
}

/// Networks that come and go at random, each for up to a second, whatever the host says of them.
fn random_script(stream: &mut Stream) -> Vec<(Time, Signal)> {
    use Signal::{Cut, Done, Gone, Imminent, Mend};
    let mut script = Vec::new();
    let mut at = 150;
    for _ in 0..8 {
        at += stream.below(500);
        let network = stream.below(2) as usize;
        script.push((
            ms(at),
            match stream.below(6) {
                0 => Imminent(network),
                1 | 2 => Done(network),
                3 => Gone(network),
                _ => Cut(network),
            },
        ));
        if let Some((_, Cut(_))) = script.last() {
            script.push((ms(at + stream.below(1000)), Mend(network)));
        }
    }
    let last = stream.below(2) as usize;
    script.extend([(ms(6000), Mend(0)), (ms(6000), Mend(1)), (ms(6001), Done(last))]);
    script
}

#[test]
fn a_hundred_transfers_through_random_cuts_arrive_intact() {
    let mut moves = 0;
    for seed in 0..100 {
        let mut stream = Stream::new(seed, "cuts");
        let script = random_script(&mut stream);
        let networks = vec![network(seed, 2.0, 15, 20, 0.01), network(seed, 3.0, 30, 30, 0.0)];
        let sender = (seed % 2) as usize;
        let new_path = if seed % 3 == 0 { NewPath::RESUME } else { PROBE };
        let config = ControllerConfig::from(atl::robust::Config::default());
        let roamed = roam(config, sender, new_path, 800_000, networks, script);
        moves += roamed.roams.moves(sender).len();
        for path in roamed.factory.paths() {
            let observed = path.observed();
            assert!(observed.bytes_in_flight <= 800_000, "{observed:?}");
        }
    }
    assert!(moves > 100, "{moves}");
}
