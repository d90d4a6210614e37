//! The JSON document of `atl trace import`.

use std::path::Path;

use atl_core::time::Span;
use atl_experiment::VERSION;
use atl_experiment::recording::{Imported, Of};
use serde::Serialize;

/// A trace in a few numbers.
#[derive(Serialize)]
pub(super) struct Document<'a> {
    version: &'static str,
    /// The recording.
    file: &'a str,
    /// The format that it had.
    read_as: &'static str,
    /// The key of a network that takes the trace.
    key: &'static str,
    /// The file that was written.
    out: String,
    duration_s: f64,
    #[serde(flatten)]
    of: Numbers,
    /// Time that nobody measured, and that is not in the trace.
    pauses: Pauses,
    /// Rows without a value, during which the one before them held on.
    blank_rows: u64,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Numbers {
    Rate { opportunities: usize, mean_bps: f64, least_bps: f64, most_bps: f64, longest_gap_s: f64 },
    Delay { mean_s: f64, least_s: f64, most_s: f64 },
}

#[derive(Serialize)]
struct Pauses {
    count: u64,
    longest_s: f64,
}

fn seconds(nanos: u64) -> f64 {
    Span::from_nanos(nanos).secs()
}

impl<'a> Document<'a> {
    pub(super) fn new(file: &'a str, made: &Imported, out: &Path) -> Document<'a> {
        let summary = &made.summary;
        let of = match summary.of {
            Of::Rate { opportunities, mean_bps, bounds_bps: [least_bps, most_bps], pause } => {
                let longest_gap_s = seconds(pause);
                Numbers::Rate { opportunities, mean_bps, least_bps, most_bps, longest_gap_s }
            }
            Of::Delay { mean, bounds: [least, most] } => Numbers::Delay {
                mean_s: seconds(mean),
                least_s: seconds(least),
                most_s: seconds(most),
            },
        };
        Document {
            version: VERSION,
            file,
            read_as: made.format,
            key: made.key,
            out: out.display().to_string(),
            duration_s: seconds(summary.nanos),
            of,
            pauses: Pauses { count: summary.gaps.count, longest_s: seconds(summary.gaps.longest) },
            blank_rows: summary.blanks,
        }
    }
}
