//! Control characters in texts.

pub(crate) fn is_control(c: char) -> bool {
    c.is_control() && !matches!(c, '\n' | '\r' | '\t')
}

/// Spells out control characters, for messages that quote the text.
pub(crate) fn visible(text: &str) -> String {
    let spelled = |c: char| match is_control(c) {
        true => c.escape_unicode().to_string(),
        false => c.to_string(),
    };
    text.chars().map(spelled).collect()
}
