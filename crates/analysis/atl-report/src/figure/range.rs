//! Ranges of a chart's axes and their ticks.

use super::chart::{Axis, Chart, ChartKind};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Range {
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) log: bool,
}

impl Range {
    /// Position of a value, from 0 at the start to 1 at the end. On a logarithmic axis, zero and
    /// negative values lie at the start.
    pub(super) fn share(self, value: f64) -> f64 {
        match self.log {
            true if value <= 0.0 => 0.0,
            true => libm::log(value / self.from) / libm::log(self.to / self.from),
            false => (value - self.from) / (self.to - self.from),
        }
    }

    /// Ticks at about `count` round numbers, or at decades.
    pub(super) fn ticks(self, count: usize) -> Vec<f64> {
        match self.log {
            true => self.decades(),
            false => self.round(count.max(2)),
        }
    }

    fn round(self, count: usize) -> Vec<f64> {
        let about = (self.to - self.from) / count as f64;
        let ten = ten_to(libm::floor(libm::log10(about)) as i32);
        let steps = [1.0, 2.0, 2.5, 5.0, 10.0];
        let step = steps.map(|s| s * ten).into_iter().find(|s| *s >= about).unwrap_or(10.0 * ten);
        let (first, last) = ((self.from / step).ceil() as i64, (self.to / step).floor() as i64);
        (first..=last).map(|i| i as f64 * step).collect()
    }

    fn decades(self) -> Vec<f64> {
        let (first, last) =
            (libm::log10(self.from).ceil() as i32, libm::log10(self.to).floor() as i32);
        let decades: Vec<f64> = (first..=last).map(ten_to).collect();
        if decades.len() >= 3 {
            return decades;
        }
        // Few decades get ticks at 1, 2 and 5.
        let all = (first - 1..=last).flat_map(|n| [1.0, 2.0, 5.0].map(|d| d * ten_to(n)));
        all.filter(|v| *v >= self.from * 0.999 && *v <= self.to * 1.001).collect()
    }
}

/// The floating-point number nearest to a power of ten.
fn ten_to(power: i32) -> f64 {
    format!("1e{power}").parse().unwrap_or(1.0)
}

/// Text of a tick.
pub(super) fn label(value: f64) -> String {
    let value: f64 = format!("{value:.3e}").parse().unwrap_or(value);
    match value.abs() {
        0.0 => "0".to_owned(),
        size if !(1e-3..1e7).contains(&size) => format!("{value:e}"),
        _ => format!("{value}"),
    }
}

/// Minimum and maximum; `None` without values.
fn span(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.fold(None, |all, v| match all {
        None => Some((v, v)),
        Some((least, most)) => Some((v.min(least), v.max(most))),
    })
}

/// Range of the x axis.
pub(super) fn across(chart: &Chart) -> Range {
    let Axis { log, names, .. } = &chart.x;
    if !names.is_empty() {
        return Range { from: -0.5, to: names.len() as f64 - 0.5, log: false };
    }
    let bounds = chart.curves.iter().flat_map(|c| c.low_x.iter().chain(&c.high_x));
    let marks = chart.marks.iter().map(|mark| mark.x);
    let (least, most) = span(chart.xs.iter().chain(bounds).filter_map(|x| x.get()).chain(marks))
        .unwrap_or((0.0, 1.0));
    if *log && least > 0.0 {
        return Range { from: least / 1.2, to: most * 1.2, log: true };
    }
    let pad = match chart.kind {
        _ if most <= least => 0.5 * least.abs().max(1.0),
        ChartKind::Time => 0.0,
        _ => (most - least) * 0.05,
    };
    Range { from: least - pad, to: most + pad, log: false }
}

/// Range of the y axis. It includes zero, so that heights compare, except in a scatter plot.
pub(super) fn up(chart: &Chart) -> Range {
    let of = |curve: &super::chart::Curve| {
        let all = curve.y.iter().chain(&curve.low).chain(&curve.high);
        all.filter_map(|y| y.get()).collect::<Vec<f64>>()
    };
    let limits = chart.limits.iter().filter_map(|limit| limit.get());
    let (least, most) = span(chart.curves.iter().flat_map(of).chain(limits)).unwrap_or((0.0, 1.0));
    if chart.kind == ChartKind::Distribution {
        return Range { from: 0.0, to: 104.0, log: false };
    }
    let least = if chart.kind == ChartKind::Scatter { least } else { least.min(0.0) };
    let pad = if most > least { (most - least) * 0.07 } else { least.abs().max(1.0) * 0.1 };
    let below = least < 0.0 || chart.kind == ChartKind::Scatter;
    Range { from: if below { least - pad } else { least }, to: most + pad, log: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        let ticks = |from, to, log| Range { from, to, log }.ticks(5);
        assert_eq!(ticks(0.0, 21.4, false), [0.0, 5.0, 10.0, 15.0, 20.0]);
        assert_eq!(ticks(-0.1, 0.1, false).len(), 5);
        assert_eq!(ticks(8e-7, 0.12, true), [1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1]);
        assert_eq!(ticks(0.9, 12.0, true), [1.0, 2.0, 5.0, 10.0]);
        for (tick, text) in
            [(1e-6, "1e-6"), (0.25, "0.25"), (-3.0, "-3"), (2e7, "2e7"), (0.1 + 0.2, "0.3")]
        {
            assert_eq!(label(tick), text);
        }
    }

    #[test]
    fn a_value_has_its_place_on_either_scale() {
        let log = Range { from: 1.0, to: 100.0, log: true };
        assert!((log.share(10.0) - 0.5).abs() < 1e-12 && log.share(0.0) == 0.0);
        let linear = Range { from: -1.0, to: 3.0, log: false };
        assert!((linear.share(1.0) - 0.5).abs() < 1e-12);
    }
}
