//! A chart as data: numbers in display units, rounded to what can be seen. The page, SVG, PNG, CSV
//! and PGF are all made from it.

use serde::{Deserialize, Serialize, Serializer};

use crate::table::Table;

/// A number of a chart with five significant figures; null where nothing was measured.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(transparent)]
pub struct Num(pub(super) Option<f64>);

impl Num {
    /// A missing value, null in JSON.
    pub const NONE: Num = Num(None);

    /// Rounds to five significant figures. A number that is not finite counts as missing.
    pub fn new(value: f64) -> Num {
        Num::of(Some(value))
    }

    /// As [`Num::new`], for a number that may be missing.
    pub fn of(value: Option<f64>) -> Num {
        Num(value.filter(|v| v.is_finite()).map(rounded))
    }

    /// The rounded value; `None` if missing.
    pub const fn get(self) -> Option<f64> {
        self.0
    }
}

fn rounded(value: f64) -> f64 {
    // Conversion through decimal text is exact, and the same on every machine.
    format!("{value:.4e}").parse().unwrap_or(value)
}

impl Serialize for Num {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            // Leaves out ".0", which would be a third of the page's size.
            Some(v) if v.fract() == 0.0 && v.abs() < 1e15 => serializer.serialize_i64(v as i64),
            Some(v) => serializer.serialize_f64(v),
            None => serializer.serialize_none(),
        }
    }
}

/// One of a chart's two axes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Axis {
    /// Label with the unit of its numbers.
    pub label: String,
    /// True for a logarithmic axis.
    pub log: bool,
    /// Names of the values 0, 1, 2 ... on an axis without numbers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
}

impl Axis {
    pub(super) fn linear(label: String) -> Axis {
        Axis { label, log: false, names: Vec::new() }
    }
}

/// A series of a chart: a curve, marks without a line, or bars.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// Name in the legend.
    pub name: String,
    /// Number that selects colour, dashes and mark. Within a section, the same name has the same
    /// number.
    pub style: usize,
    /// Values, one for each of the chart's `xs`.
    pub y: Vec<Num>,
    /// Lower bounds of the intervals; empty without intervals.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub low: Vec<Num>,
    /// Upper bounds of the intervals; empty without intervals.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub high: Vec<Num>,
    /// Lower bounds of the intervals along x; only in scatter plots.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub low_x: Vec<Num>,
    /// Upper bounds of the intervals along x; only in scatter plots.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub high_x: Vec<Num>,
    /// The values of a single run, where `y` is a mean over several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub one: Vec<Num>,
    /// Labels beside the points; an empty text is no label.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<String>,
    /// True for open marks without a line: what a paper prints, of the curve of the same style or
    /// as a factor over it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub open: bool,
}

impl Curve {
    /// Bounds of the interval at an index of `xs`, if there is one.
    pub fn interval(&self, place: usize) -> Option<(f64, f64)> {
        Some((self.low.get(place)?.get()?, self.high.get(place)?.get()?))
    }
}

/// An event on the time axis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mark {
    /// Time in seconds, or start of what lasts.
    pub x: f64,
    /// End in seconds; `None` for an instant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<f64>,
    /// Label of the event.
    pub text: String,
    /// Index of the curve that it concerns; `None` for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub curve: Option<usize>,
}

/// Type of a chart, which decides how points are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChartKind {
    /// Marks with bands and whiskers, joined by lines.
    Sweep,
    /// Lines, with bands where they are means.
    Time,
    /// Marks with whiskers, without lines.
    Scatter,
    /// Bars with whiskers, side by side at each named place.
    Bars,
    /// Steps from 0 to 1.
    Distribution,
}

/// The data of a chart with all labels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chart {
    /// Type of the chart.
    pub kind: ChartKind,
    /// Title above the plot.
    pub title: String,
    /// The axis below the plot.
    pub x: Axis,
    /// The axis left of the plot.
    pub y: Axis,
    /// Positions along x, ascending.
    pub xs: Vec<Num>,
    /// Series in the order of the legend.
    pub curves: Vec<Curve>,
    /// Events along x, such as handoffs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<Mark>,
    /// Upper bound on y at each of `xs`, such as a link's rate; empty without one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<Num>,
    /// Seed of the run in the curves' `one`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
}

impl Chart {
    /// True if a line joins the points of the curve.
    pub(super) fn joins(&self, curve: &Curve) -> bool {
        self.x.names.is_empty() && self.kind != ChartKind::Scatter && !curve.open
    }
}

/// A figure of a report.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// Title of the figure.
    pub title: String,
    /// One or two sentences below the title.
    pub caption: String,
    /// Remarks needed to read it: seeds, means, reductions.
    pub note: String,
    /// The chart; `None` if the figure fits no run.
    pub chart: Option<Chart>,
    /// Its numbers as a table; `None` if there are too many.
    pub numbers: Option<Table>,
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
}
