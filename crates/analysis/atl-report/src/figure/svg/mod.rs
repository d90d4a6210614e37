//! A chart as SVG, for a paper or a slide: light, with nothing that a viewer must load.

mod curves;
mod frame;
mod words;

use maud::{Markup, html};

use self::frame::Frame;
use super::chart::Chart;
use super::palette::BACKGROUNDS;

/// The size of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Width in pixels of CSS (1/96 inch).
    pub width: u32,
    /// Height.
    pub height: u32,
}

impl Size {
    /// The least width and height: below, the labels leave no room.
    pub const LEAST: u32 = 200;
    /// The greatest width and height.
    pub const MOST: u32 = 4000;
}

impl Default for Size {
    fn default() -> Size {
        Size { width: 720, height: 420 }
    }
}

/// Ink of text and axes.
const INK: &str = "#1b1f24";
/// Ink of what stands back.
const SOFT: &str = "#5a6370";
/// Ink of the grid.
const LINE: &str = "#d4d9df";
/// Font of all text. DejaVu Sans comes with the program's pictures; browsers have one of the others.
const FONTS: &str = "system-ui, 'DejaVu Sans', sans-serif";

/// The chart as a document, with a final line feed. `cite` says where its data come from; it becomes the description.
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

/// A length with a tenth of a pixel.
fn px(value: f64) -> String {
    let rounded = (value * 10.0).round() / 10.0 + 0.0;
    format!("{rounded}")
}

/// The width of a text of 12 pixels, about: no font is read.
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
