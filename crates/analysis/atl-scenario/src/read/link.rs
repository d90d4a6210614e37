//! Reading links in both directions, with changes of network and blackouts.

use std::sync::Arc;

use atl_core::time::{Span, Time};
use atl_core::units::Rate;
use atl_link::{Buffer, Change, Conditions, Config, Delay, ReportError, Service};

use super::adaptation::cell_time;
use super::buffers::{Buffers, replaced};
use super::clock::Clock;
use super::network::{Networks, Partial};
use super::roam::{Phase, phases};
use super::{Traces, adaptation, agent, blackout, queue};
use crate::keys::words::{AT_CHANGES, ECN_RULES};
use crate::table::{Field, Table};
use atl_engine::adaptation::Adaptation;
use atl_engine::setup::{LinkSetup, TraceStart};

/// Index of the node with this name, which is added if new.
pub(super) fn node(nodes: &mut Vec<String>, name: &str) -> usize {
    nodes.iter().position(|n| n == name).unwrap_or_else(|| {
        nodes.push(name.to_owned());
        nodes.len() - 1
    })
}

/// Both directions of a link before their differences are applied.
pub(super) struct Directions {
    phases: Vec<Phase>,
    /// Differences of the reverse direction.
    back: Partial,
    queues: [queue::Waiting; 2],
    /// The reverse direction has a queue of its own, in every network.
    own_back: bool,
    /// Common to both; its queue, mark and conditions are those of neither.
    both: Config,
}

impl Directions {
    /// A link whose keys are all at their defaults.
    pub(super) fn usual() -> Config {
        Config::constant(Rate::ZERO, Span::ZERO, 0)
    }

    /// Reads the keys that links and cells share. `both` has those of a link alone; `None` after an
    /// error of the file.
    pub(super) fn read(
        table: &Table<'_>,
        traces: &Traces<'_>,
        mut phases: Vec<Phase>,
        both: Option<Config>,
    ) -> Option<Directions> {
        let queue = table.value("queue", queue::read);
        if let Some(start) = phases.first_mut().filter(|start| start.of_link) {
            start.queue = queue.clone().filter(|_| table.get("queue").is_some());
        }
        let report_window = table.value("report-window", Field::time);
        let report_error = report_error(table);
        let reverse = table.read("reverse", Field::table);
        let own_back = reverse.as_ref().and_then(|t| t.get("queue"));
        let reverse_queue = match &own_back {
            Some(field) => queue::read(field),
            None => queue.clone(),
        };
        let own_back = own_back.is_some();
        let back = reverse.map(|t| Partial::read(&t, traces)).unwrap_or_default();
        let (report_window, report_error) = (report_window?, report_error?);
        let both = Config { report_window, report_error, ..both? };
        Some(Directions { phases, back, queues: [queue?, reverse_queue?], own_back, both })
    }

    /// Forward and reverse configuration; `None` without a rate.
    pub(super) fn configs(&self) -> Option<[Arc<Config>; 2]> {
        let there = self.config(0, |p, _| p.there.complete(&p.name));
        let back = self
            .config(1, |p, back| p.there.changed_by(&p.back).changed_by(back).complete(&p.name));
        Some([there?, back?])
    }

    /// The configuration of one way, 1 for the reverse, with these conditions in each phase.
    fn config(
        &self,
        way: usize,
        conditions: fn(&Phase, &Partial) -> Option<Conditions>,
    ) -> Option<Arc<Config>> {
        let back = way == 1;
        let mut buffers = Buffers::new(&self.queues[way], back && self.own_back, back);
        let mut all = self.phases.iter().map(|phase| {
            let to = conditions(phase, &self.back)?;
            let queue = buffers.next(phase, self.both.rate_of(&to));
            Some((phase.at, Conditions { queue, ..to }))
        });
        let (_, mut initial) = all.next()??;
        let Buffer { queue, mark_at } = initial.queue.take()?;
        let schedule = all.map(|p| p.map(|(at, to)| Change { at, to })).collect::<Option<_>>()?;
        Some(Arc::new(Config { queue, mark_at, initial, schedule, ..self.both.clone() }))
    }

