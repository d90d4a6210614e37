//! Flows: who sends to whom, by which protocol, what and when.

use atl_core::path::LinkReport;
use atl_core::time::{Span, Time};
use atl_core::units::Rate;
use atl_link::Service;

use super::adaptation::cell_time;
use super::clock::Clock;
use super::link::{initial_delay, services, slowest};
use super::names::duplicate;
use super::{adaptation, error_control, pacing, source};
use crate::errors::{Problem, list};
use crate::keys;
use crate::options::{OptionError, Options};
use crate::protocol::{Protocol, RECOVERIES, Recovery, catalogue};
use crate::route::{reachable, route};
use crate::setup::{FlowSetup, LinkSetup, Pacing, Receiver, Source, Tcp};
use crate::table::{Field, Table};
use crate::tree::{Entry, Kind};

/// Most flows of one run.
const MAX_FLOWS: usize = 100_000;
/// Most bytes of a packet: IP's length has 16 bits.
const MAX_PACKET: u32 = 65_535;

/// What a host knows of the rate of its own interface.
#[derive(Clone, Copy, Debug)]
enum Access {
    /// The rate of the flow's first link, where that never changes.
    Auto,
    Unknown,
    Known(Rate),
}

/// What the file says of all flows.
#[derive(Clone, Debug)]
struct Base {
    tcp: Tcp,
    access: Access,
    pacing: Pacing,
}

