//! Sizes, colours and lengths of text that all parts of a drawing share.

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
pub(super) const INK: &str = "#1b1f24";

/// Colour of secondary text.
pub(super) const SOFT: &str = "#5a6370";

/// Colour of the grid.
pub(super) const LINE: &str = "#d4d9df";

/// Font stack. DejaVu Sans comes with the program for PNG; browsers have one of the others.
pub(super) const FONTS: &str = "system-ui, 'DejaVu Sans', sans-serif";

/// A length rounded to a tenth of a pixel.
pub(super) fn px(value: f64) -> String {
    let rounded = (value * 10.0).round() / 10.0 + 0.0;
    format!("{rounded}")
}

/// Approximate width of a text in 12 pixels, estimated without a font.
pub(super) fn text_width(text: &str) -> f64 {
    let wide = |c: char| match c {
        'i' | 'l' | 'j' | '.' | ',' | '\'' | '|' | ':' | ';' | '!' => 3.9,
        ' ' | 'f' | 't' | 'r' | '(' | ')' | '-' | '/' => 5.0,
        'm' | 'w' | 'M' | 'W' | '%' | '=' => 10.6,
        c if c.is_ascii_uppercase() => 8.6,
        _ => 7.3,
    };
    text.chars().map(wide).sum()
}
