//! The observer between the library noq and a controller.

use std::any::Any;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use noq_proto::RttEstimator;
use noq_proto::congestion::{Controller, ControllerFactory, ControllerMetrics};

use super::change::{Change, Event};
use super::observed::{Observed, locked};
use super::rules::Rule;
use super::trial::{AFTER, Trial};
use super::watching::Watching;

/// Size of datagrams reported in [`Trial::Resized`]: two of them exceed the window of any path in a
/// suite.
const LARGER: u16 = u16::MAX;

/// A factory whose controllers are observed, and get `trial` if there is one.
#[derive(Clone)]
pub(crate) struct Watched {
    factory: Arc<dyn ControllerFactory + Send + Sync>,
    observed: Observed,
    trial: Option<Trial>,
}

impl Watched {
    /// Observes the controllers of `factory`.
    pub(crate) fn new(
        factory: Arc<dyn ControllerFactory + Send + Sync>,
        observed: Observed,
        trial: Option<Trial>,
    ) -> Watched {
        Watched { factory, observed, trial }
    }
}

impl ControllerFactory for Watched {
    fn build(self: Arc<Self>, now: Instant, current_mtu: u16) -> Box<dyn Controller> {
        let controller = Arc::clone(&self.factory).build(now, current_mtu);
        let watching = Watching::new(now, current_mtu, controller.window());
        let watching = self.observed.add(watching);
        let trial = self.trial.map(|what| Pending { what, due: now + AFTER, waiting: None });
        Box::new(Subject { controller, watching, trial })
    }
}

/// A trial that has not been judged yet.
#[derive(Clone, Debug)]
struct Pending {
    what: Trial,
    due: Instant,
    waiting: Option<Waiting>,
}

/// A reported event, to which the controller has one round trip to react.
#[derive(Clone, Debug)]
struct Waiting {
    until: Instant,
    before: u64,
    least: u64,
}

/// A controller under observation.
#[derive(Debug)]
struct Subject {
    controller: Box<dyn Controller>,
    watching: Arc<Mutex<Watching>>,
    trial: Option<Pending>,
}

impl Subject {
    /// Makes a call, and gives `watch` the window before and after it.
    fn call(
        &mut self,
        act: impl FnOnce(&mut dyn Controller),
        watch: impl FnOnce(&mut Watching, Change),
    ) {
        let before = self.controller.window();
        act(&mut *self.controller);
        let after = self.controller.window();
        watch(&mut locked(&self.watching), Change { before, after });
    }

    fn event(&mut self, event: Event, is_ecn: bool, largest_lost_pn: u64) {
        let Event { now, sent, persistent, lost } = event;
        self.call(
            |c| c.on_congestion_event(now, sent, persistent, is_ecn, lost, largest_lost_pn),
            |w, window| w.congested(event, window),
        );
    }

    /// Starts the trial once it is due, and judges it a round trip later.
    fn attempt(&mut self, now: Instant, newest: Option<u64>) {
        let Some(mut pending) = self.trial.take() else { return };
        let window = self.controller.window();
        if let Some(waiting) = &mut pending.waiting {
            waiting.least = waiting.least.min(window);
            let Waiting { until, before, least } = *waiting;
            if now < until {
                self.trial = Some(pending);
            } else if least > before - before / 20 {
                locked(&self.watching).found(Rule::EcnIgnored, now, || {
                    format!("{least} of {before} bytes were left a round trip later")
                });
            }
            return;
        }
        let (minimum, srtt) = {
            let watching = locked(&self.watching);
            (watching.minimum(), watching.srtt())
        };
        // A small window leaves no reduction to be seen, and within a recovery none is due.
        let recovering = locked(&self.watching).in_recovery();
        if now < pending.due || window < 4 * minimum || recovering {
            self.trial = Some(pending);
            return;
        }
        let pn = newest.unwrap_or(0);
        let loss = Event { now, sent: now, persistent: false, lost: minimum / 2 };
        match pending.what {
            Trial::Persistent => self.event(Event { persistent: true, ..loss }, false, pn),
            Trial::PersistentInRecovery => {
                let later = now + Duration::from_nanos(1);
                self.event(loss, false, pn);
                self.event(Event { now: later, persistent: true, ..loss }, false, pn);
            }
            Trial::Ecn => {
                self.event(Event { lost: 0, ..loss }, true, pn);
                let least = self.controller.window();
                let waiting = Waiting { until: now + srtt, before: window, least };
                self.trial = Some(Pending { waiting: Some(waiting), ..pending });
            }
            Trial::Undone => {
                self.event(loss, false, pn);
                self.on_spurious_congestion_event();
            }
            Trial::Resized => {
                let mtu = locked(&self.watching).mtu();
                self.on_mtu_update(LARGER);
                self.on_mtu_update(mtu);
            }
        }
    }
}

