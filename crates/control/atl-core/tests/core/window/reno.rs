//! Reno's reaction to marks.

use atl_core::time::Time;
use atl_core::window::reno::Config;
use atl_core::window::{BuildController, Marked, Start};

/// rfc3168 5: A mark counts like a loss, once a round trip.
/// rfc8511 3: A sender may keep 0.8 of its window after a mark.
#[test]
fn rfc8511_3_a_mark_leaves_the_share_that_is_set() {
    for (beta, ecn_beta, left) in [(0.5, 0.5, 20.0), (0.5, 0.8, 32.0), (0.7, 0.5, 28.0)] {
        let config = Config { beta, ecn_beta, ..Config::default() };
        let mut reno = config.build(&Start::default().initial_window(40.0).ssthresh(2.0));
        let marked = Marked::new(Time::ZERO, 1, 40);
        reno.on_marked(&marked);
        crate::support::sender::near(reno.window(), left);
        reno.on_marked(&marked.new_episode(false));
        crate::support::sender::near(reno.window(), left);
    }
}

#[test]
fn a_share_that_no_sender_may_keep_is_replaced_by_that_after_a_loss() {
    for ecn_beta in [1.0, 2.0, f64::NAN] {
        let config = Config { ecn_beta, beta: 0.7, ..Config::default() };
        let mut reno = config.build(&Start::default().initial_window(40.0).ssthresh(2.0));
        reno.on_marked(&Marked::new(Time::ZERO, 1, 40));
        crate::support::sender::near(reno.window(), 28.0);
    }
}
