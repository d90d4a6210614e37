//! `docs/scenarios.md` has the generated tables of metrics and traces, as they are today.

use std::path::Path;
use std::{env, fs};

use atl_scenario::metric::{metrics_table, traces_table};

/// Where a generated part begins, by its name; it ends at [`END`].
fn open(part: &str) -> String {
    format!("<!-- generated: {part} -->\n")
}

const END: &str = "<!-- end generated -->";

/// The page with a part's text in the place of what it held.
fn with(page: &str, part: &str, text: &str) -> String {
    let open = open(part);
    let start = page.find(&open).unwrap_or_else(|| panic!("no {open}")) + open.len();
    let end = start + page[start..].find(END).expect("the end of the generated part");
    format!("{}\n{text}\n{}", &page[..start], &page[end..])
}

/// `ATL_UPDATE_DOCS=1 cargo test -p atl-scenario metrics` writes them anew.
#[test]
fn the_tables_of_metrics_and_traces_are_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/scenarios.md");
    let page = fs::read_to_string(&path).expect("docs/scenarios.md");
    let today = with(&with(&page, "metrics", &metrics_table()), "traces", &traces_table());
    if env::var_os("ATL_UPDATE_DOCS").is_some() {
        fs::write(&path, today).expect("docs/scenarios.md can be written");
        return;
    }
    assert!(
        page == today,
        "docs/scenarios.md is stale: run ATL_UPDATE_DOCS=1 cargo test -p atl-scenario metrics"
    );
}
