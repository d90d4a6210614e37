//! Sockets under attack, and after a cancellation.

use atl_engine::setup::Setup;

use super::run;
use crate::live::attack::{cancelled, sprayed};
use crate::support::{consistent, lane, lanes, turn};

fn setup(seconds: u32) -> Setup {
    let link = "rate = \"5Mb/s\"\nqueue = 40";
    lanes(seconds, &["tcp-atl", "noq-cubic"].map(|protocol| lane(protocol, true, link)))
}

#[test]
fn garbage_at_every_port_is_counted_and_changes_nothing() {
    let _turn = turn();
    let setup = setup(4);
    let result = sprayed(run, &setup);
    consistent(&setup, &result);
    for flow in &result.flows {
        assert!(flow.goodput_bps > 3e6, "{flow:?}");
    }
}

#[test]
fn a_cancelled_run_ends_at_once_and_leaves_no_socket() {
    let _turn = turn();
    cancelled(run, &setup(30));
}
