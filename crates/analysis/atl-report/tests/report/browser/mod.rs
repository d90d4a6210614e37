//! Reports in a headless browser, wide and narrow, light and dark: all charts are drawn, no text is
//! cut off or overlaps, series look different, contrasts suffice, values show at the pointer, and
//! all files have buttons that save them. Without a browser the tests say that they were skipped.
#![allow(clippy::print_stderr, reason = "a skipped test says so")]

mod server;

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use atl_report::html;

use self::server::Server;
use crate::figures::{roaming, short_flows};

/// Names of Chromium's command on various systems.
const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];
/// Widths of a desktop and a phone, in pixels; true for dark mode.
const VIEWS: [(u32, bool); 4] = [(1280, false), (1280, true), (390, false), (390, true)];
/// Variable with the folder of reports that `make reports-check` checks.
const FOLDER: &str = "ATL_REPORTS";
/// Script that checks the page from inside.
const LOOK: &str = include_str!("look.js");

/// Findings of the script in one view of a page.
#[derive(Debug, Default, serde::Deserialize)]
#[serde(default)]
struct Seen {
    charts: usize,
    drawn: usize,
    inked: usize,
    saved: usize,
    problems: Vec<String>,
}

/// Findings in all views; `None` without a browser.
fn opened(page: &str) -> Option<Vec<(String, Seen)>> {
    let page = page.replacen("<main>", &format!("<script>{LOOK}</script><main>"), 1);
    assert!(page.contains("parent.postMessage"), "the script is in the page");
    let server = Server::of(page, &VIEWS);
    let profile = tempfile::tempdir().expect("a directory");
    for browser in BROWSERS {
        let run = Command::new(browser)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
            // The page finishes loading once every view has reported; otherwise the server ends it.
            .args(["--timeout=120000", "--window-size=1400,1000", "--dump-dom"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg(format!("http://127.0.0.1:{}/", server.port))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        match run {
            Ok(_) => {
                let seen = server.seen().into_iter().map(|(view, told)| {
                    (view, serde_json::from_value(told).expect("what the script tells"))
                });
                return Some(seen.collect());
            }
            Err(e) if e.kind() == ErrorKind::NotFound => {}
            Err(e) => panic!("{browser}: {e}"),
        }
    }
    eprintln!("skipped: none of {} is installed", BROWSERS.join(", "));
    None
}

/// Problems of a page in all its views.
fn wrong(seen: &[(String, Seen)]) -> Vec<String> {
    let mut found = Vec::new();
    for (width, dark) in VIEWS {
        let view = format!("{width}-{}", if dark { "dark" } else { "light" });
        match seen.iter().find(|(name, _)| *name == view) {
            None => found.push(format!("{view}: the page told nothing")),
            Some((_, seen)) => {
                if seen.drawn != seen.charts || seen.inked != seen.charts {
                    found.push(format!("{view}: not all charts are drawn: {seen:?}"));
                }
                found.extend(seen.problems.iter().map(|problem| format!("{view}: {problem}")));
            }
        }
    }
    found
}

#[test]
fn a_report_is_whole_on_a_desk_and_on_a_phone_light_and_dark() {
    let outcomes = [roaming(), short_flows()];
    let page = html::page(&outcomes, &[]);
    let charts = page.matches("data-chart=").count();
    // SVG, PNG, CSV and PGF of each chart, and a LaTeX table where it is short; CSV and a LaTeX
    // table of both tables of results. Of the PNGs only two are saved.
    let saved = 3 * charts + 2 + page.matches("data-tex=").count() + outcomes.len();
    let Some(seen) = opened(&page) else { return };
    assert_eq!(wrong(&seen), Vec::<String>::new());
    let desk = seen.iter().find(|(view, _)| view == "1280-light").expect("a desk's view");
    assert_eq!((desk.1.charts, desk.1.saved), (charts, saved));
}

#[test]
fn the_look_finds_what_is_wrong() {
    // Adds text that is too faint, a page that is too wide, a script that fails, and two curves
    // that look alike.
    let page = html::page(&[roaming()], &[])
        .replacen(
            "</main>",
            "<p style=\"width:3000px;color:#888\">wide</p><script>nothing.at.all()</script></main>",
            1,
        )
        .replace("\"style\":1", "\"style\":0");
    let Some(seen) = opened(&page) else { return };
    let found = wrong(&seen).join("\n");
    for part in ["wide: ", "contrast: P", "error: ", "alike: "] {
        assert!(found.contains(part), "{part} in {found}");
    }
}

/// Every `report.html` in a folder and its subfolders.
fn reports(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).expect("a folder of reports") {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            reports(&path, found);
        } else if path.file_name().is_some_and(|name| name == "report.html") {
            found.push(path);
        }
    }
}

#[test]
#[ignore = "needs reports, several minutes and a browser: make reports-check"]
fn every_report_is_whole() {
    #[allow(clippy::disallowed_methods, reason = "the folder is the caller's choice")]
    let dir = std::env::var_os(FOLDER).unwrap_or_else(|| panic!("{FOLDER} names the folder"));
    let mut pages = Vec::new();
    reports(Path::new(&dir), &mut pages);
    pages.sort();
    assert!(!pages.is_empty(), "no report.html in {}", dir.display());
    let mut found = Vec::new();
    for path in &pages {
        let page = std::fs::read_to_string(path).expect("readable");
        let Some(seen) = opened(&page) else { return };
        let name = path.strip_prefix(&dir).unwrap_or(path).display().to_string();
        eprintln!("{name}: {} charts", seen.first().map_or(0, |(_, seen)| seen.charts));
        found.extend(wrong(&seen).into_iter().map(|problem| format!("{name}: {problem}")));
    }
    assert!(found.is_empty(), "{} of {} pages:\n{}", found.len(), pages.len(), found.join("\n"));
}
