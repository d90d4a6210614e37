//! Defects of a text of link information.

use std::fmt;

/// The reason why a text is not link information.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum TextError {
    /// It is longer than [`MAX_TEXT`](super::MAX_TEXT).
    TooLong,
    /// No newline at its end: its writer has not finished, or never closes the line.
    Unfinished,
    /// The text has more than one line.
    SeveralLines,
    /// The text is not a JSON object of the expected form.
    Json {
        /// Byte of the defect, from 1; 0 if it is the object as a whole.
        column: usize,
        /// The defect, and what is allowed.
        reason: String,
    },
    /// A value out of range.
    Range {
        /// The key of the value.
        key: &'static str,
        /// The value as read.
        value: f64,
        /// The allowed range, in words.
        allowed: &'static str,
    },
    /// A value outside of its own interval.
    Order {
        /// The key of the value.
        key: &'static str,
        /// Lower end of the interval.
        low: f64,
        /// The value as read.
        value: f64,
        /// Upper end of the interval.
        high: f64,
    },
    /// A key that has no meaning without another.
    Without {
        /// The key that is present.
        key: &'static str,
        /// The key that is missing.
        needs: &'static str,
    },
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TextError::TooLong => write!(f, "more than {} bytes", super::MAX_TEXT),
            TextError::Unfinished => f.write_str("the line does not end in a newline"),
            TextError::SeveralLines => f.write_str("more than one line; write one JSON object"),
            TextError::Json { column: 0, reason } => f.write_str(reason),
            TextError::Json { column, reason } => write!(f, "column {column}: {reason}"),
            TextError::Range { key, value, allowed } => {
                write!(f, "{key} is {value}; allowed is {allowed}")
            }
            TextError::Order { key, low, value, high } => {
                write!(f, "{key} is {value}, outside of its interval from {low} to {high}")
            }
            TextError::Without { key, needs } => write!(f, "{key} only together with {needs}"),
        }
    }
}

impl std::error::Error for TextError {}
