//! Labels and units of numbers, and how numbers are printed.

use atl_scenario::metric::Scale;
use atl_scenario::scenario::{During, Measure, Metric, Trace};

use crate::stats::{Estimate, Spread, Survival};

/// Display form of a number: name, unit, and factor from the base unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantity {
    /// Name shown to readers (`goodput`).
    pub name: &'static str,
    /// Key in data files, in the base unit (`goodput_bps`).
    pub key: &'static str,
    /// Display unit; empty for a bare number.
    pub unit: &'static str,
    /// Factor from the base unit to the display unit.
    pub factor: f64,
}

impl Quantity {
    /// Display form of a metric.
    pub const fn of(metric: Metric) -> Quantity {
        let about = metric.descriptor();
        let Scale { unit, factor } = metric.scale();
        Quantity { name: about.label, key: about.key, unit, factor }
    }

    /// Display form of a trace.
    pub const fn of_trace(trace: Trace) -> Quantity {
        let about = trace.descriptor();
        let Scale { unit, factor } = about.scale;
        Quantity { name: about.label, key: about.key, unit, factor }
    }

    /// Display form of a metric in the heading of a table, with its shorter name if it has one.
    pub fn heading(metric: Metric) -> Quantity {
        let long = Quantity::of(metric);
        match metric.descriptor().heading {
            "" => long,
            name => Quantity { name, ..long },
        }
    }

    /// Heading of a Kaplan-Meier median: `completion time, median (s)`.
    pub fn median(metric: Metric) -> String {
        let quantity = Quantity::of(metric);
        format!("{}, median ({})", quantity.name, quantity.unit)
    }

    /// Name and unit: `goodput (Mb/s)`.
    pub fn title(&self) -> String {
        if self.unit.is_empty() {
            self.name.to_owned()
        } else {
            format!("{} ({})", self.name, self.unit)
        }
    }

    /// An estimate in base units, with its interval and unit: `1.87 ± 0.02 Mb/s`.
    pub fn show(&self, estimate: &Estimate) -> String {
        let number = plus_minus(&estimate.scaled(self.factor));
        self.with_unit(number)
    }

    /// A number in base units, with its unit: `1.87 Mb/s`.
    pub fn show_number(&self, value: f64) -> String {
        self.with_unit(number(value * self.factor))
    }

    fn with_unit(&self, number: String) -> String {
        match self.unit {
            "" => number,
            unit => format!("{number} {unit}"),
        }
    }
}

/// A part of a run in words: `301 s to 311 s`.
pub fn part(during: During) -> String {
    format!("{} s to {} s", during.from.secs(), during.to.secs())
}

/// Name and unit of a metric, with the part of the run if there is one: `goodput from 301 s to 311
/// s (Mb/s)`.
pub fn title(measure: Measure) -> String {
    let quantity = Quantity::of(measure.metric);
    let Some(during) = measure.during else {
        return quantity.title();
    };
    let name = format!("{} from {}", quantity.name, part(during));
    if quantity.unit.is_empty() { name } else { format!("{name} ({})", quantity.unit) }
}

/// Number of decimals that show `figures` significant figures of `value`, at most 9.
fn decimals(value: f64, figures: i32) -> usize {
    if value == 0.0 || !value.is_finite() {
        return 0;
    }
    let magnitude = libm::floor(libm::log10(value.abs())) as i32;
    (figures - 1 - magnitude).clamp(0, 9) as usize
}

/// A number with four significant figures (`0.05123`, `1.870`, `234`); very small and very large
/// ones in scientific notation.
pub fn number(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if !value.is_finite() || value.abs() < 1e-4 || value.abs() >= 1e9 {
        return format!("{value:.2e}");
    }
    format!("{value:.*}", decimals(value, 4))
}

/// Limit on the difference of an interval's arms, as a share of their mean, for showing it as `±`.
const SYMMETRIC: f64 = 0.2;

/// A mean with its interval, to two significant figures of the interval: `1.870 ± 0.021`, or with
/// bounds if the interval is clearly asymmetric: `0.21 [0.08, 0.47]`. The mean alone if there is no
/// interval. A mean that leaves seeds out says so: `1.870 ± 0.021 (7 of 10)`.
pub fn plus_minus(estimate: &Estimate) -> String {
    let number = interval(estimate);
    if estimate.is_partial() {
        return format!("{number} ({} of {})", estimate.n, estimate.of);
    }
    number
}

