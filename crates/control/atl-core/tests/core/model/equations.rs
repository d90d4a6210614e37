//! The equations against values worked out apart from this code, with 30 digits, from the papers'
//! text.

use atl_core::model::{
    AtlInput, Gilbert, PathChain, RateForm, TcpModel, TimeoutTerm, arc_loss, arc_throughput,
    congestion_share, rate_alpha, rate_loss_cycle, rate_throughput, rcp_atl, tcp_atl,
};
use atl_core::path::{LinkReport, SplitRules};
use atl_core::time::Span;
use atl_core::units::Probability;
use atl_core::window::Aimd;

fn p(p: f64) -> Probability {
    Probability::clamped(p)
}

fn ms(ms: u64) -> Span {
    Span::from_millis(ms)
}

fn aimd(alpha: f64, beta: f64) -> Aimd {
    Aimd { alpha, beta }
}

#[track_caller]
fn is(found: Option<f64>, expected: f64) {
    let found = found.expect("a value");
    assert!((found / expected - 1.0).abs() < 1e-12, "{found} instead of {expected}");
}

#[test]
fn eq_7() {
    let model = TcpModel::default();
    // R sqrt(2 * .5 * .01 / 1.5) = .06 * .0816497 = .00489898; 3 sqrt(.75 * .01 / 2) = .183712;
    // .24 * .183712 * .01 * 1.0032 = .000442319; 1 / .0053413 = 187.22.
    is(model.throughput(Aimd::TCP, p(0.01), ms(60), ms(240)), 187.220_390_604_988);
    let delayed_acks = TcpModel { b: 2.0, ..model };
    let found = delayed_acks.throughput(aimd(2.5, 0.8), p(0.02), ms(160), ms(640));
    is(found, 86.001_570_151_437_5);
}

#[test]
fn eq_7_with_and_without_the_bound_of_padhye() {
    // p = 0.3: 3 sqrt(.75 * .3 / 2) = 1.00623, above the 1 that a probability may reach.
    let published = TcpModel::default();
    let bounded = TcpModel { timeouts: TimeoutTerm::Bounded, ..published };
    is(published.throughput(Aimd::TCP, p(0.3), ms(100), ms(400)), 1.948_473_316_050_71);
    is(bounded.throughput(Aimd::TCP, p(0.3), ms(100), ms(400)), 1.959_549_568_691);
    // Where the term is below 1 both forms agree.
    let low = (p(0.01), ms(100), ms(400));
    assert_eq!(
        published.throughput(Aimd::TCP, low.0, low.1, low.2),
        bounded.throughput(Aimd::TCP, low.0, low.1, low.2)
    );
    // The term reaches 1 at alpha = 9 * .75 * .3 / 2 = 1.0125; below it, for 1 packet per second:
    // 1 / T - T_0 p (1 + 32 p^2) = 1 - .4 * .3 * 3.88 = .5344, alpha = .3 / 1.5 * (.1 / .5344)^2.
    let alpha = |model: TcpModel, target| model.alpha(0.5, target, p(0.3), ms(100), ms(400));
    is(alpha(bounded, 1.0), 0.2 * (0.1 / 0.5344) * (0.1 / 0.5344));
    assert_eq!(alpha(bounded, 2.0), alpha(published, 2.0));
}

#[test]
fn eq_9() {
    let alpha = TcpModel::default().alpha(0.85, 100.0, p(0.02), ms(360), ms(1440));
    is(alpha, 6.305_860_802_715_78);
}

#[test]
fn eq_10_13_and_28() {
    // 10 / 2 * (1.5 + sqrt(6.25 + 8 * .75 / .01)) = 5 * (1.5 + 24.622144504...).
    let found = rate_throughput(RateForm::Published, aimd(10.0, 0.5), p(0.01), ms(100));
    is(found, 130.610_722_522_451);
    let found = rate_throughput(RateForm::Published, aimd(4.0, 0.75), p(0.02), ms(150));
    is(found, 75.903_313_901_921_1);
    is(rate_alpha(RateForm::Published, 0.75, 100.0, p(0.02), ms(150)), 6.537_055_263_924_91);
    is(rate_loss_cycle(aimd(10.0, 0.5), p(0.01), ms(100)), 9.040_714_834_830_09);
}

#[test]
fn the_mended_forms_of_eq_10() {
    let at = |form| rate_throughput(form, aimd(10.0, 0.5), p(0.01), ms(100));
    // 5 * (1.5 + sqrt(.25 + 600)) = 5 * (1.5 + 24.5), exactly.
    is(at(RateForm::LastRound), 130.0);
    is(at(RateForm::Mended), 138.777_378_096_914);
    is(at(RateForm::HalfRound), 135.312_183_743_503);
    let at = |form| rate_throughput(form, aimd(4.0, 0.85), p(0.02), ms(150));
    is(at(RateForm::LastRound), 103.596_688_520_396);
    is(at(RateForm::Mended), 105.371_940_319_558);
    is(at(RateForm::HalfRound), 98.864_625_603_825_1);
}