    /// Tells of what cannot be: a blockage that is faster than the clear line of sight, a jitter or
    /// a step that takes more from a delay than there is. A blockage of what has no constant rate
    /// has no effect, and is an error where a network brings it.
    pub(super) fn check(&self, table: &Table<'_>) {
        let directions = |phase: &Phase| {
            let back = phase.there.changed_by(&phase.back).changed_by(&self.back);
            [phase.there.clone(), back]
        };
        let all: Vec<[Partial; 2]> = self.phases.iter().map(directions).collect();
        let of = |way: usize| all.iter().map(move |ways| &ways[way]);
        // The key of the way back, or of both ways.
        let own = |key: &'static str, way: usize| {
            let back = table.get("reverse").filter(|_| way == 1).and_then(|field| field.table());
            back.and_then(|back| back.get(key)).or_else(|| table.get(key))
        };
        for way in [0, 1] {
            if let Some([blocked, clear]) = of(way).find_map(Partial::unblocked) {
                let why = format!(
                    "{} Mb/s while blocked are more than {} Mb/s while clear",
                    blocked.mbps(),
                    clear.mbps()
                );
                match own("blockage", way).and_then(|field| field.table()?.get("rate")) {
                    Some(rate) => drop(rate.bad::<()>(why)),
                    None => table.report(format!("`{}` is faster while blocked", table.path), why),
                }
                break;
            }
        }
        for way in [0, 1] {
            if let Some([below, delay]) = of(way).find_map(Partial::cut) {
                let why = format!(
                    "it takes up to {} ms from a delay of {} ms: give a longer delay, or a shape that only adds",
                    below.secs() * 1e3,
                    delay.secs() * 1e3
                );
                match own("jitter", way).or_else(|| own("reconfiguration", way)) {
                    Some(field) => drop(field.bad::<()>(why)),
                    None => {
                        let message =
                            format!("`{}` varies its delay by more than it has", table.path);
                        table.report(message, why);
                    }
                }
                break;
            }
        }
        let in_vain = all.iter().flatten().any(Partial::is_blocked_in_vain);
        let why = "a blockage goes with a constant `rate`: not with a trace, a ramp, `wifi` or `\"unlimited\"`";
        match table.get("blockage") {
            Some(field) => field.effect(!in_vain, why),
            None if in_vain => {
                table.report(format!("`{}` has a blockage, and no constant rate", table.path), why);
            }
            None => {}
        }
    }
}

/// Reads the keys that hold in both directions of a link, and that a cell does not have.
fn both(table: &Table<'_>, clock: &Clock) -> Option<Config> {
    let blackouts = blackout::read(table, clock);
    let at_change = table.value("at-change", |f| f.one_of(AT_CHANGES));
    let ecn = table.value("ecn", |f| f.one_of(ECN_RULES)).unwrap_or_default();
    let shaper = table.read("shaper", queue::shaper);
    Some(Config { shaper, ecn, blackouts, at_change: at_change?, ..Directions::usual() })
}

/// Errors of a link's reports; `None` after an error of the file.
fn report_error(link: &Table<'_>) -> Option<ReportError> {
    let Some(field) = link.get("report-error") else { return Some(ReportError::NONE) };
    let table = field.table()?;
    Some(ReportError {
        loss_factor: table.value("loss", Field::number)?,
        delay_factor: table.value("delay", Field::number)?,
        age: table.value("age", Field::time)?,
    })
}

