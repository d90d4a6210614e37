//! A paper's printed numbers, as open marks beside the curves that they speak of.

use atl_scenario::quote::{Bound, Claim, Selection, Standing};
use atl_scenario::scenario::{During, Measure, Point, Trace};

use super::chart::{Curve, Num};
use crate::metric::selects;
use crate::outcome::Outcome;

/// The caption's words on open marks.
pub(super) const NOTE: &str = " Open marks are the paper's: a number that it prints, or what another curve has here \
                               times the factor that it prints, in that other's look.";

/// The content of a curve of a sweep figure, at each place along x.
pub(super) struct Shown {
    /// The runs and flows that it is the mean of.
    pub(super) selections: Vec<Selection>,
    /// The measurements, in the metric's base unit.
    pub(super) measured: Vec<Option<f64>>,
}

/// Points of the sweep and flow groups; two selections that agree in both measure the same.
#[derive(Debug, PartialEq)]
struct Cell<'a> {
    points: Vec<usize>,
    groups: Vec<&'a str>,
}

impl<'a> Cell<'a> {
    fn of(outcome: &Outcome, selection: &'a Selection) -> Cell<'a> {
        let points = outcome.scenario.points.iter().enumerate();
        let mut groups: Vec<&str> = selection.groups.iter().map(String::as_str).collect();
        groups.sort_unstable();
        Cell {
            points: points.filter(|(_, p)| selects(selection, p)).map(|(i, _)| i).collect(),
            groups,
        }
    }
}

/// Open marks for each number or factor that a paper states of exactly what a curve shows. Of
/// several readings of a claim the first counts; a bound is no number, so it has no mark.
pub(super) fn printed(
    outcome: &Outcome,
    measure: Measure,
    factor: f64,
    curves: &[Curve],
    shown: &[Shown],
) -> Vec<Curve> {
    let papers = outcome
        .scenario
        .quotes
        .iter()
        .filter(|quote| quote.standing != Standing::Own && quote.claim.measure() == measure);
    let stated: Vec<(&Selection, Option<&Selection>, f64)> = papers
        .filter_map(|quote| match &quote.claim {
            Claim::Value { of, expect, bound: Bound::Equal, .. } => Some((of, None, *expect)),
            Claim::Ratio { of, over, expect, bound: Bound::Equal, .. } => {
                Some((of, Some(over), *expect))
            }
            _ => None,
        })
        .collect();
    if stated.is_empty() {
        return Vec::new();
    }
    let cells: Vec<Vec<Cell<'_>>> = shown
        .iter()
        .map(|curve| curve.selections.iter().map(|s| Cell::of(outcome, s)).collect())
        .collect();
    let place = |selection: &Selection| -> Option<(usize, usize)> {
        let wanted = Cell::of(outcome, selection);
        let found = |row: &Vec<Cell<'_>>| row.iter().position(|cell| *cell == wanted);
        if wanted.points.is_empty() {
            return None;
        }
        cells.iter().enumerate().find_map(|(curve, row)| Some((curve, found(row)?)))
    };
    let mut marks: Vec<Curve> = Vec::new();
    for (of, over, expect) in stated {
        let Some((curve, at)) = place(of) else { continue };
        // Factors over several curves would look alike in the look of the one that has them.
        let (name, style, value) = match over.map(place) {
            None => (format!("{} (paper)", curves[curve].name), curves[curve].style, Some(expect)),
            Some(Some((other, there))) if there == at => (
                format!("{} (paper, over {})", curves[curve].name, curves[other].name),
                curves[other].style,
                shown[other].measured[there].map(|measured| measured * expect),
            ),
            Some(_) => continue,
        };
        let Some(value) = value else { continue };
        let places = shown[curve].selections.len();
        put(&mut marks, (name, style), (at, places), Num::new(value * factor));
    }
    marks
}

/// Puts a value at a place along the marks of this name and style, unless it has one.
fn put(
    marks: &mut Vec<Curve>,
    (name, style): (String, usize),
    (at, places): (usize, usize),
    value: Num,
) {
    let known = marks.iter().position(|mark| mark.name == name).unwrap_or_else(|| {
        let y = vec![Num::NONE; places];
        marks.push(Curve { name, style, y, open: true, ..Curve::default() });
        marks.len() - 1
    });
    let y = &mut marks[known].y[at];
    if y.get().is_none() {
        *y = value;
    }
}

/// The caption's words on open marks over time.
pub(super) const NOTE_OVER_TIME: &str = " Open marks are numbers that the paper prints, in the middle of the time for \
                                         which it states them.";

/// The content of a curve of a figure over time.
pub(super) struct OverTime<'a> {
    /// Point of the sweep.
    pub(super) point: &'a Point,
    /// Flow groups that the curve adds up or averages; empty for all.
    pub(super) groups: Vec<&'a str>,
}

/// Open marks for each number that a paper states of exactly what a curve shows during a part of
/// the run, at the sample nearest to the middle of that part. Of several readings of a claim the
/// first counts.
pub(super) fn over_time(
    outcome: &Outcome,
    trace: Trace,
    xs: &[Num],
    curves: &[Curve],
    shown: &[OverTime<'_>],
) -> Vec<Curve> {
    let about = trace.descriptor();
    // A metric and a trace of one name and key are one quantity in one base unit.
    let same = |measure: Measure| {
        let metric = measure.metric.descriptor();
        (metric.name, metric.key) == (about.name, about.key)
    };
    let stated = outcome.scenario.quotes.iter().filter(|quote| quote.standing != Standing::Own);
    let stated = stated.filter_map(|quote| match &quote.claim {
        Claim::Value { measure, of, expect, bound: Bound::Equal, .. } if same(*measure) => {
            Some((of, measure.during?, *expect))
        }
        _ => None,
    });
    let mut marks: Vec<Curve> = Vec::new();
    for (of, during, expect) in stated {
        let wanted = Cell::of(outcome, of);
        let is_shown = |curve: &OverTime<'_>| {
            let point = outcome.scenario.points.iter().position(|p| std::ptr::eq(p, curve.point));
            point.is_some_and(|point| wanted.points == [point]) && wanted.groups == curve.groups
        };
        let Some(curve) = shown.iter().position(is_shown) else { continue };
        let Some(at) = nearest(xs, during) else { continue };
        let look = (format!("{} (paper)", curves[curve].name), curves[curve].style);
        put(&mut marks, look, (at, xs.len()), Num::new(expect * about.scale.factor));
    }
    marks
}

/// Index of the place nearest to the middle of a part of the run, if it is within it.
fn nearest(xs: &[Num], during: During) -> Option<usize> {
    let (from, to) = (during.from.secs(), during.to.secs());
    let far = |x: f64| (x - (from + to) / 2.0).abs();
    let known = xs.iter().enumerate().filter_map(|(i, x)| Some((i, x.get()?)));
    let within = known.filter(|(_, x)| (from..=to).contains(x));
    within.min_by(|a, b| far(a.1).total_cmp(&far(b.1))).map(|(i, _)| i)
}
