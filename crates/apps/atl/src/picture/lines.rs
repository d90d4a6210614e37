//! Strokes as polygons.

use super::canvas::Point;

/// Corners of the polygon drawn for a circle; charts only have small ones.
const CIRCLE: usize = 48;
/// SVG's default limit: a mitre of more half widths is cut off.
const MITRE: f64 = 4.0;

/// A polyline or polygon.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub points: Vec<Point>,
    pub closed: bool,
}

/// The attributes of a stroke, in dots.
#[derive(Clone, Debug)]
pub(super) struct Stroke {
    pub width: f64,
    /// Joins are round; otherwise mitred.
    pub round: bool,
    /// Alternating lengths of dashes and gaps; empty for a solid line.
    pub dashes: Vec<f64>,
}

/// Approximates a circle.
pub(super) fn circle((x, y): Point, r: f64) -> Vec<Point> {
    let corner = |i: usize| {
        let angle = i as f64 * std::f64::consts::TAU / CIRCLE as f64;
        (x + r * libm::cos(angle), y + r * libm::sin(angle))
    };
    (0..CIRCLE).map(corner).collect()
}

/// Polygons that together cover a stroke, with the same orientation, so that overlaps get ink once.
pub(super) fn outline(line: &Line, stroke: &Stroke) -> Vec<Vec<Point>> {
    let half = stroke.width / 2.0;
    let mut polygons = Vec::new();
    let whole = || Line { points: apart(&line.points, line.closed), closed: line.closed };
    let parts =
        if stroke.dashes.is_empty() { vec![whole()] } else { dashed(&whole(), &stroke.dashes) };
    for Line { points, closed } in parts {
        let n = points.len();
        let segments = if closed { n } else { n.saturating_sub(1) };
        for i in 0..segments {
            let (a, b) = (points[i], points[(i + 1) % n]);
            let (x, y) = across(a, b, half);
            polygons.push(vec![
                (a.0 + x, a.1 + y),
                (b.0 + x, b.1 + y),
                (b.0 - x, b.1 - y),
                (a.0 - x, a.1 - y),
            ]);
            if i + 1 < segments || closed {
                let next = points[(i + 2) % n];
                match stroke.round {
                    true => polygons.push(circle(b, half)),
                    false => polygons.push(corner(a, b, next, half)),
                }
            }
        }
    }
    for polygon in &mut polygons {
        let pairs = polygon.iter().zip(polygon.iter().cycle().skip(1));
        let area: f64 = pairs.map(|(a, b)| a.0 * b.1 - b.0 * a.1).sum();
        if area < 0.0 {
            polygon.reverse();
        }
    }
    polygons
}

/// Leaves out points that equal the one before, which have no direction.
fn apart(points: &[Point], closed: bool) -> Vec<Point> {
    let mut apart = points.to_vec();
    apart.dedup();
    while closed && apart.len() > 1 && apart.first() == apart.last() {
        apart.pop();
    }
    apart
}

/// The vector from the middle of a segment to its left edge.
fn across(a: Point, b: Point, half: f64) -> Point {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let length = (dx * dx + dy * dy).sqrt();
    (-dy / length * half, dx / length * half)
}

/// The mitre between two segments, on the outside of their corner.
fn corner(a: Point, b: Point, c: Point, half: f64) -> Vec<Point> {
    let (one, other) = (across(a, b, half), across(b, c, half));
    let turn = one.0 * other.1 - one.1 * other.0;
    let side = if turn > 0.0 { -1.0 } else { 1.0 };
    let at = |(x, y): Point| (b.0 + side * x, b.1 + side * y);
    let mut corners = vec![b, at(one)];
    // The edges meet in the direction of this sum. The distance is in half widths, squared.
    let sum = (one.0 + other.0, one.1 + other.1);
    let length = sum.0 * sum.0 + sum.1 * sum.1;
    let far = 4.0 * half * half / length;
    if far <= MITRE * MITRE {
        let times = 2.0 * half * half / length;
        corners.push(at((sum.0 * times, sum.1 * times)));
    }
    corners.push(at(other));
    corners
}

/// Cuts a line into its dashes.
fn dashed(line: &Line, dashes: &[f64]) -> Vec<Line> {
    let mut points = line.points.clone();
    if line.closed {
        points.extend(points.first().copied());
    }
    let mut parts = Vec::new();
    let mut lengths = dashes.iter().copied().cycle();
    let (mut left, mut inked) = (lengths.next().unwrap_or(f64::INFINITY), true);
    let mut part: Vec<Point> = points.first().copied().into_iter().collect();
    for pair in points.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let length = (dx * dx + dy * dy).sqrt();
        let mut done = 0.0;
        while length - done > left {
            done += left;
            let at = (a.0 + dx * done / length, a.1 + dy * done / length);
            part.push(at);
            let points = std::mem::replace(&mut part, vec![at]);
            if inked {
                parts.push(Line { points, closed: false });
            }
            (left, inked) = (lengths.next().unwrap_or(f64::INFINITY), !inked);
        }
        left -= length - done;
        part.push(b);
    }
    if inked {
        parts.push(Line { points: apart(&part, false), closed: false });
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(polygons: &[Vec<Point>]) -> f64 {
        let area = |polygon: &Vec<Point>| -> f64 {
            let pairs = polygon.iter().zip(polygon.iter().cycle().skip(1));
            pairs.map(|(a, b)| a.0 * b.1 - b.0 * a.1).sum::<f64>() / 2.0
        };
        polygons.iter().map(area).sum()
    }

    #[test]
    fn a_line_covers_its_length_times_its_width() {
        let line = Line { points: vec![(0.0, 0.0), (6.0, 8.0), (6.0, 8.0)], closed: false };
        let stroke = |dashes: &[f64]| Stroke { width: 2.0, round: false, dashes: dashes.to_vec() };
        assert!((area(&outline(&line, &stroke(&[]))) - 20.0).abs() < 1e-9);
        // Dashes from 0 to 3, 4 to 7 and 8 to 10.
        assert!((area(&outline(&line, &stroke(&[3.0, 1.0]))) - 16.0).abs() < 1e-9);
    }

    #[test]
    fn a_corner_is_pointed_or_round() {
        let square = vec![(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)];
        let line = Line { points: square, closed: true };
        let pointed = Stroke { width: 2.0, round: false, dashes: Vec::new() };
        // Each corner adds the square outside of it.
        assert!((area(&outline(&line, &pointed)) - (80.0 + 4.0)).abs() < 1e-9);
        let round = Stroke { round: true, ..pointed };
        let circles = 4.0 * std::f64::consts::PI;
        assert!((area(&outline(&line, &round)) - (80.0 + circles)).abs() < 0.05);
    }
}
