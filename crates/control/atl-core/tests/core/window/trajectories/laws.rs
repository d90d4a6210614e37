//! Controllers as scenarios have them by default, each on all courses.

use atl_core::time::{Span, Time};
use atl_core::window::resume::{self, Saved};
use atl_core::window::{
    BuildController, ControllerConfig, atl, bbr3, cubic, dctcp, fixed, pad, peach, peach_plus,
    prague, reno, residual, tahoe, vegas, westwood, wtcp,
};

use super::{courses, hold};

#[track_caller]
fn everywhere<C: BuildController + PartialEq>(name: &str, config: C) {
    hold(name, config, courses::all());
}

#[test]
fn tcp_atl() {
    everywhere("tcp-atl", atl::Config::default());
}

#[test]
fn tcp_atl_that_spares_marked_losses() {
    everywhere("tcp-atl-sparing", atl::Config::sparing());
}

#[test]
fn tcp_atl_robust() {
    everywhere("tcp-atl-robust", atl::robust::Config::default());
}

#[test]
fn residual() {
    everywhere("residual", residual::Config::default());
}

#[test]
fn reno() {
    everywhere("reno", reno::Config::default());
}

#[test]
fn westwood() {
    everywhere("westwood", westwood::Config::default());
}

#[test]
fn tahoe() {
    everywhere("tahoe", tahoe::Config::default());
}

#[test]
fn vegas() {
    everywhere("vegas", vegas::Config::default());
}

#[test]
fn peach() {
    everywhere("peach", peach::Config::default());
}

#[test]
fn peach_plus() {
    let names = &["plain", "losses", "dead", "rival", "quenches"];
    hold("peach-plus", peach_plus::Config::default(), courses::named(names));
}

#[test]
fn wtcp() {
    everywhere("wtcp", wtcp::Config::default());
}

#[test]
fn cubic() {
    everywhere("cubic", cubic::Config::default());
}

#[test]
fn bbr3() {
    everywhere("bbr3", bbr3::Config::default());
}

#[test]
fn prague() {
    everywhere("prague", prague::Config::default());
}

#[test]
fn dctcp() {
    everywhere("dctcp", dctcp::Config::default());
}

#[test]
fn a_fixed_window() {
    hold("fixed", fixed::Config { window: 12 }, courses::named(&["plain", "losses", "dead"]));
}

#[test]
fn padding() {
    let padded = |inner: ControllerConfig| pad::Config { target: 40, ..pad::Config::new(inner) };
    let names = &["plain", "application", "idle", "trickle", "losses", "dead", "wild jitter"];
    hold("pad-reno", padded(reno::Config::default().into()), courses::named(names));
    hold("pad-cubic", padded(cubic::Config::default().into()), courses::named(names));
    hold("pad-peach", padded(peach::Config::default().into()), courses::named(names));
}

/// With what was saved of a path whose window was `packets` at 60 ms.
fn resumed(inner: ControllerConfig, packets: u64) -> resume::Config {
    let saved =
        Saved { cwnd_bytes: 1000 * packets, rtt: Span::from_millis(60), at: Time::from_millis(0) };
    resume::Config { saved: Some(saved), ..resume::Config::new(inner) }
}

#[test]
fn resuming_nothing() {
    everywhere("resume-nothing", resume::Config::new(reno::Config::default().into()));
}

#[test]
fn resuming() {
    everywhere("resume-reno", resumed(reno::Config::default().into(), 60));
}

#[test]
fn resuming_too_much() {
    everywhere("resume-too-much", resumed(cubic::Config::default().into(), 500));
}

#[test]
fn resuming_up_to_a_bound() {
    let inner = residual::Config::default().into();
    let bounded = resume::Config { most: 25.0, ends_slow_start: false, ..resumed(inner, 200) };
    everywhere("resume-bounded", bounded);
}
