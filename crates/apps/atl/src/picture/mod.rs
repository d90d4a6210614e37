//! Drawing the charts' SVG as PNG. The fonts are part of the program and the system's are not used,
//! so that a chart gives the same bytes everywhere.
//!
//! Only the elements that `atl-report` writes can be drawn; letters stand at their own widths,
//! without kerning.

mod canvas;
mod document;
mod file;
mod font;
mod lines;

use std::collections::BTreeSet;
use std::fmt;

use self::canvas::{Canvas, Ink, Point, Window};
use self::document::Element;
use self::font::Font;
use self::lines::{Line, Stroke, circle, outline};

/// Limit on the dots of a picture, which takes 700 MB of memory while it is drawn.
const MOST: u64 = 100_000_000;

/// A picture in PNG format.
#[derive(Clone, Debug)]
pub(crate) struct Picture {
    /// Content of the file.
    pub bytes: Vec<u8>,
    /// Message on characters that the font lacks; empty if it has all.
    pub missing: String,
}

/// The reason why there is no picture.
#[derive(Clone, Debug)]
pub(crate) enum Unpainted {
    /// It would have more dots than [`MOST`].
    TooLarge {
        /// Width and height in dots.
        size: (u64, u64),
    },
    /// The SVG cannot be read, or has what charts do not have.
    Failed(String),
}

impl fmt::Display for Unpainted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unpainted::TooLarge { size: (width, height) } => write!(
                f,
                "a PNG of {width} x {height} dots is too large: at most {} million; use a smaller --scale, --width or --height",
                MOST / 1_000_000
            ),
            Unpainted::Failed(why) => f.write_str(why),
        }
    }
}

/// Default size of text, in pixels.
const TEXT: f64 = 12.0;
/// Least weight of bold text.
const BOLD: f64 = 600.0;

/// Draws a chart's SVG with `scale` dots for each of its pixels; `cite` becomes the picture's
/// description.
///
/// # Errors
/// If it would be too large, or is no such SVG.
pub(crate) fn png(svg: &str, cite: &str, scale: u32) -> Result<Picture, Unpainted> {
    let elements = document::elements(svg).map_err(Unpainted::Failed)?;
    let size = |name| elements[0].number(name, 0.0).map(|pixels| pixels as u64 * u64::from(scale));
    let size =
        (size("width").map_err(Unpainted::Failed)?, size("height").map_err(Unpainted::Failed)?);
    if size.0.saturating_mul(size.1) > MOST {
        return Err(Unpainted::TooLarge { size });
    }
    let mut painter = Painter::new(size, f64::from(scale)).map_err(Unpainted::Failed)?;
    let mut inside = "";
    for element in &elements {
        // The one shape of a clip path follows it.
        let clips = std::mem::replace(&mut inside, element.name) == "clipPath";
        let done = if clips { painter.clip_to(element) } else { painter.draw(element) };
        done.map_err(Unpainted::Failed)?;
    }
    let quoted: Vec<String> = painter.missing.iter().map(|text| format!("`{text}`")).collect();
    let bytes = file::encoded(&painter.canvas, cite, scale);
    Ok(Picture { bytes, missing: quoted.join(", ") })
}

/// Draws elements in their order, on top of each other.
#[derive(Debug)]
struct Painter {
    canvas: Canvas,
    scale: f64,
    ink: Ink,
    clip: Window,
    regular: Font,
    bold: Font,
    missing: BTreeSet<char>,
}

impl Painter {
    fn new((width, height): (u64, u64), scale: f64) -> Result<Painter, String> {
        let font = |data| Font::new(data).ok_or("the font is broken");
        Ok(Painter {
            canvas: Canvas::new(width as usize, height as usize),
            scale,
            ink: [0; 3],
            clip: Window { left: 0.0, top: 0.0, right: width as f64, bottom: height as f64 },
            regular: font(dejavu::sans::regular())?,
            bold: font(dejavu::sans::bold())?,
            missing: BTreeSet::new(),
        })
    }

    fn clip_to(&mut self, element: &Element<'_>) -> Result<(), String> {
        let points = self.rectangle(element)?;
        let ((left, top), (right, bottom)) = (points[0], points[2]);
        self.clip = Window { left, top, right, bottom };
        Ok(())
    }

