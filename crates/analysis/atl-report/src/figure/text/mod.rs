//! A chart as text for a terminal. Every series has the same mark as in the report, so that the
//! picture can be read without colours.

mod bars;
mod canvas;
mod grid;
mod ink;

use self::ink::Inks;
use super::chart::{Chart, ChartKind};
pub use canvas::Canvas;
use canvas::{cut, width, wrapped};

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
