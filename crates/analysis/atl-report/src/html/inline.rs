//! Emphasis and code in a paragraph of a scenario's text, as in Markdown: `*so*`, `**so**`, and
//! backquotes.

use maud::{Markup, html};

/// Marks, longer ones before their prefixes.
const MARKS: [&str; 3] = ["`", "**", "*"];

/// Converts a paragraph. A mark without its counterpart, or with a space just inside, stays as it
/// is.
pub(super) fn inline(text: &str) -> Markup {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some((before, mark, within, after)) = next(rest) {
        parts.push(html! { (before) });
        parts.push(match mark {
            "`" => html! { code { (within) } },
            "**" => html! { strong { (inline(within)) } },
            _ => html! { em { (inline(within)) } },
        });
        rest = after;
    }
    html! { @for part in parts { (part) } (rest) }
}

/// The first marked part: the text before it, its mark, the marked text, and the rest.
fn next(text: &str) -> Option<(&str, &'static str, &str, &str)> {
    let mut from = 0;
    while let Some(found) = text[from..].find(['`', '*']) {
        let at = from + found;
        let here = &text[at..];
        let Some(mark) = MARKS.into_iter().find(|mark| here.starts_with(mark)) else { break };
        let inside = &here[mark.len()..];
        if let Some(end) = inside.find(mark) {
            let within = &inside[..end];
            let spaced = mark != "`" && (within.starts_with(' ') || within.ends_with(' '));
            if !within.is_empty() && !spaced {
                return Some((&text[..at], mark, within, &inside[end + mark.len()..]));
            }
        }
        from = at + mark.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::inline;

    #[test]
    fn marks_become_elements_and_nothing_else_does() {
        let cases = [
            ("plain", "plain"),
            ("*As printed*: so", "<em>As printed</em>: so"),
            ("**Law.** beta", "<strong>Law.</strong> beta"),
            ("`a*b*c` and *d*", "<code>a*b*c</code> and <em>d</em>"),
            ("**bold with `code`**", "<strong>bold with <code>code</code></strong>"),
            ("2 * 3 * 4", "2 * 3 * 4"),
            ("an *open mark", "an *open mark"),
            ("**", "**"),
            ("``", "``"),
            ("a <b> & *<i>*", "a &lt;b&gt; &amp; <em>&lt;i&gt;</em>"),
            ("ü *ö* ß", "ü <em>ö</em> ß"),
        ];
        for (text, expected) in cases {
            assert_eq!(inline(text).into_string(), expected, "{text}");
        }
    }
}
