//! Charts as the page's script takes them: numbers in the units shown, rounded to what a screen can show.

use serde::{Serialize, Serializer};

use crate::table::Table;

/// A number of a chart: five significant figures; null where nothing was measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Num(pub(super) Option<f64>);

impl Num {
    pub(super) fn new(value: f64) -> Num {
        Num(Some(value))
    }
}

/// Rounded to five significant figures.
fn rounded(value: f64) -> f64 {
    // Through decimal text: exact, and the same on every machine.
    format!("{value:.4e}").parse().unwrap_or(value)
}

impl Serialize for Num {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.filter(|v| v.is_finite()).map(rounded) {
            // Whole numbers without ".0", which would be a third of the page.
            Some(v) if v.fract() == 0.0 && v.abs() < 1e15 => serializer.serialize_i64(v as i64),
            Some(v) => serializer.serialize_f64(v),
            None => serializer.serialize_none(),
        }
    }
}

/// An axis.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Axis {
    /// Label with unit.
    pub(super) label: String,
    /// Logarithmic.
    pub(super) log: bool,
    /// Names of the values 0, 1, 2 ... if they are not numbers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) names: Vec<String>,
}

impl Axis {
    pub(super) fn linear(label: String) -> Axis {
        Axis { label, log: false, names: Vec::new() }
    }
}

/// A curve, or marks without a line.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Curve {
    pub(super) name: String,
    /// Number that selects colour, dashes and marker. Within a section, the same name has the same number.
    pub(super) style: usize,
    pub(super) y: Vec<Num>,
    /// Lower bounds of the intervals.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) low: Vec<Num>,
    /// Upper bounds of the intervals.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) high: Vec<Num>,
    /// Lower bounds of the intervals along x.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) low_x: Vec<Num>,
    /// Upper bounds of the intervals along x.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) high_x: Vec<Num>,
}

/// An event on the time axis.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Mark {
    /// Its time, or its start, in seconds.
    pub(super) x: f64,
    /// Its end, if it lasts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) to: Option<f64>,
    /// Its label.
    pub(super) text: String,
    /// The curve that it concerns; `None`: all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) curve: Option<usize>,
}

/// How points are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum ChartKind {
    /// Markers with bands and whiskers, joined by lines.
    Sweep,
    /// Lines.
    Time,
    /// Markers with whiskers.
    Scatter,
}

/// A chart.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Chart {
    pub(super) kind: ChartKind,
    pub(super) title: String,
    pub(super) x: Axis,
    pub(super) y: Axis,
    pub(super) xs: Vec<Num>,
    pub(super) curves: Vec<Curve>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) marks: Vec<Mark>,
}

/// A figure of the page.
#[derive(Clone, Debug)]
pub(super) struct Drawn {
    pub(super) title: String,
    pub(super) caption: String,
    /// What the reader must know about it: seeds, means, reductions.
    pub(super) note: String,
    /// The chart; `None` if no run fits the figure.
    pub(super) chart: Option<Chart>,
    /// Its numbers, unless there are too many.
    pub(super) numbers: Option<Table>,
}

/// Assigns styles; a name keeps its style throughout a section.
#[derive(Debug, Default)]
pub(super) struct Styles(Vec<String>);

impl Styles {
    pub(super) fn of(&mut self, name: &str) -> usize {
        match self.0.iter().position(|n| n == name) {
            Some(i) => i,
            None => {
                self.0.push(name.to_owned());
                self.0.len() - 1
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_missing_ones_are_null() {
        let numbers = [
            Num::new(1.0 / 3.0),
            Num::new(2e6),
            Num(None),
            Num::new(f64::INFINITY),
            Num::new(1.234_56e-7),
        ];
        assert_eq!(
            serde_json::to_string(&numbers).expect("numbers"),
            "[0.33333,2000000,null,null,1.2346e-7]"
        );
    }

    #[test]
    fn a_name_keeps_its_style() {
        let mut styles = Styles::default();
        assert_eq!([styles.of("a"), styles.of("b"), styles.of("a")], [0, 1, 0]);
    }
}
