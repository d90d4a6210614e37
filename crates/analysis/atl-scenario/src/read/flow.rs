//! Reading flows: endpoints, protocol, source and times.

use std::collections::BTreeSet;

use atl_core::path::LinkReport;
use atl_core::time::{Span, Time};
use atl_core::units::Rate;
use atl_link::Service;

use super::adaptation::cell_time;
use super::clock::Clock;
use super::link::{initial_delay, services, slowest};
use super::names::duplicate;
use super::overhead::{self, Overhead};
use super::pair::Parts;
use super::paths::Net;
use super::pep::Pep;
use super::protocol::protocol;
use super::{Traces, adaptation, copies, error_control, notices, pacing, pair, source, stop};
use crate::keys::words::{ECN_MODES, RECEIVERS};
use crate::keys::{self, MAX_FLOWS, MAX_PACKET};
use crate::table::{Field, Table};
use atl_engine::setup::{
    AckTiming, Claims, FlowSetup, LinkSetup, Nagle, Notices, Pacing, Path, ReceiverAwareness,
    Source, Tcp,
};

/// Rate of its own interface that an end system knows.
#[derive(Clone, Copy, Debug)]
enum Access {
    /// That of the flow's first link if it never changes, otherwise none.
    Auto,
    Unknown,
    Known(Rate),
}

/// Parameters for all flows.
#[derive(Clone, Debug)]
struct Base {
    tcp: Tcp,
    access: Access,
    pacing: Pacing,
}

