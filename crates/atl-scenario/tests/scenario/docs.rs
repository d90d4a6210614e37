//! `docs/scenarios.md` says everything that the reader knows.

use std::path::Path;

use atl_scenario::metric::{METRICS, TRACES};
use atl_scenario::protocol::catalogue;
use atl_scenario::{Overrides, keys, parse};

const DOCS: &str = include_str!("../../../../docs/scenarios.md");

/// The text under a heading, up to the next one.
fn under(heading: &str) -> &'static str {
    let start = DOCS
        .match_indices(heading)
        .map(|(at, _)| at + heading.len())
        .find(|at| DOCS[*at..].starts_with('\n'))
        .unwrap_or_else(|| panic!("there is no heading {heading:?}"));
    let rest = &DOCS[start..];
    &rest[..rest.find("\n#").unwrap_or(rest.len())]
}

#[test]
fn every_key_is_described_in_its_section() {
    for section in keys::ALL {
        let text = match section.name {
            "the file" => under("## The file"),
            name => under(&format!("### `{name}`")),
        };
        for key in section.names() {
            assert!(text.contains(&format!("`{key}`")), "`{key}` is missing in {}", section.name);
        }
    }
}

#[test]
fn every_metric_trace_and_protocol_is_described() {
    let names = METRICS.iter().map(|(name, _)| *name);
    let names = names.chain(TRACES.iter().map(|(name, _)| *name));
    for name in names.chain(catalogue().iter().map(|p| p.name)) {
        assert!(DOCS.contains(&format!("`{name}`")), "`{name}` is missing");
    }
}

#[test]
fn the_example_runs_what_the_text_says() {
    let start = DOCS.find("```toml\ntitle").expect("a whole file") + "```toml\n".len();
    let text = &DOCS[start..];
    let text = &text[..text.find("```").expect("its end")];
    let read = |_: &Path| Err(std::io::ErrorKind::NotFound.into());
    let scenario = parse("example", text, Path::new("example.toml"), &read, &Overrides::default())
        .unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(scenario.runs(), 30);
}