/// A Kaplan-Meier median with its interval: `8.4 [7.1, 12.3]`, `8.4 [7.1, ∞)` where the interval
/// has no upper end, `> 60.0` where the median is not reached. `factor` leads from seconds to the
/// unit of display.
pub fn median(survival: &Survival, factor: f64) -> String {
    let Some(median) = survival.median_s.map(|s| s * factor) else {
        return format!("> {}", number(survival.watched_s * factor));
    };
    match (survival.low_s, survival.high_s) {
        (Some(low), Some(high)) => {
            let (low, high) = (low * factor, high * factor);
            let places = decimals((high - low) / 2.0, 2).min(decimals(median, 6).max(2));
            format!("{median:.places$} [{low:.places$}, {high:.places$}]")
        }
        (Some(low), None) => format!("{} [{}, ∞)", number(median), number(low * factor)),
        (None, _) => number(median),
    }
}

fn interval(estimate: &Estimate) -> String {
    let (mean, half) = (estimate.mean, estimate.half_width().unwrap_or(0.0));
    match estimate.spread {
        Spread::TooFew | Spread::Same => number(mean),
        // All seeds agree up to rounding.
        Spread::Interval { .. } if half <= 1e-9 * mean.abs() => format!("{} ± 0", number(mean)),
        Spread::Interval { low, high } if is_symmetric(mean, low, high) => {
            let places = decimals(half, 2).min(decimals(mean, 6).max(2));
            format!("{mean:.places$} ± {half:.places$}")
        }
        Spread::Interval { low, high } => {
            // Bounds close to zero need more decimals: take two figures of the shorter arm.
            let shorter = (mean - low).min(high - mean);
            let places = decimals(shorter, 2).min(decimals(mean, 6).max(2));
            format!("{mean:.places$} [{low:.places$}, {high:.places$}]")
        }
    }
}

/// True if `±` describes the interval well enough.
fn is_symmetric(mean: f64, low: f64, high: f64) -> bool {
    let (down, up) = (mean - low, high - mean);
    (up - down).abs() <= SYMMETRIC * (up + down) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_four_significant_figures() {
        assert_eq!(number(0.051_234), "0.05123");
        assert_eq!(number(1.87), "1.870");
        assert_eq!(number(123_456.7), "123457");
        assert_eq!(number(0.0), "0");
        assert_eq!(number(1.5e-6), "1.50e-6");
    }

    #[test]
    fn the_interval_decides_how_many_digits_the_mean_shows() {
        let with = |mean, spread| plus_minus(&Estimate { mean, spread, n: 5, of: 5 });
        let e = |mean, low, high| with(mean, Spread::Interval { low, high });
        assert_eq!(e(1.870_12, 1.8488, 1.8914), "1.870 ± 0.021");
        assert_eq!(e(187.3, 166.3, 208.3), "187 ± 21");
        assert_eq!(e(1.5, 1.5, 1.5), "1.500 ± 0");
        assert_eq!(with(1.5, Spread::TooFew), "1.500");
        assert_eq!(with(1.5, Spread::Same), "1.500");
    }

    #[test]
    fn an_asymmetric_interval_shows_its_bounds() {
        let e = |mean, low, high| {
            plus_minus(&Estimate { mean, spread: Spread::Interval { low, high }, n: 5, of: 5 })
        };
        assert_eq!(e(0.21, 0.0834, 0.4723), "0.21 [0.08, 0.47]");
        assert_eq!(e(5.3, 1.94, 14.4), "5.3 [1.9, 14.4]");
        assert_eq!(e(1.0, 0.905, 1.105), "1.00 ± 0.10", "hardly asymmetric");
    }

    #[test]
    fn a_quantity_is_shown_in_its_unit() {
        let goodput = Quantity::of(Metric::Goodput);
        assert_eq!(
            goodput.show(&Estimate {
                mean: 1.87e6,
                spread: Spread::Interval { low: 1.849e6, high: 1.891e6 },
                n: 5,
                of: 5
            }),
            "1.870 ± 0.021 Mb/s"
        );
        assert_eq!(goodput.title(), "goodput (Mb/s)");
        assert_eq!(Quantity::of(Metric::Jain).title(), "Jain's index");
    }
}