#[test]
fn the_mended_forms_refuse_what_they_do_not_hold_for() {
    // alpha R p = 12: beyond (3 - beta)^2 / (8 K) there is no real root.
    assert_eq!(rate_throughput(RateForm::Mended, aimd(120.0, 0.5), p(1.0), ms(100)), None);
    assert_eq!(rate_throughput(RateForm::HalfRound, aimd(10.0, 0.5), p(1.0), ms(100)), None);
    assert!(rate_throughput(RateForm::LastRound, aimd(120.0, 0.5), p(1.0), ms(100)).is_some());
}

/// 2 K / (2 K - (3 - beta)^2 / 4) with K = (1 - beta^2)(1 + c^2): 1.725 / (1.725 - 1.5625) for beta
/// = 1/2; from beta = .6 on 2 K is the smaller of the two.
#[test]
fn a_form_says_how_far_it_goes() {
    for (beta, expected) in [(0.5, 1.725 / 0.1625), (0.6, 1e6), (0.75, 1e6), (0.85, 1e6)] {
        let limit = RateForm::Mended.limit(beta).min(1e6);
        assert!((limit / expected - 1.0).abs() < 1e-12, "{beta}: {limit}");
        for form in RateForm::ALL {
            let limit = form.limit(beta).min(1e6);
            let at = |x: f64| rate_throughput(form, aimd(x * 1e5, beta), p(1e-4), ms(100));
            assert!(at(limit * 0.999).is_some(), "{form:?} {beta}");
            assert_eq!(at(limit * 1.001).is_none(), limit < 1e6, "{form:?} {beta}");
        }
    }
}

#[test]
fn arcs_equation_is_eq_10_with_one_packet_a_round_trip_and_half() {
    is(arc_throughput(p(0.01), ms(220)), 59.368_510_237_477_9);
    for (loss, rtt) in [(1e-5, 20), (1e-3, 50), (0.01, 220), (0.1, 600)] {
        let one_packet = aimd(1.0 / ms(rtt).secs(), 0.5);
        let general = rate_throughput(RateForm::Published, one_packet, p(loss), ms(rtt));
        is(arc_throughput(p(loss), ms(rtt)), general.expect("in range"));
    }
}

#[test]
fn the_whole_chain_behind_a_satellite_link() {
    let link = LinkReport { loss: p(0.01), delay: ms(150) };
    let input = AtlInput::default();
    let tcp = tcp_atl(p(0.02), ms(360), link, SplitRules::default(), &input).expect("in range");
    // p_c = .01 / .99, R_c = 60 ms, T_hat by the ATL paper's eq. 7, alpha by eq. 9, beta .85 by d_w
    // = 150 ms.
    is(Some(tcp.split.congestion_loss.get()), 0.010_101_010_101_010_1);
    assert_eq!(tcp.split.congestion_rtt, ms(60));
    is(Some(tcp.target), 186.125_238_950_182);
    is(Some(tcp.aimd.alpha), 21.845_144_228_882_3);
    is(Some(tcp.aimd.beta), 0.85);
    let rcp = rcp_atl(p(0.02), ms(360), link, SplitRules::default(), &input, RateForm::Published);
    is(rcp.map(|a| a.aimd.alpha), 16.814_336_770_551_1);
}

#[test]
fn a_high_beta_may_ask_for_an_alpha_below_one() {
    let link = LinkReport { loss: p(0.001), delay: ms(10) };
    let found =
        tcp_atl(p(0.004), ms(100), link, SplitRules::default(), &AtlInput::default()).unwrap();
    is(Some(found.target), 272.014_834_162_549);
    is(Some(found.aimd.alpha), 0.918_185_620_983_376);
}

#[test]
fn the_target_is_capped_and_a_cap_serves_where_no_loss_limits() {
    let link = LinkReport { loss: p(0.01), delay: ms(150) };
    let capped = AtlInput { cap: Some(50.0), ..AtlInput::default() };
    let at = |loss| tcp_atl(loss, ms(360), link, SplitRules::default(), &capped);
    is(at(p(0.02)).map(|a| a.target), 50.0);
    // alpha is proportional to the square of T_hat.
    let ratio = 50.0 / 186.125_238_950_182;
    is(at(p(0.02)).map(|a| a.aimd.alpha), 21.845_144_228_882_3 * ratio * ratio);
    is(at(p(0.01)).map(|a| a.target), 50.0);
    let free = AtlInput::default();
    assert_eq!(tcp_atl(p(0.01), ms(360), link, SplitRules::default(), &free), None);
}

