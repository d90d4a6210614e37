//! Summaries of transfers as JSON, in base units that the keys name.

use atl_transfer::name;
use atl_transfer::receiver;
use atl_transfer::sender::{Entry, Fate, Summary};
use atl_transfer::ticket::Fingerprint;
use serde_json::{Value, json};

/// Hexadecimal digits of a hash.
fn hex(hash: &[u8; 32]) -> String {
    Fingerprint(*hash).to_string()
}

/// Bits per second; `None` before any time has passed.
fn rate(bytes: u64, seconds: f64) -> Option<f64> {
    (seconds > 0.0).then(|| bytes as f64 * 8.0 / seconds)
}

/// Summary at the sender.
pub(super) fn sent(entries: &[Entry], summary: &Summary, controller: &str) -> Value {
    let files = entries.iter().zip(&summary.fates).map(|(entry, fate)| {
        let (state, why) = match fate {
            Fate::Pending => ("pending", None),
            Fate::Done { .. } => ("done", None),
            Fate::Refused(refusal) => ("refused", Some(refusal.text.as_str())),
            Fate::Unreadable(why) => ("unreadable", Some(why.as_str())),
        };
        let (from, digest) = match fate {
            Fate::Done { from, digest } => (Some(*from), digest.as_ref().map(hex)),
            _ => (None, None),
        };
        json!({
            "path": name::shown(&entry.path),
            "size_bytes": entry.size(),
            "state": state,
            "why": why,
            "resumed_at_bytes": from,
            "sha256": digest,
        })
    });
    let files: Vec<Value> = files.collect();
    let seconds = summary.took.as_secs_f64();
    let traffic = &summary.traffic;
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "complete": summary.is_complete(),
        "error": summary.error.as_ref().map(ToString::to_string),
        "controller": controller,
        "files": files,
        "load": summary.loaded.map(|loaded| json!({
            "bytes": loaded.bytes,
            "duration_s": loaded.took.as_secs_f64(),
            "goodput_bps": rate(loaded.bytes, loaded.took.as_secs_f64()),
        })),
        "arrived_bytes": summary.arrived,
        "duration_s": seconds,
        "goodput_bps": rate(summary.arrived, seconds),
        "connections": traffic.connections,
        "packets_sent": traffic.packets,
        "packets_lost": traffic.lost,
        "udp_bytes": traffic.bytes,
        "congestion_events": traffic.congestion_events,
        "rtt_s": traffic.rtt.map(|rtt| rtt.as_secs_f64()),
        "cwnd_bytes": traffic.window,
        "link_reports": {
            "accepted": traffic.reports.accepted,
            "malformed": traffic.reports.malformed,
            "outdated": traffic.reports.outdated,
        },
        "marks": traffic.marks.map(|marks| json!({
            "told": marks.link.told,
            "missed": marks.link.missed,
            "refused": marks.link.refused,
            "matched": marks.sender.matched,
            "in_time": marks.sender.in_time,
            "late": marks.sender.late,
        })),
    })
}

/// Summary at the receiver.
pub(super) fn received(summary: &receiver::Summary) -> Value {
    let files = summary.files.iter().map(|file| {
        json!({
            "path": name::shown(&file.path),
            "size_bytes": file.size,
            "resumed_at_bytes": file.from,
            "sha256": hex(&file.digest),
        })
    });
    let files: Vec<Value> = files.collect();
    let seconds = summary.took.as_secs_f64();
    json!({
        "type": "summary",
        "version": env!("CARGO_PKG_VERSION"),
        "error": summary.error.as_ref().map(ToString::to_string),
        "files": files,
        "finished": summary.count,
        "folders": summary.folders,
        "refused": summary.refused,
        "unfinished": summary.unfinished,
        "arrived_bytes": summary.arrived,
        "duration_s": seconds,
        "goodput_bps": rate(summary.arrived, seconds),
        "connections": summary.connections,
        "connections_refused": summary.turned,
        "link_reports_sent": summary.reports,
    })
}