    fn draw(&mut self, element: &Element<'_>) -> Result<(), String> {
        let closed = |points| vec![Line { points, closed: true }];
        let shapes = match element.name {
            "title" | "desc" | "g" | "clipPath" => return Ok(()),
            "svg" => {
                self.ink = ink(element.get("fill").unwrap_or("#000000"))?.unwrap_or_default();
                return Ok(());
            }
            "text" => return self.text(element),
            "rect" => closed(self.rectangle(element)?),
            "circle" => {
                let [x, y, r] = self.lengths(element, ["cx", "cy", "r"])?;
                closed(circle((x, y), r))
            }
            "path" => path(element.get("d").unwrap_or_default(), self.scale)?,
            other => return Err(format!("<{other}> cannot be drawn")),
        };
        let window = self.window(element);
        if let Some(ink) = element.get("fill").map_or(Ok(Some(self.ink)), ink)? {
            let polygons: Vec<Vec<Point>> = shapes.iter().map(|line| line.points.clone()).collect();
            let opacity = element.number("fill-opacity", 1.0)?;
            self.canvas.fill(&polygons, ink, opacity, window);
        }
        if let Some(ink) = element.get("stroke").map_or(Ok(None), ink)? {
            let dashes = element.get("stroke-dasharray").unwrap_or_default().split_whitespace();
            let dashes = dashes.map(|length| self.length(length)).collect::<Result<_, _>>()?;
            let stroke = Stroke {
                width: element.number("stroke-width", 1.0)? * self.scale,
                round: element.get("stroke-linejoin") == Some("round"),
                dashes,
            };
            let polygons: Vec<Vec<Point>> =
                shapes.iter().flat_map(|line| outline(line, &stroke)).collect();
            self.canvas.fill(&polygons, ink, 1.0, window);
        }
        Ok(())
    }

    fn text(&mut self, element: &Element<'_>) -> Result<(), String> {
        let font =
            if element.number("font-weight", 400.0)? >= BOLD { self.bold } else { self.regular };
        let each = element.number("font-size", TEXT)? * self.scale / font.units();
        let [x, y] = self.lengths(element, ["x", "y"])?;
        let (origin, turn) = match element.get("transform") {
            Some(transform) => transformed(transform, self.scale)?,
            None => ((x, y), 0.0),
        };
        let glyphs: Vec<(char, u16)> = element.text.chars().map(|c| (c, font.glyph(c))).collect();
        let wide: f64 = glyphs.iter().map(|(_, glyph)| font.advance(*glyph)).sum();
        let mut along = match element.get("text-anchor") {
            Some("middle") => -wide / 2.0,
            Some("end") => -wide,
            _ => 0.0,
        };
        let (sin, cos) = (libm::sin(turn.to_radians()), libm::cos(turn.to_radians()));
        let mut polygons = Vec::new();
        for (character, glyph) in glyphs {
            if glyph == 0 {
                self.missing.insert(character);
            }
            let placed = |(x, y): Point| {
                let (x, y) = ((x + along) * each, -y * each);
                (origin.0 + x * cos - y * sin, origin.1 + x * sin + y * cos)
            };
            let outlines = font.outlines(glyph).into_iter();
            polygons.extend(outlines.map(|line| line.into_iter().map(placed).collect::<Vec<_>>()));
            along += font.advance(glyph);
        }
        let ink = element.get("fill").map_or(Ok(Some(self.ink)), ink)?.unwrap_or(self.ink);
        self.canvas.fill(&polygons, ink, 1.0, self.window(element));
        Ok(())
    }

    fn window(&self, element: &Element<'_>) -> Window {
        let (right, bottom) = (self.canvas.width as f64, self.canvas.height as f64);
        if element.clipped { self.clip } else { Window { left: 0.0, top: 0.0, right, bottom } }
    }

    fn length(&self, text: &str) -> Result<f64, String> {
        let length: f64 = text.parse().map_err(|_| format!("`{text}` is no length"))?;
        Ok(length * self.scale)
    }

    fn lengths<const N: usize>(
        &self,
        element: &Element<'_>,
        names: [&str; N],
    ) -> Result<[f64; N], String> {
        let mut lengths = [0.0; N];
        for (length, name) in lengths.iter_mut().zip(names) {
            *length = element.number(name, 0.0)? * self.scale;
        }
        Ok(lengths)
    }

    fn rectangle(&self, element: &Element<'_>) -> Result<Vec<Point>, String> {
        let [x, y, width, height] = self.lengths(element, ["x", "y", "width", "height"])?;
        Ok(vec![(x, y), (x + width, y), (x + width, y + height), (x, y + height)])
    }
}

