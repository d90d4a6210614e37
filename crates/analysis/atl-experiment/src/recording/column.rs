//! Columns of a table, as `--column` names them.

use core::fmt;
use core::str::FromStr;

use super::unit;

/// The role of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The time of a row: a number, or a date with a time of day.
    Time,
    /// The rate from then on.
    Rate,
    /// The one-way delay from then on.
    Delay,
    /// The round-trip time from then on, of which a link has half.
    RoundTrip,
}

impl Role {
    const ALL: [Role; 4] = [Role::Time, Role::Rate, Role::Delay, Role::RoundTrip];

    /// The word before the `=`.
    pub fn word(self) -> &'static str {
        match self {
            Role::Time => "time",
            Role::Rate => "rate",
            Role::Delay => "delay",
            Role::RoundTrip => "rtt",
        }
    }

    /// The units that a column in this role can have.
    pub(super) fn units(self) -> &'static str {
        match self {
            Role::Rate => unit::ALLOWED_RATES,
            Role::Time | Role::Delay | Role::RoundTrip => unit::ALLOWED_TIMES,
        }
    }

    fn unit(self, name: &str) -> Option<u64> {
        match self {
            Role::Rate => unit::rate(name),
            Role::Time | Role::Delay | Role::RoundTrip => unit::time(name),
        }
    }

    /// The unit at the end of a column's name.
    pub(super) fn unit_in(self, column: &str) -> Option<u64> {
        match self {
            Role::Rate => unit::rate_in(column),
            Role::Time | Role::Delay | Role::RoundTrip => unit::time_in(column),
        }
    }
}

/// A column of a table: `rate=capacity:Mb/s`, `time=t_s`, `delay=3:ms`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// The quantity in it.
    pub role: Role,
    /// Its name in the first row, or its number, from 1.
    pub name: String,
    /// Bits per second or nanoseconds that a 1 in it stands for; `None` if that is in its name.
    pub unit: Option<u64>,
}

impl FromStr for Column {
    type Err = String;

    fn from_str(text: &str) -> Result<Column, String> {
        let expected = "expected ROLE=NAME or ROLE=NAME:UNIT, such as time=t:s, rate=capacity:Mb/s, \
                        delay=owd:ms or rtt=3:ms";
        let (word, name) = text.split_once('=').ok_or(expected)?;
        let role = Role::ALL.into_iter().find(|role| role.word() == word).ok_or(expected)?;
        let unit = name.rsplit_once(':').and_then(|(name, unit)| Some((name, role.unit(unit)?)));
        let (name, unit) = unit.map_or((name, None), |(name, unit)| (name, Some(unit)));
        if name.is_empty() {
            return Err(expected.to_owned());
        }
        Ok(Column { role, name: name.to_owned(), unit })
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.role.word(), self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::{Column, Role};

    #[test]
    fn a_column_has_a_role_a_name_and_perhaps_a_unit() {
        let column = |text: &str| text.parse::<Column>().map(|c| (c.role, c.name, c.unit));
        assert_eq!(column("rate=mean:Mb/s"), Ok((Role::Rate, "mean".to_owned(), Some(1_000_000))));
        assert_eq!(column("time=t_s"), Ok((Role::Time, "t_s".to_owned(), None)));
        assert_eq!(column("rtt=3:ms"), Ok((Role::RoundTrip, "3".to_owned(), Some(1_000_000))));
        // A colon in a name.
        assert_eq!(column("delay=a:b:us"), Ok((Role::Delay, "a:b".to_owned(), Some(1000))));
        assert_eq!(column("delay=a:b"), Ok((Role::Delay, "a:b".to_owned(), None)));
        for wrong in ["rate", "speed=x", "rate=", "rate=:Mb/s", ""] {
            assert!(column(wrong).is_err_and(|e| e.contains("rate=capacity:Mb/s")), "{wrong}");
        }
    }
}
