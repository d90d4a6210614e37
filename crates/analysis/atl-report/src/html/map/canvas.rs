//! Projection from metres to the drawing's units.

use atl_engine::setup::{Map, Point};

/// Width of the drawing in its own units, which are about pixels on a desktop.
const WIDTH: f64 = 720.0;
/// Limit on the height of the part that is to scale.
const MOST_HEIGHT: f64 = 460.0;
/// Space around that part.
const MARGIN: f64 = 26.0;
/// Space below it for the scale.
const BELOW: f64 = 26.0;

/// A projection of the plane: the same scale along both axes, north up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Canvas {
    west_m: f64,
    north_m: f64,
    /// Drawing units per metre.
    scale: f64,
    left: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Canvas {
    /// A canvas with room for the whole map.
    pub(super) fn of(map: &Map) -> Canvas {
        let circles = map.cells.iter().map(|place| (place.cell.at(), place.cell.radius_m()));
        let points = map.tracks.iter().flat_map(|t| t.points()).map(|point| (point.at, 0.0));
        let (mut west, mut east) = (f64::INFINITY, f64::NEG_INFINITY);
        let (mut south, mut north) = (west, east);
        for (at, radius) in circles.chain(points) {
            (west, east) = (west.min(at.x_m - radius), east.max(at.x_m + radius));
            (south, north) = (south.min(at.y_m - radius), north.max(at.y_m + radius));
        }
        let (wide, high) = ((east - west).max(1e-3), (north - south).max(1e-3));
        let inner = WIDTH - 2.0 * MARGIN;
        let scale = (inner / wide).min(MOST_HEIGHT / high);
        Canvas {
            west_m: west,
            north_m: north,
            scale,
            left: MARGIN + (inner - scale * wide) / 2.0,
            width: WIDTH,
            height: scale * high + 2.0 * MARGIN + BELOW,
        }
    }

    /// Position of a point in the drawing.
    pub(super) fn place(&self, at: Point) -> (f64, f64) {
        (
            self.left + (at.x_m - self.west_m) * self.scale,
            MARGIN + (self.north_m - at.y_m) * self.scale,
        )
    }

    /// Length in the drawing.
    pub(super) fn length(&self, metres: f64) -> f64 {
        metres * self.scale
    }

    /// Scale bar: a round length of about a sixth of the width, in metres and as text.
    pub(super) fn bar(&self) -> (f64, String) {
        let about = WIDTH / 6.0 / self.scale;
        let ten = (-6..9).map(|n| libm::pow(10.0, f64::from(n)));
        let round = ten.flat_map(|ten| [1.0, 2.0, 5.0].map(|digit| digit * ten));
        let metres = round.filter(|m| *m <= about).fold(1e-6, f64::max);
        let text = match metres >= 1000.0 {
            true => format!("{} km", metres / 1000.0),
            false => format!("{} m", (metres * 1e6).round() / 1e6),
        };
        (metres, text)
    }
}
