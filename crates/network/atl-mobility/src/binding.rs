//! Care-of addresses: a network can be used some time after it is reached.
//!
//! A host that enters a cell asks for an address there and binds it to its own (Mobile IP's
//! simultaneous bindings: old and new address hold at once; Taleb et al., sec. III-A). That takes a
//! fixed time. The update's way to the peer is not in it: that is a packet of its flow.

use atl_core::time::{Span, Time};

/// The addresses of a host, one for each cell at most.
#[derive(Clone, Debug)]
pub struct Bindings {
    takes: Span,
    ready: Vec<Option<Time>>,
}

impl Bindings {
    /// No address yet in any of `cells` cells; each takes this time to set up.
    pub fn new(takes: Span, cells: usize) -> Self {
        Bindings { takes, ready: vec![None; cells] }
    }

    /// The host has had its address in a cell for long.
    pub fn hold(&mut self, cell: usize) {
        self.ready[cell] = Some(Time::ZERO);
    }

    /// The host asks for an address in a cell, unless it has done so. Returns when it can be used.
    pub fn ask(&mut self, cell: usize, now: Time) -> Time {
        *self.ready[cell].get_or_insert(now.saturating_add(self.takes))
    }

    /// When an address in a cell can be used, if the host asks for it now at the latest.
    pub fn ready(&self, cell: usize, now: Time) -> Time {
        self.ready[cell].unwrap_or(now.saturating_add(self.takes))
    }

    /// The host leaves a cell: its address there is gone.
    pub fn release(&mut self, cell: usize) {
        self.ready[cell] = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_asked_for_once_and_again_after_it_was_given_up() {
        let at = Time::from_millis;
        let mut bindings = Bindings::new(Span::from_millis(200), 2);
        bindings.hold(0);
        assert_eq!(bindings.ask(0, at(50)), Time::ZERO);
        assert_eq!(bindings.ask(1, at(1000)), at(1200));
        // Two at once; asking again changes nothing.
        assert_eq!(bindings.ask(1, at(1100)), at(1200));
        assert_eq!(bindings.ask(0, at(1100)), Time::ZERO);
        assert_eq!(bindings.ready(1, at(1100)), at(1200));
        bindings.release(1);
        assert_eq!(bindings.ready(1, at(1300)), at(1500));
        assert_eq!(bindings.ask(1, at(1300)), at(1500));
    }
}
