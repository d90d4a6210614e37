//! ATM adaptation: of a whole way (`flow.adaptation`), or around one link (`link.adaptation`).

use atl_aal::aalt::payload::{LengthRule, PayloadLength};
use atl_aal::aalt::s_arq::{ReceiverConfig, RoundTripCount, SenderConfig};
use atl_aal::cell::CELL_OCTETS;
use atl_core::time::Span;
use atl_core::units::Rate;

use crate::adaptation::{AalT, Adaptation, Fault, Faults, Layer, Quench};
use crate::keys;
use crate::setup::{Agent, LinkSetup};
use crate::table::{Field, Table};
use crate::tree::Kind;

/// Most IP packets that may wait.
const MAX_QUEUE: u64 = 1_000_000;
/// What may wait unless the file says otherwise.
const QUEUE: u32 = 50;
/// The largest window in PDUs.
const MAX_WINDOW: u64 = 4096;
/// Most transmissions that a bit error ratio is estimated over.
const MAX_STATISTICS: u64 = 10_000_000;

/// The layers by their names.
#[derive(Clone, Copy, PartialEq)]
enum Name {
    Aal5,
    AalT,
}

const NAMES: &[(&str, Name)] = &[("aal5", Name::Aal5), ("aal-t", Name::AalT)];

/// PDUs of one cell from one control packet to the next, where the file leaves the time between them open, and how
/// short and how long that may become.
const PDUS_A_STATUS: u64 = 32;
const SHORTEST_STATUS: Span = Span::from_micros(100);
const LONGEST_STATUS: Span = Span::from_millis(10);
/// m before it is measured: where the links have no delay, and at most.
const INITIAL_M: u64 = 8;
const MAX_INITIAL_M: u64 = 30_000;
/// The longest time between control packets, in times between those of PDUs of one cell.
const LONGEST_BY_SHORTEST: u64 = 5;

/// The time of a cell on a link of this rate.
pub(super) fn cell_time(bps: f64) -> Span {
    Rate::from_bps(bps).time_for(CELL_OCTETS as u64)
}

/// An adaptation layer of which some may be left open.
pub(super) struct Draft {
    adaptation: Adaptation,
    /// The time between control packets follows the links.
    interval_open: bool,
    /// So does m before it is measured.
    round_trip_open: bool,
    /// The queue is as long as it has to be.
    queue_open: bool,
}

impl Draft {
    /// The layer on a way whose slowest link takes `cell_time` for a cell (zero: that is not known), and whose links
    /// delay so much there and back; at least so many packets may wait, unless the file says how many.
    pub fn settled(mut self, cell_time: Span, delay: Span, least_queue: u32) -> Adaptation {
        if self.queue_open {
            self.adaptation.queue = self.adaptation.queue.max(least_queue);
        }
        let Layer::AalT(aal_t) = &mut self.adaptation.layer else { return self.adaptation };
        if self.interval_open && !cell_time.is_zero() {
            let every = cell_time * PDUS_A_STATUS;
            let every = every.max(SHORTEST_STATUS).min(LONGEST_STATUS);
            aal_t.receiver.status_interval = every;
            aal_t.receiver.longest_status_interval = every * LONGEST_BY_SHORTEST;
        }
        if self.round_trip_open {
            // Twice as many as come in that time: packets call for further ones.
            let every = aal_t.receiver.status_interval.nanos();
            let m = (INITIAL_M + 2 * delay.nanos() / every).min(MAX_INITIAL_M);
            aal_t.sender.round_trip = RoundTripCount::Measured { initial: m as u16 };
        }
        self.adaptation
    }
}

