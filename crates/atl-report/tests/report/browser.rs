//! A report in a real browser without a screen, where there is one: all charts are drawn, all files have their buttons,
//! nothing fails, and nothing is wider than a desk's or a phone's screen. Elsewhere the test says that it skipped.
#![allow(clippy::print_stderr, reason = "a skipped test says so")]

use std::io::ErrorKind;
use std::path::Path;
use std::process::Command;

use atl_report::html;

use crate::figures::{roaming, short_flows};

/// Names under which systems have it.
const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// Looks at the page once it is drawn, and writes what it sees where `--dump-dom` shows it.
const LOOK: &str = "<script>
let failures = 0;
addEventListener('error', () => { failures += 1; });
addEventListener('load', () => setTimeout(() => {
  const count = what => document.querySelectorAll(what).length;
  const wide = document.documentElement.scrollWidth > innerWidth + 1;
  const inked = [...document.querySelectorAll('canvas')].filter(canvas => {
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    return data.some(byte => byte !== 0);
  }).length;
  document.body.dataset.seen = [count('.chart'), count('.chart.drawn'), inked, count('.files button'), failures, wide].join(' ');
}, 300));
</script>";

/// The page as a browser of this width has it; `None` without a browser.
fn opened(page: &Path, width: u32) -> Option<String> {
    for browser in BROWSERS {
        let run = Command::new(browser)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
            .args(["--virtual-time-budget=4000", "--dump-dom"])
            .arg(format!("--window-size={width},2000"))
            .arg(format!("file://{}", page.display()))
            .output();
        match run {
            Ok(output) => return Some(String::from_utf8_lossy(&output.stdout).into_owned()),
            Err(e) if e.kind() == ErrorKind::NotFound => {}
            Err(e) => panic!("{browser}: {e}"),
        }
    }
    None
}

#[test]
fn a_report_is_drawn_on_a_desk_and_on_a_phone() {
    let outcomes = [roaming(), short_flows()];
    let page = html::page(&outcomes, &[]).replace("<main>", &format!("{LOOK}<main>"));
    let charts = page.matches("data-chart=").count();
    // SVG, PNG, CSV and PGF of each chart, and a table where it is short; CSV and a table of both tables of results.
    let buttons = 4 * charts + page.matches("data-tex=").count() + outcomes.len();
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("report.html");
    std::fs::write(&path, page).expect("writable");
    // No window of a desktop browser is narrower than 500 pixels; a phone's page is held to that.
    for width in [1280, 500] {
        let Some(dom) = opened(&path, width) else {
            eprintln!("skipped: none of {} is installed", BROWSERS.join(", "));
            return;
        };
        let seen = format!("data-seen=\"{charts} {charts} {charts} {buttons} 0 false\"");
        let found = dom.find("data-seen=").map(|at| &dom[at..(at + 60).min(dom.len())]);
        assert!(dom.contains(&seen), "at {width}: {found:?} instead of {seen}");
    }
}
