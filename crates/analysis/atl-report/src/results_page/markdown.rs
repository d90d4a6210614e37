//! Escaping a scenario's text for Markdown.

/// Text on one line with all of Markdown escaped, except for code between backticks.
pub(super) fn escape(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    // A backtick without a partner would turn the rest into code.
    let paired = text.matches('`').count().is_multiple_of(2);
    let mut out = String::with_capacity(text.len());
    let mut in_code = false;
    let mut chars = text.chars().peekable();
    let mut last = ' ';
    while let Some(c) = chars.next() {
        let within_word =
            last.is_alphanumeric() && chars.peek().is_some_and(|n| n.is_alphanumeric());
        let special = match c {
            '|' => true,
            '`' => !paired,
            '\\' | '*' | '<' | '[' | '~' => !in_code,
            // An underscore within a word (`p_w`) has no effect, so needs no escape.
            '_' => !in_code && !within_word,
            _ => false,
        };
        if special {
            out.push('\\');
        } else if c == '`' {
            in_code = !in_code;
        }
        out.push(c);
        last = c;
    }
    out
}

/// Text as inline code on one line.
pub(super) fn code(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ").replace('`', "'");
    format!("`{}`", text.replace('|', "\\|"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_a_scenario_is_no_markdown() {
        assert_eq!(escape("p_w < 1e-2 | *all*\nof\tit"), "p_w \\< 1e-2 \\| \\*all\\* of it");
        assert_eq!(escape("with `a_b | c` here"), "with `a_b \\| c` here");
        assert_eq!(escape("_this_ of a_b"), "\\_this\\_ of a_b");
        assert_eq!(escape("one ` alone"), "one \\` alone");
        assert_eq!(code("x | `y`"), "`x \\| 'y'`");
    }
}
