use std::fmt::Write as _;

use maud::{Markup, html};

use super::super::chart::{Chart, ChartKind, Curve};
use super::super::palette::Look;
use super::super::range::label;
use super::frame::Frame;
use super::look::{mark, solid};
use super::{SOFT, px};

/// Number of marks along a dense curve.
const MARKS: usize = 8;

/// Points of a curve that have a value: index, x and y.
fn places<'a>(chart: &'a Chart, curve: &'a Curve) -> impl Iterator<Item = (usize, f64, f64)> + 'a {
    let both = chart.xs.iter().zip(&curve.y).enumerate();
    both.filter_map(|(i, (x, y))| Some((i, x.get()?, y.get()?)))
}

fn joined(points: impl Iterator<Item = (f64, f64)>) -> String {
    let mut path = String::new();
    for (x, y) in points {
        let sign = if path.is_empty() { 'M' } else { 'L' };
        // Writing to a string cannot fail.
        let _ = write!(path, "{sign}{} {}", px(x), px(y));
    }
    path
}

/// Intervals of curves as bands.
pub(super) fn bands(chart: &Chart, frame: &Frame) -> Markup {
    let banded =
        matches!(chart.kind, ChartKind::Sweep | ChartKind::Time) && chart.x.names.is_empty();
    let band = |curve: &Curve| {
        let ends: Vec<_> = places(chart, curve)
            .filter_map(|(i, x, _)| curve.interval(i).map(|(low, high)| (x, low, high)))
            .collect();
        let there = ends.iter().map(|(x, _, high)| (frame.x(*x), frame.y(*high)));
        let back = ends.iter().rev().map(|(x, low, _)| (frame.x(*x), frame.y(*low)));
        (ends.len() > 1).then(|| joined(there.chain(back)) + "Z")
    };
    html! {
        @for curve in chart.curves.iter().filter(|_| banded) {
            @if let Some(path) = band(curve) {
                path d=(path) fill=(Look::of(curve.style).ink().light) fill-opacity="0.16" {}
            }
        }
    }
}

/// One curve with its line or bars, whiskers and marks.
pub(super) fn curve(chart: &Chart, index: usize, frame: &Frame) -> Markup {
    let curve = &chart.curves[index];
    let look = Look::of(curve.style);
    let (off, slot) = frame.beside(chart, index);
    let dense = matches!(chart.kind, ChartKind::Time | ChartKind::Distribution);
    let all: Vec<(usize, f64, f64)> =
        places(chart, curve).map(|(i, x, y)| (i, frame.x(x) + off, frame.y(y))).collect();
    // Staggers the marks, so that those of different curves do not coincide.
    let every = if dense && !curve.open { (all.len() / MARKS).max(1) } else { 1 };
    let first = if every > 1 { every * (2 * index + 1) / (2 * chart.curves.len()) } else { 0 };
    html! {
        @if chart.kind == ChartKind::Bars {
            @for (_, x, y) in &all { (bar(look, *x, *y, slot * 0.86, frame.bottom())) }
        }
        @if chart.joins(curve) {
            path d=(line(chart, &all)) stroke=(look.ink().light) stroke-width="1.8" stroke-linejoin="round"
                stroke-dasharray=[solid(look)] fill="none" {}
        }
        @if !dense {
            @for (i, x, y) in &all { (whiskers(curve, *i, (*x, *y), frame)) }
        }
        @for (_, x, y) in all.iter().skip(first).step_by(every) {
            (mark(curve, *x, *y, if dense { 3.4 } else { 4.0 }))
        }
    }
}

fn line(chart: &Chart, all: &[(usize, f64, f64)]) -> String {
    let points = || all.iter().map(|(_, x, y)| (*x, *y));
    match chart.kind {
        ChartKind::Distribution => {
            // Steps: horizontal to each value, then vertical.
            let corners = all.windows(2).flat_map(|w| [(w[1].1, w[0].2), (w[1].1, w[1].2)]);
            joined(points().take(1).chain(corners))
        }
        _ => joined(points()),
    }
}

fn bar(look: Look, x: f64, y: f64, wide: f64, foot: f64) -> Markup {
    let wide = wide.max(2.0);
    html! {
        rect x=(px(x - wide / 2.0)) y=(px(y)) width=(px(wide)) height=(px((foot - y).max(0.0)))
            fill=(look.ink().light) fill-opacity="0.3" stroke=(look.ink().light) stroke-width="1.5"
            stroke-dasharray=[solid(look)] {}
    }
}

/// Interval of a point along y, and along x if it has one.
fn whiskers(curve: &Curve, place: usize, (x, y): (f64, f64), frame: &Frame) -> Markup {
    let mut path = String::new();
    if let Some((low, high)) = curve.interval(place) {
        let (low, high) = (frame.y(low), frame.y(high));
        let _ = write!(path, "M{} {}V{}", px(x), px(high), px(low));
        for end in [high, low] {
            let _ = write!(path, "M{} {}h8", px(x - 4.0), px(end));
        }
    }
    let ends = (
        curve.low_x.get(place).and_then(|n| n.get()),
        curve.high_x.get(place).and_then(|n| n.get()),
    );
    if let (Some(low), Some(high)) = ends {
        let (low, high) = (frame.x(low), frame.x(high));
        let _ = write!(path, "M{} {}H{}", px(low), px(y), px(high));
        for end in [low, high] {
            let _ = write!(path, "M{} {}v8", px(end), px(y - 4.0));
        }
    }
    html! {
        @if !path.is_empty() {
            path d=(path) stroke=(Look::of(curve.style).ink().light) stroke-width="1.3" fill="none" {}
        }
    }
}

/// Upper bounds as dotted lines.
pub(super) fn limits(chart: &Chart, frame: &Frame) -> Markup {
    let half = frame.width / chart.x.names.len().max(1) as f64 * 0.46;
    let known = chart.xs.iter().zip(&chart.limits);
    let known: Vec<(f64, f64)> = known.filter_map(|(x, y)| Some((x.get()?, y.get()?))).collect();
    html! {
        @for (at, limit) in known {
            @let (x, y) = (frame.x(at), frame.y(limit));
            path d=(format!("M{} {}h{}", px(x - half), px(y), px(2.0 * half))) stroke=(SOFT) stroke-width="1.4"
                stroke-dasharray="2 2" fill="none" {}
            text x=(px(x + half)) y=(px(y - 3.0)) text-anchor="end" font-size="11" fill=(SOFT) {
                @if half > 60.0 { "the link: " } (label(limit))
            }
        }
    }
}
