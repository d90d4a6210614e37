//! Tables of anyone: `--column` says which column is what.

use std::borrow::Cow;

use super::super::column::{Column, Role};
use super::super::curve::Points;
use super::super::delays::{ALLOWED_DELAYS, LONGEST_DELAY};
use super::super::format::{Choice, Format, Glance, Recorded, Wanted};
use super::super::moment;
use super::super::number::scaled;
use super::super::problem::{Problem, shown};
use super::super::table::{Row, Rows};

#[derive(Debug)]
pub(super) struct Csv;

impl Format for Csv {
    fn name(&self) -> &'static str {
        "csv"
    }

    fn about(&self) -> &'static str {
        "any table with a row for each time; --column says which columns to take"
    }

    fn choices(&self) -> &'static [Choice] {
        &[Choice::Delay, Choice::Columns, Choice::Gap]
    }

    fn recognises(&self, file: &Glance<'_>) -> bool {
        // Prose has commas, too, but no numbers between them, and blanks everywhere.
        let mut rows = Rows::of(file.text);
        let (Some(first), Some(second)) = (rows.next(), rows.next()) else { return false };
        let cells = second.cells.len();
        let numbers = second.cells.iter().filter(|cell| is_value(cell)).count();
        let needed = if rows.has_separators() { 1 } else { cells };
        cells > 1 && cells == first.cells.len() && numbers >= needed
    }

    fn read(&self, text: &str, wanted: &Wanted) -> Result<Recorded, Problem> {
        let Some(first) = Rows::of(text).next() else { return Err(Problem::whole("it is empty")) };
        let (time, value) = chosen(&first, wanted)?;
        let (time, value) = (Found::of(time, &first)?, Found::of(value, &first)?);
        // A table without names begins with numbers.
        let named = time.time(&first).is_err() && value.value(&first).is_err();
        let mut points = Points::new(wanted.gap, wanted.until);
        for row in Rows::of(text).skip(usize::from(named)) {
            if points.is_full() {
                break;
            }
            points.add(row.line, time.time(&row)?, value.value(&row)?)?;
        }
        let curve = points.finish()?;
        let rate = value.column.role == Role::Rate;
        Ok(if rate { Recorded::Rate(curve) } else { Recorded::Delay(curve) })
    }
}

fn is_value(cell: &str) -> bool {
    scaled(cell, 1).is_some() || moment::of(cell).is_some()
}

/// The column of times and that of values.
fn chosen<'a>(first: &Row<'_>, wanted: &'a Wanted) -> Result<(&'a Column, &'a Column), Problem> {
    let in_role = |role: Role| {
        let mut columns = wanted.columns.iter().filter(move |column| column.role == role);
        match (columns.next(), columns.next()) {
            (Some(one), Some(other)) => Err(Problem::whole(format!(
                "--column {one} and --column {other} have one role: leave one of them out"
            ))),
            (one, _) => Ok(one),
        }
    };
    let (time, rate) = (in_role(Role::Time)?, in_role(Role::Rate)?);
    let delay = match (in_role(Role::Delay)?, in_role(Role::RoundTrip)?) {
        (Some(one), Some(other)) => {
            let message = format!("--column {one} and --column {other}: leave one of them out");
            return Err(Problem::whole(message));
        }
        (one, other) => one.or(other),
    };
    let value = if wanted.delay { delay } else { rate.or(delay) };
    let (Some(time), Some(value)) = (time, value) else {
        let lacking = match (time, wanted.delay) {
            (None, _) => "--column time=NAME:UNIT",
            (_, true) => "--column delay=NAME:UNIT or --column rtt=NAME:UNIT",
            (_, false) => "--column rate=NAME:UNIT, delay=NAME:UNIT or rtt=NAME:UNIT",
        };
        return Err(Problem::at(
            first.line,
            format!("{lacking} is missing; {}", columns_of(first)),
        ));
    };
    Ok((time, value))
}

