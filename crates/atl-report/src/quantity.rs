//! Labels and units of numbers, and how numbers are printed.

use atl_scenario::metric::Scale;
use atl_scenario::scenario::{During, Measure, Metric, Trace};

use crate::stats::Estimate;

/// How a number is shown: its name, its unit, and the factor from the base unit to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantity {
    /// Name for people (`goodput`).
    pub name: &'static str,
    /// Key in data files (`goodput_bps`), in the base unit.
    pub key: &'static str,
    /// Unit for people; empty for a bare number.
    pub unit: &'static str,
    /// Shown value = base value times this.
    pub factor: f64,
}

impl Quantity {
    /// How a metric is shown.
    pub const fn of(metric: Metric) -> Quantity {
        let about = metric.descriptor();
        let Scale { unit, factor } = metric.scale();
        Quantity { name: about.label, key: about.key, unit, factor }
    }

    /// How a sample is shown.
    pub const fn of_trace(trace: Trace) -> Quantity {
        let about = trace.descriptor();
        let Scale { unit, factor } = about.scale;
        Quantity { name: about.label, key: about.key, unit, factor }
    }

    /// How a metric is shown in the heading of a table: with its shorter name, if it has one.
    pub fn heading(metric: Metric) -> Quantity {
        let long = Quantity::of(metric);
        match metric.descriptor().heading {
            "" => long,
            name => Quantity { name, ..long },
        }
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

/// Name and unit of a metric, with the part of the run if there is one: `goodput from 301 s to 311 s (Mb/s)`.
pub fn title(measure: Measure) -> String {
    let quantity = Quantity::of(measure.metric);
    let Some(during) = measure.during else {
        return quantity.title();
    };
    let name = format!("{} from {}", quantity.name, part(during));
    if quantity.unit.is_empty() { name } else { format!("{name} ({})", quantity.unit) }
}

/// Decimal places that show `figures` significant figures of `value`, at most 9.
fn decimals(value: f64, figures: i32) -> usize {
    if value == 0.0 || !value.is_finite() {
        return 0;
    }
    let magnitude = libm::floor(libm::log10(value.abs())) as i32;
    (figures - 1 - magnitude).clamp(0, 9) as usize
}

/// A number to four significant figures (`0.05123`, `1.870`, `234`); very small and very large ones in scientific
/// notation.
pub fn number(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if !value.is_finite() || value.abs() < 1e-4 || value.abs() >= 1e9 {
        return format!("{value:.2e}");
    }
    format!("{value:.*}", decimals(value, 4))
}

/// A mean with its interval, to two significant figures of the interval: `1.870 ± 0.021`. The mean alone if there is
/// no interval.
pub fn plus_minus(estimate: &Estimate) -> String {
    match estimate.half_width {
        None => number(estimate.mean),
        // All seeds agree up to rounding.
        Some(half) if half <= 1e-9 * estimate.mean.abs() => {
            format!("{} ± 0", number(estimate.mean))
        }
        Some(half) => {
            let places = decimals(half, 2).min(decimals(estimate.mean, 6).max(2));
            format!("{:.places$} ± {half:.places$}", estimate.mean)
        }
    }
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
        let e = |mean, half_width| Estimate { mean, half_width, n: 5 };
        assert_eq!(plus_minus(&e(1.870_12, Some(0.0213))), "1.870 ± 0.021");
        assert_eq!(plus_minus(&e(187.3, Some(21.0))), "187 ± 21");
        assert_eq!(plus_minus(&e(1.5, Some(0.0))), "1.500 ± 0");
        assert_eq!(plus_minus(&e(1.5, None)), "1.500");
    }

    #[test]
    fn a_quantity_is_shown_in_its_unit() {
        let goodput = Quantity::of(Metric::Goodput);
        assert_eq!(
            goodput.show(&Estimate { mean: 1.87e6, half_width: Some(2.1e4), n: 5 }),
            "1.870 ± 0.021 Mb/s"
        );
        assert_eq!(goodput.title(), "goodput (Mb/s)");
        assert_eq!(Quantity::of(Metric::Jain).title(), "Jain's index");
    }
}