/// Reads a link; gives one setup for each direction.
pub(super) fn read(
    table: &Table<'_>,
    networks: &Networks,
    traces: &Traces<'_>,
    nodes: &mut Vec<String>,
    clock: &Clock,
) -> Vec<LinkSetup> {
    let name = table.read("name", Field::name);
    let from = table.read("from", Field::name).map(|n| node(nodes, n));
    let to_field = table.get("to");
    let to = to_field.as_ref().and_then(Field::name).map(|n| node(nodes, n));
    if let (Some(from), Some(to), Some(field)) = (from, to, &to_field)
        && from == to
    {
        field.bad::<()>("a link joins two different nodes");
    }
    let phases = phases(table, name.unwrap_or("link"), networks, traces, clock);
    let directions = Directions::read(table, traces, phases, both(table, clock));
    let trace_offset = trace_offset(table);
    let wireless = table.value("wireless", Field::bool);
    let one_way = table.value("one-way", Field::bool);
    let agent = agent::read(table, wireless != Some(false), one_way == Some(true));
    let adaptation = table.value("adaptation", adaptation::read);
    adaptation::check_tunnel(table, adaptation.is_some(), agent.as_ref(), one_way == Some(true));

    let (Some(name), Some(from), Some(to)) = (name, from, to) else {
        return Vec::new();
    };
    let Some((directions, trace_offset)) = directions.zip(trace_offset) else { return Vec::new() };
    let Some((wireless, one_way)) = wireless.zip(one_way) else { return Vec::new() };
    let Some([there, back]) = directions.configs() else {
        // A link without any of these, or with a wrong value, has been reported already. A roam
        // alone suffices only at the start of the run.
        if table.get("roam").is_some_and(|roam| !roam.is_table())
            && ["rate", "trace", "network"].iter().all(|key| table.get(key).is_none())
        {
            let label = "give `rate`, `trace` or `network`, or roam to a network at \"0s\"";
            table.report(format!("`{}` has no rate at the start", table.path), label);
        }
        return Vec::new();
    };
    directions.check(table);
    if let Some(field) = table.get("shaper") {
        let mut all = services(&there).chain(services(&back));
        let shaped = all.any(|service| !matches!(service, Service::Wifi(_)));
        field.effect(shaped, "a station of `wifi` sends many packets at once");
    }
    let adaptation = adaptation.map(|draft| {
        let slowest = slowest(&there).into_iter().chain(slowest(&back)).reduce(f64::min);
        let delay = initial_delay(&there) + initial_delay(&back);
        let tunnel = draft.settled(slowest.map_or(Span::ZERO, cell_time), delay, 0);
        // Quenches travel between a flow's end systems, so a tunnel sends none.
        Adaptation { quench: None, ..tunnel }
    });
    let trace_start = trace_start(trace_offset, name, &[&there, &back]);
    let note = |key, has_one, why| {
        if let Some(field) = table.get(key) {
            field.effect(has_one, why);
        }
    };
    note("trace-offset", trace_start.is_some(), "the link has no trace");
    note("report-window", wireless, "only a wireless link reports");
    note("report-error", wireless, "only a wireless link reports");
    note("at-change", !there.schedule.is_empty(), "the link never changes its network");
    // A queue only fills where there is a rate, or a blackout that holds packets.
    let waits = |config: &Config| {
        services(config).any(|s| *s != Service::Unlimited)
            || config.shaper.is_some()
            || config.blackouts.iter().any(|b| b.hold)
    };
    let own_back = table.get("reverse").and_then(|t| t.table()?.get("queue"));
    let shared = own_back.is_none() && !one_way && waits(&back);
    let why = "nothing waits on a link of unlimited rate";
    let waited = waits(&there) || shared;
    match replaced(&directions.phases) {
        Some(why) => note("queue", false, why),
        None => note("queue", waited, why),
    }
    let roams = table.get("roam").filter(|roam| !roam.is_table()).and_then(|roam| roam.items());
    for roam in roams.iter().flatten().filter_map(Field::table) {
        if let Some(field) = roam.get("queue") {
            field.effect(waited, why);
        }
    }
    if let Some(field) = own_back {
        field.effect(waits(&back), why);
    }
    let there = LinkSetup {
        name: name.to_owned(),
        from,
        to,
        wireless,
        config: there,
        agent,
        adaptation,
        trace_start,
    };
    if one_way {
        return vec![there];
    }
    let name = format!("{name}.back");
    let back = LinkSetup { name, from: to, to: from, config: back, ..there.clone() };
    vec![there, back]
}

/// Reads the offset into the traces at the start; `None` within for a random one.
pub(super) fn trace_offset(table: &Table<'_>) -> Option<Option<Span>> {
    table.value("trace-offset", |f| match f.is_word("random") {
        true => Some(None),
        false => f.time().map(Some),
    })
}

/// Offset into the traces of both directions: fixed or random; `None` without traces.
pub(super) fn trace_start(
    offset: Option<Span>,
    name: &str,
    directions: &[&Config],
) -> Option<TraceStart> {
    let period = directions.iter().flat_map(|config| periods(config)).max()?;
    Some(match offset {
        Some(offset) => TraceStart::At(offset),
        None => TraceStart::Random { stream: format!("link/{name}/trace").into(), period },
    })
}

/// Periods of all traces of a direction.
fn periods(config: &Config) -> impl Iterator<Item = Span> {
    let later = config.schedule.iter().map(|change| &change.to);
    std::iter::once(&config.initial).chain(later).flat_map(|conditions| {
        let rate = match &conditions.service {
            Service::Trace(trace) => Some(trace.duration()),
            _ => None,
        };
        let delay = match &conditions.delay {
            Delay::Trace(trace) => Some(trace.duration()),
            Delay::Constant(_) => None,
        };
        rate.into_iter().chain(delay)
    })
}

/// Services of a link at the start and after each change.
pub(super) fn services(config: &Config) -> impl Iterator<Item = &Service> {
    let later = config.schedule.iter().map(|change| &change.to.service);
    std::iter::once(&config.initial.service).chain(later)
}

/// Lowest rate of a link in bits per second, with a trace counted by its mean; `None` if it is
/// never limited.
pub(super) fn slowest(config: &Config) -> Option<f64> {
    let rates = services(config).filter_map(|service| match service {
        Service::Constant(rate) => Some(*rate),
        Service::Ramp(ramp) => Some(ramp.lowest()),
        Service::Blocked(sight) => Some(sight.blocked),
        Service::Wifi(wifi) => Some(wifi.mean_rate()),
        Service::Trace(trace) => Some(trace.mean_rate()),
        Service::Unlimited => None,
    });
    rates.map(Rate::bps).filter(|bps| *bps > 0.0).reduce(f64::min)
}

/// Delay of a link at the start.
pub(super) fn initial_delay(config: &Config) -> Span {
    match &config.initial.delay {
        Delay::Constant(delay) => *delay,
        Delay::Trace(trace) => trace.at(Time::ZERO),
    }
}
