//! The looks of series: colour, dashes and marks, declared once for the page, SVG and PGF.
//!
//! The colours have a contrast of at least 3:1 against the background, light and dark (WCAG 2.2,
//! 1.4.11), and differ for people without red or green cones too. Any two of the first eight series
//! differ in all three, any two of the first sixteen in at least two.

use serde::Serialize;

/// Background colours of the light and the dark page.
pub const BACKGROUNDS: [&str; 2] = ["#ffffff", "#15181c"];

/// A colour in a version for each background.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ink {
    /// For the light background and paper.
    pub light: &'static str,
    /// For the dark background.
    pub dark: &'static str,
}

const fn ink(light: &'static str, dark: &'static str) -> Ink {
    Ink { light, dark }
}

/// Colours in the order of series.
pub const COLOURS: [Ink; 8] = [
    ink("#005b7c", "#28bcff"),
    ink("#ff4500", "#c68625"),
    ink("#249e69", "#10e16a"),
    ink("#d846c0", "#ff77be"),
    ink("#913100", "#feff00"),
    ink("#1d8dff", "#2371ac"),
    ink("#2c0015", "#f4dee6"),
    ink("#7103c7", "#a84cff"),
];

/// The same hues among the 256 colours of terminals, with a contrast of at least 3:1 against both
/// black and white, since a terminal's background is unknown. They differ less than those of the
/// page, so marks tell series apart.
pub const TERMINAL: [u8; 8] = [30, 202, 29, 170, 136, 33, 244, 99];

/// Lengths of strokes and gaps in pixels; empty for a solid line.
pub const DASHES: [&[u8]; 8] =
    [&[], &[12, 4], &[2, 3], &[10, 3, 2, 3], &[6, 4], &[9, 3, 2, 3, 2, 3], &[16, 3, 6, 3], &[2, 7]];

/// Shape of a mark at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// Circle, filled; round like [`Shape::Ring`].
    Circle,
    /// Square with horizontal and vertical sides, filled.
    Square,
    /// Filled triangle, point up.
    Triangle,
    /// Square standing on a corner, filled.
    Diamond,
    /// Cross with diagonal arms, stroked.
    Cross,
    /// Filled triangle, point down.
    Down,
    /// Cross with upright arms, stroked.
    Plus,
    /// Circle, stroked but not filled.
    Ring,
}

/// Marks in the order of series.
pub const SHAPES: [Shape; 8] = [
    Shape::Circle,
    Shape::Square,
    Shape::Triangle,
    Shape::Diamond,
    Shape::Cross,
    Shape::Down,
    Shape::Plus,
    Shape::Ring,
];

/// Colour, dashes and mark of a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Index into [`COLOURS`].
    pub colour: usize,
    /// Index into [`DASHES`].
    pub dash: usize,
    /// Index into [`SHAPES`].
    pub shape: usize,
}

impl Look {
    /// Look of the series with this number. From the ninth on, colours recur with other dashes and
    /// marks.
    pub const fn of(series: usize) -> Look {
        let round = series / 8;
        Look { colour: series % 8, dash: (series + round) % 8, shape: (series + 3 * round) % 8 }
    }

    /// Colour, from [`COLOURS`].
    pub const fn ink(self) -> Ink {
        COLOURS[self.colour]
    }

    /// Lengths of strokes and gaps, from [`DASHES`].
    pub const fn dashes(self) -> &'static [u8] {
        DASHES[self.dash]
    }

    /// Shape of the mark, from [`SHAPES`].
    pub const fn mark(self) -> Shape {
        SHAPES[self.shape]
    }
}

