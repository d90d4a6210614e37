//! What only the flows of a mobile have: several paths, and what becomes of them.

use atl_core::path::{PathId, PathSignal};
use atl_core::roaming::NewPath;
use atl_core::time::Time;
use atl_endpoint::handoff::{Notice, Notifier};
use atl_endpoint::interruptions::Side;
use atl_engine::flow::{Wireless, session_key, start};
use atl_engine::setup::{FlowSetup, LinkSetup, MobileStep, Path};

use super::forger::Forger;
use super::place::Paths;

/// The paths of a mobile's flow.
#[derive(Debug)]
pub(crate) struct Roaming {
    legs: Vec<Leg>,
    /// The mobile's signals, the next one last.
    steps: Vec<MobileStep>,
    /// True if the mobile sends the data.
    sends: bool,
    /// True if its sender treats every path alike.
    keeps: bool,
    /// The path that the mobile is on.
    current: PathId,
    notifier: Notifier,
    forger: Option<Forger>,
    /// Bytes of forged notices that reached the sender since measurement began.
    forged_bytes: u64,
}

/// One path.
#[derive(Debug)]
struct Leg {
    paths: Paths,
    /// Entries of the forward path and of the path back.
    entries: [u32; 2],
    wireless: Wireless,
    /// The mobile can be reached on it.
    present: bool,
}

impl Leg {
    /// True if this place in the routing table lies on the path, in either direction, its end included.
    fn holds(&self, hop: u32) -> bool {
        let on = |begin: u32, entries: u32| hop.wrapping_sub(begin) <= entries;
        on(self.paths.forward, self.entries[0]) || on(self.paths.back, self.entries[1])
    }
}

impl Roaming {
    /// The paths of a flow of this mobile, which begin at these places of the routing table.
    pub(crate) fn new(
        plan: &FlowSetup,
        (sends, steps): (bool, &[MobileStep]),
        links: &[LinkSetup],
        all: &[Paths],
        seed: u64,
    ) -> Self {
        let leg = |(path, paths): (&Path, &Paths)| Leg {
            paths: *paths,
            entries: [&path.forward, &path.back].map(|way| way.len() as u32),
            wireless: Wireless::of(path, links),
            present: false,
        };
        let mut legs: Vec<Leg> = plan.paths.iter().zip(all).map(leg).collect();
        if let Some(first) = legs.first_mut() {
            first.present = true;
        }
        let steps = steps.iter().rev().copied().collect();
        let keeps = plan.protocol.new_path == NewPath::Keep;
        let notifier = Notifier::new(session_key(plan, seed));
        // A mobile that sends takes nobody's word for where it is.
        let forged = plan.notices.forged.filter(|_| !sends);
        let forger = forged.map(|forged| Forger::new(forged, start(plan, seed)));
        let current = PathId::FIRST;
        Roaming { legs, steps, sends, keeps, current, notifier, forger, forged_bytes: 0 }
    }

    /// Which end moves, and what is still to be signalled, in order of time.
    pub(crate) fn moves(&self) -> (Side, Vec<(Time, PathSignal)>) {
        let side = if self.sends { Side::Sender } else { Side::Receiver };
        (side, self.steps.iter().rev().map(|step| (step.at, step.signal)).collect())
    }

    /// When the mobile signals next.
    pub(crate) fn next_step(&self) -> Option<Time> {
        self.steps.last().map(|step| step.at)
    }

    /// When it signals or repeats a notice next.
    pub(crate) fn next_event(&self) -> Option<Time> {
        let notice = Some(self.notifier.next_timer()).filter(|at| *at < Time::MAX);
        let forged = self.forger.as_ref().map(Forger::due);
        self.next_step().into_iter().chain(notice).chain(forged).min()
    }

    /// The next notice of an attacker that reaches the sender now, and the path over which it seems to come.
    pub(crate) fn poll_forged(&mut self, now: Time, bytes: u16) -> Option<(PathId, Notice)> {
        let said = self.forger.as_mut()?.poll(now)?;
        self.forged_bytes += u64::from(bytes);
        Some(said)
    }

    /// A notice of the mobile reached the sender over this path.
    pub(crate) fn overhear(&mut self, path: PathId, notice: Notice) {
        if let Some(forger) = &mut self.forger {
            forger.overhear(path, notice);
        }
    }

    /// What was counted before is left out.
    pub(crate) fn begin_measurement(&mut self) {
        self.forged_bytes = 0;
    }

    /// Bytes of forged notices that reached the sender; `None` if nobody forges any.
    pub(crate) fn forged_bytes(&self) -> Option<u64> {
        self.forger.as_ref().map(|_| self.forged_bytes)
    }

    /// A mobile receiver is to tell the sender.
    pub(crate) fn notify(&mut self, now: Time, signal: PathSignal) {
        self.notifier.signal(now, signal);
    }

    /// The next notice to send now, and the path that it takes.
    pub(crate) fn poll_notice(&mut self, now: Time) -> Option<(PathId, Notice)> {
        self.notifier.poll(now)
    }

    /// A packet reached the mobile receiver over this path: the sender knows of it, and if it is data uses it.
    pub(crate) fn confirm(&mut self, path: PathId, data: bool) {
        self.notifier.on_packet(path);
        if data {
            self.notifier.on_data(path);
        }
    }

    /// True if its sender treats every path alike.
    pub(crate) fn keeps(&self) -> bool {
        self.keeps
    }

    /// Takes the next signal, and follows it.
    pub(crate) fn step(&mut self) -> Option<PathSignal> {
        let signal = self.steps.pop()?.signal;
        let path = signal.path();
        if let Some(leg) = self.legs.get_mut(path.index()) {
            leg.present = !matches!(signal, PathSignal::Gone(_));
            if let PathSignal::Done(_) = signal {
                self.current = path;
            }
        }
        Some(signal)
    }

    /// True if the mobile sends the data, false if it receives it.
    pub(crate) fn sends(&self) -> bool {
        self.sends
    }

    /// The path that the mobile is on.
    pub(crate) fn current(&self) -> PathId {
        self.current
    }

    /// Where the data of a path begins.
    pub(crate) fn forward(&self, path: PathId) -> u32 {
        self.leg(path).paths.forward
    }

    /// Where what goes back over a path begins.
    pub(crate) fn back(&self, path: PathId) -> u32 {
        self.leg(path).paths.back
    }

    /// The wireless links of a path.
    pub(crate) fn wireless(&self, path: PathId) -> Wireless {
        self.leg(path).wireless
    }

    /// The wireless links at the source's own end, over all paths.
    pub(crate) fn own_links(&self) -> impl Iterator<Item = u32> {
        self.legs.iter().filter_map(|leg| leg.wireless.access)
    }

    /// True if the mobile can be reached on this path.
    pub(crate) fn is_present(&self, path: PathId) -> bool {
        self.leg(path).present
    }

    /// True if what a mobile source sends from this place has no link to go by.
    pub(crate) fn strands(&self, hop: u32) -> bool {
        self.sends && !self.is_present(self.path_at(hop))
    }

    /// The path that a place in the routing table lies on; a packet that met agents at its very end is taken for one of the
    /// current path.
    pub(crate) fn path_at(&self, hop: u32) -> PathId {
        let index = self.legs.iter().position(|leg| leg.holds(hop));
        index.and_then(|index| u8::try_from(index).ok()).map_or(self.current, PathId::new)
    }

    /// The leg of a path; a path that the flow does not have, which no endpoint names, is taken for the current one.
    fn leg(&self, path: PathId) -> &Leg {
        self.legs.get(path.index()).unwrap_or(&self.legs[self.current.index()])
    }
}
