//! Each rate controller with its receiver on some dozen paths, and in storms, so that a change of
//! its behaviour shows.
//!
//! A line is a path: the rate at ten times, in packets per second, and a digest of each bit that
//! the two ends have seen and said until then. A line of a storm has digests of what a sender says
//! to a transport that knows no path. After an intended change
//! `INSTA_UPDATE=always cargo test -p atl-core --test core rate::trajectories` records them anew;
//! the commit says why they changed.

mod cases;
mod digest;
mod ends;
mod flow;
mod road;
mod storm;

use std::fmt::Write;

use cases::Case;
use flow::Flow;
use road::roads;
use storm::storms;

/// The trajectories of each case, as text.
fn trajectories(cases: &[Case]) -> String {
    let roads = roads();
    let mut text = String::new();
    for case in cases {
        writeln!(text, "{}", case.name).expect("a text takes what it is given");
        for road in &roads {
            let (rates, digest) = Flow::new(case, road).run();
            let rates = rates.map(|rate| format!("{rate:.3e}")).join(" ");
            writeln!(text, "  {:22} {digest:016x} {rates}", road.name)
                .expect("a text takes what it is given");
        }
    }
    text
}

#[test]
fn aimd_is_as_it_was() {
    insta::assert_snapshot!("aimd", trajectories(&cases::aimd()));
}

#[test]
fn rap_is_as_it_was() {
    insta::assert_snapshot!("rap", trajectories(&cases::rap()));
}

#[test]
fn rcs_is_as_it_was() {
    insta::assert_snapshot!("rcs", trajectories(&cases::rcs()));
}

#[test]
fn arc_is_as_it_was() {
    insta::assert_snapshot!("arc", trajectories(&cases::arc()));
}

#[test]
fn rcp_atl_is_as_it_was() {
    insta::assert_snapshot!("rcp-atl", trajectories(&cases::rcp_atl()));
}

#[test]
fn lda_is_as_it_was() {
    insta::assert_snapshot!("lda", trajectories(&cases::lda()));
}

#[test]
fn nada_is_as_it_was() {
    insta::assert_snapshot!("nada", trajectories(&cases::nada()));
}

#[test]
fn tfrc_is_as_it_was() {
    insta::assert_snapshot!("tfrc", trajectories(&cases::tfrc()));
}

#[test]
fn aimd_is_as_it_was_in_a_storm() {
    insta::assert_snapshot!("storm-aimd", storms(&cases::aimd()));
}

#[test]
fn rap_is_as_it_was_in_a_storm() {
    insta::assert_snapshot!("storm-rap", storms(&cases::rap()));
}

#[test]
fn rcs_is_as_it_was_in_a_storm() {
    insta::assert_snapshot!("storm-rcs", storms(&cases::rcs()));
}

#[test]
fn arc_is_as_it_was_in_a_storm() {
    insta::assert_snapshot!("storm-arc", storms(&cases::arc()));
}

#[test]
fn rcp_atl_is_as_it_was_in_a_storm() {
    insta::assert_snapshot!("storm-rcp-atl", storms(&cases::rcp_atl()));
}

#[test]
fn lda_is_as_it_was_in_a_storm() {
    insta::assert_snapshot!("storm-lda", storms(&cases::lda()));
}

#[test]
fn nada_is_as_it_was_in_a_storm() {
    insta::assert_snapshot!("storm-nada", storms(&cases::nada()));
}

#[test]
fn tfrc_is_as_it_was_in_a_storm() {
    insta::assert_snapshot!("storm-tfrc", storms(&cases::tfrc()));
}

#[test]
fn ledgers_and_receivers_are_as_they_were() {
    insta::assert_snapshot!("ends", ends::ends());
}