#[test]
fn without_a_wireless_part_it_is_tcp() {
    let input = AtlInput::default();
    let found = tcp_atl(p(0.02), ms(100), LinkReport::NONE, SplitRules::default(), &input).unwrap();
    assert_eq!(found.aimd, Aimd::TCP);
    // The equations agree: with p = p_c and R = R_c, the ATL paper's eq. 9 under beta = 1/2 inverts
    // eq. 7 to alpha = 1.
    let beta = AtlInput { beta: Some(0.5), ..input };
    let found = tcp_atl(p(0.02), ms(100), LinkReport::NONE, SplitRules::default(), &beta).unwrap();
    is(Some(found.aimd.alpha), 1.0);
}

#[test]
fn arcs_equation_turned_round() {
    // S R = 59.3685 * .22 = 13.0611; (4 * 13.0611 - 3)^2 = 2425 = 25 + 24 / .01.
    let found = arc_loss(59.368_510_237_477_9, ms(220)).map(Probability::get);
    is(found, 0.01);
    // The least that the ARC paper's eq. 21 gives, at p_c = 1, is 2.5 packets per round trip.
    is(arc_throughput(p(1.0), ms(100)), 25.0);
    is(arc_loss(25.0, ms(100)).map(Probability::get), 1.0);
    is(arc_loss(1.0, ms(100)).map(Probability::get), 1.0);
    assert_eq!(arc_loss(10.0, Span::ZERO), None);
    assert_eq!(arc_loss(0.0, ms(100)), None);
}

#[test]
fn arcs_path_model() {
    let chain = PathChain {
        wireless: Gilbert { to_bad: p(0.01), to_good: p(0.2) },
        congestion: Gilbert { to_bad: p(0.005), to_good: p(0.4) },
    };
    // P(S1) = .01 / .21, P(I1) = .005 / .405.
    is(Some(chain.wireless_loss().get()), 0.047_619_047_619_047_6);
    is(Some(chain.congestion_loss().get()), 0.012_345_679_012_345_7);
    // 1 - (20 / 21) (80 / 81) = 101 / 1701.
    is(Some(chain.loss().get()), 0.059_376_837_154_614_9);
    is(Some(chain.wireless.mean_burst()), 5.0);
    // ARC paper, eq. 3, as printed, row by row.
    let printed = [
        [0.99 * 0.995, 0.01 * 0.995, 0.005 * 0.99, 0.01 * 0.005],
        [0.2 * 0.995, 0.8 * 0.995, 0.2 * 0.005, 0.005 * 0.8],
        [0.4 * 0.99, 0.4 * 0.01, 0.6 * 0.99, 0.01 * 0.6],
        [0.2 * 0.4, 0.4 * 0.8, 0.2 * 0.6, 0.6 * 0.8],
    ];
    for (found, expected) in chain.matrix().iter().flatten().zip(printed.iter().flatten()) {
        assert!((found - expected).abs() < 1e-15);
    }
    // The ARC paper's eq. 16 recovers P(I1).
    is(Some(congestion_share(chain.loss(), chain.wireless_loss()).get()), 5.0 / 405.0);
    assert_eq!(congestion_share(p(0.01), p(0.02)), Probability::ZERO);
    assert_eq!(congestion_share(p(1.0), p(1.0)), Probability::ZERO);
    // The chain of independent losses keeps their probability.
    is(Some(Gilbert::independent(p(0.03)).bad().get()), 0.03);
    assert_eq!(Gilbert::independent(Probability::ZERO).bad(), Probability::ZERO);
}

/// beta 0.5, 9 packets per second and q = 1: 0.5 a^2 - 15 a + 81 = 0, of which the smaller root is
/// 15 - sqrt(63).
#[test]
fn eq_13_with_the_last_round_where_little_is_lost() {
    let found = rate_alpha(RateForm::LastRound, 0.5, 9.0, p(0.1), Span::from_secs(10));
    is(found, 15.0 - 63f64.sqrt());
}

#[test]
fn no_alpha_has_a_rate_that_is_not_positive() {
    let model = TcpModel::default();
    for target in [0.0, -5.0, f64::NAN, f64::INFINITY] {
        assert_eq!(model.alpha(0.5, target, p(0.01), ms(60), ms(240)), None, "{target}");
        for form in
            [RateForm::Published, RateForm::LastRound, RateForm::Mended, RateForm::HalfRound]
        {
            assert_eq!(rate_alpha(form, 0.5, target, p(0.01), ms(60)), None, "{target}");
        }
    }
    for alpha in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(model.throughput(aimd(alpha, 0.5), p(0.01), ms(60), ms(240)), None, "{alpha}");
        let rate = rate_throughput(RateForm::Published, aimd(alpha, 0.5), p(0.01), ms(60));
        assert_eq!(rate, None, "{alpha}");
        assert_eq!(rate_loss_cycle(aimd(alpha, 0.5), p(0.01), ms(60)), None, "{alpha}");
    }
}
