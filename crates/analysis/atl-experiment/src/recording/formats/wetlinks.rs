//! WetLinks (sys-uos/WetLinks): measurements of two Starlink dishes over half a year, as CSV.
//!
//! `net_iperf.csv` and `iperf_cleaned_seconds_*.csv` have a row for each second of a UDP flow that
//! fills the link, 15 in a run, and some minutes between runs: `timestamp_start`, `timestamp_end`,
//! `download`, `upload` in bit/s (`Raw_Data/*/net_iperf.txt`). `net_ping.csv` has a row for each
//! series of pings: `ping_avg`, a round-trip time in ms (`net_ping.txt`). `analysis_data_*.csv` has
//! both, a row for each run. The runs are joined; what lies between them was not measured.

use std::borrow::Cow;

use super::super::curve::Curve;
use super::super::delays::LONGEST_DELAY;
use super::super::format::{Choice, Format, Glance, Recorded, Wanted};
use super::super::moment;
use super::super::number::scaled;
use super::super::problem::Problem;
use super::super::table::{Row, Rows};

const START: &str = "timestamp_start";
const END: &str = "timestamp_end";
const PING: &str = "ping_avg";
/// Time between two rows of one run at most: iperf's seconds are not exact. WetLinks' own script
/// (`preprocessing/throughput_merger.py`) begins another run at 2 s.
const GRACE: u64 = 2_000_000_000;

#[derive(Debug)]
pub(super) struct WetLinks;

impl Format for WetLinks {
    fn name(&self) -> &'static str {
        "wetlinks"
    }

    fn about(&self) -> &'static str {
        "WetLinks' net_iperf, iperf_cleaned_seconds_*, net_ping or analysis_data_*"
    }

    fn choices(&self) -> &'static [Choice] {
        &[Choice::Delay, Choice::Direction]
    }

    fn recognises(&self, file: &Glance<'_>) -> bool {
        let head = Rows::of(file.first_line()).next().map(|row| row.cells).unwrap_or_default();
        let has = |name: &str| head.iter().any(|cell| cell == name);
        has(START) && has(END) && (has("download") || has(PING))
    }

    fn read(&self, text: &str, wanted: &Wanted) -> Result<Recorded, Problem> {
        let mut rows = Rows::of(text);
        let Some(head) = rows.next() else { return Err(Problem::whole("it is empty")) };
        let place = |name: &str| head.cells.iter().position(|cell| cell == name);
        let direction = if wanted.up { "upload" } else { "download" };
        let delay = wanted.delay || (place(direction).is_none() && !wanted.up);
        let name = if delay { PING } else { direction };
        let column = |name: &str| place(name).ok_or_else(|| missing(&head, name));
        let (start, end, value) = (column(START)?, column(END)?, column(name)?);
        let mut runs = Runs::default();
        for row in rows {
            if wanted.until.is_some_and(|until| runs.total >= until) {
                break;
            }
            let begins = moment_in(&row, start, START)?;
            let ends = moment_in(&row, end, END)?;
            runs.add(row.line, begins, ends, value_in(&row, value, name, delay)?)?;
        }
        if runs.curve.nanos() == 0 {
            return Err(Problem::whole(format!("no row has a value in its column {name}")));
        }
        Ok(if delay { Recorded::Delay(runs.curve) } else { Recorded::Rate(runs.curve) })
    }
}

fn missing(head: &Row<'_>, name: &str) -> Problem {
    let names: Vec<&str> = head.cells.iter().take(30).map(Cow::as_ref).collect();
    Problem::at(head.line, format!("there is no column {name}; there are {}", names.join(", ")))
}

fn cell<'a>(row: &'a Row<'_>, place: usize, name: &str) -> Result<&'a str, Problem> {
    row.cells.get(place).map(Cow::as_ref).ok_or_else(|| {
        let number = place + 1;
        Problem::at(row.line, format!("the row ends before cell {number}, which is {name}"))
    })
}

fn moment_in(row: &Row<'_>, place: usize, name: &str) -> Result<i64, Problem> {
    let text = cell(row, place, name)?;
    let place = format!(" in column {name}");
    moment::of(text).ok_or_else(|| Problem::value(row.line, text, &place, moment::ALLOWED))
}

/// `None` where nothing was measured.
fn value_in(row: &Row<'_>, place: usize, name: &str, delay: bool) -> Result<Option<u64>, Problem> {
    let text = cell(row, place, name)?;
    if text.is_empty() || text.eq_ignore_ascii_case("nan") {
        return Ok(None);
    }
    // Half of a round trip in ms.
    let value = scaled(text, if delay { 500_000 } else { 1 });
    let longest = if delay { LONGEST_DELAY } else { u64::MAX };
    let value = value.and_then(|value| u64::try_from(value).ok()).filter(|value| *value <= longest);
    let allowed = if delay {
        "a round-trip time in ms, from 0 to 2000000, or empty"
    } else {
        "a rate in bit/s, such as 142011000.0, or empty"
    };
    let place = format!(" in column {name}");
    value.map(Some).ok_or_else(|| Problem::value(row.line, text, &place, allowed))
}

/// Rows that say when they begin and end, joined.
#[derive(Default)]
struct Runs {
    curve: Curve,
    /// Nanoseconds in it.
    total: u64,
    /// Beginning and end of the row before, in nanoseconds since 1970.
    before: Option<(i64, i64)>,
    held: u64,
}

impl Runs {
    fn add(
        &mut self,
        line: usize,
        begins: i64,
        ends: i64,
        value: Option<u64>,
    ) -> Result<(), Problem> {
        if ends < begins {
            return Err(Problem::at(line, format!("its {END} is before its {START}")));
        }
        let (earlier, ended) = self.before.unwrap_or((begins, begins));
        if begins < earlier {
            let message =
                format!("its {START} is before that of an earlier row; sort the rows by time");
            return Err(Problem::at(line, message));
        }
        // Rows of one run may overlap by a little, or leave a little out.
        let pause = begins.saturating_sub(ended).max(0) as u64;
        if self.total > 0 && pause < GRACE {
            self.hold(pause, self.held);
        } else {
            self.curve.leave_out(pause);
        }
        let lasts = ends.saturating_sub(begins.max(ended)).max(0) as u64;
        match value {
            Some(value) => {
                self.hold(lasts, value);
                self.held = value;
            }
            None => self.curve.leave_out(lasts),
        }
        self.before = Some((begins, ends.max(ended)));
        Ok(())
    }

    fn hold(&mut self, nanos: u64, value: u64) {
        self.curve.push(nanos, value);
        self.total = self.total.saturating_add(nanos);
    }
}
