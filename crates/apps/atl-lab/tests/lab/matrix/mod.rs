//! Every window controller of this workspace, through the suites of RFCs: the matrix in
//! `docs/lab.md`. BBR's suite, for four kinds of BBR: that in `docs/bbr.md`.

#[cfg(all(feature = "quinn", feature = "s2n"))]
mod bbr;
mod causes;
mod laws;
mod page;

use std::path::{Path, PathBuf};
use std::{env, fs};

use atl_lab::monitor::Rule;
use atl_lab::{Own, Suite, SuiteReport, suite};

use causes::{CAUSES, UNKNOWN};
use laws::{Law, laws};

/// A law's results in a suite.
struct Column {
    law: Law,
    report: SuiteReport,
}

/// All failures are declared, with their causes where they are known: none is logged.
fn declared(law: &Law, suite: Suite) -> Suite {
    let names: Vec<String> = suite.names().map(str::to_owned).collect();
    let suite = names.iter().fold(suite, |suite, case| suite.known(case, UNKNOWN));
    let here = |what: &str| Rule::named(what).is_some() || names.iter().any(|case| case == what);
    let causes = CAUSES.iter().filter(|cause| cause.concerns(law) && here(cause.what));
    let suite = causes.fold(suite, |suite, cause| suite.known(cause.what, cause.why));
    Rule::ALL.iter().fold(suite, |suite, rule| suite.known(rule.name(), UNKNOWN))
}

/// The suite's controller is set.
fn checked(law: Law, suite: Suite) -> Column {
    let report = declared(&law, suite).check().unwrap_or_else(|failure| panic!("{failure}"));
    Column { law, report }
}

fn column(law: Law, suite: Suite) -> Column {
    let own = Own::named(&law.name).unwrap_or_else(|failure| panic!("{failure}"));
    let own = if law.told { own.told() } else { own };
    checked(law, suite.in_library(own))
}

fn file(page: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs").join(page)
}

fn read(page: &str) -> String {
    let file = file(page);
    fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()))
}

/// True if pages are to be written instead of compared.
fn generates() -> bool {
    env::var_os("ATL_GENERATE").is_some()
}

/// Compares a generated part of a page, or writes it.
fn hold_part(page: &str, part: &str, text: &str) {
    let old = read(page);
    let new = page::with(&old, part, text);
    if generates() {
        let file = file(page);
        fs::write(&file, &new).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    } else if let Some((is, should)) = page::first_difference(&old, &new) {
        panic!("docs/{page} is stale: `make lab` writes it anew. It has\n{is}\nand now\n{should}");
    }
}

fn hold(name: &str) {
    let columns: Vec<Column> = laws().into_iter().map(|law| column(law, suite(name))).collect();
    hold_part("lab.md", &of_own(name), &page::matrix(&columns));
    let idle = causes::without_effect(&columns);
    assert!(idle.is_empty(), "these causes explain nothing: take them back: {idle:?}");
}

/// Name of the part of the page that is about a suite.
fn of_own(suite: &str) -> String {
    format!("own controllers, {suite}")
}

#[test]
fn the_matrix_of_rfc9002_is_not_stale() {
    hold("rfc9002");
}

#[test]
#[ignore = "it takes minutes"]
fn the_matrix_of_rfc9743_is_not_stale() {
    hold("rfc9743");
}

/// One case of the long matrix, for the laws that README recommends.
#[test]
fn the_recommended_laws_get_what_the_matrix_says() {
    const CASE: &str = "7.3-varying-delay";
    let page = read("lab.md");
    let recommended = ["tcp-atl-robust", "residual"];
    let laws = laws().into_iter().filter(|law| recommended.contains(&law.name.as_str()));
    for law in laws {
        let heading = law.heading();
        let column = column(law, suite("rfc9743").only(CASE));
        let cell = page::cell(&column.report.cases[0].measured[0]);
        let stands = page::looked_up(&page, &of_own("rfc9743"), CASE, &heading);
        assert_eq!(stands, cell, "{heading} in {CASE}: `make lab` writes docs/lab.md anew");
    }
}
