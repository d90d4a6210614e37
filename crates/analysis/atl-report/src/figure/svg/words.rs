//! Labels beside the points of a scatter plot, placed where nothing else is.

use maud::{Markup, html};

use super::super::chart::Chart;
use super::frame::Frame;
use super::{INK, px, text_width};

/// Left, top, right and bottom in pixels.
type Box = [f64; 4];

fn apart(a: Box, b: Box) -> bool {
    a[2] < b[0] || a[0] > b[2] || a[3] < b[1] || a[1] > b[3]
}

/// Puts each label at the first free one of several positions around its point. Without any, the
/// label is left out and the legend must do.
pub(super) fn words(chart: &Chart, frame: &Frame) -> Markup {
    let mut taken: Vec<Box> = Vec::new();
    let mut wanted: Vec<(f64, f64, &str)> = Vec::new();
    for curve in &chart.curves {
        for (i, (x, y)) in chart.xs.iter().zip(&curve.y).enumerate() {
            let (Some(x), Some(y)) = (x.get(), y.get()) else { continue };
            let (x, y) = (frame.x(x), frame.y(y));
            taken.push([x - 5.0, y - 5.0, x + 5.0, y + 5.0]);
            if let Some((low, high)) = curve.interval(i) {
                taken.push([x - 4.0, frame.y(high), x + 4.0, frame.y(low)]);
            }
            let ends = [&curve.low_x, &curve.high_x].map(|e| e.get(i).and_then(|n| n.get()));
            if let [Some(low), Some(high)] = ends {
                taken.push([frame.x(low), y - 4.0, frame.x(high), y + 4.0]);
            }
            if let Some(text) = curve.words.get(i).filter(|text| !text.is_empty()) {
                wanted.push((x, y, text));
            }
        }
    }
    let inside = |b: &Box| {
        b[0] >= frame.left
            && b[2] <= frame.left + frame.width
            && b[1] >= frame.top
            && b[3] <= frame.bottom()
    };
    let mut placed = Vec::new();
    for (x, y, text) in wanted {
        let (w, h, gap) = (text_width(text) * 11.0 / 12.0, 13.0, 8.0);
        let beside = [(gap, -h / 2.0), (-gap - w, -h / 2.0)];
        let above_and_below = [-h - 5.0, 5.0, -h - 12.0, 12.0, -h - 20.0, 20.0]
            .into_iter()
            .flat_map(|dy| [gap, -gap - w, -w / 2.0].map(|dx| (dx, dy)));
        let boxes = beside.into_iter().chain(above_and_below);
        let mut boxes = boxes.map(|(dx, dy)| [x + dx, y + dy, x + dx + w, y + dy + h]);
        if let Some(free) = boxes.find(|b| inside(b) && taken.iter().all(|t| apart(*b, *t))) {
            taken.push(free);
            placed.push((free[0], free[3] - 3.0, text));
        }
    }
    html! {
        @for (x, y, text) in placed {
            text x=(px(x)) y=(px(y)) font-size="11" fill=(INK) { (text) }
        }
    }
}
