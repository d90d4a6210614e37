//! A reader for the subset of XML that `atl-report` writes as SVG.

use std::borrow::Cow;

/// An element without its children.
#[derive(Clone, Debug)]
pub(super) struct Element<'a> {
    pub name: &'a str,
    attributes: Vec<(&'a str, Cow<'a, str>)>,
    /// The text up to its first child.
    pub text: Cow<'a, str>,
    /// It or an element around it has the attribute `clip-path`.
    pub clipped: bool,
}

impl<'a> Element<'a> {
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(key, _)| *key == name).map(|(_, value)| &**value)
    }

    /// The number in an attribute, or a default.
    pub(super) fn number(&self, name: &str, otherwise: f64) -> Result<f64, String> {
        let Some(value) = self.get(name) else { return Ok(otherwise) };
        value.parse().map_err(|_| format!("{name}=\"{value}\" in <{}> is no number", self.name))
    }
}

/// The elements of a document, in the order in which they begin.
///
/// # Errors
/// If it is malformed or no SVG.
pub(super) fn elements(svg: &str) -> Result<Vec<Element<'_>>, String> {
    let mut elements: Vec<Element<'_>> = Vec::new();
    // Names of open elements, with `clipped`.
    let mut open: Vec<(&str, bool)> = Vec::new();
    let mut rest = svg;
    while let Some(at) = rest.find('<') {
        let (before, tag) = rest.split_at(at);
        if let Some(last) = elements.last_mut().filter(|_| !before.trim().is_empty()) {
            last.text = unescaped(before);
        }
        let end = tag.find('>').ok_or("a tag does not end")?;
        rest = &tag[end + 1..];
        let tag = &tag[1..end];
        if let Some(name) = tag.strip_prefix('/') {
            if open.pop().map(|(open, _)| open) != Some(name) {
                return Err(format!("</{name}> ends nothing"));
            }
            continue;
        }
        let (tag, empty) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        let attributes = attributes_of(attributes)?;
        let around = open.last().is_some_and(|(_, clipped)| *clipped);
        let clipped = around || attributes.iter().any(|(name, _)| *name == "clip-path");
        if !empty {
            open.push((name, clipped));
        }
        elements.push(Element { name, attributes, text: Cow::Borrowed(""), clipped });
    }
    match (elements.first(), open.last()) {
        (Some(Element { name: "svg", .. }), None) => Ok(elements),
        (_, Some((name, _))) => Err(format!("<{name}> does not end")),
        _ => Err("not an SVG".to_owned()),
    }
}

fn attributes_of(mut text: &str) -> Result<Vec<(&str, Cow<'_, str>)>, String> {
    let mut attributes = Vec::new();
    while !text.trim().is_empty() {
        let (name, rest) =
            text.split_once("=\"").ok_or_else(|| format!("`{text}` is no attribute"))?;
        let (value, rest) = rest.split_once('"').ok_or_else(|| format!("{name} does not end"))?;
        attributes.push((name.trim(), unescaped(value)));
        text = rest;
    }
    Ok(attributes)
}

fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let plain = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")];
    Cow::Owned(plain.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_have_their_attributes_and_text() {
        let svg = "<svg a=\"1 &amp; &lt;2\"><g clip-path=\"url(#plot)\"><p x=\"3\"/></g><text>a &lt; b</text></svg>\n";
        let found = elements(svg).expect("a document");
        let names: Vec<&str> = found.iter().map(|element| element.name).collect();
        assert_eq!(names, ["svg", "g", "p", "text"]);
        assert_eq!(found[0].get("a"), Some("1 & <2"));
        assert_eq!(found.iter().map(|e| e.clipped).collect::<Vec<_>>(), [false, true, true, false]);
        assert_eq!((found[2].number("x", 0.0), found[3].text.as_ref()), (Ok(3.0), "a < b"));
        assert!(found[0].number("a", 0.0).is_err_and(|e| e.contains("is no number")));
        for bad in ["", "<p></p>", "<svg>", "<svg></p>", "<svg a></svg>", "<svg"] {
            assert!(elements(bad).is_err(), "{bad}");
        }
    }
}
