//! A chart as CSV (RFC 4180, but with plain line feeds): a row for each point, in the units of the
//! axes.

use super::chart::{Chart, Curve, Num};
use crate::table::csv_field;

fn text(number: Option<&Num>) -> String {
    number.and_then(|n| n.get()).map_or_else(String::new, |value| value.to_string())
}

/// The points of all curves: series, x, y, bounds of intervals where present, and labels.
pub fn csv(chart: &Chart) -> String {
    let any = |has: fn(&Curve) -> bool| chart.curves.iter().any(has);
    let (along, up) = (any(|c| !c.low_x.is_empty()), any(|c| !c.low.is_empty()));
    let (one, words) = (any(|c| !c.one.is_empty()), any(|c| !c.words.is_empty()));
    let (x, y) = (&chart.x.label, &chart.y.label);
    let mut header = vec!["series".to_owned(), x.clone()];
    let bounds = |of: &str| [format!("{of} low"), format!("{of} high")];
    header.extend(bounds(x).into_iter().filter(|_| along));
    header.push(y.clone());
    header.extend(bounds(y).into_iter().filter(|_| up));
    header.extend(chart.seed.filter(|_| one).map(|seed| format!("{y} with seed {seed}")));
    header.extend(words.then(|| "point".to_owned()));
    let line = |fields: &[String]| {
        fields.iter().map(|field| csv_field(field)).collect::<Vec<_>>().join(",") + "\n"
    };
    let mut out = line(&header);
    for curve in &chart.curves {
        for (i, place) in chart.xs.iter().enumerate() {
            let there = [curve.y.get(i), curve.one.get(i)];
            if there.iter().flatten().all(|n| n.get().is_none()) {
                continue;
            }
            let name = place.get().and_then(|x| chart.x.names.get(x as usize)).cloned();
            let mut fields = vec![curve.name.clone(), name.unwrap_or_else(|| text(Some(place)))];
            if along {
                fields.extend([text(curve.low_x.get(i)), text(curve.high_x.get(i))]);
            }
            fields.push(text(curve.y.get(i)));
            if up {
                fields.extend([text(curve.low.get(i)), text(curve.high.get(i))]);
            }
            if one && chart.seed.is_some() {
                fields.push(text(curve.one.get(i)));
            }
            if words {
                fields.push(curve.words.get(i).cloned().unwrap_or_default());
            }
            out.push_str(&line(&fields));
        }
    }
    out
}
