//! Axes, grid, events and legend around the plot.

use maud::{Markup, html};

use super::super::chart::{Chart, ChartKind, Mark};
use super::super::palette::Look;
use super::super::range::{Range, across, label, up};
use super::look::{mark, solid};
use super::{INK, LINE, SOFT, Size, px, text_width};

/// Height of a row of the legend, in pixels.
const ROW: f64 = 18.0;
/// Width of a curve's sample in the legend, in pixels.
const SAMPLE: f64 = 34.0;
/// Limit on the rows of events' names above the plot.
const EVENT_ROWS: usize = 2;

/// Positions of the plot, its ranges and its surroundings.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) across: Range,
    pub(super) up: Range,
    size: Size,
    /// True if names along x are slanted for want of width.
    slanted: bool,
    /// Top of the legend, in pixels.
    legend: f64,
}

impl Frame {
    pub(super) fn of(chart: &Chart, size: Size) -> Frame {
        let (across, up) = (across(chart), up(chart));
        // The height, and thus the number of ticks, is not known yet, so take all that are
        // possible.
        let labels =
            (2..=12).flat_map(|count| up.ticks(count)).map(|tick| text_width(&label(tick)));
        let left = 26.0 + labels.fold(20.0, f64::max);
        let width = f64::from(size.width) - left - 16.0;
        let top = match chart.marks.is_empty() {
            true => 12.0,
            false => 10.0 + 14.0 * EVENT_ROWS as f64,
        };
        let names = &chart.x.names;
        let longest = names.iter().map(|name| text_width(name)).fold(0.0, f64::max);
        let slanted = !names.is_empty() && longest + 8.0 > width / names.len() as f64;
        let below = if slanted { 34.0 + (longest * 0.72).min(110.0) } else { 44.0 };
        let rows = rows(chart, f64::from(size.width) - 24.0);
        let legend = f64::from(size.height) - ROW * rows as f64 - 6.0;
        let height = (legend - below - top).max(40.0);
        Frame { left, top, width, height, across, up, size, slanted, legend }
    }

    pub(super) fn x(&self, value: f64) -> f64 {
        self.left + self.width * self.across.share(value)
    }

    pub(super) fn y(&self, value: f64) -> f64 {
        self.top + self.height * (1.0 - self.up.share(value))
    }

    pub(super) fn bottom(&self) -> f64 {
        self.top + self.height
    }

    /// Offset of curve `i` from a named position, and its share of the width.
    pub(super) fn beside(&self, chart: &Chart, i: usize) -> (f64, f64) {
        let names = chart.x.names.len();
        if names == 0 {
            return (0.0, 0.0);
        }
        // Open marks stand where their curve does.
        let closed = || chart.curves.iter().filter(|curve| !curve.open);
        let style = chart.curves[i].style;
        let i = closed().position(|curve| curve.style == style).unwrap_or(i);
        let n = closed().count();
        let place = self.width / names as f64;
        let slot = match chart.kind {
            ChartKind::Bars => place * 0.84 / n as f64,
            _ => (90.0 / n as f64).min(12.0),
        };
        let off = if n > 1 { (i as f64 - (n - 1) as f64 / 2.0) * slot } else { 0.0 };
        (off, slot)
    }

    /// Clips curves to the plot.
    pub(super) fn clip(&self) -> Markup {
        html! {
            clipPath id="plot" {
                rect x=(px(self.left)) y=(px(self.top - 1.0)) width=(px(self.width)) height=(px(self.height + 2.0)) {}
            }
        }
    }

    pub(super) fn axes(&self, chart: &Chart) -> Markup {
        let (right, bottom) = (self.left + self.width, self.bottom());
        let middle = (self.left + self.width / 2.0, self.top + self.height / 2.0);
        let count = (self.width / 75.0) as usize;
        let names = chart.x.names.iter().enumerate().map(|(i, name)| (i as f64, name.clone()));
        let along: Vec<(f64, String)> = match chart.x.names.is_empty() {
            true => self.across.ticks(count).into_iter().map(|t| (t, label(t))).collect(),
            false => names.collect(),
        };
        let label_y = self.legend - 8.0;
        html! {
            @for tick in self.up.ticks((self.height / 42.0) as usize) {
                @let y = self.y(tick);
                path d=(format!("M{} {}H{}", px(self.left), px(y), px(right))) stroke=(LINE) fill="none" {}
                text x=(px(self.left - 6.0)) y=(px(y + 4.0)) text-anchor="end" fill=(SOFT) { (label(tick)) }
            }
            @for (at, text) in &along {
                @let x = self.x(*at);
                @if chart.x.names.is_empty() {
                    path d=(format!("M{} {}V{}", px(x), px(self.top), px(bottom))) stroke=(LINE) fill="none" {}
                }
                @if self.slanted {
                    text text-anchor="end" fill=(SOFT)
                        transform=(format!("translate({} {}) rotate(-40)", px(x + 4.0), px(bottom + 14.0))) { (text) }
                } @else {
                    text x=(px(x)) y=(px(bottom + 16.0)) text-anchor="middle" fill=(SOFT) { (text) }
                }
            }
            path d=(format!("M{} {}V{}H{}", px(self.left), px(self.top), px(bottom), px(right))) stroke=(SOFT) fill="none" {}
            text x=(px(middle.0)) y=(px(label_y)) text-anchor="middle" font-weight="600"
                font-size=[fitted(&chart.x.label, self.width)] { (chart.x.label) }
            text text-anchor="middle" font-weight="600" font-size=[fitted(&chart.y.label, self.height)]
                transform=(format!("translate(14 {}) rotate(-90)", px(middle.1))) { (chart.y.label) }
        }
    }

