//! A chart as a self-contained SVG with a light background, for papers and slides.

mod curves;
mod frame;
mod words;

use maud::{Markup, html};

use self::frame::Frame;
use super::chart::Chart;
use super::palette::BACKGROUNDS;

/// Size of a picture in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// In pixels of CSS (1/96 inch).
    pub width: u32,
    /// In pixels of CSS (1/96 inch).
    pub height: u32,
}

impl Size {
    /// Lower limit on width and height: below, labels leave no room for the plot.
    pub const LEAST: u32 = 200;
    /// Upper limit on width and height.
    pub const MOST: u32 = 4000;
}

impl Default for Size {
    fn default() -> Size {
        Size { width: 720, height: 420 }
    }
}

/// Colour of text and axes.
const INK: &str = "#1b1f24";
/// Colour of secondary text.
const SOFT: &str = "#5a6370";
/// Colour of the grid.
const LINE: &str = "#d4d9df";
/// Font stack. DejaVu Sans comes with the program for PNG; browsers have one of the others.
const FONTS: &str = "system-ui, 'DejaVu Sans', sans-serif";

/// The chart as a document that ends with a line feed. `cite`, the source of its data, becomes the
/// description.
pub fn svg(chart: &Chart, cite: &str, size: Size) -> String {
    let frame = Frame::of(chart, size);
    let body: Markup = html! {
        title { (chart.title) }
        desc { (cite) }
        rect width=(size.width) height=(size.height) fill=(BACKGROUNDS[0]) {}
        (frame.axes(chart))
        g clip-path="url(#plot)" {
            (curves::bands(chart, &frame))
            (frame.events(chart))
            @for curve in 0..chart.curves.len() { (curves::curve(chart, curve, &frame)) }
            (curves::limits(chart, &frame))
        }
        (words::words(chart, &frame))
        (frame.event_names(chart))
        (frame.legend(chart))
    };
    let (width, height) = (size.width, size.height);
    let document = html! {
        svg xmlns="http://www.w3.org/2000/svg" width=(width) height=(height) viewBox=(format!("0 0 {width} {height}"))
            font-family=(FONTS) font-size="12" fill=(INK) role="img" {
            (frame.clip())
            (body)
        }
    };
    document.into_string() + "\n"
}

/// A length rounded to a tenth of a pixel.
fn px(value: f64) -> String {
    let rounded = (value * 10.0).round() / 10.0 + 0.0;
    format!("{rounded}")
}

/// Approximate width of a text in 12 pixels, estimated without a font.
fn text_width(text: &str) -> f64 {
    let wide = |c: char| match c {
        'i' | 'l' | 'j' | '.' | ',' | '\'' | '|' | ':' | ';' | '!' => 3.9,
        ' ' | 'f' | 't' | 'r' | '(' | ')' | '-' | '/' => 5.0,
        'm' | 'w' | 'M' | 'W' | '%' | '=' => 10.6,
        c if c.is_ascii_uppercase() => 8.6,
        _ => 7.3,
    };
    text.chars().map(wide).sum()
}
