//! Expectations: bounds on metrics and on their ratios.

use std::collections::BTreeMap;
use std::fmt;

use atl_report::quantity::Quantity;
use atl_scenario::metric::{Metric, Unit};
use atl_scenario::scenario::{During, Measure};
use atl_scenario::units;

/// A bound on a metric, or on a ratio of two.
///
/// Values have the units of scenario files (`"5Mb/s"`, `"80ms"`, `"2%"`, `0.9`). The mean over the
/// seeds is judged.
///
/// ```
/// use atl_lab::metric;
///
/// // At least half of what NewReno gets on the same path.
/// metric("goodput").than("noq-newreno").at_least(0.5);
/// // The uploads' queueing: 95 % of the round trips below 120 ms.
/// metric("rtt-p95").of("upload").at_most("120ms");
/// // One group beside the other in the same run.
/// metric("goodput").of("new").over("old").at_least(0.5).at_most(2.0);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[must_use = "an expectation is given to a case"]
pub struct Expectation {
    pub(crate) what: Option<String>,
    pub(crate) metric: String,
    pub(crate) of: Option<String>,
    pub(crate) over: Option<String>,
    pub(crate) than: Option<String>,
    pub(crate) during: Option<(String, String)>,
    pub(crate) at: BTreeMap<String, String>,
    pub(crate) at_least: Option<String>,
    pub(crate) at_most: Option<String>,
}

/// An expectation of a metric of scenario files (`goodput`, `rtt-p95`, `recovery`, `loss`,
/// `completion` ...), over all flows until [`of`](Expectation::of) names a group.
pub fn metric(name: &str) -> Expectation {
    Expectation {
        what: None,
        metric: name.to_owned(),
        of: None,
        over: None,
        than: None,
        during: None,
        at: BTreeMap::new(),
        at_least: None,
        at_most: None,
    }
}

impl Expectation {
    /// The reason for the expectation, in words: the first line of a failure.
    pub fn because(self, what: &str) -> Self {
        Expectation { what: Some(what.to_owned()), ..self }
    }

    /// Takes the metric over the flows of this group (a flow's name in the file) instead of all.
    pub fn of(self, group: &str) -> Self {
        Expectation { of: Some(group.to_owned()), ..self }
    }

    /// Divides by the metric of another group in the same run.
    pub fn over(self, group: &str) -> Self {
        Expectation { over: Some(group.to_owned()), ..self }
    }

    /// Divides by the metric of the same flows under this protocol, in a run of its own with the
    /// same seed.
    pub fn than(self, protocol: &str) -> Self {
        Expectation { than: Some(protocol.to_owned()), ..self }
    }

    /// Takes the metric over a part of the run, if it is one that samples give (`[record]`).
    pub fn during(self, from: &str, to: &str) -> Self {
        Expectation { during: Some((from.to_owned(), to.to_owned())), ..self }
    }

    /// Restricts it to points of a sweep at which the variable has this value.
    pub fn at(mut self, variable: &str, value: impl fmt::Display) -> Self {
        self.at.insert(variable.to_owned(), value.to_string());
        self
    }

    /// Sets the lower bound, which is included.
    pub fn at_least(self, value: impl fmt::Display) -> Self {
        Expectation { at_least: Some(value.to_string()), ..self }
    }

    /// Sets the upper bound, which is included.
    pub fn at_most(self, value: impl fmt::Display) -> Self {
        Expectation { at_most: Some(value.to_string()), ..self }
    }

    /// Checks names and values, and reads them.
    pub(crate) fn read(&self) -> Result<Bound, String> {
        let Some(metric) = Metric::all().find(|metric| metric.name() == self.metric) else {
            let names: Vec<&str> = Metric::all().map(Metric::name).collect();
            return Err(format!(
                "there is no metric `{}`; there are {}",
                self.metric,
                names.join(", ")
            ));
        };
        if self.over.is_some() && self.than.is_some() {
            return Err("a ratio is over another group, or than another protocol, not both".into());
        }
        if let Some(name) = &self.than
            && atl_scenario::protocol::named(name).is_none()
        {
            return Err(format!(
                "there is no protocol `{name}`; `atl list` shows those that there are"
            ));
        }
        let ratio = self.over.is_some() || self.than.is_some();
        let value = |key: &str, text: &Option<String>| match text {
            None => Ok(None),
            Some(text) => value_of(metric, ratio, text)
                .map(Some)
                .map_err(|problem| format!("`{key}` is `{text}`: {problem}")),
        };
        let (least, most) = (value("at-least", &self.at_least)?, value("at-most", &self.at_most)?);
        match (least, most) {
            (None, None) => {
                return Err("an expectation has `at-least`, `at-most`, or both".into());
            }
            (Some(least), Some(most)) if least > most => {
                return Err("`at-least` is more than `at-most`".into());
            }
            _ => {}
        }
        let during = self.during.as_ref().map(|(from, to)| part(metric, from, to)).transpose()?;
        Ok(Bound { measure: Measure { metric, during }, ratio, least, most })
    }
}

