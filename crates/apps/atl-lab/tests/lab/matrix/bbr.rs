//! The test cases of the draft of BBRv3, for ours and for those of three libraries.

use std::collections::BTreeSet;

use atl_lab::suite;
use noq_proto::congestion::Bbr3Config;
use quinn_proto::congestion::BbrConfig;
use s2n_quic_core::recovery::bbr::Endpoint;

use super::causes::without_effect;
use super::laws::Law;
use super::{Column, checked, column, generates, hold_part, page, read};

const PAGE: &str = "bbr.md";
const WHITE_BOX: &str =
    include_str!("../../../../../control/atl-core/src/window/bbr3/tests/mod.rs");

fn named(name: &str) -> Law {
    Law { name: name.to_owned(), told: false }
}

/// Those whose draws a seed decides.
fn seeded() -> Vec<Column> {
    let s2n = checked(named("s2n-quic, BBRv2"), suite("bbr").with_s2n(Endpoint::default()));
    vec![column(named("bbr3"), suite("bbr")), s2n]
}

/// Those that draw from the system's randomness, and so differ each time.
fn unseeded() -> Vec<Column> {
    let noq = suite("bbr").with(Bbr3Config::default());
    let quinn = suite("bbr").with_quinn(BbrConfig::default());
    vec![checked(named("noq, BBRv3"), noq), checked(named("quinn, BBRv1"), quinn)]
}

#[test]
#[ignore = "it takes minutes"]
fn the_matrix_of_the_draft_is_not_stale() {
    let columns = seeded();
    hold_part(PAGE, "seeded", &page::expectations(&columns));
    let idle = without_effect(&columns);
    assert!(idle.iter().all(|(law, _)| *law != "bbr3"), "these causes explain nothing: {idle:?}");
    if generates() {
        hold_part(PAGE, "unseeded", &page::expectations(&unseeded()));
    }
}

/// Some cases of the matrix, for our own sender.
#[test]
fn our_sender_gets_what_the_matrix_says() {
    for case in ["startup-plateau", "sub-packet", "policer"] {
        let column = column(named("bbr3"), suite("bbr").only(case));
        let cell = page::cell(&column.report.cases[0].measured[0]);
        let page = read(PAGE);
        let stands = page::looked_up(&page, "seeded", case, "bbr3");
        assert_eq!(stands, cell, "{case}: `make lab` writes docs/{PAGE} anew");
    }
}

/// Each of the draft's 22 cases has a case of the suite or a reason why it has none, and a test
/// that sees the state.
#[test]
fn the_page_lists_the_cases_of_the_draft() {
    let text = read(PAGE);
    let rows = text.lines().skip_while(|line| !line.starts_with("| the draft's case |")).skip(2);
    let rows: Vec<Vec<&str>> = rows
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split(" | ").map(str::trim).collect())
        .collect();
    assert_eq!(rows.len(), 22);
    let suite = suite("bbr");
    let cases: BTreeSet<&str> = suite.names().collect();
    let mut listed = BTreeSet::new();
    for row in &rows {
        let [title, case, test] = row[..] else { panic!("{row:?}") };
        if case != "its state alone" {
            let case = case.trim_matches('`');
            assert!(cases.contains(case), "{title}: there is no case {case}");
            listed.insert(case);
        }
        let test = test.trim_matches('`');
        assert!(WHITE_BOX.contains(&format!("fn {test}()")), "{title}: there is no test {test}");
    }
    assert_eq!(listed, cases);
}
