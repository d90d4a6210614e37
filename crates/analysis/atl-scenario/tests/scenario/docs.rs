//! `docs/scenarios.md` covers everything that the reader knows.

use std::path::{Path, PathBuf};
use std::{env, fs};

use atl_scenario::metric::{metrics_table, traces_table};
use atl_scenario::{Overrides, keys, keys_table, paced_table, parse, quic_table, tcp_table};

fn page() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/scenarios.md")
}

/// Marker before a generated part with this name; it ends at [`END`].
fn open(part: &str) -> String {
    format!("<!-- generated: {part} -->\n")
}

const END: &str = "<!-- end generated -->";

/// The page with the content of a part replaced.
fn with(page: &str, part: &str, text: &str) -> String {
    let open = open(part);
    let start = page.find(&open).unwrap_or_else(|| panic!("no {open}")) + open.len();
    let end = start + page[start..].find(END).expect("the end of the generated part");
    format!("{}\n{text}\n{}", &page[..start], &page[end..])
}

/// `ATL_UPDATE_DOCS=1 cargo test -p atl-scenario docs` regenerates them.
#[test]
fn the_generated_tables_are_up_to_date() {
    let written = fs::read_to_string(page()).expect("docs/scenarios.md");
    let mut parts = vec![
        ("metrics".to_owned(), metrics_table()),
        ("traces".to_owned(), traces_table()),
        ("tcp protocols".to_owned(), tcp_table()),
        ("paced protocols".to_owned(), paced_table()),
        ("quic protocols".to_owned(), quic_table()),
    ];
    let sections = keys::ALL.iter().filter(|section| !section.keys.is_empty());
    parts
        .extend(sections.map(|section| (format!("keys of {}", section.name), keys_table(section))));
    let today = parts.iter().fold(written.clone(), |page, (part, text)| with(&page, part, text));
    if env::var_os("ATL_UPDATE_DOCS").is_some() {
        fs::write(page(), today).expect("docs/scenarios.md can be written");
        return;
    }
    assert!(
        written == today,
        "docs/scenarios.md is stale: run ATL_UPDATE_DOCS=1 cargo test -p atl-scenario docs"
    );
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
    let read = |_: &Path| Err(std::io::ErrorKind::NotFound.into());
    let scenario = parse("example", text, Path::new("example.toml"), &read, &Overrides::default())
        .unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(scenario.runs(), 30);
}
