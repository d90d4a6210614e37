//! A raster of dots on which polygons are filled.

/// A position, in dots from the top left.
pub(super) type Point = (f64, f64);

/// Red, green and blue.
pub(super) type Ink = [u8; 3];

/// A rectangle to which drawing is confined, in dots.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

/// A picture on a white ground.
#[derive(Clone, Debug)]
pub(super) struct Canvas {
    pub width: usize,
    pub height: usize,
    /// Three bytes for each dot, row after row.
    pub dots: Vec<u8>,
}

impl Canvas {
    pub(super) fn new(width: usize, height: usize) -> Canvas {
        Canvas { width, height, dots: vec![255; 3 * width * height] }
    }

    /// Fills closed polygons by the non-zero rule. Overlapping polygons with the same orientation
    /// get ink once; one with the opposite orientation cuts a hole.
    ///
    /// The covered part of a dot is its opacity. It is summed from left to right: an edge that
    /// rises by some share of a row covers that share of all dots to its right.
    pub(super) fn fill(&mut self, polygons: &[Vec<Point>], ink: Ink, opacity: f64, window: Window) {
        let left = window.left.clamp(0.0, self.width as f64);
        let right = window.right.clamp(left, self.width as f64);
        let top = window.top.clamp(0.0, self.height as f64);
        let bottom = window.bottom.clamp(top, self.height as f64);
        let mut edges: Vec<(Point, Point)> = polygons
            .iter()
            .flat_map(|polygon| polygon.iter().zip(polygon.iter().cycle().skip(1)))
            .filter(|(from, to)| from.1.min(to.1) < bottom && from.1.max(to.1) > top)
            .map(|(from, to)| (*from, *to))
            .collect();
        edges.sort_by(|a, b| a.0.1.min(a.1.1).total_cmp(&b.0.1.min(b.1.1)));
        let mut waiting = edges.into_iter().peekable();
        let mut active: Vec<(Point, Point)> = Vec::new();
        let (first, end) = (left as usize, right.ceil() as usize);
        let mut row = vec![0.0; end - first + 2];
        for y in top as usize..bottom.ceil() as usize {
            let (above, below) = ((y as f64).max(top), (y as f64 + 1.0).min(bottom));
            while let Some(edge) = waiting.next_if(|(from, to)| from.1.min(to.1) < below) {
                active.push(edge);
            }
            active.retain(|(from, to)| from.1.max(to.1) > above);
            if active.is_empty() {
                continue;
            }
            row.fill(0.0);
            for (from, to) in &active {
                let at = |y: f64| from.0 + (to.0 - from.0) * (y - from.1) / (to.1 - from.1);
                let (high, low) = (from.1.min(to.1).max(above), from.1.max(to.1).min(below));
                let height = if to.1 > from.1 { low - high } else { high - low };
                let within = |x: f64| x.clamp(left, right) - first as f64;
                cover(&mut row, within(at(high)), within(at(low)), height);
            }
            let mut sum = 0.0;
            for (x, share) in row[..end - first].iter().enumerate() {
                sum += share;
                let covered = f64::abs(sum).min(1.0) * opacity;
                if covered > 0.0 {
                    let at = 3 * (y * self.width + first + x);
                    for (dot, ink) in self.dots[at..at + 3].iter_mut().zip(ink) {
                        *dot = (f64::from(*dot) * (1.0 - covered) + f64::from(ink) * covered + 0.5)
                            as u8;
                    }
                }
            }
        }
    }
}

/// Adds an edge within a row that rises by `height` between two positions across.
fn cover(row: &mut [f64], one: f64, other: f64, height: f64) {
    let (left, right) = (one.min(other), one.max(other));
    let first = left as usize;
    if right <= first as f64 + 1.0 {
        // The share of the dot to the right of the edge.
        let right_of = height * (1.0 - ((left + right) / 2.0 - first as f64));
        row[first] += right_of;
        row[first + 1] += height - right_of;
        return;
    }
    let each = height / (right - left);
    let mut from = left;
    while from < right {
        let dot = from as usize;
        let to = (dot as f64 + 1.0).min(right);
        let part = each * (to - from);
        let right_of = part * (1.0 - ((from + to) / 2.0 - dot as f64));
        row[dot] += right_of;
        row[dot + 1] += part - right_of;
        from = to;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: Window = Window { left: 0.0, top: 0.0, right: 1e9, bottom: 1e9 };

    fn shades(polygons: &[Vec<Point>], window: Window) -> Vec<u8> {
        let mut canvas = Canvas::new(4, 2);
        canvas.fill(polygons, [0, 0, 0], 1.0, window);
        canvas.dots.chunks(3).map(|dot| dot[0]).collect()
    }

    fn rectangle(left: f64, top: f64, right: f64, bottom: f64) -> Vec<Point> {
        vec![(left, top), (right, top), (right, bottom), (left, bottom)]
    }

    #[test]
    fn a_dot_is_as_dark_as_it_is_covered() {
        let half = shades(&[rectangle(0.5, 0.0, 2.0, 1.0)], ALL);
        assert_eq!(half, [128, 0, 255, 255, 255, 255, 255, 255]);
        let triangle = shades(&[vec![(0.0, 0.0), (4.0, 0.0), (0.0, 2.0)]], ALL);
        // The diagonal passes through every second corner.
        assert_eq!(triangle, [0, 0, 64, 191, 64, 191, 255, 255]);
    }

    #[test]
    fn what_overlaps_is_inked_once_and_a_window_cuts() {
        let two = [rectangle(0.0, 0.0, 2.0, 1.0), rectangle(1.0, 0.0, 3.0, 1.0)];
        assert_eq!(shades(&two, ALL)[..4], [0, 0, 0, 255]);
        let mut hole = rectangle(1.0, 0.0, 2.0, 1.0);
        hole.reverse();
        assert_eq!(shades(&[rectangle(0.0, 0.0, 3.0, 1.0), hole], ALL)[..4], [0, 255, 0, 255]);
        let window = Window { left: 1.0, top: 0.5, right: 2.5, bottom: 9.0 };
        let cut = shades(&[rectangle(-9.0, -9.0, 99.0, 99.0)], window);
        assert_eq!(cut, [255, 128, 191, 255, 255, 0, 128, 255]);
    }
}