/// Corners of a mark around (0, 0) with a radius of 1; `None` for round ones.
pub fn corners(shape: Shape) -> Option<Vec<(f64, f64)>> {
    const ARM: f64 = 0.38;
    let plus = || {
        vec![
            (-ARM, -1.1),
            (ARM, -1.1),
            (ARM, -ARM),
            (1.1, -ARM),
            (1.1, ARM),
            (ARM, ARM),
            (ARM, 1.1),
            (-ARM, 1.1),
            (-ARM, ARM),
            (-1.1, ARM),
            (-1.1, -ARM),
            (-ARM, -ARM),
        ]
    };
    let half = std::f64::consts::FRAC_1_SQRT_2;
    Some(match shape {
        Shape::Circle | Shape::Ring => return None,
        Shape::Square => vec![(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
        Shape::Triangle => vec![(0.0, -1.2), (1.1, 0.8), (-1.1, 0.8)],
        Shape::Down => vec![(0.0, 1.2), (1.1, -0.8), (-1.1, -0.8)],
        Shape::Diamond => vec![(0.0, -1.3), (1.1, 0.0), (0.0, 1.3), (-1.1, 0.0)],
        Shape::Plus => plus(),
        Shape::Cross => plus().into_iter().map(|(a, b)| ((a - b) * half, (a + b) * half)).collect(),
    })
}

/// Palette for the page's script: dashes and marks by number, and the choice of each series.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ForScript {
    dashes: [&'static [u8]; 8],
    /// Corners of each mark; empty for a circle.
    shapes: Vec<Vec<(f64, f64)>>,
    /// Index of the shape without a filling.
    ring: usize,
    /// Colour, dashes and mark of the first 64 series, after which they repeat.
    looks: Vec<[usize; 3]>,
}

impl ForScript {
    pub(crate) fn new() -> ForScript {
        ForScript {
            dashes: DASHES,
            shapes: SHAPES.iter().map(|s| corners(*s).unwrap_or_default()).collect(),
            ring: SHAPES.iter().position(|s| *s == Shape::Ring).unwrap_or(SHAPES.len()),
            looks: (0..64).map(Look::of).map(|l| [l.colour, l.dash, l.shape]).collect(),
        }
    }
}

/// The colours as custom properties of the page, `--c0` to `--c7`.
pub(crate) fn css() -> String {
    let list = |of: fn(&Ink) -> &'static str| -> String {
        COLOURS.iter().enumerate().map(|(i, ink)| format!("--c{i}: {}; ", of(ink))).collect()
    };
    format!(
        ":root {{ {}}}\n@media (prefers-color-scheme: dark) {{ :root:not(.print) {{ {}}} }}\n",
        list(|ink| ink.light),
        list(|ink| ink.dark)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    type Rgb = [f64; 3];

    /// sRGB to linear light (IEC 61966-2-1).
    fn linear(hex: &str) -> Rgb {
        [1, 3, 5].map(|at| {
            let value = u8::from_str_radix(&hex[at..at + 2], 16).expect("two hex digits");
            let share = f64::from(value) / 255.0;
            if share <= 0.04045 { share / 12.92 } else { libm::pow((share + 0.055) / 1.055, 2.4) }
        })
    }

    /// Contrast by WCAG 2.2.
    fn contrast(a: &str, b: &str) -> f64 {
        let [a, b] = [a, b].map(|hex| {
            let [r, g, b] = linear(hex);
            0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05
        });
        if a > b { a / b } else { b / a }
    }

    /// Protanopia and deuteranopia (Machado, Oliveira and Fernandes 2009, severity 1).
    const SIGHTS: [[Rgb; 3]; 3] = [
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        [
            [0.152_286, 1.052_583, -0.204_868],
            [0.114_503, 0.786_281, 0.099_216],
            [-0.003_882, -0.048_116, 1.051_998],
        ],
        [
            [0.367_322, 0.860_646, -0.227_968],
            [0.280_085, 0.672_501, 0.047_413],
            [-0.011_820, 0.042_940, 0.968_881],
        ],
    ];

    fn times(matrix: &[Rgb; 3], v: Rgb) -> Rgb {
        matrix.map(|row| row[0] * v[0] + row[1] * v[1] + row[2] * v[2])
    }

    /// Oklab coordinates (Ottosson 2020) times 100.
    fn oklab(rgb: Rgb) -> Rgb {
        let lms = times(
            &[
                [0.412_221_470_8, 0.536_332_536_3, 0.051_445_992_9],
                [0.211_903_498_2, 0.680_699_545_1, 0.107_396_956_6],
                [0.088_302_461_9, 0.281_718_837_6, 0.629_978_700_5],
            ],
            rgb,
        );
        times(
            &[
                [0.210_454_255_3, 0.793_617_785_0, -0.004_072_046_8],
                [1.977_998_495_1, -2.428_592_205_0, 0.450_593_709_9],
                [0.025_904_037_1, 0.782_771_766_2, -0.808_675_766_0],
            ],
            lms.map(libm::cbrt),
        )
        .map(|x| 100.0 * x)
    }

    /// Distance of two colours to normal sight, and without red or green cones.
    fn apart(a: &str, b: &str) -> [f64; 3] {
        SIGHTS.map(|sight| {
            let [a, b] =
                [a, b].map(|hex| oklab(times(&sight, linear(hex)).map(|v| v.clamp(0.0, 1.0))));
            (0..3).map(|i| (a[i] - b[i]) * (a[i] - b[i])).sum::<f64>().sqrt()
        })
    }

    #[test]
    fn every_colour_has_a_contrast_of_three_to_one() {
        for ink in COLOURS {
            let [light, dark] = BACKGROUNDS;
            assert!(
                contrast(ink.light, light) >= 3.0,
                "{} {}",
                ink.light,
                contrast(ink.light, light)
            );
            assert!(contrast(ink.dark, dark) >= 3.0, "{} {}", ink.dark, contrast(ink.dark, dark));
        }
        assert!((contrast("#ffffff", "#000000") - 21.0).abs() < 1e-9, "as WCAG defines it");
    }

    #[test]
    fn colours_of_terminals_suit_light_and_dark_ones() {
        // Colours of xterm: 16 + 36 red + 6 green + blue, followed by 24 greys.
        let step = |n: u8| if n == 0 { 0 } else { 55 + 40 * n };
        for code in TERMINAL {
            let hex = match code {
                232.. => format!("#{0:02x}{0:02x}{0:02x}", 8 + 10 * (code - 232)),
                _ => {
                    let n = code - 16;
                    format!("#{:02x}{:02x}{:02x}", step(n / 36), step(n / 6 % 6), step(n % 6))
                }
            };
            for ground in ["#000000", "#ffffff"] {
                assert!(contrast(&hex, ground) >= 3.0, "{code} {hex}: {}", contrast(&hex, ground));
            }
        }
    }

    #[test]
    fn no_two_colours_look_alike() {
        let forms: [fn(&Ink) -> &'static str; 2] = [|ink| ink.light, |ink| ink.dark];
        for form in forms {
            for (i, a) in COLOURS.iter().enumerate() {
                for b in &COLOURS[i + 1..] {
                    let [normal, red, green] = apart(form(a), form(b));
                    // A just noticeable difference is about 2: ten times that, and five times.
                    assert!(normal >= 20.0, "{} and {}: {normal}", form(a), form(b));
                    assert!(
                        red >= 10.0 && green >= 10.0,
                        "{} and {}: {red} {green}",
                        form(a),
                        form(b)
                    );
                }
            }
        }
    }

    #[test]
    fn no_two_of_sixteen_series_look_alike() {
        for a in 0..64 {
            for b in 0..a {
                let (x, y) = (Look::of(a), Look::of(b));
                let differ = usize::from(x.colour != y.colour)
                    + usize::from(x.dash != y.dash)
                    + usize::from(x.shape != y.shape);
                let least = if a < 8 {
                    3
                } else if a < 16 {
                    2
                } else {
                    1
                };
                assert!(differ >= least, "{a} and {b}: {x:?} {y:?}");
            }
        }
    }

    #[test]
    fn dashes_and_marks_are_all_different() {
        // Length of a period, and the part of it that is stroke.
        let measures = DASHES.map(|dash| {
            let all: u32 = dash.iter().map(|n| u32::from(*n)).sum();
            let on: u32 = dash.iter().step_by(2).map(|n| u32::from(*n)).sum();
            (
                f64::from(all.max(1)),
                if all == 0 { 1.0 } else { f64::from(on) / f64::from(all) },
                dash.len(),
            )
        });
        for (i, a) in measures.iter().enumerate() {
            for b in &measures[i + 1..] {
                let longer = (a.0 / b.0).max(b.0 / a.0);
                assert!(a.2 != b.2 || longer >= 1.5 || (a.1 - b.1).abs() >= 0.1, "{a:?} {b:?}");
            }
            assert!(SHAPES[i + 1..].iter().all(|s| *s != SHAPES[i]));
        }
    }
}
