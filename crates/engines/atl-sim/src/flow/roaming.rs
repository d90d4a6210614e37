//! The paths of a mobile's flow. No other flow has this part.

use atl_core::path::{PathId, PathSignal};
use atl_core::roaming::NewPath;
use atl_core::time::Time;
use atl_endpoint::handoff::{Notice, Notifier};
use atl_endpoint::interruptions::Side;
use atl_engine::flow::{Mobile, session_key, start};
use atl_engine::setup::{FlowSetup, LinkSetup, MobileSetup};

use super::forger::Forger;
use super::place::Paths;

/// The paths of a mobile's flow.
#[derive(Debug)]
pub(crate) struct Roaming {
    mobile: Mobile,
    /// Where each path begins in the routing table.
    all: Vec<Paths>,
    /// The path of each place in the routing table, from the first of the flow on.
    paths: Vec<Option<PathId>>,
    /// True if its sender treats every path alike.
    keeps: bool,
    notifier: Notifier,
    forger: Option<Forger>,
    /// Bytes of forged notices that reached the sender since measurement began.
    forged_bytes: u64,
    /// Application bytes, each once, that came over a path that was not the current one.
    elsewhere_bytes: u64,
}

/// The path of each place in the routing table from the beginning of the first path on, the end of
/// each way included.
fn paths_of_places(plan: &FlowSetup, all: &[Paths]) -> Vec<Option<PathId>> {
    let mut places = Vec::new();
    let Some(origin) = all.first().map(|paths| paths.forward) else { return places };
    for (index, (path, begin)) in plan.paths.iter().zip(all).enumerate() {
        for (begin, way) in [(begin.forward, &path.forward), (begin.back, &path.back)] {
            let first = (begin - origin) as usize;
            let end = first + way.len() + 1;
            places.resize(places.len().max(end), None);
            // The way of a virtual channel has fewer places than links: what comes after it is the
            // next one's.
            for place in &mut places[first..end] {
                place.get_or_insert(PathId::new(index as u8));
            }
        }
    }
    places
}

impl Roaming {
    /// The paths of a flow, which begin at these places of the routing table; `None` if neither of
    /// its ends moves.
    pub(crate) fn new(
        plan: &FlowSetup,
        mobiles: &[MobileSetup],
        links: &[LinkSetup],
        all: &[Paths],
        seed: u64,
    ) -> Option<Self> {
        let mobile = Mobile::new(plan, &mobiles[plan.mobile?.mobile].steps, links)?;
        // A mobile that sends takes nobody's word for where it is.
        let forged = plan.notices.forged.filter(|_| mobile.side() == Side::Receiver);
        Some(Roaming {
            mobile,
            all: all.to_vec(),
            paths: paths_of_places(plan, all),
            keeps: plan.protocol.new_path == NewPath::Keep,
            notifier: Notifier::new(session_key(plan, seed)),
            forger: forged.map(|forged| Forger::new(forged, start(plan, seed))),
            forged_bytes: 0,
            elsewhere_bytes: 0,
        })
    }

    /// The mobile host at one end of the flow.
    pub(crate) fn mobile(&self) -> &Mobile {
        &self.mobile
    }

    /// When it signals or repeats a notice next.
    pub(crate) fn next_event(&self) -> Option<Time> {
        let notice = Some(self.notifier.next_timer()).filter(|at| *at < Time::MAX);
        let forged = self.forger.as_ref().map(Forger::due);
        self.mobile.next_step().into_iter().chain(notice).chain(forged).min()
    }

    /// The next notice of an attacker that reaches the sender now, and the path over which it seems
    /// to come.
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

    /// Forgets the bytes counted in the warm-up.
    pub(crate) fn begin_measurement(&mut self) {
        self.forged_bytes = 0;
    }

    /// Bytes of forged notices that reached the sender; `None` if nobody forges any.
    pub(crate) fn forged_bytes(&self) -> Option<u64> {
        self.forger.as_ref().map(|_| self.forged_bytes)
    }

    /// Bytes that the receiver did not have came over this path.
    pub(crate) fn on_bytes(&mut self, path: PathId, bytes: u32) {
        if path != self.mobile.current() {
            self.elsewhere_bytes += u64::from(bytes);
        }
    }

    /// Bytes that came over a path that was not the current one, since the start.
    pub(crate) fn elsewhere_bytes(&self) -> u64 {
        self.elsewhere_bytes
    }

    /// A mobile receiver is to tell the sender.
    pub(crate) fn notify(&mut self, now: Time, signal: PathSignal) {
        self.notifier.signal(now, signal);
    }

    /// The next notice to send now, and the path that it takes.
    pub(crate) fn poll_notice(&mut self, now: Time) -> Option<(PathId, Notice)> {
        self.notifier.poll(now)
    }

    /// A packet reached the mobile receiver over this path: the sender knows of it, and if it is
    /// data uses it.
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

    /// Takes the next signal if it is due, and follows it.
    pub(crate) fn step(&mut self, now: Time) -> Option<PathSignal> {
        self.mobile.step(now)
    }

    /// True if the mobile sends the data, false if it receives it.
    pub(crate) fn sends(&self) -> bool {
        self.mobile.side() == Side::Sender
    }

    /// Where the data of a path begins.
    pub(crate) fn forward(&self, path: PathId) -> u32 {
        self.places(path).forward
    }

    /// Where what goes back over a path begins.
    pub(crate) fn back(&self, path: PathId) -> u32 {
        self.places(path).back
    }

    /// True if what a mobile source sends from this place has no link to go by.
    pub(crate) fn strands(&self, hop: u32) -> bool {
        self.sends() && !self.mobile.is_present(self.path_at(hop))
    }

    /// The path that a place in the routing table lies on; a packet that met agents at its very end
    /// is taken for one of the current path.
    pub(crate) fn path_at(&self, hop: u32) -> PathId {
        let place = hop.checked_sub(self.all.first().map_or(0, |first| first.forward));
        let path = place.and_then(|place| self.paths.get(place as usize).copied().flatten());
        path.unwrap_or(self.mobile.current())
    }

    /// A path that the flow does not have, which no endpoint names, is taken for the current one.
    fn places(&self, path: PathId) -> &Paths {
        self.all.get(path.index()).unwrap_or(&self.all[self.mobile.current().index()])
    }
}
