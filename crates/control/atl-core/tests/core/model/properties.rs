//! Properties of the equations for any input.

use atl_core::model::{
    AtlInput, Gilbert, PathChain, RateForm, TcpModel, TimeoutTerm, arc_loss, arc_throughput,
    congestion_share, rate_alpha, rate_throughput, tcp_atl,
};
use atl_core::path::{LinkReport, MAX_LOSS, PathSplit, SplitRules};
use atl_core::time::Span;
use atl_core::units::Probability;
use atl_core::window::Aimd;
use proptest::prelude::*;

/// Losses over seven decades.
fn loss() -> impl Strategy<Value = Probability> {
    (-7.0..0.0f64).prop_map(|e| Probability::clamped(libm::exp10(e)))
}

/// Round-trip times from 1 ms to 10 s.
fn rtt() -> impl Strategy<Value = Span> {
    (0.0..4.0f64).prop_map(|e| Span::from_secs_f64(libm::exp10(e - 3.0)))
}

fn alpha() -> impl Strategy<Value = f64> {
    (-2.0..3.0f64).prop_map(libm::exp10)
}

fn beta() -> impl Strategy<Value = f64> {
    0.5..0.95f64
}

fn terms() -> impl Strategy<Value = TimeoutTerm> {
    prop_oneof![Just(TimeoutTerm::Published), Just(TimeoutTerm::Bounded)]
}

fn forms() -> impl Strategy<Value = RateForm> {
    prop_oneof![
        Just(RateForm::Published),
        Just(RateForm::LastRound),
        Just(RateForm::Mended),
        Just(RateForm::HalfRound),
    ]
}

/// Any value, including the ends of the type.
fn any_loss() -> impl Strategy<Value = Probability> {
    prop_oneof![
        loss(),
        Just(Probability::ZERO),
        Just(Probability::ONE),
        any::<f64>().prop_map(Probability::clamped),
    ]
}

fn any_span() -> impl Strategy<Value = Span> {
    prop_oneof![rtt(), any::<u64>().prop_map(Span::from_nanos), Just(Span::ZERO), Just(Span::MAX)]
}

/// A transition probability, the certain ones often.
fn share() -> impl Strategy<Value = f64> {
    prop_oneof![6 => 0.0..1.0f64, 2 => (-7.0..0.0f64).prop_map(libm::exp10), 1 => Just(0.0), 1 => Just(1.0)]
}

fn report() -> impl Strategy<Value = LinkReport> {
    (any_loss(), any_span()).prop_map(|(loss, delay)| LinkReport { loss, delay })
}

