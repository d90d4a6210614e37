//! Horizontal bars, one per line.

use super::super::chart::{Chart, Curve};
use super::super::range::label;
use super::ink::Inks;
use super::{Canvas, cut, width};

/// Block characters by eighths of the width, from empty to nearly full.
const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/// A group of bars for each position along x.
pub(super) fn bars(chart: &Chart, canvas: Canvas, inks: &Inks) -> String {
    let mut out = format!("{}\n", cut(&chart.y.label, canvas.width));
    let widest = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or(0);
    let names = widest(&mut chart.curves.iter().map(|curve| width(&curve.name)));
    let names = names.min(canvas.width / 3);
    let places = 0..chart.xs.len();
    let numbers = widest(
        &mut places
            .clone()
            .flat_map(|at| chart.curves.iter().map(move |curve| width(&number(curve, at)))),
    );
    let room = canvas.width.saturating_sub(names + numbers + 8).max(8);
    let all = chart.curves.iter().flat_map(|curve| &curve.y).chain(&chart.limits);
    let most = all.filter_map(|n| n.get()).fold(0.0, f64::max);
    for at in places {
        let name = chart.x.names.get(at).map_or("", String::as_str);
        match chart.limits.get(at).and_then(|limit| limit.get()) {
            Some(limit) => {
                out.push_str(&cut(&format!("{name}; the link: {}", label(limit)), canvas.width));
            }
            None => out.push_str(&cut(name, canvas.width)),
        }
        out.push('\n');
        for (i, curve) in chart.curves.iter().enumerate() {
            let Some(value) = curve.y.get(at).and_then(|y| y.get()) else { continue };
            let name = cut(&curve.name, names);
            let shown = number(curve, at);
            let line = format!(
                "  {} {name}{}  {shown}{}  {}",
                inks.painted(i, inks.mark(i)),
                " ".repeat(names - width(&name)),
                " ".repeat(numbers - width(&shown)),
                inks.painted(i, bar(if most > 0.0 { value / most } else { 0.0 }, room)),
            );
            out.push_str(line.trim_end());
            out.push('\n');
        }
    }
    out
}

/// A value with its interval.
fn number(curve: &Curve, at: usize) -> String {
    let value = curve.y.get(at).and_then(|y| y.get());
    match (value, curve.interval(at)) {
        (Some(value), Some((low, high))) => {
            format!("{} ({} to {})", label(value), label(low), label(high))
        }
        (Some(value), None) => label(value),
        (None, _) => String::new(),
    }
}

fn bar(share: f64, room: usize) -> String {
    let eighths = (share.clamp(0.0, 1.0) * (room * 8) as f64).round() as usize;
    "█".repeat(eighths / 8) + EIGHTHS[eighths % 8]
}
