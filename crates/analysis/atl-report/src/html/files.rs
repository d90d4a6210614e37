//! The files behind the buttons below figures and tables, which the page holds compressed.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use maud::{Markup, html};
use serde::{Deserialize, Serialize};

use crate::figure::{self, Chart, svg::Size};
use crate::table::{self, Table};

/// A chart with its identity in the page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Placed {
    /// Identifier in the page, from scenario and title.
    pub(super) id: String,
    /// Source of its data, for citations.
    pub(super) cite: String,
    #[serde(flatten)]
    pub(super) chart: Chart,
}

/// Letters, digits and hyphens of a title, for identifiers.
fn slug(title: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { ' ' };
    let words: String = title.chars().map(plain).collect();
    words.split_whitespace().collect::<Vec<_>>().join("-")
}

/// An identifier that no chart of the page has yet.
pub(super) fn id(scenario: &str, title: &str, charts: &[Placed]) -> String {
    let base = format!("{scenario}/{}", slug(title));
    let taken = |id: &str| charts.iter().any(|placed| placed.id == id);
    let numbered = (2..).map(|n| format!("{base}-{n}"));
    std::iter::once(base.clone()).chain(numbered).find(|id| !taken(id)).unwrap_or(base)
}

fn packed(text: &str) -> String {
    STANDARD.encode(miniz_oxide::deflate::compress_to_vec_zlib(text.as_bytes(), 8))
}

/// Content of a file in a page; `None` if it is damaged.
pub(super) fn unpacked(packed: &str) -> Option<String> {
    /// Limit on the content, so that a damaged page cannot exhaust memory.
    const MOST: usize = 1 << 26;
    let bytes = STANDARD.decode(packed).ok()?;
    let bytes = miniz_oxide::inflate::decompress_to_vec_zlib_with_limit(&bytes, MOST).ok()?;
    String::from_utf8(bytes).ok()
}

/// Buttons with the files of a chart.
pub(super) fn of_chart(placed: &Placed) -> Markup {
    let Placed { id, cite, chart } = placed;
    html! {
        div.files data-id=(id) data-svg=(packed(&figure::svg(chart, cite, Size::default())))
            data-csv=(packed(&figure::csv(chart))) data-pgf=(packed(&figure::pgf(chart, cite)))
            data-tex=[figure::latex(chart, cite).map(|table| packed(&table))] {}
    }
}

/// Buttons with the files of a table.
pub(super) fn of_table(id: &str, table: &Table, cite: &str) -> Markup {
    html! {
        div.files data-id=(id) data-csv=(packed(&table::csv(table)))
            data-tex=(packed(&figure::latex::of_table(table, cite))) {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_unpacked() {
        let text = "Jain’s index\n".repeat(100);
        assert!(packed(&text).len() < text.len() / 4);
        assert_eq!(unpacked(&packed(&text)), Some(text));
        assert_eq!(unpacked("AAAA"), None);
        assert_eq!(unpacked("no base64!"), None);
    }

    #[test]
    fn titles_become_names() {
        assert_eq!(slug("Goodput over time, p_w = 1e-2"), "goodput-over-time-p-w-1e-2");
        assert_eq!(id("a/b", "Zwei – Größen", &[]), "a/b/zwei-gr-en");
    }
}
