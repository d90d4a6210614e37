//! Placement of labels without overlap.

/// Height of a line of text, in drawing units.
pub(super) const LINE: f64 = 14.0;
/// Mean width of a character, in drawing units.
const CHARACTER: f64 = 6.4;

/// Left, top, right and bottom, in drawing units.
type Box = (f64, f64, f64, f64);

/// Areas taken so far.
#[derive(Debug)]
pub(super) struct Labels {
    taken: Vec<Box>,
    bounds: (f64, f64),
}

impl Labels {
    /// Starts without labels on a drawing of this width and height.
    pub(super) fn new(width: f64, height: f64) -> Self {
        Labels { taken: Vec::new(), bounds: (width, height) }
    }

    /// Keeps labels at least `around` away from a point.
    pub(super) fn keep_free(&mut self, (x, y): (f64, f64), around: f64) {
        self.taken.push((x - around, y - around, x + around, y + around));
    }

    /// Centre for a text near a point: above, below or beside it, or farther away where that is
    /// taken. `None` if no position is free.
    pub(super) fn place(&mut self, text: &str, (x, y): (f64, f64)) -> Option<(f64, f64)> {
        let half = text.chars().count() as f64 * CHARACTER / 2.0;
        let near = [13.0, 27.0, 41.0];
        let above_and_below = near.into_iter().flat_map(|far| [(0.0, -far), (0.0, far)]);
        let beside = [0.0, -13.0, 13.0].map(|y| [(half + 10.0, y), (-half - 10.0, y)]);
        let found = above_and_below.chain(beside.into_iter().flatten()).find_map(|(dx, dy)| {
            let (x, y) = ((x + dx).clamp(half, self.bounds.0 - half), y + dy);
            let place = (x - half, y - LINE / 2.0, x + half, y + LINE / 2.0);
            let fits = place.1 >= 0.0 && place.3 <= self.bounds.1;
            let free = !self.taken.iter().any(|other| overlap(place, *other));
            (fits && free).then_some(((x, y), place))
        })?;
        self.taken.push(found.1);
        Some(found.0)
    }
}

fn overlap(one: Box, other: Box) -> bool {
    one.0 < other.2 && other.0 < one.2 && one.1 < other.3 && other.1 < one.3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_give_way() {
        let mut labels = Labels::new(200.0, 200.0);
        let places: Vec<_> = (0..20).map_while(|_| labels.place("17 s", (100.0, 100.0))).collect();
        assert!(places.len() > 5 && places.len() < 20, "{places:?}");
        assert_eq!(places[0], (100.0, 87.0));
        assert_eq!(places[1], (100.0, 113.0));
        for (i, one) in places.iter().enumerate() {
            for other in &places[..i] {
                let apart =
                    (one.0 - other.0).abs() >= 4.0 * CHARACTER || (one.1 - other.1).abs() >= LINE;
                assert!(apart, "{one:?} {other:?}");
            }
        }
        // At the edge of the drawing a label moves inside.
        assert_eq!(labels.place("17 s", (0.0, 150.0)), Some((2.0 * CHARACTER, 137.0)));
    }
}
