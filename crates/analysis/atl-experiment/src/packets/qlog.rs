//! The qlog of a flow's sender, from the packets of an engine whose packets have no bytes.

use std::fs::File;
use std::io::{self, BufWriter, Write};

use atl_core::time::Time;
use atl_engine::flow::State;
use atl_engine::setup::{FlowSetup, Setup};
use atl_engine::witness::{Fields, Role, Seen, What};
use serde_json::{Value, json};

use super::flow::{Numbers, Sent};

/// Begins a record of a JSON text sequence (RFC 7464).
const RECORD: u8 = 0x1e;

/// A qlog under way.
#[derive(Debug)]
pub(super) struct Qlog {
    file: BufWriter<File>,
    title: String,
    about: String,
    links: Vec<String>,
    /// Bytes of a full packet.
    packet_bytes: u32,
    begun: bool,
    acks: u64,
    metrics: Option<Value>,
    failed: Option<io::Error>,
}

impl Qlog {
    pub(super) fn new(file: BufWriter<File>, setup: &Setup, flow: &FlowSetup) -> Qlog {
        let protocol = &flow.protocol.name;
        Qlog {
            file,
            title: flow.name.clone(),
            about: format!(
                "Flow `{}` ({protocol}) by its sender. A packet's number is that of its \
                 transmission. Metrics count each packet as a full one. A packet counts as lost when \
                 its data is sent again.",
                flow.name
            ),
            links: setup.links.iter().map(|link| link.name.clone()).collect(),
            packet_bytes: flow.tcp.segment + flow.tcp.header,
            begun: false,
            acks: 0,
            metrics: None,
            failed: None,
        }
    }

    /// The empty file, for somebody else's log.
    pub(super) fn into_file(self) -> BufWriter<File> {
        self.file
    }

    /// Takes a step of a packet, which is in the flow's numbers already.
    pub(super) fn packet(&mut self, seen: &Seen<'_>, fields: &Fields, numbers: &mut Numbers) {
        let header = json!({ "packet_type": "1RTT", "packet_number": fields.transmission });
        if let Some(Sent { again }) = numbers.sent {
            if let Some(before) = again {
                let lost = json!({ "packet_type": "1RTT", "packet_number": before });
                self.event(seen.at, "recovery:packet_lost", json!({ "header": lost }));
            }
            let mut frame = json!({ "frame_type": "stream", "stream_id": 0 });
            if let Some(segment) = numbers.segment(fields.number) {
                frame["offset"] = segment.offset.into();
                frame["length"] = segment.length.into();
            }
            let raw = json!({ "length": seen.bytes });
            let data = json!({ "header": header, "raw": raw, "frames": [frame] });
            self.event(seen.at, "transport:packet_sent", data);
        }
        let fate = match seen.what {
            What::Dropped => "dropped",
            What::Lost(_) => "lost",
            What::Arrived if fields.role == Role::Ack && !seen.forward => {
                let ranges = numbers.acknowledged(fields);
                self.on_ack(seen, &ranges);
                return;
            }
            _ => return,
        };
        let mut data = json!({ "kind": fields.kind, "packet_number": fields.transmission });
        if let Some(link) = seen.link.and_then(|link| self.links.get(link)) {
            data["link"] = link.as_str().into();
        }
        if let What::Lost(cause) = seen.what {
            data["cause"] = format!("{cause:?}").to_lowercase().into();
        }
        self.event(seen.at, &format!("network:packet_{fate}"), data);
    }

    fn on_ack(&mut self, seen: &Seen<'_>, ranges: &[[u32; 2]]) {
        let header = json!({ "packet_type": "1RTT", "packet_number": self.acks });
        self.acks += 1;
        let frames = match ranges {
            [] => json!([]),
            some => json!([{ "frame_type": "ack", "acked_ranges": some }]),
        };
        let raw = json!({ "length": seen.bytes });
        let data = json!({ "header": header, "raw": raw, "frames": frames });
        self.event(seen.at, "transport:packet_received", data);
    }

    /// Takes the state of the flow's ends.
    pub(super) fn state(&mut self, at: Time, state: &State) {
        let full = f64::from(self.packet_bytes);
        let mut metrics = json!({
            "bytes_in_flight": u64::from(state.in_flight) * u64::from(self.packet_bytes),
        });
        let mut add = |name: &str, value: Option<f64>| {
            // Unbounded thresholds are no numbers.
            if let Some(value) = value.filter(|value| value.is_finite() && *value < 1e15) {
                metrics[name] = value.into();
            }
        };
        add("congestion_window", state.cwnd.map(|cwnd| (cwnd * full).round()));
        add("ssthresh", state.ssthresh.map(|ssthresh| (ssthresh * full).round()));
        add("pacing_rate", state.rate_bps.map(f64::round));
        add("smoothed_rtt", state.srtt.map(|srtt| srtt.secs() * 1e3));
        if self.metrics.as_ref() != Some(&metrics) {
            self.event(at, "recovery:metrics_updated", metrics.clone());
            self.metrics = Some(metrics);
        }
    }

    fn event(&mut self, at: Time, name: &str, data: Value) {
        let milliseconds = at.nanos() as f64 / 1e6;
        self.record(&json!({ "time": milliseconds, "name": name, "data": data }));
    }

    fn record(&mut self, record: &Value) {
        if self.failed.is_some() {
            return;
        }
        let mut written = Ok(());
        if !self.begun {
            self.begun = true;
            written = write(&mut self.file, &header(&self.title, &self.about));
        }
        self.failed = written.and_then(|()| write(&mut self.file, record)).err();
    }

    /// Writes what is left.
    pub(super) fn finish(mut self) -> io::Result<()> {
        if !self.begun {
            write(&mut self.file, &header(&self.title, &self.about))?;
        }
        self.failed.map_or(Ok(()), Err)?;
        self.file.flush()
    }
}

/// The first record of a file.
pub(super) fn header(title: &str, about: &str) -> Value {
    json!({
        "qlog_version": "0.3",
        "qlog_format": "JSON-SEQ",
        "title": title,
        "description": about,
        "trace": {
            "title": title,
            "description": about,
            "vantage_point": { "name": title, "type": "client" },
            "common_fields": { "time_format": "relative", "reference_time": 0 },
        },
    })
}

/// Writes a record of a JSON text sequence.
pub(super) fn write(file: &mut impl Write, record: &Value) -> io::Result<()> {
    file.write_all(&[RECORD])?;
    serde_json::to_writer(&mut *file, record)?;
    file.write_all(b"\n")
}
