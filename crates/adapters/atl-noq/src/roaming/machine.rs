//! One end of a connection: its paths, what it is told of them, and what is due.

use std::time::{Duration, Instant};

use atl_core::probe::Found;
use atl_core::roaming::NewPath;
use atl_core::time::Epoch;
use atl_core::window::resume::Store;
use noq_proto::{FourTuple, PathError, PathEvent, PathId, PathStatus};

use super::config::{Config, Role};
use super::leg::{Leg, Stage};
use super::paths::Paths;
use crate::path::PathHandle;

/// When noq has no connection IDs for another path yet, it is asked again after this time.
pub(super) const RETRY: Duration = Duration::from_millis(50);
/// Round trips of the current path that a validation may take.
const PATIENCE_RTTS: u32 = 6;

/// An event that a host may want to know of.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Happened {
    /// A path was probed.
    Probed {
        /// The surveyed path.
        path: PathId,
        /// The survey's result.
        found: Found,
    },
    /// Data takes a second path beside the current one from now on.
    Beside {
        /// The second path.
        path: PathId,
    },
    /// Data takes another path from now on.
    Moved {
        /// The path before, if it still exists.
        from: Option<PathId>,
        /// The path from now on.
        to: PathId,
        /// The survey's result, if the path was probed.
        found: Option<Found>,
    },
    /// A network cannot be used: the connection stays where it is.
    Stayed {
        /// The network that this host has left.
        network: FourTuple,
        /// noq's reason; `None` if the path was not validated in time.
        reason: Option<PathError>,
    },
    /// A path was closed.
    Closed {
        /// The path that failed.
        path: PathId,
    },
}

/// See [the module](super).
#[derive(Debug)]
pub struct Roaming {
    pub(super) config: Config,
    pub(super) epoch: Epoch,
    pub(super) legs: Vec<Leg>,
    /// The network to which the host has moved, while its path cannot be used yet.
    pub(super) target: Option<usize>,
    pub(super) store: Store,
    pub(super) happened: Vec<Happened>,
}

impl Roaming {
    /// The roaming of a connection that has begun on its first path. `network` is where that leads;
    /// at the mobile end with the local address of the interface, by which the host names networks.
    pub fn new(now: Instant, config: Config, network: FourTuple, paths: &impl Paths) -> Self {
        let lifetime = match config.new_path {
            NewPath::Resume(resume) => resume.lifetime,
            _ => Store::LIFETIME,
        };
        let first = Leg {
            id: Some(PathId::ZERO),
            handle: paths.handle(PathId::ZERO),
            ..Leg::new(network, Stage::Current)
        };
        Roaming {
            config,
            epoch: Epoch::new(now),
            legs: vec![first],
            target: None,
            store: Store::new(lifetime),
            happened: Vec::new(),
        }
    }

    /// The mobile host reaches another network, and may move there soon. Call [`poll`](Self::poll)
    /// afterwards.
    pub fn on_imminent(&mut self, now: Instant, network: FourTuple) {
        let leg = self.leg_of(network);
        self.legs[leg].gone = false;
        if let Stage::Closed { open_at } = &mut self.legs[leg].stage {
            *open_at = Some(now);
        }
    }

    /// The mobile host has moved to a network. Call [`poll`](Self::poll) afterwards.
    pub fn on_done(&mut self, now: Instant, network: FourTuple) {
        self.on_imminent(now, network);
        let leg = self.leg_of(network);
        self.target = (!matches!(self.legs[leg].stage, Stage::Current)).then_some(leg);
    }

    /// The mobile host has left a network: what is still on its path is lost. Call
    /// [`poll`](Self::poll) afterwards.
    pub fn on_gone(&mut self, _now: Instant, network: FourTuple) {
        let leg = self.leg_of(network);
        self.legs[leg].gone = true;
        if self.target == Some(leg) {
            self.target = None;
        }
    }

