//! Errors in the text of a trace.

use core::fmt;

/// A trace that cannot be used: the line, the text found there, and what is allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceError {
    /// Line number, from 1; 0 if the error concerns the trace as a whole.
    pub line: usize,
    /// The text found, cut after 40 characters. Empty if the error concerns the trace as a whole,
    /// or if no line before this one was right: the file may then be anything, such as one that
    /// only the program may read, and none of it is repeated.
    pub value: String,
    /// The mistake.
    pub kind: TraceErrorKind,
}

/// The mistakes that a trace can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TraceErrorKind {
    /// No line holds a number.
    Empty,
    /// Not a number in the format of this trace.
    NotANumber {
        /// The format that is allowed.
        allowed: &'static str,
    },
    /// A timestamp smaller than the one before it.
    Decreasing {
        /// The previous timestamp, in milliseconds.
        previous: u32,
    },
    /// All timestamps are 0: the trace would repeat endlessly at time 0.
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
                f.write_str("the trace is empty: at least one line must hold a number")
            }
            TraceErrorKind::ZeroLength => f.write_str(
                "the trace has zero length: its last timestamp, after which it repeats, must be at least 1 ms",
            ),
            TraceErrorKind::NotANumber { allowed } if value.is_empty() => {
                write!(f, "its first value, on line {line}, is not {allowed}")
            }
            TraceErrorKind::NotANumber { allowed } => {
                write!(f, "line {line}: `{}` is not {allowed}", value.escape_debug())
            }
            TraceErrorKind::Decreasing { previous } => write!(
                f,
                "line {line}: timestamp {value} is smaller than the previous one; it must be at least {previous}"
            ),
        }
    }
}

impl core::error::Error for TraceError {}
