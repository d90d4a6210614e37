//! The files of the repository that a program writes: `make generate` writes them, and one test
//! tells which are stale.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

use crate::rfc;
use atl_scenario::metric::{metrics_table, traces_table};
use atl_scenario::{Builtin, Outline, builtin, outline};
use atl_scenario::{json_schema, keys, keys_table, paced_table, quic_table, tcp_table};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

fn read(file: &str) -> String {
    fs::read_to_string(root().join(file)).unwrap_or_else(|e| panic!("{file}: {e}"))
}

/// A page with `text` in the place of what stood between the marks of a generated part.
fn with(page: &str, part: &str, text: &str) -> String {
    let open = format!("<!-- generated: {part} -->\n");
    let start = page.find(&open).unwrap_or_else(|| panic!("no {open}")) + open.len();
    let end = start + page[start..].find("<!-- end generated -->").expect("the end of the part");
    format!("{}\n{text}\n{}", &page[..start], &page[end..])
}

/// `docs/scenarios.md` with today's tables.
fn scenarios_page() -> String {
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
    parts.iter().fold(read("docs/scenarios.md"), |page, (part, text)| with(&page, part, text))
}

#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn skipped(what: &str) {
    eprintln!("skipped: {what}");
}

/// The types of scenarios for Python; `None` where there is no Python to make them.
fn python_types() -> Option<String> {
    let script = root().join("python/tools/generate_types.py");
    let started =
        Command::new("python3").arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let Ok(mut python) = started else {
        skipped("python/atl/types.py, as there is no python3");
        return None;
    };
    let mut input = python.stdin.take().expect("its input");
    input.write_all(json_schema().as_bytes()).expect("the schema is read");
    drop(input);
    let output = python.wait_with_output().expect("its output");
    assert!(output.status.success(), "generate_types.py: {}", output.status);
    Some(String::from_utf8(output.stdout).expect("text"))
}

/// The outlines of the built-in scenarios.
fn outlines_file() -> String {
    let read = |scenario: &Builtin| outline(scenario).unwrap_or_else(|errors| panic!("{errors}"));
    let all: Vec<Outline> = builtin().iter().map(read).collect();
    serde_json::to_string_pretty(&all).expect("JSON") + "\n"
}

/// With `ATL_GENERATE` set it writes the files instead.
#[test]
fn no_generated_file_is_stale() {
    let files = [
        ("docs/scenarios.md", Some(scenarios_page())),
        ("docs/rfc.md", Some(rfc::page(&root()))),
        ("scenarios/atl.schema.json", Some(json_schema())),
        ("scenarios/outlines.json", Some(outlines_file())),
        ("python/atl/types.py", python_types()),
    ];
    let write = env::var_os("ATL_GENERATE").is_some();
    let mut stale = Vec::new();
    for (file, today) in files {
        let Some(today) = today.filter(|today| *today != read(file)) else { continue };
        if write {
            fs::write(root().join(file), today).unwrap_or_else(|e| panic!("{file}: {e}"));
        } else {
            stale.push(file);
        }
    }
    assert!(stale.is_empty(), "stale: {}. `make generate` writes them anew.", stale.join(", "));
}
