//! A chart as text for a terminal. Every series has the same mark as in the report, so that the
//! picture can be read without colours.

mod bars;
mod grid;
mod ink;

use self::ink::Inks;
use super::chart::{Chart, ChartKind};

/// Size and colouring of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Canvas {
    /// Width in characters, at least [`Canvas::LEAST`].
    pub width: usize,
    /// Lines of the plot alone, without axis, title and legend.
    pub height: usize,
    /// True to colour the text with SGR codes.
    pub colour: bool,
}

impl Canvas {
    /// Lower limit on the width: below, labels leave no room for the plot.
    pub const LEAST: usize = 40;
}

impl Default for Canvas {
    /// Fits every terminal: 80 columns, no colours.
    fn default() -> Canvas {
        Canvas { width: 80, height: 14, colour: false }
    }
}

/// The chart in lines of at most `canvas.width` characters, with title, axes with units, and
/// legend. Of the intervals only those of bars are shown.
pub fn text(chart: &Chart, canvas: Canvas) -> String {
    let canvas =
        Canvas { width: canvas.width.max(Canvas::LEAST), height: canvas.height.max(4), ..canvas };
    let inks = Inks::of(chart, canvas.colour);
    let mut out = wrapped(&chart.title, canvas.width);
    match chart.kind {
        ChartKind::Bars => out.push_str(&bars::bars(chart, canvas, &inks)),
        _ => {
            out.push_str(&grid::grid(chart, canvas, &inks));
            out.push_str(&legend(chart, canvas, &inks));
        }
    }
    out
}

fn legend(chart: &Chart, canvas: Canvas, inks: &Inks) -> String {
    let mut out = String::new();
    let mut used = 0;
    for (i, curve) in chart.curves.iter().enumerate() {
        let name = cut(&curve.name, canvas.width - 4);
        let wide = 2 + width(&name);
        if used > 0 && used + 3 + wide > canvas.width {
            out.push('\n');
            used = 0;
        }
        out.push_str(if used > 0 { "   " } else { " " });
        used += wide + if used > 0 { 3 } else { 1 };
        out.push_str(&inks.painted(i, inks.mark(i)));
        out.push(' ');
        out.push_str(&name);
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

/// Breaks text into lines of at most this width. A longer word gets a line of its own.
fn wrapped(text: &str, limit: usize) -> String {
    let mut out = String::new();
    let mut used = 0;
    for word in text.split_whitespace() {
        if used > 0 {
            let fits = used + 1 + width(word) <= limit;
            out.push(if fits { ' ' } else { '\n' });
            used = if fits { used + 1 } else { 0 };
        }
        out.push_str(word);
        used += width(word);
    }
    out.push('\n');
    out
}

/// Number of characters. Names hardly ever have combining or wide ones, which would only disturb
/// the alignment.
fn width(text: &str) -> usize {
    text.chars().count()
}

/// Shortens a text to this many characters, with an ellipsis where it was cut.
fn cut(text: &str, limit: usize) -> String {
    if width(text) <= limit {
        return text.to_owned();
    }
    text.chars().take(limit.saturating_sub(1)).chain(['…']).collect()
}
