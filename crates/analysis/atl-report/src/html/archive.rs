//! Reading a page back: its charts as data, and the files of its tables.

use std::fmt;

use super::files::{Placed, unpacked};
use crate::figure::Chart;

/// The reason why a page cannot be read back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// It does not look like a report.
    NoReport,
    /// Its data are damaged or of another version of the program.
    OtherVersion,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unreadable::NoReport => "it is not a report of atl",
            Unreadable::OtherVersion => {
                "its figures were written by another version of atl, or are damaged: run the scenario again"
            }
        })
    }
}

impl std::error::Error for Unreadable {}

/// Content of a page that can become a file of its own.
#[derive(Clone, Debug, PartialEq)]
pub enum Archived {
    /// A chart as data.
    Figure {
        /// Data of the chart.
        chart: Box<Chart>,
        /// Source of its data, for citations.
        cite: String,
    },
    /// A table in the two forms that the page holds.
    Table {
        /// Content of the CSV file.
        csv: String,
        /// Content of the LaTeX file.
        latex: String,
    },
}

/// The figures and tables of a page, by name.
#[derive(Clone, Debug, PartialEq)]
pub struct Archive {
    /// Names and contents: figures in the page's order, then tables.
    pub entries: Vec<(String, Archived)>,
}

impl Archive {
    /// Reads the HTML of a page.
    ///
    /// # Errors
    /// If it is no report, or one that this version cannot read.
    pub fn read(page: &str) -> Result<Archive, Unreadable> {
        let data = between(page, "<script type=\"application/json\" id=\"charts\">", "</script>");
        let data = data.ok_or(Unreadable::NoReport)?;
        let placed: Vec<Placed> =
            serde_json::from_str(data).map_err(|_| Unreadable::OtherVersion)?;
        let whole = |chart: &Chart| {
            chart.curves.iter().all(|c| c.y.len() == chart.xs.len())
                && chart.marks.iter().all(|m| m.curve.is_none_or(|c| c < chart.curves.len()))
        };
        if !placed.iter().all(|placed| whole(&placed.chart)) {
            return Err(Unreadable::OtherVersion);
        }
        let figures = placed.into_iter().map(|Placed { id, cite, chart }| {
            (id, Archived::Figure { chart: Box::new(chart), cite })
        });
        let mut entries: Vec<(String, Archived)> = figures.collect();
        for rest in page.split("<div class=\"files\"").skip(1) {
            let tag = rest.split('>').next().unwrap_or_default();
            let attribute = |name: &str| between(tag, &format!(" data-{name}=\""), "\"");
            if attribute("svg").is_some() {
                continue;
            }
            let file = |name: &str| attribute(name).and_then(unpacked);
            let (Some(id), Some(csv), Some(latex)) = (attribute("id"), file("csv"), file("tex"))
            else {
                return Err(Unreadable::OtherVersion);
            };
            entries.push((plain(id), Archived::Table { csv, latex }));
        }
        Ok(Archive { entries })
    }
}

fn between<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    let start = text.find(before)? + before.len();
    let end = text[start..].find(after)?;
    Some(&text[start..start + end])
}

/// Value of an attribute with the escapes of the templates undone.
fn plain(value: &str) -> String {
    value.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}
