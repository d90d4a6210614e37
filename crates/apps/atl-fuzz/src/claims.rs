//! Window controllers behind a receiver that claims anything of its link.

use atl_core::conformance::{WindowHarness, WindowOperation};
use atl_core::window::{ControllerConfig, WindowController as _, atl};

use crate::acks::laws;
use crate::bytes::Bytes;

/// The most by which claims may raise alpha: `claim-gain` for p_w, and once more for d_w.
const MOST_GAIN: f64 = 16.0 * (1.0 + 1e-9);

/// The first byte chooses the law; the others are events, claims of a receiver among them. Whatever
/// it claims, what is believed fits what the sender has measured, and alpha stays within the
/// declared gain; a law that does not listen does what it does without claims.
pub fn claims(data: &[u8]) {
    let mut bytes = Bytes(data);
    let Some(chosen) = bytes.byte() else { return };
    let mut laws = laws();
    laws.push(ControllerConfig::from(atl::Config::sparing()));
    let law = &laws[usize::from(chosen) % laws.len()];
    let mut host = WindowHarness::new(law, 10.0);
    let mut deaf = host.clone();
    let listens = host.controller.listens();
    while let Some(code) = bytes.byte() {
        let operation = operation(code, &mut bytes);
        host.apply(&operation);
        if !matches!(operation, WindowOperation::Report { .. } | WindowOperation::Handoff { .. }) {
            deaf.apply(&operation);
        }
        is_sane(&host);
        if !listens {
            let windows = [&host, &deaf].map(|host| host.controller.window().to_bits());
            assert_eq!(windows[0], windows[1], "{law:?} listens after all: {operation:?}");
        }
    }
}

/// All that holds of a controller whose own host has no wireless link.
fn is_sane(host: &WindowHarness) {
    let controller = &host.controller;
    let window = controller.window();
    assert!(window.is_finite() && window >= 1.0, "cwnd is {window}");
    assert!(controller.ssthresh() > 0.0, "ssthresh is {}", controller.ssthresh());
    let Some(adaptation) = controller.adaptation() else { return };
    let split = adaptation.split;
    assert!(split.wireless.loss <= split.loss, "more is lost on the link than in all: {split:?}");
    assert!(split.wireless.delay <= split.rtt / 2, "the link is longer than the path: {split:?}");
    assert!(split.congestion_rtt <= split.rtt, "{split:?}");
    assert!(split.congestion_loss.get() < 1.0, "{split:?}");
    if let Some(aimd) = controller.aimd() {
        assert!(aimd.alpha > 0.0 && aimd.alpha <= MOST_GAIN, "{adaptation:?}");
        assert!(aimd.beta > 0.0 && aimd.beta < 1.0, "{adaptation:?}");
    }
}

fn operation(code: u8, bytes: &mut Bytes<'_>) -> WindowOperation {
    use WindowOperation::*;
    // Mostly of a path of our world: 1 to 65 ms, or up to 67 s.
    let mut rtt_us =
        if code & 128 == 0 { 1_000 + u32::from(bytes.u16()) } else { bytes.u32() >> 6 };
    let high = code >> 4;
    match code & 15 {
        0 | 1 => Send { packets: 1 + high, app_limited: false },
        2..=5 => Acknowledge {
            delivered: high & 3,
            rtt_us,
            recovery: high & 4 != 0,
            limited: code & 1 == 0,
        },
        6 | 7 => Lose {
            packets: 1 + (high & 3),
            link: 0,
            new_episode: high & 4 != 0,
            timeout: code & 15 == 7 && high & 1 != 0,
            old: false,
        },
        8..=10 => {
            if code & 64 != 0 {
                rtt_us = u32::MAX;
            }
            let [share] = bytes.number();
            let loss = if code & 15 == 10 { bytes.f64() } else { f64::from(share) / 255.0 };
            Report { loss, delay_us: rtt_us, peer: true }
        }
        11 => Handoff { old_ms: bytes.u16(), new_ms: bytes.u16(), peer: true },
        12 => Mark { packets: high, new_episode: true, old: false },
        13 if high & 3 == 0 => Expire { consecutive: 1 + (high >> 2) },
        13 => Recover,
        _ => Wait { us: rtt_us.into() },
    }
}