pub(super) fn read(
    top: &Table<'_>,
    tables: &[Table<'_>],
    net: &Net<'_>,
    clock: &Clock,
    traces: &Traces<'_>,
) -> Vec<FlowSetup> {
    let common = top.read("tcp", Field::table).unwrap_or_else(|| top.empty(&keys::TCP));
    let (tcp, access) = tcp(&common, None);
    let common = top.read("pacing", Field::table);
    let pacing = common.map_or_else(Pacing::default, |t| pacing::read(&t, Pacing::default()));
    let base = Base { tcp, access, pacing };
    let mut flows: Vec<FlowSetup> = Vec::new();
    let (mut taken, mut bases) = (BTreeSet::new(), BTreeSet::new());
    let mut left_out = None;
    let mut unsaid = Vec::new();
    for table in tables {
        let Some(parts) = one(table, net, clock, base.clone()) else { continue };
        let flow = &parts.flow;
        let Some(copies) = copies::read(table, flow, clock, traces) else { continue };
        stop::check(table, flow, &copies, clock);
        let count = copies.len();
        if (flows.len() + parts.count() * count) as u64 > MAX_FLOWS {
            table
                .report(format!("there are more than {MAX_FLOWS} flows"), "too many with this one");
            break;
        }
        let again = bases.contains(&flow.name);
        for (i, (start, source)) in (1..).zip(copies) {
            let name = if count == 1 { flow.name.clone() } else { format!("{}-{i}", flow.name) };
            if !taken.insert(name.clone()) || again && i == 1 {
                duplicate(table, "flow", &name);
            }
            let first = flows.len();
            let own = FlowSetup { name, start, source, ..flow.clone() };
            flows.extend(parts.all(own, first));
            if table.get("overhead").is_none() {
                unsaid.extend(first..flows.len());
            }
        }
        bases.insert(flow.name.clone());
        left_out = left_out.or((count == 0).then_some(table));
    }
    if let Some(table) = left_out.filter(|_| flows.is_empty()) {
        table.report("no flow is left", "every flow has count = 0");
    }
    overhead::settle(&mut flows, &unsaid, net.links);
    pacing::note_common(top, &flows);
    flows
}

/// A flow, with the one in the other direction if an application talks over both, and what a proxy
/// makes of them.
fn one(table: &Table<'_>, net: &Net<'_>, clock: &Clock, base: Base) -> Option<Parts> {
    let name = table.read("name", Field::name);
    let group = table.read("group", Field::name).or(name);
    let from = table.read("from", |f| net.end(f));
    let to = table.read("to", |f| net.end(f));
    let protocol = table.read("protocol", protocol);
    let start = table.value("start", |f| {
        let at = Time::ZERO + f.time()?;
        if at < clock.end { Some(at) } else { f.bad("the run ends before the flow starts") }
    });
    let start_jitter = table.value("start-jitter", |f| {
        let jitter = f.time()?;
        let latest = start.unwrap_or_default().saturating_add(jitter);
        if latest <= clock.end {
            Some(jitter)
        } else {
            f.bad("the flow might start after the run ends")
        }
    });
    let stop = stop::read(table);
    // Flows of a file have their sizes from there.
    let source = match table.get("flows") {
        Some(_) => Some(Source::Fixed { bytes: 1 }),
        None => table.value("source", source::read),
    };
    let own = table.read("tcp", Field::table);
    let (mut tcp, access) = match &own {
        Some(t) => tcp(t, Some((base.tcp, base.access))),
        None => (base.tcp, base.access),
    };
    let pacing = match table.read("pacing", Field::table) {
        Some(t) => pacing::read(&t, base.pacing),
        None => base.pacing,
    };
    let receiver_field = table.get("receiver");
    let receiver = table.value("receiver", receiver);
    let adaptation = table.value("adaptation", adaptation::read);
    let overhead = Overhead::read(table);
    let pep = Pep::read(table, net);

    let (paths, mobile) = net.paths(table, from?, to?)?;
    let links = net.links;
    let all = || paths.iter().flat_map(|path| path.forward.iter().chain(&path.back));
    if let Some(field) = receiver_field.filter(|f| f.is_word("unaware")) {
        // Link information reaches the receiver over the last link only; the first link is the
        // sender's.
        let reports = |path: &Path| match &path.forward[..] {
            [_, .., last] => links[*last].wireless,
            _ => false,
        };
        let wireless = paths.iter().any(reports);
        field.effect(wireless, "the receiver has no wireless link of its own to report of");
    }
    if let Some(field) = table.get("receiver")
        && let Some(ReceiverAwareness::Claims(claims)) = receiver
        && let Some(protocol) = &protocol
    {
        let heard = protocol.listens() || claims.changes_acks();
        field.effect(heard, "this protocol listens to no receiver");
    }
    let overhead = overhead?;
    let bytes = u64::from(tcp.segment + tcp.header);
    // A host knows its own links, and only those.
    let local = |paths: &[Path]| {
        let rate = match access {
            Access::Auto => access_rate(paths, links),
            Access::Unknown => None,
            Access::Known(rate) => Some(rate),
        };
        (rate, overhead.most(paths, links, bytes))
    };
    let (access_rate, overhead) = local(&paths);
    tcp.access_rate = access_rate;
    let (protocol, source) = (protocol?, source?);
    pacing::check(table, &protocol, &source, &pacing, &tcp);
    pacing::check_own(table, own.as_ref(), &protocol);
    if let (Some(field), true) = (table.get("adaptation"), adaptation.is_some() && mobile.is_some())
    {
        return field.bad("a virtual channel has one path, and a mobile has several");
    }
    for Path { forward, back } in &paths {
        adaptation::check_way(table, adaptation.is_some(), forward, back, links);
    }
    let rate = all().filter_map(|link| slowest(&links[*link].config)).reduce(f64::min);
    let delay = all().fold(Span::ZERO, |sum, link| sum + initial_delay(&links[*link].config));
    // Without error control the queue must hold the whole window, since nothing may be dropped.
    let repairs = protocol.tcp().is_none_or(|tcp| tcp.recovery.repairs());
    let least = if repairs { 0 } else { tcp.receive_window };
    let adaptation =
        adaptation.map(|draft| draft.settled(rate.map_or(Span::ZERO, cell_time), delay, least));
    error_control::check(table, &protocol, adaptation.as_ref(), &tcp);
    if let Some(table) = table.get("protocol").filter(Field::is_table).and_then(|f| f.table())
        && let Some(field) = table.get("new-path")
    {
        field.effect(mobile.is_some(), "no end of the flow moves");
    }
    let notices = match table.get("notices") {
        Some(field) => notices::read(&field, mobile, net.mobiles, clock),
        None => Some(Notices::default()),
    };
    let flow = FlowSetup {
        name: name?.to_owned(),
        group: group?.to_owned(),
        paths,
        mobile,
        notices: notices?,
        protocol,
        source,
        answers: None,
        connections: Vec::new(),
        onward: None,
        start: start?,
        start_jitter: start_jitter?,
        stop: stop?,
        overhead,
        tcp,
        pacing,
        receiver: receiver?,
        adaptation,
    };
    let talks = matches!(flow.source, Source::Application(_));
    let back = talks.then(|| pair::answers(&flow, local));
    let splits = match &pep? {
        Some(pep) => {
            let of = |flow: &FlowSetup| pep.split(flow, links, local);
            let there = of(&flow)?;
            let back = match &back {
                Some(back) => Some(of(back)?),
                None => None,
            };
            Some((there, back))
        }
        None => None,
    };
    Some(Parts { flow, back, splits })
}

/// Rate of the first link if it is the same on all paths and never changes.
fn access_rate(paths: &[Path], links: &[LinkSetup]) -> Option<Rate> {
    let mut rates = paths.iter().map(|path| constant_rate(&links[*path.forward.first()?]));
    let first = rates.next()??;
    rates.all(|rate| rate == Some(first)).then_some(first)
}

/// Rate of a link if it never changes.
fn constant_rate(link: &LinkSetup) -> Option<Rate> {
    let mut all = services(&link.config);
    match all.next() {
        Some(Service::Constant(rate)) if all.all(|s| *s == Service::Constant(*rate)) => Some(*rate),
        _ => None,
    }
}

/// Reads the receiver's reports: a word, or a table of claims.
fn receiver(field: &Field<'_>) -> Option<ReceiverAwareness> {
    if field.is_text() {
        return field.one_of(RECEIVERS);
    }
    let table = field.table()?;
    let loss = table.read("loss", Field::probability);
    let delay = table.read("delay", Field::time);
    let span = |key| table.read(key, Field::time);
    let (flap, handoffs) = (span("flap"), span("handoffs"));
    let acks = ack_timing(&table);
    let ahead = table.or_default("ahead").and_then(|f| f.whole_as());
    let link = LinkReport { loss: loss?, delay: delay? };
    Some(ReceiverAwareness::Claims(Claims { link, flap, handoffs, acks, ahead: ahead? }))
}

/// Reads when a receiver's ACKs leave, which at most one key says.
fn ack_timing(table: &Table<'_>) -> AckTiming {
    let span = |key| table.read(key, Field::time);
    span("hold")
        .map(AckTiming::Together)
        .or_else(|| span("level").map(AckTiming::Level))
        .or_else(|| span("late").map(AckTiming::Late))
        .or_else(|| table.read("thin", |field| field.whole_as()).map(AckTiming::Thin))
        .unwrap_or(AckTiming::Prompt)
}

/// Reads TCP's parameters: a flow's over `base`, or the file's over the declared defaults.
fn tcp(table: &Table<'_>, base: Option<(Tcp, Access)>) -> (Tcp, Access) {
    let get = |key| if base.is_some() { table.get(key) } else { table.or_default(key) };
    let bytes = |key| get(key).and_then(|f| f.whole_as());
    let time = |key| get(key).and_then(|f| f.time());
    let (base, inherited) = base.clone().unwrap_or((Tcp::default(), Access::Auto));
    let delayed_ack = match get("delayed-ack") {
        Some(f) if f.is_off() => None,
        Some(f) => f.time(),
        None => base.delayed_ack,
    };
    let access = get("access-rate").and_then(|f| match () {
        () if f.is_word("auto") => Some(Access::Auto),
        () if f.is_word("unknown") => Some(Access::Unknown),
        () => f.rate().map(Access::Known),
    });
    let forms = [Nagle::Minshall, Nagle::Rfc896].map(|nagle| (nagle.name(), nagle));
    let nagle = get("nagle").and_then(|f| match () {
        () if f.is_off() => Some(Nagle::Off),
        () if f.is_text() => f.one_of(&forms),
        () => f.bad("give `\"minshall\"`, `\"rfc896\"` or `false`"),
    });
    let initial_window = get("initial-window").and_then(|f| f.number());
    let tcp = Tcp {
        segment: bytes("segment").unwrap_or(base.segment),
        header: bytes("header").unwrap_or(base.header),
        ack: bytes("ack").unwrap_or(base.ack),
        initial_window: initial_window.unwrap_or(base.initial_window),
        receive_window: bytes("receive-window").unwrap_or(base.receive_window),
        min_rto: time("min-rto").unwrap_or(base.min_rto),
        max_rto: time("max-rto").unwrap_or(base.max_rto),
        delayed_ack,
        timestamps: get("timestamps").and_then(|f| f.bool()).unwrap_or(base.timestamps),
        handshake: get("handshake").and_then(|f| f.bool()).unwrap_or(base.handshake),
        access_rate: None,
        nagle: nagle.unwrap_or(base.nagle),
        ecn: table.get("ecn").and_then(|f| f.one_of(ECN_MODES)).or(base.ecn),
        peer_ecn: table.get("peer-ecn").and_then(|f| f.one_of(ECN_MODES)).or(base.peer_ecn),
        ecn_option: get("ecn-option").and_then(|f| f.bool()).unwrap_or(base.ecn_option),
    };
    if u64::from(tcp.segment + tcp.header) > MAX_PACKET {
        let message = format!("`{}` has packets of more than {MAX_PACKET} bytes", table.path);
        table.report(message, "`segment` and `header` are too long together");
    }
    if tcp.min_rto > tcp.max_rto {
        table.report(format!("`{}` has `min-rto` above `max-rto`", table.path), "swap them");
    }
    (tcp, access.unwrap_or(inherited))
}
