//! The room for a figure in a terminal, and text that fits into it.

/// Size and colouring of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Canvas {
    /// Width in characters, at least [`Canvas::LEAST`].
    pub width: usize,
    /// Lines of the plot alone, without axis, title and legend.
    pub height: usize,
    /// True to colour the text with SGR codes.
    pub colour: bool,
}

impl Canvas {
    /// Lower limit on the width: below, labels leave no room for the plot.
    pub const LEAST: usize = 40;
}

impl Default for Canvas {
    /// Fits every terminal: 80 columns, no colours.
    fn default() -> Canvas {
        Canvas { width: 80, height: 14, colour: false }
    }
}

/// Breaks text into lines of at most this width. A longer word gets a line of its own.
pub(super) fn wrapped(text: &str, limit: usize) -> String {
    let mut out = String::new();
    let mut used = 0;
    for word in text.split_whitespace() {
        if used > 0 {
            let fits = used + 1 + width(word) <= limit;
            out.push(if fits { ' ' } else { '\n' });
            used = if fits { used + 1 } else { 0 };
        }
        out.push_str(word);
        used += width(word);
    }
    out.push('\n');
    out
}

/// Number of characters. Names hardly ever have combining or wide ones, which would only disturb
/// the alignment.
pub(super) fn width(text: &str) -> usize {
    text.chars().count()
}

/// Shortens a text to this many characters, with an ellipsis where it was cut.
pub(super) fn cut(text: &str, limit: usize) -> String {
    if width(text) <= limit {
        return text.to_owned();
    }
    text.chars().take(limit.saturating_sub(1)).chain(['…']).collect()
}