fn part(metric: Metric, from: &str, to: &str) -> Result<During, String> {
    if !metric.has_parts() {
        return Err(format!(
            "`during`: samples do not give `{}` over a part of a run",
            metric.name()
        ));
    }
    let time = |text: &str| {
        let span =
            units::time(text).map_err(|problem| format!("`during` is `{text}`: {problem}"))?;
        Ok::<_, String>(atl_core_time(span))
    };
    let (from_time, to_time) = (time(from)?, time(to)?);
    if from_time >= to_time {
        return Err(format!("`during` ends at {to}, before it begins at {from}"));
    }
    Ok(During { from: from_time, to: to_time })
}

fn atl_core_time(span: atl_core::time::Span) -> atl_core::time::Time {
    atl_core::time::Time::ZERO + span
}

fn value_of(metric: Metric, ratio: bool, text: &str) -> Result<f64, String> {
    let number =
        |text: &str| text.parse().map_err(|_| "expected a number, or a percentage".to_owned());
    let value = if ratio {
        number(text).or_else(|problem| units::percent(text).map_err(|_| problem))?
    } else {
        match metric.unit() {
            Unit::BitsPerSecond => units::rate(text).map(|rate| rate.bps())?,
            Unit::Seconds => units::seconds(text)?,
            Unit::Share | Unit::Error => {
                number(text).or_else(|problem| units::percent(text).map_err(|_| problem))?
            }
            Unit::AmpereSeconds => units::ampere_seconds(text)?,
            Unit::Ratio | Unit::Factor | Unit::Packets | Unit::Octets | Unit::PerSecond => {
                number(text)?
            }
        }
    };
    if value.is_finite() { Ok(value) } else { Err("expected a finite number".into()) }
}

/// An expectation as numbers in base units.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bound {
    pub(crate) measure: Measure,
    pub(crate) ratio: bool,
    pub(crate) least: Option<f64>,
    pub(crate) most: Option<f64>,
}

impl Bound {
    /// True if the value lies within.
    pub(crate) fn holds(&self, value: f64) -> bool {
        self.least.is_none_or(|least| value >= least) && self.most.is_none_or(|most| value <= most)
    }

    /// Distance of a value outside of the bounds, in base units; negative if it holds.
    pub(crate) fn excess(&self, value: f64) -> f64 {
        let below = self.least.map_or(f64::NEG_INFINITY, |least| least - value);
        let above = self.most.map_or(f64::NEG_INFINITY, |most| value - most);
        below.max(above)
    }

    /// A value with its unit, for people.
    pub(crate) fn show(&self, value: f64) -> String {
        if self.ratio {
            return atl_report::quantity::number(value);
        }
        Quantity::heading(self.measure.metric).show_number(value)
    }
}

impl fmt::Display for Expectation {
    /// `goodput of up than noq-newreno: at least 0.5`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.metric)?;
        if let Some(group) = &self.of {
            write!(f, " of `{group}`")?;
        }
        if let Some(group) = &self.over {
            write!(f, " over that of `{group}`")?;
        }
        if let Some(protocol) = &self.than {
            write!(f, " over that of {protocol}")?;
        }
        if let Some((from, to)) = &self.during {
            write!(f, " from {from} to {to}")?;
        }
        for (variable, value) in &self.at {
            write!(f, " at {variable} = {value}")?;
        }
        if let Some(value) = &self.at_least {
            write!(f, ", at least {value}")?;
        }
        if let Some(value) = &self.at_most {
            write!(f, ", at most {value}")?;
        }
        Ok(())
    }
}
