//! The equations at many places, beyond their ranges too: a digest of each to the last bit, and the
//! number of places where it has a value.

use atl_core::model::{
    AtlInput, LossCycles, RateForm, Reading, TcpModel, TimeoutTerm, arc_loss, arc_throughput,
    beta_for, rate_alpha, rate_loss_cycle, rate_throughput,
};
use atl_core::path::{LinkReport, PathSplit, SplitRules};
use atl_core::time::Span;
use atl_core::units::Probability;
use atl_core::window::Aimd;

use crate::support::digest::Digest;
use crate::support::draws::Draws;

const FORMS: [RateForm; 4] =
    [RateForm::Published, RateForm::LastRound, RateForm::Mended, RateForm::HalfRound];
const ALPHAS: [f64; 8] = [-1.0, 0.0, 1e-9, 0.3, 1.0, 7.0, 1e6, f64::INFINITY];
const BETAS: [f64; 8] = [-0.1, 0.0, 0.2, 1.0 / 3.0, 0.5, 0.85, 1.0, f64::NAN];
const LOSSES: [f64; 7] = [0.0, 1e-12, 1e-4, 0.01, 0.1, 0.5, 1.0];

fn loss(p: f64) -> Probability {
    Probability::clamped(p)
}

fn rtts() -> [Span; 5] {
    [Span::ZERO, Span::from_micros(50), Span::from_millis(60), Span::from_secs(4), Span::MAX]
}

/// The values of an equation, each with the bits that its digest is of.
#[derive(Default)]
struct Values {
    some: u32,
    digest: Option<Digest>,
}

impl Values {
    fn note(&mut self, value: Option<f64>) {
        self.some += u32::from(value.is_some());
        self.digest.get_or_insert_with(Digest::new).note(value.map(f64::to_bits));
    }

    fn line(self, name: &str) -> String {
        format!("{name}: {} {:016x}\n", self.some, self.digest.expect("noted").0)
    }
}

fn everywhere(name: &str, mut each: impl FnMut(&mut Values, Aimd, Probability, Span)) -> String {
    let mut values = Values::default();
    for alpha in ALPHAS {
        for beta in BETAS {
            for p in LOSSES {
                for rtt in rtts() {
                    each(&mut values, Aimd { alpha, beta }, loss(p), rtt);
                }
            }
        }
    }
    values.line(name)
}

fn windows() -> String {
    let models = [TimeoutTerm::Published, TimeoutTerm::Bounded]
        .map(|timeouts| TcpModel { timeouts, ..TcpModel::default() });
    models
        .into_iter()
        .chain([TcpModel { b: 2.0, ..models[0] }])
        .map(|model| {
            everywhere("window", |values, aimd, p, rtt| {
                let rto = rtt * 4;
                values.note(model.throughput(aimd, p, rtt, rto));
                values.note(model.alpha(aimd.beta, aimd.alpha, p, rtt, rto));
            })
        })
        .collect()
}

fn rates() -> String {
    FORMS
        .into_iter()
        .map(|form| {
            everywhere(form.name(), |values, aimd, p, rtt| {
                values.note(rate_throughput(form, aimd, p, rtt));
                values.note(rate_alpha(form, aimd.beta, aimd.alpha, p, rtt));
                values.note(Some(form.limit(aimd.beta)));
            })
        })
        .collect()
}

fn cycles() -> String {
    Reading::ALL
        .into_iter()
        .map(|reading| {
            everywhere("cycles", |values, aimd, p, rtt| {
                let mut draws = Draws(3);
                let cycles = LossCycles::new(reading, aimd, rtt);
                let found = cycles.and_then(|it| it.throughput(p, 3, || draws.share()));
                values.note(found);
                values.note(rate_loss_cycle(aimd, p, rtt));
                values.note(arc_throughput(p, rtt));
                values.note(arc_loss(aimd.alpha, rtt).map(Probability::get));
                values.note(beta_for(rtt));
            })
        })
        .collect()
}

fn adaptations() -> String {
    [None, Some(0.6), Some(1.5)]
        .into_iter()
        .map(|beta| {
            everywhere("adaptation", |values, aimd, p, rtt| {
                let own = LinkReport { loss: loss(0.3 * p.get()), delay: rtt / 8 };
                let split = PathSplit::new(p, rtt, own, SplitRules::default());
                let input = AtlInput {
                    cap: (aimd.alpha > 0.0).then_some(aimd.alpha),
                    beta,
                    ..AtlInput::default()
                };
                let rate = input.rcp(split, RateForm::Mended);
                for found in [input.tcp(split), rate] {
                    values.note(found.map(|found| found.target));
                    values.note(found.map(|found| found.aimd.alpha));
                    values.note(found.map(|found| found.aimd.beta));
                    let most = found.map(|found| found.with_alpha_at_most(0.5));
                    values.note(most.map(|most| most.target));
                }
            })
        })
        .collect()
}

#[test]
fn equations() {
    let text = windows() + &rates() + &cycles() + &adaptations();
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("equations", text);
    });
}
