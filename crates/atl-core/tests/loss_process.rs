//! How far the forms of eq. 10 are from the process that the ATL paper's appendix describes, simulated.

use atl_core::model::{RateForm, rate_throughput};
use atl_core::time::Span;
use atl_core::units::Probability;
use atl_core::window::Aimd;

/// Uniform numbers in (0, 1) from a Weyl sequence through SplitMix64's mixer.
struct Uniform(u64);

impl Uniform {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        ((z >> 11) as f64 + 0.5) / (1u64 << 53) as f64
    }

    /// Packets until a loss, for a mean of 1/p.
    fn packets(&mut self, p: f64) -> f64 {
        -libm::log(self.next()) / p
    }
}

const R: f64 = 0.1;
const CYCLES: u32 = 200_000;

/// The paper's own process: the rate is beta S + k alpha in the k-th RTT (eq. 21); n packets pass, n of mean
/// 1/p; the RTT after them still goes out (eq. 26); D = N R. N is taken as real.
fn paper(alpha: f64, beta: f64, p: f64) -> f64 {
    let mut random = Uniform(7);
    let (mut rate, mut sent, mut rounds) = (alpha / (1.0 - beta), 0.0, 0.0);
    for _ in 0..CYCLES {
        let n = random.packets(p);
        let base = beta * rate;
        // (2 base + alpha (m - 1)) m R / 2 = n, by eq. 24, gives m = N - 1.
        let linear = 2.0 * base - alpha;
        let m = ((linear * linear + 8.0 * alpha * n / R).sqrt() - linear) / (2.0 * alpha);
        sent += n + (base + m * alpha) * R;
        rounds += m + 1.0;
        rate = base + (m + 1.0) * alpha;
    }
    sent / (rounds * R)
}

/// A sender that loses at any moment of an RTT and slows down one RTT later.
fn anywhere(alpha: f64, beta: f64, p: f64) -> f64 {
    let mut random = Uniform(7);
    let (mut rate, mut sent, mut time) = (alpha / (1.0 - beta), 0.0, 0.0);
    for _ in 0..CYCLES {
        let mut left = random.packets(p);
        let mut now = beta * rate;
        while left > now * R {
            left -= now * R;
            sent += now * R;
            time += R;
            now += alpha;
        }
        let part = left / (now * R);
        sent += now * R + part * (now + alpha) * R;
        time += R * (1.0 + part);
        rate = now + alpha;
    }
    sent / time
}

/// Error of a form in percent of what a process gives.
fn error(form: RateForm, process: fn(f64, f64, f64) -> f64, beta: f64, alpha_r_p: f64) -> f64 {
    let alpha = 10.0;
    let p = alpha_r_p / (alpha * R);
    // The process is a fluid one and takes any p; a probability stays below 1, so move it into R.
    let (loss, rtt) = (p.min(0.5), R * (p / p.min(0.5)));
    let model = rate_throughput(
        form,
        Aimd { alpha, beta },
        Probability::new(loss).unwrap(),
        Span::from_secs_f64(rtt),
    );
    (model.unwrap() / process(alpha, beta, p) - 1.0) * 100.0
}

#[test]
fn the_published_form_errs_as_documented() {
    let table = [(0.003, [-5.5, -2.4, -1.3]), (0.3, [9.0, 8.0, 7.0]), (3.0, [46.0, 25.0, 15.0])];
    for (alpha_r_p, errors) in table {
        for (beta, expected) in [0.5, 0.75, 0.85].into_iter().zip(errors) {
            let found = error(RateForm::Published, paper, beta, alpha_r_p);
            assert!((found - expected).abs() < 0.7, "{alpha_r_p} {beta}: {found} % not {expected}");
        }
    }
}

#[test]
fn the_mended_form_is_nearer_to_the_process() {
    for beta in [0.5, 0.75, 0.85] {
        for alpha_r_p in [0.003, 0.3, 3.0] {
            let published = error(RateForm::Published, paper, beta, alpha_r_p);
            let mended = error(RateForm::Mended, paper, beta, alpha_r_p);
            assert!(mended.abs() < published.abs(), "{alpha_r_p} {beta}: {mended} {published}");
        }
        for alpha_r_p in [0.003, 0.03, 0.3] {
            let mended = error(RateForm::Mended, paper, beta, alpha_r_p);
            assert!(mended.abs() < 3.0, "{alpha_r_p} {beta}: {mended} %");
        }
    }
}

#[test]
fn half_rounds_fit_a_sender_that_loses_anywhere() {
    for beta in [0.5, 0.75, 0.85] {
        for alpha_r_p in [0.001, 0.003, 0.01, 0.03] {
            let found = error(RateForm::HalfRound, anywhere, beta, alpha_r_p);
            assert!(found.abs() < 2.0, "{alpha_r_p} {beta}: {found} %");
        }
    }
}
