//! ATM adaptation: over a whole path (`flow.adaptation`), or around one link (`link.adaptation`).

use atl_aal::aalt::payload::{LengthRule, PayloadLength};
use atl_aal::aalt::s_arq::{ReceiverConfig, RoundTripCount, SenderConfig};
use atl_aal::cell::CELL_OCTETS;
use atl_core::time::Span;
use atl_core::units::Rate;

use crate::keys;
use crate::keys::words::{ANY_FAULT, LAYERS, LayerName, MEASURED, PAYLOADS, PayloadRule};
use crate::table::{Field, Table};
use atl_engine::adaptation::{AalT, Adaptation, Fault, Faults, Layer, Quench};
use atl_engine::setup::{Agent, LinkSetup};

/// Default limit of IP packets in the queue.
const QUEUE: u32 = 50;

/// Control interval by default, as the time that this many one-cell PDUs take, with bounds below.
const PDUS_A_STATUS: u64 = 32;
const SHORTEST_STATUS: Span = Span::from_micros(100);
const LONGEST_STATUS: Span = Span::from_millis(10);
/// Initial m on links without delay, before it is measured.
const INITIAL_M: u64 = 8;
const MAX_INITIAL_M: u64 = 30_000;
/// Longest control interval, as a multiple of that for one-cell PDUs.
const LONGEST_BY_SHORTEST: u64 = 5;

/// Transmission time of a cell at this rate.
pub(super) fn cell_time(bps: f64) -> Span {
    Rate::from_bps(bps).time_for(CELL_OCTETS as u64)
}

/// An adaptation layer with parameters that may still be open.
pub(super) struct Draft {
    adaptation: Adaptation,
    /// True if the control interval follows from the links.
    interval_open: bool,
    /// True if the initial m follows from the links.
    round_trip_open: bool,
    /// True if the queue's length follows from the flow.
    queue_open: bool,
}

impl Draft {
    /// Settles the open parameters for a path whose slowest link takes `cell_time` for a cell
    /// (zero: unknown), whose links have this `delay` over both directions, and whose queue must
    /// hold at least `least_queue` packets unless the file sets it.
    pub(super) fn settled(mut self, cell_time: Span, delay: Span, least_queue: u32) -> Adaptation {
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
            // Twice the number that arrive in that time, since packets trigger further ones.
            let every = aal_t.receiver.status_interval.nanos();
            let m = (INITIAL_M + 2 * delay.nanos() / every).min(MAX_INITIAL_M);
            aal_t.sender.round_trip = RoundTripCount::Measured { initial: m as u16 };
        }
        self.adaptation
    }
}

/// Reads a layer's name, or a table with its name and parameters; `None` for `false`.
pub(super) fn read(field: &Field<'_>) -> Option<Draft> {
    if field.is_off() {
        return None;
    }
    // A name alone is short for a table with nothing else.
    let (table, name) = if field.is_text() {
        (Table::empty_of(field, &keys::ADAPTATION), field.one_of(LAYERS)?)
    } else {
        let table = field.table()?;
        let name = table.read("name", |f| f.one_of(LAYERS))?;
        (table, name)
    };
    let queue = table.read("queue", Field::whole_as);
    let (layer, quench) = match name {
        LayerName::Aal5 => (Layer::Aal5, None),
        LayerName::AalT => {
            let quench = match table.get("quench") {
                None => Some(quench(&table.empty(&keys::QUENCH))?),
                Some(f) if f.is_off() => None,
                Some(f) => Some(quench(&f.table()?)?),
            };
            (Layer::AalT(aal_t(&table)?), quench)
        }
    };
    Some(Draft {
        adaptation: Adaptation { layer, queue: queue.unwrap_or(QUEUE), quench },
        interval_open: table.get("status-interval").is_none(),
        round_trip_open: table.get("round-trip").is_none_or(|f| f.is_text()),
        queue_open: table.get("queue").is_none(),
    })
}

