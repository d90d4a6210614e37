//! What can be wrong with the text of a trace.

use core::fmt;

/// A trace that cannot be used: which line, what stands there, what may stand there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceError {
    /// Line number from 1; 0 where it is about the trace as a whole.
    pub line: usize,
    /// What stands there, cut after 40 characters; empty where it is about the trace as a whole.
    pub value: String,
    /// What is wrong with it.
    pub kind: TraceErrorKind,
}

/// What is wrong with a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TraceErrorKind {
    /// There is no line with a number.
    Empty,
    /// Not a number of the form that this trace holds.
    NotANumber {
        /// The form that is allowed.
        allowed: &'static str,
    },
    /// A timestamp below the one before it.
    Decreasing {
        /// The timestamp before, in milliseconds.
        previous: u32,
    },
    /// All timestamps are 0, so that the trace would repeat without end at one moment.
    ZeroLength,
}

impl TraceError {
    pub(super) fn whole(kind: TraceErrorKind) -> Self {
        TraceError { line: 0, value: String::new(), kind }
    }

    pub(super) fn at(line: usize, value: &str, kind: TraceErrorKind) -> Self {
        TraceError { line, value: value.chars().take(40).collect(), kind }
    }
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TraceError { line, value, kind } = self;
        match kind {
            TraceErrorKind::Empty => {
                f.write_str("the trace is empty: it needs at least one line with a number")
            }
            TraceErrorKind::ZeroLength => f.write_str(
                "the trace has no length: its last timestamp, at which it repeats, must be at least 1 ms",
            ),
            TraceErrorKind::NotANumber { allowed } => {
                write!(f, "line {line}: `{}` is not {allowed}", value.escape_debug())
            }
            TraceErrorKind::Decreasing { previous } => write!(
                f,
                "line {line}: timestamp {value} is below the one before it; it must be at least {previous}"
            ),
        }
    }
}

impl core::error::Error for TraceError {}
