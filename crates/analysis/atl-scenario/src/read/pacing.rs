//! Parameters of a paced flow: target, minimum rate and feedback.

use atl_core::rate::FeedbackMode;

use crate::keys::words::PACED_ECN;
use crate::table::{Field, Table};
use atl_engine::protocol::{Protocol, Transport};
use atl_engine::setup::{FlowSetup, PacedEcn, Pacing, Source, Tcp};

/// Reads parameters, with those of `base` as defaults.
pub(super) fn read(table: &Table<'_>, base: Pacing) -> Pacing {
    let (target, minimum) = (table.read("target", Field::rate), table.read("minimum", Field::rate));
    let pacing = Pacing {
        target: target.or(base.target),
        minimum: minimum.unwrap_or(base.minimum),
        feedback: table.read("feedback", |f| feedback(f)).or(base.feedback),
        ecn: table.read("ecn", |f| ecn(f)).unwrap_or(base.ecn),
    };
    if pacing.target.is_some_and(|target| target < pacing.minimum) {
        let message = format!("`{}` has `minimum` above `target`", table.path);
        table.report(message, "swap them");
    }
    pacing
}

fn ecn(field: &Field<'_>) -> Option<PacedEcn> {
    if field.is_text() {
        return field.one_of(PACED_ECN);
    }
    field.bool().map(|on| if on { PacedEcn::Ect0 } else { PacedEcn::Off })
}

fn feedback(field: &Field<'_>) -> Option<FeedbackMode> {
    if field.is_word("acks") {
        return Some(FeedbackMode::Acks);
    }
    field.time().map(|every| FeedbackMode::Reports { every })
}

/// Checks that a flow's protocol, source and pacing fit together.
pub(super) fn check(
    table: &Table<'_>,
    protocol: &Protocol,
    source: &Source,
    pacing: &Pacing,
    tcp: &Tcp,
) {
    let label = &protocol.label;
    match (&protocol.transport, source) {
        (Transport::Tcp(_) | Transport::Quic(_), Source::Media(_)) => table.report(
            format!("`{}` is a live encoder over {label}", table.path),
            "frames need a protocol that paces, such as `rcp-atl`",
        ),
        (Transport::Paced(_), Source::Application(_)) => table.report(
            format!("`{}` is an application over {label}", table.path),
            "it needs every byte, in order: give it a TCP or a QUIC protocol",
        ),
        (Transport::Paced(_), _) if pacing.target.is_none() && tcp.access_rate.is_none() => table
            .report(
                format!("`{}` has no target for {label}", table.path),
                "the rate of its first link is not known: give `pacing = { target = \"2Mb/s\" }`",
            ),
        _ => {}
    }
}

/// Keys of `flow.tcp` that have no meaning for paced protocols.
const WINDOWED: &[&str] = &[
    "initial-window",
    "receive-window",
    "min-rto",
    "max-rto",
    "delayed-ack",
    "ecn",
    "peer-ecn",
    "ecn-option",
    "handshake",
    "nagle",
    "timestamps",
];

/// Warns about parameters for all flows that apply to none.
pub(super) fn note_common(top: &Table<'_>, flows: &[FlowSetup]) {
    let windowed = flows.iter().any(|flow| !flow.protocol.paces());
    if let Some(table) = top.get("tcp").and_then(|field| field.table()) {
        for field in WINDOWED.iter().filter_map(|key| table.get(key)) {
            field.effect(windowed, "no flow has a window");
        }
    }
    if let Some(field) = top.get("pacing") {
        let paced = flows.iter().any(|flow| flow.protocol.paces());
        field.effect(paced, "no flow paces");
    }
}

/// Checks that a flow's own parameters apply to its protocol. Those in `[tcp]` and `[pacing]` are
/// for all flows and may not apply to some.
pub(super) fn check_own(table: &Table<'_>, tcp: Option<&Table<'_>>, protocol: &Protocol) {
    let report = |field: Field<'_>, family: &str, label: &str| {
        field.report(field.problem(format!("`{}` does not apply to {family}", field.path), label));
    };
    match &protocol.transport {
        Transport::Tcp(_) | Transport::Quic(_) => {
            let family = if protocol.tcp().is_some() { "a TCP" } else { "QUIC" };
            if let Some(field) = table.get("pacing") {
                report(field, family, "leave it out, or write it for all flows, in `[pacing]`");
            }
        }
        Transport::Paced(_) => {
            let family = "a protocol that paces";
            for field in WINDOWED.iter().filter_map(|key| tcp?.get(key)) {
                report(field, family, "leave it out, or write it for all flows, in `[tcp]`");
            }
        }
    }
}