/// A layer's name, or a table with its name and parameters; `false` is none.
pub(super) fn read(field: &Field<'_>) -> Option<Draft> {
    let whole = match field.node.kind {
        Kind::Bool(false) => return None,
        Kind::Str(_) => match field.one_of(NAMES)? {
            Name::Aal5 => Adaptation { layer: Layer::Aal5, queue: QUEUE, quench: None },
            Name::AalT => Adaptation {
                layer: Layer::AalT(AalT::default()),
                queue: QUEUE,
                quench: Some(Quench::default()),
            },
        },
        _ => {
            let table = field.table(&keys::ADAPTATION)?;
            let interval_open = table.get("status-interval").is_none();
            let round_trip_open =
                table.get("round-trip").is_none_or(|f| matches!(f.node.kind, Kind::Str(_)));
            let queue_open = table.get("queue").is_none();
            let adaptation = self::table(&table)?;
            return Some(Draft { adaptation, interval_open, round_trip_open, queue_open });
        }
    };
    let (interval_open, round_trip_open, queue_open) = (true, true, true);
    Some(Draft { adaptation: whole, interval_open, round_trip_open, queue_open })
}

fn table(table: &Table<'_>) -> Option<Adaptation> {
    let name = table.need("name").and_then(|f| f.one_of(NAMES));
    let queue = table.read("queue", |f| f.whole(1, MAX_QUEUE)).and_then(|n| u32::try_from(n).ok());
    if name? == Name::Aal5 {
        for key in keys::ADAPTATION.keys.iter().filter(|key| !OF_BOTH.contains(key)) {
            if let Some(field) = table.get(key) {
                return field.bad("AAL5 retransmits nothing: the key is AAL-T's");
            }
        }
        return Some(Adaptation {
            layer: Layer::Aal5,
            queue: queue.unwrap_or(QUEUE),
            quench: None,
        });
    }
    let quench = match table.get("quench") {
        None => Some(Quench::default()),
        Some(f) if matches!(f.node.kind, Kind::Bool(false)) => None,
        Some(f) => Some(quench(&f.table(&keys::QUENCH)?)),
    };
    Some(Adaptation { layer: Layer::AalT(aal_t(table)?), queue: queue.unwrap_or(QUEUE), quench })
}

/// Keys that say something to AAL5 too.
const OF_BOTH: [&str; 2] = ["name", "queue"];

fn above_zero(field: &Field<'_>) -> Option<Span> {
    match field.time()? {
        t if t.is_zero() => field.bad("it must be above zero"),
        t => Some(t),
    }
}

fn aal_t(table: &Table<'_>) -> Option<AalT> {
    let small =
        |key, from, to| table.read(key, |f| f.whole(from, to)).and_then(|n| u16::try_from(n).ok());
    let sender = SenderConfig::default();
    let receiver = ReceiverConfig::default();
    let window = small("window", 1, MAX_WINDOW).unwrap_or(sender.window);
    let round_trip = table.read("round-trip", |f| match &f.node.kind {
        Kind::Str(_) => f.one_of(&[("measured", sender.round_trip)]),
        _ => f.whole(1, 255).and_then(|n| u16::try_from(n).ok()).map(RoundTripCount::Fixed),
    });
    let smoothing = table.read("smoothing", |f| match f.number(0.0, 1.0)? {
        a if a < 1.0 => Some(a),
        _ => f.bad("it must be below 1"),
    });
    let length = |f: &Field<'_>| {
        let most = u64::from(PayloadLength::LONGEST.cells());
        u16::try_from(f.whole(1, most)?).ok().and_then(PayloadLength::from_cells)
    };
    let rule = table.read("payload", |f| match &f.node.kind {
        Kind::Str(_) => f.one_of(&[("eq2", LengthRule::Optimum), ("table1", LengthRule::Table1)]),
        _ => length(f).map(LengthRule::Fixed),
    });
    let longest = table.read("longest", length);
    let statistics = table.read("statistics", |f| f.whole(1, MAX_STATISTICS));
    let statistics = statistics.and_then(|n| usize::try_from(n).ok());
    let (shortest, latest) = match table.get("status-interval") {
        None => (None, None),
        Some(f) if matches!(f.node.kind, Kind::Array(_)) => interval(&f)?,
        Some(f) => {
            let every = above_zero(&f)?;
            (Some(every), Some(every.max(receiver.longest_status_interval)))
        }
    };
    let faults = match table.get("faults") {
        None => None,
        Some(f) if matches!(f.node.kind, Kind::Bool(false)) => None,
        Some(f) => Some(faults(&f.table(&keys::FAULTS)?)?),
    };
    let rule = rule.unwrap_or(sender.length_rule);
    let longest = match rule {
        LengthRule::Fixed(length) => longest.unwrap_or(length).max(length),
        LengthRule::Optimum | LengthRule::Table1 => longest.unwrap_or(sender.longest),
    };
    Some(AalT {
        sender: SenderConfig {
            window,
            round_trip: round_trip.unwrap_or(sender.round_trip),
            smoothing: smoothing.unwrap_or(sender.smoothing),
            length_rule: rule,
            longest,
            statistics_window: statistics.unwrap_or(sender.statistics_window),
            ..sender
        },
        receiver: ReceiverConfig {
            window,
            status_interval: shortest.unwrap_or(receiver.status_interval),
            longest_status_interval: latest.unwrap_or(receiver.longest_status_interval),
            statistics_window: statistics.unwrap_or(receiver.statistics_window),
            ..receiver
        },
        faults,
    })
}

