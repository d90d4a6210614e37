//! The qlog that a QUIC library writes, in the version that qvis reads. The library's is that of
//! draft-ietf-quic-qlog-main-schema-13, which names files and events in another way.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};

use super::qlog::{header, write};

/// Events of draft-12 by the category that they had before; all others keep theirs.
const RECOVERY: &[&str] = &["packet_lost", "congestion_state_updated", "marked_for_retransmit"];

/// The first error of a writer that has nobody to tell.
#[derive(Clone, Debug, Default)]
pub(super) struct Failed(Arc<Mutex<Option<io::Error>>>);

impl Failed {
    pub(super) fn take(&self) -> Option<io::Error> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn note(&self, error: io::Error) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    }
}

/// Takes the library's log and writes the other.
#[derive(Debug)]
pub(super) struct Library {
    file: BufWriter<File>,
    /// The record under way, as far as it has come.
    record: Vec<u8>,
    failed: Failed,
}

impl Library {
    pub(super) fn new(file: BufWriter<File>, failed: Failed) -> Library {
        Library { file, record: Vec::new(), failed }
    }

    fn end_record(&mut self) -> io::Result<()> {
        let text = std::mem::take(&mut self.record);
        let text = text.strip_prefix(&[0x1e]).unwrap_or(&text);
        if text.trim_ascii().is_empty() {
            return Ok(());
        }
        write(&mut self.file, &translated(serde_json::from_slice(text)?))
    }
}

/// A record of the library's as one of version 0.3.
fn translated(mut record: Value) -> Value {
    if record.get("trace").is_some() {
        let title = record["title"].as_str().unwrap_or_default().to_owned();
        return header(&title, "A flow over QUIC by its sender, as the QUIC library tells.");
    }
    let renamed =
        record["name"].as_str().and_then(|name| name.strip_prefix("quic:")).map(|name| match name
            .strip_prefix("recovery_")
        {
            Some(rest) => format!("recovery:{rest}"),
            None if RECOVERY.contains(&name) => format!("recovery:{name}"),
            None => format!("transport:{name}"),
        });
    if let Some(name) = renamed {
        record["name"] = name.into();
    }
    if let Some(data) = record.get_mut("data") {
        lengths(data);
        let frames = data.get_mut("frames").and_then(Value::as_array_mut);
        frames.into_iter().flatten().for_each(inclusive);
    }
    record
}

/// The length of a packet is that of its raw form, and a frame's its own.
fn lengths(data: &mut Value) {
    if let Some(length) = data.get("header").and_then(|header| header.get("length")).cloned() {
        data["raw"] = json!({ "length": length });
    }
    for frame in data.get_mut("frames").and_then(Value::as_array_mut).into_iter().flatten() {
        if let Some(length) = frame.get("raw").and_then(|raw| raw.get("length")).cloned() {
            frame["length"] = length;
        }
    }
}

/// A range of acknowledged packets ends with its last number. The library writes the one after it.
fn inclusive(frame: &mut Value) {
    let ranges = frame.get_mut("acked_ranges").and_then(Value::as_array_mut);
    for range in ranges.into_iter().flatten() {
        if let Some(end) = range.get(1).and_then(Value::as_u64) {
            range[1] = end.saturating_sub(1).into();
        }
    }
}

impl Write for Library {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.record.extend_from_slice(piece);
            if piece.ends_with(b"\n")
                && let Err(error) = self.end_record()
            {
                self.failed.note(error);
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Library {
    fn drop(&mut self) {
        let done = self.end_record().and_then(|()| self.file.flush());
        if let Err(error) = done {
            self.failed.note(error);
        }
    }
}