    /// The connection tells of one of its paths. Call [`poll`](Self::poll) afterwards, and both
    /// before the connection's next transmit.
    pub fn on_path_event(&mut self, now: Instant, event: &PathEvent, paths: &mut impl Paths) {
        match event {
            PathEvent::Established { id, .. } => self.on_established(now, *id, paths),
            PathEvent::Abandoned { id, .. } => self.on_abandoned(*id),
            PathEvent::RemoteStatus { id, status: PathStatus::Available, .. }
                if self.config.role == Role::Fixed =>
            {
                let known = self.position(*id);
                let leg = known.or_else(|| Some(self.leg_of(paths.network(*id)?)));
                self.target = leg.filter(|&leg| !matches!(self.legs[leg].stage, Stage::Current));
            }
            _ => {}
        }
    }

    /// Does what is due. Returns when to call again at the latest.
    ///
    /// A probe that is due is handed to the connection as a PING, one at a time: the host sends
    /// what the connection has before the next call.
    pub fn poll(&mut self, now: Instant, paths: &mut impl Paths) -> Option<Instant> {
        for leg in 0..self.legs.len() {
            self.poll_leg(now, leg, paths);
        }
        self.leave_what_is_gone();
        if let Some(target) = self.target
            && self.is_ready(target)
        {
            self.move_to(now, target, paths);
        }
        self.close_what_is_gone(now, paths);
        self.legs.iter().filter_map(|leg| leg.next_timeout(self.epoch)).min()
    }

    /// The path that data takes; `None` while it is gone and there is no other.
    pub fn current(&self) -> Option<PathId> {
        let current = self.legs.iter().find(|leg| matches!(leg.stage, Stage::Current));
        current.filter(|leg| !leg.gone).and_then(|leg| leg.id)
    }

    /// The path that is used beside the current one.
    pub fn beside(&self) -> Option<PathId> {
        let beside = self.legs.iter().find(|leg| matches!(leg.stage, Stage::Beside(_)));
        beside.and_then(|leg| leg.id)
    }

    /// True if what leaves on this path now are probes, to be sent at low priority.
    pub fn is_probing(&self, path: PathId) -> bool {
        let leg = self.position(path).map(|leg| &self.legs[leg]);
        leg.is_some_and(|leg| matches!(leg.stage, Stage::Probing(_)))
    }

    /// The open path over a network.
    pub fn path_over(&self, network: FourTuple) -> Option<PathId> {
        self.legs.iter().find(|leg| self.is_over(leg, network)).and_then(|leg| leg.id)
    }

    /// The controller of an open path, if it is of this crate.
    pub fn handle(&self, path: PathId) -> Option<&PathHandle> {
        self.legs[self.position(path)?].handle.as_ref()
    }

    /// Takes the events since the last call.
    pub fn take_happened(&mut self) -> Vec<Happened> {
        std::mem::take(&mut self.happened)
    }

    fn position(&self, path: PathId) -> Option<usize> {
        self.legs.iter().position(|leg| leg.id == Some(path))
    }

    /// Networks differ in the address of the end that moves.
    fn is_over(&self, leg: &Leg, network: FourTuple) -> bool {
        let fixed = self.config.role == Role::Fixed;
        leg.network.remote() == network.remote()
            && (fixed || leg.network.local_ip() == network.local_ip())
    }

    /// The leg over a network, which may be new.
    fn leg_of(&mut self, network: FourTuple) -> usize {
        let known = self.legs.iter().position(|leg| self.is_over(leg, network));
        known.unwrap_or_else(|| {
            self.legs.push(Leg::new(network, Stage::Closed { open_at: None }));
            self.legs.len() - 1
        })
    }

    pub(super) fn current_leg(&self) -> Option<usize> {
        self.legs.iter().position(|leg| matches!(leg.stage, Stage::Current))
    }

    /// True if the current path can be stayed on.
    pub(super) fn can_stay(&self) -> bool {
        self.current_leg().is_some_and(|leg| !self.legs[leg].gone)
    }

    fn is_ready(&self, leg: usize) -> bool {
        matches!(
            self.legs[leg].stage,
            Stage::Ready(_) | Stage::Beside(_) | Stage::Probing(_) | Stage::Left { .. }
        )
    }

