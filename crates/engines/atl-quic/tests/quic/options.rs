//! Controllers of the caller's own.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use atl_quic::{Options, SharedFactory};
use noq_proto::congestion::{CubicConfig, NewRenoConfig};

use crate::support::{path, run, run_with};

#[test]
fn a_factory_of_the_callers_replaces_the_protocols_controller() {
    let mut config = NewRenoConfig::default();
    // The host gives noq's own controllers the same: ten packets of 1472 bytes.
    config.initial_window(10 * 1472);
    let newreno: SharedFactory = Arc::new(config);
    let controllers = |_| Some(newreno.clone());
    let setup = path("\"tcp-atl\"", 1e-3, 6);
    let own = run_with(&setup, 1, &Options::default().controllers(&controllers));
    assert_eq!(own, run(&path("\"noq-newreno\"", 1e-3, 6), 1));
    assert_ne!(own, run(&setup, 1));
}

#[test]
fn flows_may_have_different_ones() {
    let mut setup = path("\"noq-newreno\"", 1e-3, 10);
    let mut second = setup.flows[0].clone();
    second.name = "second".to_owned();
    setup.flows.push(second);
    let cubic = |flow| (flow == 1).then(|| Arc::new(CubicConfig::default()) as SharedFactory);
    let mixed = run_with(&setup, 1, &Options::default().controllers(&cubic));
    assert_ne!(mixed.flows[1], run(&setup, 1).flows[1]);
}

/// A wrapper is called for every flow's controller, and changes nothing by itself.
#[test]
fn something_around_the_controllers_keeps_what_they_hear() {
    let setup = path("\"tcp-atl\"", 1e-2, 6);
    let seen = AtomicUsize::new(0);
    let around = |flow, factory: SharedFactory| {
        assert_eq!(flow, 0);
        seen.fetch_add(1, Ordering::Relaxed);
        factory
    };
    let observed = run_with(&setup, 1, &Options::default().around(&around));
    assert_eq!((observed, seen.into_inner()), (run(&setup, 1), 1));
    let replaced = |_, _| Arc::new(NewRenoConfig::default()) as SharedFactory;
    assert_ne!(run_with(&setup, 1, &Options::default().around(&replaced)), run(&setup, 1));
}

#[test]
fn a_window_of_nothing_is_no_hang() {
    let mut config = NewRenoConfig::default();
    config.initial_window(1);
    let tiny: SharedFactory = Arc::new(config);
    let controllers = |_| Some(tiny.clone());
    let result =
        run_with(&path("\"reno\"", 0.0, 5), 1, &Options::default().controllers(&controllers));
    assert!(result.flows[0].sent < 10_000);
}