/// Reads all flows. `whole` tells that the links are all there.
pub(super) fn read(
    top: &Table<'_>,
    tables: &[Table<'_>],
    nodes: &[String],
    links: &[LinkSetup],
    clock: &Clock,
    whole: bool,
) -> Vec<FlowSetup> {
    let common = top.read("tcp", |f| f.table(&keys::TCP));
    let start = (Tcp::default(), Access::Auto);
    let (base, access) = common.map_or(start.clone(), |t| tcp(&t, start));
    let common = top.read("pacing", |f| f.table(&keys::PACING));
    let pacing = common.map_or_else(Pacing::default, |t| pacing::read(&t, Pacing::default()));
    let base = Base { tcp: base, access, pacing };
    let mut flows: Vec<FlowSetup> = Vec::new();
    let mut names: Vec<String> = Vec::new();
    for table in tables {
        let Some((flow, count)) = one(table, nodes, links, clock, base.clone(), whole) else {
            continue;
        };
        if flows.len() + count > MAX_FLOWS {
            table.report(format!("there are more than {MAX_FLOWS} flows"), "one too many");
            break;
        }
        let taken = names.contains(&flow.name);
        for i in 1..=count {
            let name = if count == 1 { flow.name.clone() } else { format!("{}-{i}", flow.name) };
            if flows.iter().any(|f| f.name == name) || taken && i == 1 {
                duplicate(table, "flow", &name);
            }
            flows.push(FlowSetup { name, ..flow.clone() });
        }
        names.push(flow.name);
    }
    flows
}

fn one(
    table: &Table<'_>,
    nodes: &[String],
    links: &[LinkSetup],
    clock: &Clock,
    base: Base,
    whole: bool,
) -> Option<(FlowSetup, usize)> {
    let name = table.need("name").and_then(|f| f.name());
    let group = table.read("group", Field::name).or(name);
    let from = table.need("from").and_then(|f| node(&f, nodes, whole));
    let to = table.need("to");
    let to_node = to.as_ref().and_then(|f| node(f, nodes, whole));
    let protocol = table.need("protocol").and_then(|f| protocol(&f));
    let count = table.read("count", |f| f.whole(1, MAX_FLOWS as u64)).unwrap_or(1);
    let start = table.read("start", |f| {
        let at = Time::ZERO + f.time()?;
        if at < clock.end { Some(at) } else { f.bad("the run ends before the flow starts") }
    });
    let start_jitter = table.read("start-jitter", |f| {
        let jitter = f.time()?;
        let latest = start.unwrap_or_default().saturating_add(jitter);
        if latest <= clock.end { Some(jitter) } else { f.bad("the flow might start after the end") }
    });
    let source = table.read("source", source::read);
    let own = table.read("tcp", |f| f.table(&keys::TCP));
    let (mut tcp, access) = match &own {
        Some(t) => tcp(t, (base.tcp, base.access)),
        None => (base.tcp, base.access),
    };
    let pacing = match table.read("pacing", |f| f.table(&keys::PACING)) {
        Some(t) => pacing::read(&t, base.pacing),
        None => base.pacing,
    };
    let receiver = table.read("receiver", receiver);
    let adaptation = table.read("adaptation", adaptation::read);
    let overhead = table.get("overhead");
    let auto =
        overhead.as_ref().is_some_and(|f| matches!(&f.node.kind, Kind::Str(s) if s == "auto"));
    let overhead = if auto { None } else { overhead.and_then(|f| f.time()) };

    let (from, to_node) = (from?, to_node?);
    if from == to_node {
        return to?.bad("a flow leads from one node to another");
    }
    let ends: Vec<_> = links.iter().map(|l| (l.from, l.to)).collect();
    let way = |a: usize, b: usize| {
        let way = route(nodes.len(), &ends, a, b);
        if way.is_none() && whole {
            let mut problem =
                Problem::new(format!("no way leads from {} to {}", nodes[a], nodes[b]))
                    .at(table.at)
                    .key(&*table.path)
                    .label("this flow needs one");
            let near = reachable(nodes.len(), &ends, a);
            let near: Vec<&str> = near.iter().map(|n| nodes[*n].as_str()).collect();
            problem = problem.help(if near.is_empty() {
                format!("no link leads from `{}`", nodes[a])
            } else {
                format!("the links lead from `{}` to {}", nodes[a], list(&near))
            });
            table.cx.sink.report(problem);
        }
        way
    };
    let (forward, back) = (way(from, to_node)?, way(to_node, from)?);
    tcp.access_rate = match access {
        Access::Auto => constant_rate(&links[*forward.first()?]),
        Access::Unknown => None,
        Access::Known(rate) => Some(rate),
    };
    let overhead = if auto {
        packet_time(&forward, links, u64::from(tcp.segment + tcp.header))
    } else {
        overhead.unwrap_or_default()
    };
    let (protocol, source) = (protocol?, source.unwrap_or(Source::Greedy));
    pacing::check(table, &protocol, &source, &pacing, &tcp);
    pacing::check_own(table, own.as_ref(), &protocol);
    adaptation::check_way(table, adaptation.is_some(), &forward, &back, links);
    let way = forward.iter().chain(&back);
    let rate = way.filter_map(|link| slowest(&links[*link].config)).reduce(f64::min);
    let way = forward.iter().chain(&back);
    let delay = way.fold(Span::ZERO, |sum, link| sum + initial_delay(&links[*link].config));
    // Without error control nothing may be dropped: the whole window has room.
    let repairs = protocol.tcp().is_none_or(|tcp| tcp.recovery != Recovery::None);
    let least = if repairs { 0 } else { tcp.receive_window };
    let adaptation =
        adaptation.map(|draft| draft.settled(rate.map_or(Span::ZERO, cell_time), delay, least));
    error_control::check(table, &protocol, adaptation.as_ref(), &tcp);
    let flow = FlowSetup {
        name: name?.to_owned(),
        group: group?.to_owned(),
        forward,
        back,
        protocol,
        source,
        start: start.unwrap_or_default(),
        start_jitter: start_jitter.unwrap_or_default(),
        overhead,
        tcp,
        pacing,
        receiver: receiver.unwrap_or_default(),
        adaptation,
    };
    Some((flow, usize::try_from(count).ok()?))
}

fn node(field: &Field<'_>, nodes: &[String], whole: bool) -> Option<usize> {
    let name = field.text()?;
    let node = nodes.iter().position(|n| n == name);
    if node.is_none() && whole {
        let problem = field.problem(format!("there is no node `{name}`"), "no link has this end");
        field.report(problem.nearest(name, nodes.iter().map(String::as_str)));
    }
    node
}

/// The rate of a link that always has the same.
fn constant_rate(link: &LinkSetup) -> Option<Rate> {
    let mut all = services(&link.config);
    match all.next() {
        Some(Service::Constant(rate)) if all.all(|s| *s == Service::Constant(*rate)) => Some(*rate),
        _ => None,
    }
}

/// How long a packet takes on the slowest link of a way.
fn packet_time(way: &[usize], links: &[LinkSetup], bytes: u64) -> Span {
    let slowest = way.iter().filter_map(|link| slowest(&links[*link].config)).reduce(f64::min);
    slowest.map_or(Span::ZERO, |bps| Rate::from_bps(bps).time_for(bytes))
}

/// A protocol's name, or a table with its name and options.
fn protocol(field: &Field<'_>) -> Option<Protocol> {
    if matches!(field.node.kind, Kind::Str(_)) {
        return built(field, field, &[]);
    }
    let table = field.table(&keys::PROTOCOL)?;
    let name = table.need("name")?;
    let options: Vec<&Entry> = table.others().map(|(entry, _)| entry).collect();
    let mut protocol = built(&name, field, &options)?;
    if let Some(label) = table.read("label", Field::text) {
        protocol.label = label.to_owned();
    }
    let Some(tcp) = protocol.tcp_mut() else {
        for key in ["recovery", "freeze"] {
            if let Some(f) = table.get(key) {
                return f.bad("this protocol repairs nothing: the key is TCP's");
            }
        }
        return Some(protocol);
    };
    if let Some(recovery) = table.read("recovery", |f| f.one_of(RECOVERIES)) {
        tcp.recovery = recovery;
    }
    match table.get("freeze") {
        Some(f) if matches!(f.node.kind, Kind::Bool(false)) => tcp.freeze = None,
        Some(f) => tcp.freeze = Some(f.time()?),
        None => {}
    }
    Some(protocol)
}

/// What the receiver tells: a word, or a table of claims.
fn receiver(field: &Field<'_>) -> Option<Receiver> {
    if matches!(field.node.kind, Kind::Str(_)) {
        return field.one_of(&[("aware", Receiver::Aware), ("unaware", Receiver::Unaware)]);
    }
    let table = field.table(&keys::RECEIVER)?;
    let loss = table.need("loss").and_then(|f| f.probability());
    let delay = table.need("delay").and_then(|f| f.time());
    Some(Receiver::Claims(LinkReport { loss: loss?, delay: delay? }))
}

fn built(name: &Field<'_>, field: &Field<'_>, options: &[&Entry]) -> Option<Protocol> {
    let text = name.text()?;
    let Some(listed) = catalogue().iter().find(|p| p.name == text) else {
        let names: Vec<&str> = catalogue().iter().map(|p| p.name).collect();
        let problem = name.problem(format!("there is no protocol `{text}`"), "unknown protocol");
        name.report(problem.nearest(text, names));
        return None;
    };
    let together = match listed.with_options(Options(options)) {
        Ok(protocol) => return Some(protocol),
        Err(error) => error,
    };
    // Each by itself, so that every wrong option is found, and at its own place.
    let mut fine = true;
    for entry in options {
        if matches!(entry.node.kind, Kind::Poison) {
            fine = false;
            continue;
        }
        let Err(error) = listed.with_options(Options(&[entry])) else {
            continue;
        };
        fine = false;
        let path = crate::table::join(&field.path, &entry.key);
        let value = Field { cx: field.cx, path: path.clone(), node: &entry.node };
        field.report(match error {
            OptionError::Unknown(names) => {
                let known: Vec<&str> = keys::PROTOCOL.keys.iter().chain(names).copied().collect();
                Problem::new(format!("{} has no option `{}`", listed.label, entry.key))
                    .at(entry.key_at)
                    .key(path)
                    .label("unknown option")
                    .suggest(&entry.key, &known)
                    .help(format!("its options are {}", list(names)))
            }
            OptionError::Value(message) => {
                value.problem(format!("`{path}` cannot be {}", entry.node.what()), message)
            }
        });
    }
    if fine {
        let problem = format!("options of `{}` do not go together", field.path);
        field.report(field.problem(problem, together.to_string()));
    }
    None
}

fn tcp(table: &Table<'_>, (base, mut access): (Tcp, Access)) -> (Tcp, Access) {
    let bytes = |key, from| {
        table
            .read(key, |f| f.whole(from, u64::from(MAX_PACKET)))
            .and_then(|n| u32::try_from(n).ok())
    };
    let rto = |key| {
        table.read(key, |f| match f.time()? {
            t if t.is_zero() => f.bad("it must be above zero"),
            t => Some(t),
        })
    };
    let (min_rto, max_rto) = (rto("min-rto"), rto("max-rto"));
    let receive_window = table.read("receive-window", |f| f.whole(1, 10_000_000));
    let delayed_ack = match table.get("delayed-ack") {
        Some(f) if matches!(f.node.kind, Kind::Bool(false)) => None,
        Some(f) => f.time(),
        None => base.delayed_ack,
    };
    if let Some(f) = table.get("access-rate") {
        access = match &f.node.kind {
            Kind::Str(s) if s == "auto" => Access::Auto,
            Kind::Str(s) if s == "unknown" => Access::Unknown,
            _ => f.rate().map_or(access, Access::Known),
        };
    }
    let tcp = Tcp {
        segment: bytes("segment", 1).unwrap_or(base.segment),
        header: bytes("header", 0).unwrap_or(base.header),
        ack: bytes("ack", 1).unwrap_or(base.ack),
        initial_window: table
            .read("initial-window", |f| f.number(1.0, 10_000.0))
            .unwrap_or(base.initial_window),
        receive_window: receive_window
            .and_then(|n| u32::try_from(n).ok())
            .unwrap_or(base.receive_window),
        min_rto: min_rto.unwrap_or(base.min_rto),
        max_rto: max_rto.unwrap_or(base.max_rto),
        delayed_ack,
        handshake: table.read("handshake", Field::bool).unwrap_or(base.handshake),
        access_rate: None,
    };
    if tcp.segment + tcp.header > MAX_PACKET {
        let message = format!("`{}` has packets of more than {MAX_PACKET} bytes", table.path);
        table.report(message, "segment and header are too long together");
    }
    if tcp.min_rto > tcp.max_rto {
        table.report(format!("`{}` has min-rto above max-rto", table.path), "the wrong way round");
    }
    (tcp, access)
}
