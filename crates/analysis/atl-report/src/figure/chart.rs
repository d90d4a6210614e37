//! A chart as data: numbers in the units shown, rounded to what a picture can show. The page, SVG, PNG, CSV and PGF are
//! all made from it.

use serde::{Deserialize, Serialize, Serializer};

use crate::table::Table;

/// A number of a chart: five significant figures; null where nothing was measured.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(transparent)]
pub struct Num(pub(super) Option<f64>);

impl Num {
    /// Nothing was measured.
    pub const NONE: Num = Num(None);

    /// A number, rounded; one that is not finite is none.
    pub fn new(value: f64) -> Num {
        Num::of(Some(value))
    }

    /// A number that may be missing.
    pub fn of(value: Option<f64>) -> Num {
        Num(value.filter(|v| v.is_finite()).map(rounded))
    }

    /// Its value.
    pub const fn get(self) -> Option<f64> {
        self.0
    }
}

/// Rounded to five significant figures.
fn rounded(value: f64) -> f64 {
    // Through decimal text: exact, and the same on every machine.
    format!("{value:.4e}").parse().unwrap_or(value)
}

impl Serialize for Num {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            // Whole numbers without ".0", which would be a third of the page.
            Some(v) if v.fract() == 0.0 && v.abs() < 1e15 => serializer.serialize_i64(v as i64),
            Some(v) => serializer.serialize_f64(v),
            None => serializer.serialize_none(),
        }
    }
}

/// An axis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Axis {
    /// Label with unit.
    pub label: String,
    /// Logarithmic.
    pub log: bool,
    /// Names of the values 0, 1, 2 ... if they are not numbers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
}

impl Axis {
    pub(super) fn linear(label: String) -> Axis {
        Axis { label, log: false, names: Vec::new() }
    }
}

/// A curve, marks without a line, or bars.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// Its name in the legend.
    pub name: String,
    /// Number that selects colour, dashes and mark. Within a section, the same name has the same number.
    pub style: usize,
    /// Values, one for each of the chart's `xs`.
    pub y: Vec<Num>,
    /// Lower bounds of the intervals.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub low: Vec<Num>,
    /// Upper bounds of the intervals.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub high: Vec<Num>,
    /// Lower bounds of the intervals along x.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub low_x: Vec<Num>,
    /// Upper bounds of the intervals along x.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub high_x: Vec<Num>,
    /// The values of one run, where `y` is a mean over several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub one: Vec<Num>,
    /// Words beside the points; empty ones are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<String>,
}

impl Curve {
    /// The interval at a place, if there is one.
    pub fn interval(&self, place: usize) -> Option<(f64, f64)> {
        Some((self.low.get(place)?.get()?, self.high.get(place)?.get()?))
    }
}

/// An event on the time axis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mark {
    /// Its time, or its start, in seconds.
    pub x: f64,
    /// Its end, if it lasts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<f64>,
    /// Its label.
    pub text: String,
    /// The curve that it concerns; `None`: all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub curve: Option<usize>,
}

/// How points are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChartKind {
    /// Marks with bands and whiskers, joined by lines.
    Sweep,
    /// Lines, with bands where they are means.
    Time,
    /// Marks with whiskers.
    Scatter,
    /// Bars with whiskers, side by side at each named place.
    Bars,
    /// Steps from 0 to 1.
    Distribution,
}

/// A chart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chart {
    /// How points are drawn.
    pub kind: ChartKind,
    /// What it shows.
    pub title: String,
    /// The axis across.
    pub x: Axis,
    /// The axis up.
    pub y: Axis,
    /// Places along x, ascending.
    pub xs: Vec<Num>,
    /// The curves.
    pub curves: Vec<Curve>,
    /// Events along x.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<Mark>,
    /// What could be reached at most at each of `xs`, such as a link's rate.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<Num>,
    /// The seed of the run in the curves' `one`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
}

/// A figure of a report.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// Title.
    pub title: String,
    /// One or two sentences under it.
    pub caption: String,
    /// What the reader must know about it: seeds, means, reductions.
    pub note: String,
    /// The chart; `None` if no run fits the figure.
    pub chart: Option<Chart>,
    /// Its numbers, unless there are too many.
    pub numbers: Option<Table>,
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
            Num::NONE,
            Num::new(f64::INFINITY),
            Num::new(1.234_56e-7),
        ];
        let text = serde_json::to_string(&numbers).expect("numbers");
        assert_eq!(text, "[0.33333,2000000,null,null,1.2346e-7]");
        let back: Vec<Num> = serde_json::from_str(&text).expect("they are read back");
        assert_eq!(back, numbers);
    }

    #[test]
    fn a_name_keeps_its_style() {
        let mut styles = Styles::default();
        assert_eq!([styles.of("a"), styles.of("b"), styles.of("a")], [0, 1, 0]);
    }
}
