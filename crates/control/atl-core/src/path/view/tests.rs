//! Bounds of the gain from claims, and the evidence over handoffs.

use super::*;

const RULES: ViewRules = ViewRules {
    window_packets: 50,
    restart_packets: 20,
    floor_packets: None,
    wireless_loss: WirelessLoss::Auto,
    spare_marked: false,
    rtt_floor: 0.001,
    check_claims: true,
    claim_gain: 4.0,
    claim_evidence: true,
    claim_age: None,
};

fn ms(ms: u64) -> Span {
    Span::from_millis(ms)
}

/// A path of 100 to 200 ms that has lost this many packets, one where the round-trip time was `at`
/// milliseconds in each round, with a receiver that claims this loss and all of the delay.
fn view(losses: u32, at: u64, claimed: Probability) -> PathView {
    let mut view = PathView::new(RULES);
    view.on_peer_report(Time::ZERO, &LinkReport { loss: claimed, delay: Span::from_secs(10) });
    // The first round shows how long the queue grows.
    for round in 0..=losses {
        for rtt in (100..=200).step_by(2) {
            view.on_rtt(ms(rtt), 1);
            view.on_evidence(Time::ZERO, ms(rtt));
            view.record(Time::ZERO, Counts { delivered: 1, ..Counts::default() });
            if rtt == at && round > 0 {
                view.on_loss();
                view.record(Time::ZERO, Counts { lost: 1, ..Counts::default() });
                view.on_evident_loss();
            }
        }
    }
    view
}

/// A stand-in for eq. 9: alpha grows with p / p_c and with R / R_c.
fn alpha(split: PathSplit) -> Option<f64> {
    let by_loss = split.loss.get() / split.congestion_loss.get();
    Some(by_loss * split.rtt.secs() / split.congestion_rtt.secs())
}

/// The bound on alpha as a multiple of the alpha without a claim, which is 1.
fn bound(losses: u32, at: u64, claimed: Probability) -> f64 {
    let mut view = view(losses, at, claimed);
    let rtt = view.srtt().expect("measured");
    let estimate = view.estimate(Time::ZERO, rtt, Span::from_secs(1)).expect("lost");
    view.alpha_bound(&estimate, alpha).expect("a claim bounds alpha")
}

fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9, "{found}, not {expected}");
}

#[test]
fn the_gain_from_a_claimed_delay_is_raised_to_the_power_of_the_links_share() {
    // No loss is claimed.
    let mut before = 1.0;
    for losses in [2, 8, 16, 80] {
        let share = view(losses, 200, Probability::ZERO).claims.share();
        assert!(share < before, "{share} after {losses} losses");
        before = share;
        near(bound(losses, 200, Probability::ZERO), 4.0f64.powf(share));
        near(bound(losses, 150, Probability::ZERO), 4.0);
    }
}

#[test]
fn a_claimed_loss_and_delay_gain_a_factor_each_and_neither_where_losses_come_with_full_queues() {
    near(bound(80, 150, Probability::ONE), 16.0);
    // Of the last losses (15/16)^80 = 0.6 % are the link's, and what is left of the doubt.
    let full = bound(80, 200, Probability::ONE);
    assert!((1.0..1.2).contains(&full), "{full}");
}

#[test]
fn evidence_ends_with_a_handoff_of_the_senders_and_not_with_one_that_the_receiver_claims() {
    let handoff = |end| Handoff::new(Time::ZERO, end, ms(10), ms(20));
    let mut view = view(80, 200, Probability::ONE);
    assert!(view.claims.share() < 0.1);
    assert!(view.on_handoff(&handoff(End::Peer)), "the window begins anew");
    assert!(view.claims.share() < 0.1);
    assert!(view.on_handoff(&handoff(End::Own)));
    near(view.claims.share(), 1.0);
}

#[test]
fn feedback_that_names_no_packet_is_of_the_first_path() {
    let mut view = PathView::new(RULES);
    view.on_sent(4);
    assert!(view.is_fresh(None) && view.is_fresh(Some(0)));
    view.on_handoff(&Handoff::new(Time::ZERO, End::Own, ms(10), ms(20)));
    assert!(!view.is_fresh(None) && !view.is_fresh(Some(4)) && view.is_fresh(Some(5)));
}
