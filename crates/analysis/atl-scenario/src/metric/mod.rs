//! Metrics and traces. Each is declared once, with its names, unit and documentation and, where
//! results give it directly, its computation.
//!
//! A metric computed from existing measurements is an entry in `defs.rs`; a new quantity to draw
//! over time is one in `trace.rs`.

mod cells;
mod charge;
mod defs;
mod descriptor;
mod docs;
mod equation;
mod media;
mod trace;
mod unit;

use std::ops::RangeInclusive;

pub use self::defs::{METRICS, Metric};
pub use self::descriptor::{Descriptor, Need, PartValue, Value};
pub use self::docs::{metrics_of_a_part, metrics_table, traces_table};
pub use self::trace::{TRACES, Trace, TraceDescriptor, sending_rate_bps};
pub use self::unit::{Scale, Unit};

impl Metric {
    /// All metrics, in the order of their declaration.
    pub fn all() -> impl Iterator<Item = Metric> {
        METRICS.iter().map(|(_, metric)| *metric)
    }

    /// Metrics available over a part of a run.
    pub fn of_a_part() -> impl Iterator<Item = Metric> {
        Metric::all().filter(|metric| metric.has_parts())
    }

    /// Name in scenario files.
    pub const fn name(self) -> &'static str {
        self.descriptor().name
    }

    /// Base unit of its values.
    pub const fn unit(self) -> Unit {
        self.descriptor().unit
    }

    /// Unit in which it is displayed.
    pub const fn scale(self) -> Scale {
        match self.descriptor().scale {
            Some(scale) => scale,
            None => self.unit().scale(),
        }
    }

    /// Lower and upper bound of its values in the base unit; infinite where there is none.
    pub const fn bounds(self) -> RangeInclusive<f64> {
        match self.unit() {
            Unit::Share => 0.0..=1.0,
            Unit::Ratio if !self.descriptor().exceeds_one => 0.0..=1.0,
            // A model that predicts nothing is 100 % too low.
            Unit::Error => -1.0..=f64::INFINITY,
            Unit::Ratio
            | Unit::Factor
            | Unit::BitsPerSecond
            | Unit::Seconds
            | Unit::Packets
            | Unit::Octets
            | Unit::AmpereSeconds
            | Unit::PerSecond => 0.0..=f64::INFINITY,
        }
    }

    /// True if it is available over a part of a run.
    pub const fn has_parts(self) -> bool {
        !matches!(self.descriptor().part, PartValue::Unknown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_keys_are_unique() {
        for (i, (name, metric)) in METRICS.iter().enumerate() {
            let about = metric.descriptor();
            assert_eq!(metric.name(), *name);
            assert!(
                !about.label.is_empty() && !about.key.is_empty() && !about.doc.trim().is_empty()
            );
            for (other, _) in METRICS[i + 1..].iter().map(|(_, m)| (m.descriptor(), m)) {
                assert!(other.name != about.name && other.key != about.key, "{name}");
                assert!(other.label != about.label, "{name}");
            }
        }
        for (i, (name, trace)) in TRACES.iter().enumerate() {
            assert_eq!(trace.name(), *name);
            let others = || TRACES[i + 1..].iter().map(|(_, t)| t.descriptor());
            assert!(others().all(|o| o.name != *name && o.key != trace.descriptor().key), "{name}");
        }
    }

    #[test]
    fn keys_name_the_base_unit() {
        for metric in Metric::all() {
            let ending = match metric.unit() {
                Unit::BitsPerSecond => "_bps",
                Unit::Seconds => "_s",
                Unit::PerSecond => "_per_s",
                Unit::AmpereSeconds => "_as",
                Unit::Error => "_error",
                Unit::Share | Unit::Ratio | Unit::Factor | Unit::Packets | Unit::Octets => "",
            };
            assert!(metric.descriptor().key.ends_with(ending), "{}", metric.name());
        }
    }
}