proptest! {
    #[test]
    fn eq_9_inverts_eq_7(
        a in alpha(), b in beta(), p in loss(), r in rtt(), term in terms(), acked in 1.0..2.0f64,
    ) {
        let model = TcpModel { b: acked, timeouts: term };
        let t = model.throughput(Aimd { alpha: a, beta: b }, p, r, r * 4).unwrap();
        let back = model.alpha(b, t, p, r, r * 4).unwrap();
        // The bounded branch loses digits where the timeout term is nearly all of 1/T.
        let tolerance = if term == TimeoutTerm::Published { 1e-12 } else { 1e-6 };
        prop_assert!((back / a - 1.0).abs() < tolerance, "{a} -> {t} -> {back}");
    }

    #[test]
    fn eq_13_inverts_eq_10_in_each_form(
        a in alpha(), b in beta(), p in loss(), r in rtt(), form in forms(),
    ) {
        let Some(t) = rate_throughput(form, Aimd { alpha: a, beta: b }, p, r) else {
            prop_assert!(matches!(form, RateForm::Mended | RateForm::HalfRound));
            return Ok(());
        };
        // Near its limit the half-round form is flat, which costs digits.
        let tolerance = match form {
            RateForm::Published | RateForm::LastRound => 1e-9,
            RateForm::Mended | RateForm::HalfRound => 1e-4,
        };
        let back = rate_alpha(form, b, t, p, r).unwrap();
        let share = a * r.secs() * p.get() / form.limit(b);
        if form == RateForm::Mended && share > 0.8 {
            // Close to its limit the form falls again: a smaller alpha may have the same T.
            let again = rate_throughput(form, Aimd { alpha: back, beta: b }, p, r).unwrap();
            prop_assert!((again / t - 1.0).abs() < 1e-8, "{a} -> {t} -> {back} -> {again}");
            prop_assert!(back <= a * (1.0 + tolerance), "{a} -> {t} -> {back}");
        } else {
            prop_assert!((back / a - 1.0).abs() < tolerance, "{a} -> {t} -> {back}");
        }
    }

    #[test]
    fn the_mended_form_is_inverted_up_to_its_limit(b in 0.01..0.59f64, share in 0.7..0.9999f64) {
        let (form, p, r) = (RateForm::Mended, Probability::clamped(0.02), Span::from_secs(1));
        let a = share * form.limit(b) / 0.02;
        let t = rate_throughput(form, Aimd { alpha: a, beta: b }, p, r).unwrap();
        let back = rate_alpha(form, b, t, p, r).unwrap();
        let again = rate_throughput(form, Aimd { alpha: back, beta: b }, p, r).unwrap();
        prop_assert!((again / t - 1.0).abs() < 1e-8, "{a} -> {t} -> {back} -> {again}");
        prop_assert!(back <= a * (1.0 + 1e-4), "{a} -> {t} -> {back}");
    }

    #[test]
    fn more_wireless_loss_or_delay_never_asks_for_a_smaller_alpha(
        p_c in -4.0..-1.0f64, r_c in 0.02..0.3f64,
        p_w in 0.0..0.2f64, more in 0.0..0.2f64, d_w in 0.0..0.3f64, further in 0.0..0.3f64,
    ) {
        // The same congestion behind different links, under one beta.
        let p_c = Probability::clamped(libm::exp10(p_c));
        let input = AtlInput { beta: Some(0.8), ..AtlInput::default() };
        let at = |p_w: f64, d_w: f64| {
            let wireless = LinkReport {
                loss: Probability::clamped(p_w),
                delay: Span::from_secs_f64(d_w),
            };
            let rtt = Span::from_secs_f64(r_c + 2.0 * d_w);
            let r_c = Span::from_secs_f64(r_c);
            let split = PathSplit::from_parts(p_c, r_c, rtt, wireless);
            input.tcp(split).unwrap().aimd.alpha
        };
        let alpha = at(p_w, d_w);
        prop_assert!(at(p_w + more, d_w) >= alpha);
        prop_assert!(at(p_w, d_w + further) >= alpha);
    }

    #[test]
    fn a_split_recombines_to_what_was_measured(
        p_c in -6.0..-1.0f64, r_c in 0.02..0.3f64, source in 0.0..0.2f64, sink in 0.0..0.2f64,
        d_source in 0u64..300, d_sink in 0u64..300,
    ) {
        let p_c = libm::exp10(p_c);
        let at = |loss, ms| LinkReport {
            loss: Probability::clamped(loss),
            delay: Span::from_millis(ms),
        };
        let links = at(source, d_source).and(at(sink, d_sink));
        let p = 1.0 - (1.0 - source) * (1.0 - p_c) * (1.0 - sink);
        let r_c = Span::from_secs_f64(r_c);
        let rtt = r_c + Span::from_millis(2 * (d_source + d_sink));
        let split = PathSplit::new(Probability::clamped(p), rtt, links, SplitRules::default());
        prop_assert!((split.congestion_loss.get() - p_c).abs() < 1e-14);
        prop_assert!((split.loss.get() - p).abs() < 1e-14);
        prop_assert_eq!(split.congestion_rtt, r_c);
    }

    #[test]
    fn whatever_goes_in_what_comes_out_is_finite_and_positive(
        p in any_loss(), r in any_span(), near in report(), far in report(),
        n in proptest::option::of(any::<u64>()), cap in proptest::option::of(any::<f64>()),
        beta in proptest::option::of(any::<f64>()), b in any::<f64>(), term in terms(),
        form in forms(),
    ) {
        let rules = SplitRules { packets: n, rtt_floor: Span::from_millis(1) };
        let wireless = near.and(far);
        let split = PathSplit::new(p, r, wireless, rules);
        prop_assert!((0.0..=MAX_LOSS).contains(&split.loss.get()));
        prop_assert!((0.0..=MAX_LOSS).contains(&split.congestion_loss.get()));
        prop_assert!(split.congestion_rtt <= r);
        let model = TcpModel { b, timeouts: term };
        let input = AtlInput { model, beta, cap };
        let found = [tcp_atl(p, r, wireless, rules, &input), input.rcp(split, form)];
        for adaptation in found.into_iter().flatten() {
            let Aimd { alpha, beta } = adaptation.aimd;
            prop_assert!(alpha.is_finite() && alpha > 0.0, "{adaptation:?}");
            prop_assert!(beta > 0.0 && beta < 1.0);
            prop_assert!(adaptation.target.is_finite() && adaptation.target > 0.0);
        }
    }

    #[test]
    fn eq_21_of_arc_turned_round_gives_back_the_loss(p in loss(), r in rtt()) {
        let t = arc_throughput(p, r).unwrap();
        let back = arc_loss(t, r).unwrap();
        prop_assert!((back.get() / p.get() - 1.0).abs() < 1e-9, "{p} -> {t} -> {back}");
    }

    #[test]
    fn arcs_equations_give_nothing_but_numbers(p in any_loss(), t in any::<f64>(), r in any_span()) {
        prop_assert!(arc_throughput(p, r).is_none_or(|t| t.is_finite() && t > 0.0));
        prop_assert!(arc_loss(t, r).is_none_or(|p| (0.0..=1.0).contains(&p.get())));
        prop_assert!((0.0..=1.0).contains(&congestion_share(p, Probability::clamped(t)).get()));
    }

    #[test]
    fn arcs_path_chain_is_a_chain_and_its_parts_make_up_its_loss(
        p in share(), r in share(), q in share(), s in share(),
    ) {
        let gilbert = |a, b| Gilbert {
            to_bad: Probability::clamped(a),
            to_good: Probability::clamped(b),
        };
        let chain = PathChain { wireless: gilbert(p, r), congestion: gilbert(q, s) };
        let (matrix, stationary) = (chain.matrix(), chain.stationary());
        for row in &matrix {
            prop_assert!(row.iter().all(|x| (0.0..=1.0).contains(x)));
            prop_assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-14, "{row:?}");
        }
        prop_assert!((stationary.iter().sum::<f64>() - 1.0).abs() < 1e-14);
        // A step leaves the stationary distribution unchanged.
        for to in 0..4 {
            let after: f64 = (0..4).map(|from| stationary[from] * matrix[from][to]).sum();
            prop_assert!((after - stationary[to]).abs() < 1e-14, "{stationary:?}");
        }
        // The share of congestion by the ARC paper's eq. 5 and by its eq. 16.
        let (pi, omega) = (chain.loss(), chain.wireless_loss());
        let p_i1 = chain.congestion_loss().get();
        prop_assert!((pi.get() - (1.0 - (1.0 - omega.get()) * (1.0 - p_i1))).abs() < 1e-14);
        if omega.get() < 0.99 {
            prop_assert!((congestion_share(pi, omega).get() - p_i1).abs() < 1e-12);
        }
    }
}