fn aal_t(table: &Table<'_>) -> Option<AalT> {
    let sender = SenderConfig::default();
    let receiver = ReceiverConfig::default();
    let length = |f: &Field<'_>| PayloadLength::from_cells(f.whole_as()?);
    let window = table.value("window", Field::whole_as);
    let round_trip = table.value("round-trip", |f| match f.is_text() {
        // The initial value of m follows from the path.
        true => f.one_of(MEASURED).map(|()| sender.round_trip),
        false => f.whole_as().map(RoundTripCount::Fixed),
    });
    let smoothing = table.value("smoothing", Field::number);
    let rule = table.value("payload", |f| match f.is_text() {
        true => f.one_of(PAYLOADS).map(|rule| match rule {
            PayloadRule::Optimum => LengthRule::Optimum,
            PayloadRule::Table1 => LengthRule::Table1,
        }),
        false => length(f).map(LengthRule::Fixed),
    });
    let longest = match rule {
        // A fixed payload is by default the longest one too.
        Some(LengthRule::Fixed(fixed)) => {
            table.get("longest").map_or(Some(fixed), |f| length(&f)).map(|l| l.max(fixed))
        }
        _ => table.value("longest", length),
    };
    let statistics = table.value("statistics", Field::whole_as);
    let (shortest, latest) = match table.get("status-interval") {
        None => (receiver.status_interval, receiver.longest_status_interval),
        Some(f) if f.is_list() => interval(&f)?,
        Some(f) => {
            let every = f.time()?;
            (every, every.max(receiver.longest_status_interval))
        }
    };
    let faults = table
        .value("faults", |f| if f.is_off() { Some(None) } else { faults(&f.table()?).map(Some) });
    let (window, statistics) = (window?, statistics?);
    Some(AalT {
        sender: SenderConfig {
            window,
            round_trip: round_trip?,
            smoothing: smoothing?,
            length_rule: rule?,
            longest: longest?,
            statistics_window: statistics,
            ..sender
        },
        receiver: ReceiverConfig {
            window,
            status_interval: shortest,
            longest_status_interval: latest,
            statistics_window: statistics,
            ..receiver
        },
        faults: faults?,
    })
}

/// Reads `["1ms", "5ms"]`: the intervals for one-cell PDUs and for the longest.
fn interval(field: &Field<'_>) -> Option<(Span, Span)> {
    let items = field.items()?;
    let [every, longest] = items.as_slice() else { return None };
    let (every, latest) = (every.time()?, longest.time()?);
    if latest < every {
        return longest.bad("the longest interval must not be shorter than the first");
    }
    Some((every, latest))
}

fn quench(table: &Table<'_>) -> Option<Quench> {
    let (every, scatter) = (table.value("every", Field::time), table.value("scatter", Field::time));
    Some(Quench { every: every?, scatter: scatter? })
}

fn faults(table: &Table<'_>) -> Option<Faults> {
    let fault = table.read("scenario", |f| match f.is_text() {
        true => f.one_of(ANY_FAULT),
        false => Fault::SCENARIOS.get(f.whole_as::<usize>()? - 1).copied(),
    });
    let share = table.read("share", Field::probability);
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
        field.bad::<()>("its control packets need a reverse path: the link cannot be one-way");
    }
    if agent.is_some() {
        field.bad::<()>("an agent cannot see into cells: choose one of the two");
    }
    if field.node.get("quench").is_some() {
        field.bad::<()>(
            "source quenches run between the hosts of a flow: set `quench` in `flow.adaptation`",
        );
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
            (Some(_), _) => "is a tunnel with its own adaptation layer",
            (_, Some(_)) => "has an agent, which cannot see into cells",
            (None, None) => continue,
        };
        let message = format!("`{}` cannot be: the link `{name}` {other}", field.path);
        field.report(field.problem(message, "a flow's adaptation layer runs at its hosts"));
        return;
    }
}
