//! The queues that a link has over its networks.

use atl_core::units::Rate;
use atl_link::Buffer;

use super::queue::Waiting;
use super::roam::Phase;

/// Where one way of a link has its queue from, from a change on.
#[derive(Clone, Copy, Debug)]
enum Source<'a> {
    /// The network brings it.
    Network(&'a Waiting),
    /// The link states it, or the last change that states one.
    Stated,
    /// It is the one in force, with what waits there.
    Before,
}

fn source(phase: &Phase, back: bool) -> Source<'_> {
    let [both, own] = &phase.brings;
    // As with the other keys: `reverse` of a network goes before those of both ways.
    let own = own.as_ref().filter(|_| back);
    let both = both.as_ref().filter(|_| phase.queue.is_none());
    match own.or(both) {
        _ if !phase.enters && (phase.queue.is_none() || own.is_some()) => Source::Before,
        Some(network) => Source::Network(network),
        None => Source::Stated,
    }
}

/// The queues of one way of a link, from phase to phase.
#[derive(Debug)]
pub(super) struct Buffers<'a> {
    link: &'a Waiting,
    /// This way has its own from `link.reverse`, which goes before those of all networks.
    fixed: bool,
    back: bool,
    /// Bytes in place of a time, each at the rate of the network that it is stated for.
    stated: Option<Buffer>,
    last: Option<Buffer>,
}

impl<'a> Buffers<'a> {
    pub(super) fn new(link: &'a Waiting, fixed: bool, back: bool) -> Self {
        Buffers { link, fixed, back, stated: None, last: None }
    }

    /// The queue of the next phase, at this rate; `None` if that of before stays.
    pub(super) fn next(&mut self, phase: &Phase, rate: Option<Rate>) -> Option<Buffer> {
        let own = phase.queue.as_ref().filter(|_| !self.fixed);
        let stated = match (own, self.stated.take()) {
            (None, Some(before)) => before,
            _ => own.unwrap_or(self.link).buffer(rate),
        };
        let source = if self.fixed { Source::Stated } else { source(phase, self.back) };
        let next = match source {
            Source::Network(network) => Some(network.buffer(rate)),
            Source::Stated => Some(stated.clone()),
            Source::Before => None,
        };
        self.stated = Some(stated);
        let next = next.filter(|next| own.is_some() || self.last.as_ref() != Some(next));
        if next.is_some() {
            self.last.clone_from(&next);
        }
        next
    }
}

/// The reason why the queue that a link states has no effect: changes at the start and networks
/// replace it. Where it has none there, it has none on the way back.
pub(super) fn replaced(phases: &[Phase]) -> Option<&'static str> {
    let first = phases.first()?;
    if first.queue.is_some() && !first.of_link {
        return Some("the first of `roam` brings another at the start");
    }
    let mut own = phases.iter().take_while(|phase| phase.of_link || phase.queue.is_none());
    let in_force = own.any(|phase| matches!(source(phase, false), Source::Stated));
    (!in_force).then_some("the networks of `roam` bring others from the start on")
}