/// Parses `#rrggbb`; `None` for `none`.
fn ink(text: &str) -> Result<Option<Ink>, String> {
    let bad = || format!("`{text}` is no colour");
    if text == "none" {
        return Ok(None);
    }
    let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6).ok_or_else(bad)?;
    let number = u32::from_str_radix(digits, 16).map_err(|_| bad())?;
    let [_, red, green, blue] = number.to_be_bytes();
    Ok(Some([red, green, blue]))
}

/// Parses a path of `M`, `L`, `H`, `V`, `h`, `v` and `Z`.
fn path(data: &str, scale: f64) -> Result<Vec<Line>, String> {
    let mut lines: Vec<Line> = Vec::new();
    let mut at = (0.0, 0.0);
    let mut rest = data;
    while let Some(command) = rest.chars().next() {
        let end =
            rest[1..].find(|c: char| c.is_ascii_alphabetic()).map_or(rest.len(), |end| end + 1);
        let numbers = rest[1..end].split_whitespace().map(|n| n.parse::<f64>().map(|n| n * scale));
        let numbers: Vec<f64> =
            numbers.collect::<Result<_, _>>().map_err(|_| format!("`{data}` is no path"))?;
        rest = &rest[end..];
        at = match (command, &numbers[..]) {
            ('M' | 'L', [x, y]) => (*x, *y),
            ('H', [x]) => (*x, at.1),
            ('V', [y]) => (at.0, *y),
            ('h', [x]) => (at.0 + x, at.1),
            ('v', [y]) => (at.0, at.1 + y),
            ('Z', []) => at,
            _ => return Err(format!("`{data}` is no path")),
        };
        match (command, lines.last_mut()) {
            ('M', _) => lines.push(Line { points: vec![at], closed: false }),
            ('Z', Some(line)) => line.closed = true,
            (_, Some(line)) => line.points.push(at),
            (_, None) => return Err(format!("`{data}` is no path")),
        }
    }
    Ok(lines)
}

/// Parses `translate(X Y) rotate(DEGREES)` into an origin and an angle.
fn transformed(text: &str, scale: f64) -> Result<(Point, f64), String> {
    let parse = || {
        let (place, turn) = text.strip_prefix("translate(")?.split_once(") rotate(")?;
        let (x, y) = place.split_once(' ')?;
        let number = |text: &str| text.parse::<f64>().ok();
        Some(((number(x)? * scale, number(y)? * scale), number(turn.strip_suffix(')')?)?))
    };
    parse().ok_or_else(|| format!("`{text}` cannot be followed"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn svg(text: &str) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"60\" height=\"20\" font-family=\"system-ui, sans-serif\"><text x=\"2\" y=\"16\" font-weight=\"600\">{text}</text></svg>"
        )
    }

    #[test]
    fn text_is_drawn_and_what_the_font_lacks_is_named() {
        let picture = png(&svg("µ p̂ → Ω"), "where from", 2).expect("a picture");
        assert_eq!(picture.missing, "");
        let decoder = png::Decoder::new(std::io::Cursor::new(&picture.bytes));
        let mut reader = decoder.read_info().expect("a PNG");
        let mut data = vec![0; reader.output_buffer_size().expect("small")];
        reader.next_frame(&mut data).expect("an image");
        reader.finish().expect("to the end");
        let info = reader.info();
        assert_eq!((info.width, info.height), (120, 40));
        assert_eq!(info.pixel_dims.map(|d| d.xppu), Some(7559), "192 dots per inch");
        assert_eq!(info.utf8_text[0].get_text().expect("text"), "where from");
        let dark = data.chunks(3).filter(|dot| dot.iter().all(|c| *c < 100)).count();
        assert!((100..2000).contains(&dark), "ink of a few letters: {dark}");
        assert_eq!(data[..3], [255, 255, 255]);
        assert_eq!(png(&svg("µ p̂ → Ω"), "where from", 2).expect("again").bytes, picture.bytes);

        assert_eq!(png(&svg("a中b"), "", 1).expect("a picture").missing, "`中`");
    }

    #[test]
    fn a_picture_larger_than_memory_is_refused() {
        let huge = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"4000\" height=\"4000\"/>";
        let told = png(huge, "", 8).expect_err("too large").to_string();
        assert!(told.contains("32000 x 32000"), "{told}");
        assert!(matches!(png("<p>", "", 1), Err(Unpainted::Failed(_))));
    }
}
