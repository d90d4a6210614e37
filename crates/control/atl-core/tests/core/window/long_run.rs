//! Properties over a long time: bounded state, recovery after silence, no growth without data.

use crate::support::draws::Draws;
use crate::support::host::{
    Host, Operation, configs, hosted_configs, most_growth, never_moves, paced_by_its_receiver,
};
use atl_core::time::Span;
use atl_core::window::{
    Ack, Controller, ControllerConfig, Detection, Loss, ProbeAck, Sent, Timeout, WindowController,
};

/// Operations over all controllers.
const OPERATIONS: u64 = 1_000_000;

impl Draws {
    fn window_operation(&mut self) -> Operation {
        use Operation::*;
        let small = self.below(4) as u8;
        // Usually a path of real dimensions, and now and then arbitrary values.
        let wild = self.below(100) == 0;
        let rtt_us = if wild { self.next() as u32 } else { 1_000 + self.below(500_000) as u32 };
        match self.below(32) {
            0..=5 => Send { packets: small, app_limited: self.chance() },
            6..=15 => Acknowledge {
                delivered: small,
                rtt_us,
                recovery: self.chance(),
                limited: self.chance(),
            },
            16 => Duplicate { sack: self.chance() },
            17..=19 => Lose {
                packets: small,
                link: self.below(4) as u8,
                new_episode: self.chance(),
                timeout: self.chance(),
                old: self.below(8) == 0,
            },
            20 => Expire { consecutive: self.below(6) as u8 },
            21 => Recover,
            22..=24 => Report { loss: self.share(), delay_us: rtt_us, peer: self.chance() },
            // Rarely enough for windows to fill in between.
            25 if self.below(500) == 0 => Handoff {
                old_ms: self.below(400) as u16,
                new_ms: self.below(400) as u16,
                peer: self.chance(),
            },
            28 if self.below(8) == 0 => Quench,
            26 => Probe { number: self.below(400), rtt_us },
            27 => PeerRate { packets_per_sec: 1e4 * self.share() },
            _ if wild => Wait { us: self.next() >> 26 },
            _ => Wait { us: self.below(100_000) },
        }
    }
}

/// Letters that it takes to print a controller's state: a measure that no field escapes.
fn state(controller: &Controller) -> usize {
    format!("{controller:?}").len()
}

#[test]
fn a_million_operations_leave_invariants_and_state_bounded() {
    let mut configs = configs();
    let ours = configs.len();
    configs.extend(hosted_configs());
    let each = OPERATIONS / configs.len() as u64;
    for (seed, config) in configs.iter().enumerate() {
        let mut draws = Draws(seed as u64);
        let mut host = Host::new(config, 2.0);
        let mut most = [0; 2];
        for step in 0..each {
            let operation = draws.window_operation();
            let before = host.controller.window();
            host.apply(&operation);
            let cwnd = host.controller.window();
            assert!(cwnd.is_finite() && cwnd >= 1.0, "{config:?}: cwnd {cwnd}");
            assert!(host.controller.ssthresh() >= 2.0, "{config:?}");
            if seed < ours && !paced_by_its_receiver(config) {
                let grown = cwnd - before;
                let allowed = most_growth(config, &operation, host.idle);
                assert!(grown <= allowed + 1e-9, "{config:?}: {grown} by {operation:?}");
            }
            if step % 997 == 0 {
                let half = usize::from(step > each / 2);
                most[half] = most[half].max(state(&host.controller));
            }
        }
        // A window of outcomes may be a few buckets longer, never twice as long.
        assert!(most[1] < 40_000, "{config:?}: {} letters", most[1]);
        assert!(most[1] <= 2 * most[0], "{config:?}: {most:?} letters");
    }
}

/// An orderly connection on a path of 100 ms: each packet is acknowledged.
struct Orderly(Host);

impl Orderly {
    fn send(&mut self) {
        let host = &mut self.0;
        host.in_flight += 1;
        host.controller.on_sent(&Sent::new(host.now, host.tx, 1040, host.in_flight));
        host.tx += 1;
        while host.controller.poll_probe(host.now).is_some() {}
    }

    fn deliver(&mut self, packets: u32, window_limited: bool) {
        let rtt = Span::from_millis(100);
        for _ in 0..packets {
            self.send();
            let host = &mut self.0;
            host.now += Span::from_millis(4);
            if host.controller.next_timeout().is_some_and(|at| at <= host.now) {
                host.controller.on_tick(host.now);
            }
            host.in_flight -= 1;
            host.controller.on_ack(
                &Ack::new(host.now)
                    .delivered(1)
                    .cumulative(1)
                    .newest(Some((host.tx - 1, host.now)))
                    .rtt(Some(rtt))
                    .srtt(rtt)
                    .rtt_min(rtt)
                    .in_flight(host.in_flight)
                    .window_limited(window_limited),
            );
        }
    }

    /// Loses everything sent, including the packet that each timeout sends.
    fn silence(&mut self, span: Span) {
        let end = self.0.now + span;
        let mut rto = Span::from_millis(300);
        for consecutive in 1.. {
            self.send();
            let host = &mut self.0;
            host.now += rto;
            host.controller.on_loss(
                &Loss::new(host.now, host.tx - 1, host.in_flight * 1040, host.in_flight)
                    .packets(host.in_flight)
                    .link_failures(host.in_flight)
                    .new_episode(false)
                    .detection(Detection::Timeout),
            );
            let in_flight = core::mem::take(&mut host.in_flight);
            host.controller.on_timeout(&Timeout::new(host.now, in_flight).consecutive(consecutive));
            if host.now >= end {
                return;
            }
            rto = (rto * 2).min(Span::from_secs(60));
        }
    }
}

#[test]
fn a_window_grows_again_after_a_silence_of_any_length() {
    let moves = |c: &&ControllerConfig| !paced_by_its_receiver(c) && !never_moves(c);
    for config in configs().iter().filter(|c| c.check().is_ok()).filter(moves) {
        for secs in [0.01, 1.0, 10.0, 100.0, 1e4, 1e6] {
            let mut path = Orderly(Host::new(config, 2.0));
            path.deliver(500, true);
            path.silence(Span::from_secs_f64(secs));
            assert!(path.0.controller.window() <= 2.0, "{config:?} at the end of {secs} s");
            path.deliver(20, true);
            let soon = path.0.controller.window();
            path.deliver(400, true);
            let later = path.0.controller.window();
            assert!(soon > 1.5 && later > soon, "{config:?} after {secs} s: {soon}, {later}");
        }
    }
}

#[test]
fn a_window_that_the_application_does_not_fill_stays() {
    for config in configs().iter().filter(|c| !paced_by_its_receiver(c)) {
        let mut path = Orderly(Host::new(config, 4.0));
        path.deliver(100, true);
        let before = path.0.controller.window();
        for number in 0..2000 {
            path.deliver(1, false);
            let host = &mut path.0;
            let (now, rtt) = (host.now, Span::from_millis(100));
            host.controller.on_probe_ack(&ProbeAck::new(now, 1_000_000 + number, rtt));
            assert!(host.controller.window() <= before, "{config:?} at {number}");
        }
    }
}