    fn ink(&self, chart: &Chart, event: &Mark) -> &'static str {
        let curve = event.curve.and_then(|curve| chart.curves.get(curve));
        curve.map_or(SOFT, |curve| Look::of(curve.style).ink().light)
    }

    /// Instants as lines, periods as shades.
    pub(super) fn events(&self, chart: &Chart) -> Markup {
        html! {
            @for event in &chart.marks {
                @let (x, ink) = (self.x(event.x), self.ink(chart, event));
                @if let Some(to) = event.to {
                    rect x=(px(x)) y=(px(self.top)) width=(px((self.x(to) - x).max(1.5))) height=(px(self.height))
                        fill=(ink) fill-opacity="0.2" {}
                } @else {
                    path d=(format!("M{} {}V{}", px(x), px(self.top), px(self.bottom()))) stroke=(ink)
                        stroke-dasharray="5 4" fill="none" {}
                }
            }
        }
    }

    /// Names of events in up to [`EVENT_ROWS`] rows. A name without room is left out.
    pub(super) fn event_names(&self, chart: &Chart) -> Markup {
        let mut ends = [f64::NEG_INFINITY; EVENT_ROWS];
        let mut sorted: Vec<&Mark> = chart.marks.iter().collect();
        sorted.sort_by(|a, b| a.x.total_cmp(&b.x));
        let mut placed = Vec::new();
        for event in sorted {
            let (x, wide) = (self.x(event.x), text_width(&event.text));
            let left = x.min(self.left + self.width - wide);
            let Some(row) = ends.iter().position(|end| *end < left) else { continue };
            ends[row] = left + wide + 6.0;
            placed.push((left, self.top - 5.0 - 14.0 * row as f64, event));
        }
        html! {
            @for (x, y, event) in placed {
                text x=(px(x)) y=(px(y)) font-size="11" fill=(self.ink(chart, event)) { (event.text) }
            }
        }
    }

    pub(super) fn legend(&self, chart: &Chart) -> Markup {
        let places = legend(chart, f64::from(self.size.width) - 24.0);
        html! {
            @for (curve, (x, row)) in chart.curves.iter().zip(places) {
                @let look = Look::of(curve.style);
                @let (x, y) = (12.0 + x, self.legend + ROW * row as f64 + 8.0);
                @if chart.joins(curve) || chart.kind == ChartKind::Bars {
                    path d=(format!("M{} {}h30", px(x), px(y))) stroke=(look.ink().light) stroke-width="2"
                        stroke-dasharray=[solid(look)] fill="none" {}
                }
                (mark(curve, x + 15.0, y, 4.0))
                text x=(px(x + SAMPLE)) y=(px(y + 4.0)) fill=(INK) { (curve.name) }
            }
        }
    }
}

/// Font size at which a bold text fits the width; `None` if its own size fits. At least 7 pixels,
/// to stay legible.
fn fitted(text: &str, room: f64) -> Option<String> {
    let wide = text_width(text) * 1.12;
    (wide > room).then(|| px((12.0 * room / wide).max(7.0)))
}

/// Position of each entry of the legend: x and row.
fn legend(chart: &Chart, width: f64) -> Vec<(f64, usize)> {
    let (mut x, mut row) = (0.0, 0);
    let place = |curve: &super::super::chart::Curve| {
        let wide = SAMPLE + text_width(&curve.name) + 16.0;
        if x > 0.0 && x + wide > width {
            (x, row) = (0.0, row + 1);
        }
        let here = (x, row);
        x += wide;
        here
    };
    chart.curves.iter().map(place).collect()
}

/// Number of rows of the legend.
fn rows(chart: &Chart, width: f64) -> usize {
    legend(chart, width).last().map_or(0, |(_, row)| row + 1)
}