fn columns_of(first: &Row<'_>) -> String {
    let names: Vec<_> =
        first.cells.iter().take(30).map(|cell| format!("`{}`", shown(cell))).collect();
    format!("the columns are {}", names.join(", "))
}

/// A column of this table.
struct Found<'a> {
    column: &'a Column,
    /// From 0.
    place: usize,
    /// Bits per second or nanoseconds of a 1 in it.
    unit: Option<u64>,
}

impl<'a> Found<'a> {
    fn of(column: &'a Column, first: &Row<'_>) -> Result<Found<'a>, Problem> {
        let name = column.name.as_str();
        let named = first.cells.iter().position(|cell| cell.as_ref() == name);
        let numbered = || {
            let number: usize = name.parse().ok()?;
            number.checked_sub(1).filter(|place| *place < first.cells.len())
        };
        let Some(place) = named.or_else(numbered) else {
            let message = format!(
                "--column {column}: there is no such column or unit; {}, and the units {}",
                columns_of(first),
                column.role.units()
            );
            return Err(Problem::at(first.line, message));
        };
        let unit = column.unit.or_else(|| column.role.unit_in(&first.cells[place]));
        if unit.is_none() && column.role != Role::Time {
            return Err(no_unit(column));
        }
        Ok(Found { column, place, unit })
    }

    fn cell<'r>(&self, row: &'r Row<'_>) -> Result<&'r str, Problem> {
        row.cells.get(self.place).map(Cow::as_ref).ok_or_else(|| {
            let (column, number) = (self.column, self.place + 1);
            let message = format!("the row ends before cell {number}, which is --column {column}");
            Problem::at(row.line, message)
        })
    }

    fn refused(&self, row: &Row<'_>, text: &str, allowed: &str) -> Problem {
        Problem::value(row.line, text, &format!(" in column {}", shown(&self.column.name)), allowed)
    }

    /// In nanoseconds.
    fn time(&self, row: &Row<'_>) -> Result<i64, Problem> {
        let text = self.cell(row)?;
        if let Some(time) = moment::of(text) {
            return Ok(time);
        }
        match self.unit {
            Some(unit) => scaled(text, unit).ok_or_else(|| {
                self.refused(
                    row,
                    text,
                    "a number, or a date and time such as 2023-09-14 15:12:22.5",
                )
            }),
            None if scaled(text, 1).is_some() => Err(no_unit(self.column)),
            None => Err(self.refused(row, text, moment::ALLOWED)),
        }
    }

    /// `None` where nothing was measured: an empty cell, NaN, and a delay that is not above 0,
    /// which stands for a lost packet.
    fn value(&self, row: &Row<'_>) -> Result<Option<u64>, Problem> {
        let text = self.cell(row)?;
        if text.is_empty() || ["nan", "null", "na"].iter().any(|no| text.eq_ignore_ascii_case(no)) {
            return Ok(None);
        }
        let rate = self.column.role == Role::Rate;
        let allowed = if rate {
            "a rate, 0 or more, or empty".to_owned()
        } else {
            format!("{ALLOWED_DELAYS}, or empty, or 0 or less for a lost packet")
        };
        let refused = || self.refused(row, text, &allowed);
        let number = scaled(text, self.unit.unwrap_or(1)).ok_or_else(refused)?;
        if rate {
            return u64::try_from(number).map(Some).map_err(|_| refused());
        }
        let Some(delay) = u64::try_from(number).ok().filter(|delay| *delay > 0) else {
            return Ok(None);
        };
        let one_way = if self.column.role == Role::RoundTrip { delay / 2 } else { delay };
        if one_way > LONGEST_DELAY { Err(refused()) } else { Ok(Some(one_way)) }
    }
}

fn no_unit(column: &Column) -> Problem {
    Problem::whole(format!(
        "--column {column} has no unit, and the name of the column does not end with one: add it, as \
         in --column {column}:{}; {} are allowed",
        column.role.units().split(", ").next().unwrap_or("s"),
        column.role.units()
    ))
}
