//! One path, from its network's coming into reach until it is left.

use std::time::{Duration, Instant};

use atl_core::probe::{Found, Item, Plan, Survey};
use atl_core::roaming::Probe;
use atl_core::time::Epoch;
use noq_proto::{FourTuple, PathId};

use super::paths::Paths;
use crate::path::PathHandle;

/// Where a path is.
#[derive(Debug)]
pub(super) enum Stage {
    /// Not open. It is to be opened at this time, if at any.
    Closed { open_at: Option<Instant> },
    /// Waits for validation.
    Opening { give_up: Instant },
    /// Is being probed.
    Probing(Box<Survey>),
    /// Can be moved to.
    Ready(Option<Found>),
    /// In use beside the current one, until the host has moved.
    Beside(Option<Found>),
    /// In use.
    Current,
    /// Left, and closed at this time by the end that has opened it.
    Left { close: Option<Instant> },
}

/// See [the module](self).
#[derive(Debug)]
pub(super) struct Leg {
    pub(super) network: FourTuple,
    pub(super) id: Option<PathId>,
    pub(super) handle: Option<PathHandle>,
    pub(super) stage: Stage,
    /// The host has left its network.
    pub(super) gone: bool,
}

impl Leg {
    pub(super) fn new(network: FourTuple, stage: Stage) -> Self {
        Leg { network, id: None, handle: None, stage, gone: false }
    }

    pub(super) fn is_open(&self) -> bool {
        self.id.is_some()
    }

    /// Begins to probe.
    pub(super) fn probe(
        &mut self,
        now: Instant,
        epoch: Epoch,
        rtt: Option<Duration>,
        probe: Probe,
    ) {
        let Some(handle) = &self.handle else {
            self.stage = Stage::Ready(None);
            return;
        };
        let dummies = probe.dummies.unwrap_or(Probe::MOST_DUMMIES);
        handle.take_probes_acked();
        handle.probe(f64::from(dummies));
        let plan = Plan { dummies, over: probe.over, rtt: rtt.map(Into::into), challenge: false };
        self.stage = Stage::Probing(Box::new(Survey::new(epoch.time(now), plan)));
    }

    /// Goes on probing. Returns what was found, once it is over.
    pub(super) fn poll_probes(
        &mut self,
        now: Instant,
        epoch: Epoch,
        paths: &mut impl Paths,
    ) -> Option<Found> {
        let (Stage::Probing(survey), Some(handle), Some(id)) =
            (&mut self.stage, &self.handle, self.id)
        else {
            return None;
        };
        for acked in handle.take_probes_acked() {
            survey.on_dummy_ack(epoch.time(acked.at), acked.rtt);
        }
        let at = epoch.time(now);
        survey.on_timer(at);
        if survey.due(at) == Some(Item::Dummy) {
            paths.ping(id);
            survey.on_sent(at);
        }
        survey.is_over().then(|| survey.found(at))
    }

    /// When it has something to do.
    pub(super) fn next_timeout(&self, epoch: Epoch) -> Option<Instant> {
        match &self.stage {
            Stage::Closed { open_at } => *open_at,
            Stage::Opening { give_up } => Some(*give_up),
            Stage::Probing(survey) => {
                let at = survey.next_timer();
                (at < atl_core::time::Time::MAX).then(|| epoch.instant(at)).flatten()
            }
            Stage::Left { close } => *close,
            Stage::Ready(_) | Stage::Beside(_) | Stage::Current => None,
        }
    }
}