/// `["1ms", "5ms"]`: of PDUs of one cell, and the longest.
fn interval(field: &Field<'_>) -> Option<(Option<Span>, Option<Span>)> {
    let items = field.items()?;
    let [every, longest] = items.as_slice() else {
        return field.bad("two times: that of PDUs of one cell, and the longest");
    };
    let (every, latest) = (above_zero(every)?, above_zero(longest)?);
    if latest < every {
        return longest.bad("the longest is not shorter than the other");
    }
    Some((Some(every), Some(latest)))
}

fn quench(table: &Table<'_>) -> Quench {
    let default = Quench::default();
    Quench {
        every: table.read("every", above_zero).unwrap_or(default.every),
        scatter: table.read("scatter", Field::time).unwrap_or(default.scatter),
    }
}

fn faults(table: &Table<'_>) -> Option<Faults> {
    let fault = table.need("scenario").and_then(|f| match &f.node.kind {
        Kind::Str(_) => f.one_of(&[("any", Fault::Any)]),
        _ => {
            let n = f.whole(1, Fault::SCENARIOS.len() as u64)?;
            usize::try_from(n).ok().and_then(|n| Fault::SCENARIOS.get(n - 1)).copied()
        }
    });
    let share = table.need("share").and_then(|f| match f.probability()? {
        p if p.get() < 1.0 => Some(p),
        _ => f.bad("something has to get through: it must be below 1"),
    });
    Some(Faults { fault: fault?, share: share? })
}

/// Checks that a link can be a tunnel.
pub(super) fn check_tunnel(
    table: &Table<'_>,
    adaptation: bool,
    agent: Option<&Agent>,
    one_way: bool,
) {
    let Some(field) = table.get("adaptation").filter(|_| adaptation) else { return };
    if one_way {
        field.bad::<()>("its statuses need a way back: the link cannot be one-way");
    }
    if agent.is_some() {
        field.bad::<()>("an agent cannot see into cells: give one of both");
    }
    let quench = matches!(field.node.kind, Kind::Table(_)) && field.node.get("quench").is_some();
    if quench {
        field.bad::<()>("source quench is between the hosts of a flow: `flow.adaptation` knows it");
    }
}

/// Checks that a flow can travel in cells from end to end.
pub(super) fn check_way(
    table: &Table<'_>,
    adaptation: bool,
    forward: &[usize],
    back: &[usize],
    links: &[LinkSetup],
) {
    let Some(field) = table.get("adaptation").filter(|_| adaptation) else { return };
    for link in forward.iter().chain(back).map(|link| &links[*link]) {
        let name = &link.name;
        let other = match (&link.adaptation, &link.agent) {
            (Some(_), _) => "is a tunnel with an adaptation layer of its own",
            (_, Some(_)) => "has an agent, which cannot see into cells",
            (None, None) => continue,
        };
        let message = format!("`{}` cannot be: the link `{name}` {other}", field.path);
        field.report(field.problem(message, "the layer stands at the hosts"));
        return;
    }
}