impl Controller for Subject {
    fn on_sent(&mut self, now: Instant, bytes: u64, largest_pn: u64) {
        self.call(|c| c.on_sent(now, bytes, largest_pn), |w, window| w.unmoved(now, window));
    }

    fn on_packet_sent(&mut self, now: Instant, bytes: u16, pn: u64) {
        self.call(
            |c| c.on_packet_sent(now, bytes, pn),
            |w, window| w.sent(now, bytes.into(), window),
        );
    }

    fn on_cwnd_limited(&mut self) {
        self.controller.on_cwnd_limited();
    }

    fn on_ack(
        &mut self,
        now: Instant,
        sent: Instant,
        bytes: u64,
        pn: u64,
        app_limited: bool,
        rtt: &RttEstimator,
    ) {
        self.call(
            |c| c.on_ack(now, sent, bytes, pn, app_limited, rtt),
            |w, window| w.acked(now, sent, bytes, app_limited, rtt.get(), window),
        );
    }

    fn on_end_acks(
        &mut self,
        now: Instant,
        in_flight: u64,
        app_limited: bool,
        largest_packet_num_acked: Option<u64>,
    ) {
        self.call(
            |c| c.on_end_acks(now, in_flight, app_limited, largest_packet_num_acked),
            |w, window| {
                w.in_flight(in_flight);
                w.acks_ended(window);
            },
        );
        self.attempt(now, largest_packet_num_acked);
    }

    fn on_congestion_event(
        &mut self,
        now: Instant,
        sent: Instant,
        is_persistent_congestion: bool,
        is_ecn: bool,
        lost_bytes: u64,
        largest_lost_pn: u64,
    ) {
        let event = Event { now, sent, persistent: is_persistent_congestion, lost: lost_bytes };
        self.event(event, is_ecn, largest_lost_pn);
    }

    fn on_packet_lost(&mut self, lost_bytes: u16, pn: u64, now: Instant) {
        self.call(
            |c| c.on_packet_lost(lost_bytes, pn, now),
            |w, window| w.lost(now, lost_bytes.into(), window),
        );
    }

    fn on_spurious_congestion_event(&mut self) {
        let now = locked(&self.watching).now();
        self.call(|c| c.on_spurious_congestion_event(), |w, window| w.undone(now, window));
    }

    fn on_mtu_update(&mut self, new_mtu: u16) {
        let now = locked(&self.watching).now();
        self.call(|c| c.on_mtu_update(new_mtu), |w, window| w.resized(now, new_mtu, window.after));
    }

    fn on_ack_frequency_update(
        &mut self,
        ack_eliciting_threshold: u64,
        requested_max_ack_delay: Duration,
    ) {
        self.controller.on_ack_frequency_update(ack_eliciting_threshold, requested_max_ack_delay);
    }

    fn window(&self) -> u64 {
        self.controller.window()
    }

    /// Controllers may put off the effect of an acknowledgment until this call, which the library
    /// makes before it sends.
    fn metrics(&self) -> ControllerMetrics {
        let before = self.controller.window();
        let metrics = self.controller.metrics();
        let after = self.controller.window();
        if after != before {
            locked(&self.watching).acks_ended(Change { before, after });
        }
        metrics
    }

    fn clone_box(&self) -> Box<dyn Controller> {
        Box::new(Subject {
            controller: self.controller.clone_box(),
            watching: Arc::clone(&self.watching),
            trial: self.trial.clone(),
        })
    }

    fn initial_window(&self) -> u64 {
        self.controller.initial_window()
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self.controller.into_any()
    }
}