    fn poll_leg(&mut self, now: Instant, at: usize, paths: &mut impl Paths) {
        let epoch = self.epoch;
        match self.legs[at].stage {
            Stage::Closed { open_at: Some(due) } if due <= now => self.open(now, at, paths),
            Stage::Opening { give_up } if give_up <= now => self.give_up(now, at, paths),
            Stage::Probing(_) => {
                let leg = &mut self.legs[at];
                let (Some(found), Some(path)) = (leg.poll_probes(now, epoch, paths), leg.id) else {
                    return;
                };
                leg.stage = Stage::Ready(Some(found));
                self.happened.push(Happened::Probed { path, found });
                self.use_early(now, at, paths);
            }
            Stage::Left { close: Some(close) } if close <= now => self.close(now, at, paths),
            _ => {}
        }
    }

    fn open(&mut self, now: Instant, at: usize, paths: &mut impl Paths) {
        if self.config.role == Role::Fixed {
            self.legs[at].stage = Stage::Closed { open_at: None };
            return;
        }
        let stage = match paths.open(now, self.legs[at].network) {
            Ok(path) => {
                self.legs[at].id = Some(path);
                self.legs[at].handle = paths.handle(path);
                Stage::Opening { give_up: now + self.patience(paths) }
            }
            Err(PathError::RemoteCidsExhausted | PathError::MaxPathIdReached) => {
                Stage::Closed { open_at: Some(now + RETRY) }
            }
            Err(error) => {
                let network = self.legs[at].network;
                self.happened.push(Happened::Stayed { network, reason: Some(error) });
                Stage::Closed { open_at: None }
            }
        };
        self.legs[at].stage = stage;
    }

    fn patience(&self, paths: &impl Paths) -> Duration {
        let current = self.current_leg().and_then(|leg| self.legs[leg].id);
        let rtt = current.and_then(|path| paths.rtt(path)).unwrap_or_default();
        (rtt * PATIENCE_RTTS).max(self.config.patience.into())
    }

    /// A path was not validated in time. As long as there is another, the connection stays there.
    fn give_up(&mut self, now: Instant, at: usize, paths: &mut impl Paths) {
        if !self.can_stay() {
            // noq goes on asking for an answer.
            self.legs[at].stage = Stage::Opening { give_up: now + self.patience(paths) };
            return;
        }
        if self.target == Some(at) {
            self.target = None;
        }
        self.close(now, at, paths);
        let network = self.legs[at].network;
        self.happened.push(Happened::Stayed { network, reason: None });
    }

    fn on_established(&mut self, now: Instant, id: PathId, paths: &mut impl Paths) {
        let Some(network) = paths.network(id) else { return };
        let at = match self.position(id) {
            Some(at) => at,
            None => {
                // The peer has opened it, and noq would use it at once.
                let at = self.leg_of(network);
                self.legs[at].id = Some(id);
                self.legs[at].gone = false;
                paths.set_status(id, PathStatus::Backup);
                at
            }
        };
        self.legs[at].handle = paths.handle(id);
        match self.config.new_path {
            NewPath::Probe(probe) if probe.dummies != Some(0) => {
                self.legs[at].probe(now, self.epoch, paths.rtt(id), probe);
            }
            _ => {
                self.legs[at].stage = Stage::Ready(None);
                self.use_early(now, at, paths);
            }
        }
    }

    fn on_abandoned(&mut self, id: PathId) {
        let Some(at) = self.position(id) else { return };
        let leg = &mut self.legs[at];
        leg.id = None;
        leg.handle = None;
        let stage = std::mem::replace(&mut leg.stage, Stage::Closed { open_at: None });
        let network = leg.network;
        if let Stage::Opening { .. } = stage {
            self.happened.push(Happened::Stayed { network, reason: None });
        }
        if self.target == Some(at) {
            self.target = None;
        }
    }

    /// The current path is gone: any other that can be used will do, and the one that is furthest
    /// is best.
    fn leave_what_is_gone(&mut self) {
        if self.can_stay() || self.target.is_some() {
            return;
        }
        let usable = |leg: &usize| !self.legs[*leg].gone && self.is_ready(*leg);
        let rank = |leg: &usize| match self.legs[*leg].stage {
            Stage::Beside(_) => 0,
            Stage::Ready(_) => 1,
            Stage::Probing(_) => 2,
            _ => 3,
        };
        self.target = (0..self.legs.len()).filter(usable).min_by_key(rank);
    }
}
