//! A chart as text, for a terminal. Every series has its own mark, the one that it has in the report, so that a picture
//! without colours says the same.

mod bars;
mod grid;
mod ink;

use self::ink::Inks;
use super::chart::{Chart, ChartKind};

/// How a chart is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Canvas {
    /// Characters in a line, at least [`Canvas::LEAST`].
    pub width: usize,
    /// Lines of the plot itself, without axis, title and legend.
    pub height: usize,
    /// Colours, as SGR codes.
    pub colour: bool,
}

impl Canvas {
    /// The least width: below, the labels leave no room.
    pub const LEAST: usize = 40;
}

impl Default for Canvas {
    /// What every terminal shows.
    fn default() -> Canvas {
        Canvas { width: 80, height: 14, colour: false }
    }
}

/// The chart in lines of at most `canvas.width` characters, with title, axes with units, and legend. Intervals are left
/// out, but for those of bars.
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

/// Marks and names, in as many lines as they need.
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

/// Text in lines of at most this width; a word that is longer has a line of its own.
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

/// Characters of a text: names hold no combining or wide ones in practice, and then the line is merely not aligned.
fn width(text: &str) -> usize {
    text.chars().count()
}

/// A text of at most this many characters, with an ellipsis where it was cut.
fn cut(text: &str, limit: usize) -> String {
    if width(text) <= limit {
        return text.to_owned();
    }
    text.chars().take(limit.saturating_sub(1)).chain(['…']).collect()
}
