//! `docs/scenarios.md` covers everything that the reader knows.

use std::fs;
use std::path::{Path, PathBuf};

use atl_scenario::{Overrides, keys, no_files, parse};

fn page() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/scenarios.md")
}

/// Each section has a heading for links, followed by the generated table of its keys.
#[test]
fn every_section_has_its_heading() {
    let page = fs::read_to_string(page()).expect("docs/scenarios.md");
    for section in keys::ALL {
        let heading = match section.name {
            "the file" => "\n## The file\n".to_owned(),
            name => format!("\n### `{name}`\n"),
        };
        assert!(page.contains(&heading), "there is no heading {heading:?}");
    }
}

#[test]
fn the_example_runs_what_the_text_says() {
    let page = fs::read_to_string(page()).expect("docs/scenarios.md");
    let start = page.find("```toml\ntitle").expect("a whole file") + "```toml\n".len();
    let text = &page[start..];
    let text = &text[..text.find("```").expect("its end")];
    let scenario =
        parse("example", text, Path::new("example.toml"), &no_files, &Overrides::default())
            .unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(scenario.runs(), 30);
}
