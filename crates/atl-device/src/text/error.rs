//! Why a text is not link information.

use std::fmt;

/// Why a text is not link information.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum TextError {
    /// It is longer than [`MAX_TEXT`](super::MAX_TEXT).
    TooLong,
    /// No newline at its end: its writer has not finished, or never closes the line.
    Unfinished,
    /// More than one line.
    SeveralLines,
    /// Not the JSON object that it must be.
    Json {
        /// Where, in bytes from 1; 0 if it is the object as a whole.
        column: usize,
        /// What was found, and what is allowed.
        reason: String,
    },
    /// A value out of range.
    Range {
        /// Its key.
        key: &'static str,
        /// The value.
        value: f64,
        /// What is allowed.
        allowed: &'static str,
    },
    /// A value outside of its own interval.
    Order {
        /// Its key.
        key: &'static str,
        /// Lower end of the interval.
        low: f64,
        /// The value.
        value: f64,
        /// Upper end.
        high: f64,
    },
    /// A key that means nothing without another.
    Without {
        /// The key.
        key: &'static str,
        /// The other.
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
