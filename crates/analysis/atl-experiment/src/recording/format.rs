//! The contract of a format.

use core::fmt::Debug;

use super::column::Column;
use super::curve::Curve;
use super::problem::Problem;

/// The content of one file, one quantity of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recorded {
    /// Moments at which 1500 bytes could cross, in milliseconds from the start, in order. The last
    /// one is the end, and not 0.
    Opportunities(Vec<u32>),
    /// A rate over time, in bits per second.
    Rate(Curve),
    /// A one-way delay over time, in nanoseconds.
    Delay(Curve),
}

/// The file, for a format that is asked whether it is its own.
#[derive(Clone, Copy, Debug)]
pub struct Glance<'a> {
    /// Its name without folders, in lower case; empty for standard input.
    pub name: &'a str,
    /// All of its text.
    pub text: &'a str,
}

impl<'a> Glance<'a> {
    /// The first line that is not blank; empty if all are.
    pub fn first_line(&self) -> &'a str {
        self.text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("")
    }
}

/// A choice that some formats leave to the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Delays instead of rates.
    Delay,
    /// The direction of the link.
    Direction,
    /// The columns of a table.
    Columns,
    /// The longest time for which a value holds.
    Gap,
}

/// Choices of the caller.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// The file's name without folders, in lower case; empty for standard input.
    pub name: String,
    /// Delays, and not rates. Otherwise rates, or delays where the file has nothing else.
    pub delay: bool,
    /// The direction from the user to the network. Otherwise the other one.
    pub up: bool,
    /// Columns of a table.
    pub columns: Vec<Column>,
    /// Nanoseconds for which a value holds at most; what is longer was not measured.
    pub gap: Option<u64>,
    /// Nanoseconds from the start after which nothing is needed, so that a format may stop there.
    pub until: Option<u64>,
}

/// A format of recorded links.
///
/// A format reads text and nothing else, so that the same text and wishes give the same recording.
/// It never panics, whatever the text.
pub trait Format: Debug + Sync {
    /// Its name on the command line.
    fn name(&self) -> &'static str;

    /// The content of its files in a few words, for lists: 83 characters at most.
    fn about(&self) -> &'static str;

    /// The choices that mean something to it. Others are refused before it reads.
    fn choices(&self) -> &'static [Choice];

    /// True if the file is of this format beyond doubt. Formats are asked in the order of their
    /// list, so that a later one need not exclude the earlier ones.
    fn recognises(&self, file: &Glance<'_>) -> bool;

    /// Reads a file.
    ///
    /// # Errors
    /// If the text is not of this format, or lacks what is wanted: the line, the value and what is
    /// allowed.
    fn read(&self, text: &str, wanted: &Wanted) -> Result<Recorded, Problem>;
}
