//! The x axis of a sweep: numbers in the scenario's own unit, or names.

use atl_scenario::scenario::Value;

use super::chart::{Axis, Num};
use crate::describe::Name;
use crate::outcome::Outcome;

/// Splits `10ms` into `10` and `ms`; `None` if the text does not begin with a number.
fn split(text: &str) -> Option<(f64, &str)> {
    let text = text.trim();
    let is_number =
        |end: &usize| text.is_char_boundary(*end) && text[..*end].parse::<f64>().is_ok();
    // Rust would also parse `inf` and `nan`.
    if !text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)) {
        return None;
    }
    let end = (1..=text.len()).rev().find(is_number)?;
    Some((text[..end].parse().ok()?, text[end..].trim()))
}

/// Values in the order of the axis, with their positions.
pub(super) struct Places {
    pub(super) axis: Axis,
    pub(super) xs: Vec<Num>,
    pub(super) values: Vec<Value>,
}

pub(super) fn places(outcome: &Outcome, variable: &str, values: Vec<Value>, log: bool) -> Places {
    let numbers: Option<Vec<f64>> = values.iter().map(|v| v.number).collect();
    match numbers {
        // Zero has no place on a logarithmic axis, so the values become names side by side.
        Some(numbers) if !(log && numbers.iter().any(|&x| x <= 0.0)) => {
            numeric(&outcome.variable(variable), values, &numbers, log)
        }
        _ => {
            let names: Vec<String> = values.iter().map(|v| outcome.label_of(v)).collect();
            let order = ascending(&names);
            let names = order.iter().map(|&i| names[i].clone()).collect();
            let values: Vec<Value> = order.iter().map(|&i| values[i].clone()).collect();
            let xs = (0..values.len()).map(|i| Num::new(i as f64)).collect();
            let label = outcome.variable(variable).title();
            Places { axis: Axis { label, log: false, names }, xs, values }
        }
    }
}

/// Order of names along an axis: numbers of one unit (`10km/h`) ascend, others keep their order.
/// They may come in any order, since a sweep with further points begins with those of its own
/// lists.
fn ascending(names: &[String]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..names.len()).collect();
    let numbers: Option<Vec<(f64, &str)>> = names.iter().map(|name| split(name)).collect();
    if let Some(numbers) = numbers
        && numbers.iter().all(|number| number.1 == numbers[0].1)
    {
        order.sort_by(|&a, &b| numbers[a].0.total_cmp(&numbers[b].0));
    }
    order
}

fn numeric(variable: &Name, values: Vec<Value>, numbers: &[f64], log: bool) -> Places {
    let written: Option<Vec<(f64, &str)>> = values.iter().map(|v| split(&v.text)).collect();
    let units: Vec<&str> = written.iter().flatten().map(|w| w.1).collect();
    let (places, unit): (Vec<f64>, &str) = match &written {
        Some(written) if units.iter().all(|u| *u == units[0]) => {
            (written.iter().map(|w| w.0).collect(), units[0])
        }
        // Several units: convert to the base unit.
        _ if units.iter().all(|u| matches!(*u, "" | "ns" | "us" | "ms" | "s" | "min" | "h")) => {
            (numbers.to_vec(), "s")
        }
        _ if units
            .iter()
            .all(|u| u.ends_with("b/s") || u.ends_with("bps") || u.ends_with("bit/s")) =>
        {
            (numbers.to_vec(), "b/s")
        }
        _ => (numbers.to_vec(), ""),
    };
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| places[a].total_cmp(&places[b]));
    let unit = if unit.is_empty() { variable.unit.clone() } else { unit.to_owned() };
    let label = Name { name: variable.name.clone(), unit }.title();
    Places {
        axis: Axis { label, log, names: Vec::new() },
        xs: order.iter().map(|&i| Num::new(places[i])).collect(),
        values: order.iter().map(|&i| values[i].clone()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::{ascending, split};

    #[test]
    fn names_that_are_numbers_of_one_unit_ascend_and_others_stay() {
        let order = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            ascending(&names)
        };
        assert_eq!(order(&["10km/h", "50km/h", "100km/h", "25km/h"]), [0, 3, 1, 2]);
        assert_eq!(order(&["2 flows", "1 flow"]), [0, 1]);
        assert_eq!(order(&["5g", "wifi", "3g"]), [0, 1, 2]);
        assert_eq!(order(&[]), [0; 0]);
    }

    #[test]
    fn a_value_splits_into_number_and_unit() {
        assert_eq!(split("10ms"), Some((10.0, "ms")));
        assert_eq!(split("1e-3"), Some((1e-3, "")));
        assert_eq!(split("2.5 Mb/s"), Some((2.5, "Mb/s")));
        assert_eq!(split("tcp-atl"), None);
        assert_eq!(split("infinite"), None);
        assert_eq!(split(""), None);
        assert_eq!(split("5µs"), Some((5.0, "µs")));
    }
}
