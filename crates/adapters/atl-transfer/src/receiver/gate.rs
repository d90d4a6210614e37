//! Places for connections: most for senders that have proved a ticket, a few for strangers.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::proof::{self, Nonce};

/// Connections at a time of senders that have proved a ticket, or have been let in without one.
pub(super) const MAX_CONNECTIONS: usize = 32;
/// Connections at a time that have proved nothing yet.
pub(super) const MAX_STRANGERS: usize = 16;
/// Of these: from one IPv4 address, or one IPv6 network of 64 bits.
pub(super) const STRANGERS_PER_ADDRESS: usize = 8;
/// Proofs that are remembered, since a copied one counts for nothing.
const REMEMBERED: usize = 4096;

/// The answer to a connection that begins.
pub(super) enum Answer {
    /// It has a place until this is dropped.
    Place(Place),
    /// It must show first that it receives at its address (a Retry packet).
    Validate,
    /// There is no place for it.
    Full,
}

/// The places of a receiver.
pub(super) struct Gate {
    secret: [u8; 16],
    taken: Mutex<Taken>,
}

#[derive(Default)]
struct Taken {
    inside: usize,
    strangers: usize,
    by_address: BTreeMap<IpAddr, usize>,
    seen: BTreeSet<Nonce>,
    in_order: VecDeque<Nonce>,
}

impl Taken {
    /// Notes a proof. False if it has been shown before.
    fn is_new(&mut self, nonce: Nonce) -> bool {
        if !self.seen.insert(nonce) {
            return false;
        }
        self.in_order.push_back(nonce);
        if self.in_order.len() > REMEMBERED
            && let Some(oldest) = self.in_order.pop_front()
        {
            self.seen.remove(&oldest);
        }
        true
    }
}

/// The address that strangers share: whoever has an IPv6 address has 2^64 of them.
fn block(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => address.into(),
        IpAddr::V6(address) => {
            let bits = u128::from(address) >> 64 << 64;
            IpAddr::V6(bits.into())
        }
    }
}

impl Gate {
    pub(super) fn new(secret: [u8; 16]) -> Arc<Self> {
        Arc::new(Gate { secret, taken: Mutex::default() })
    }

    fn taken(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Decides on a connection that begins with packets to the connection ID `id`. `may_ask` is
    /// true if its address can be validated and has not been.
    pub(super) fn admit(self: &Arc<Self>, from: IpAddr, id: &[u8], may_ask: bool) -> Answer {
        let mut taken = self.taken();
        let proof = proof::check(&self.secret, id);
        if proof.is_some() && taken.inside >= MAX_CONNECTIONS {
            return Answer::Full;
        }
        if proof.is_some_and(|nonce| taken.is_new(nonce)) {
            taken.inside += 1;
            return Answer::Place(Place { gate: Arc::clone(self), stranger: None });
        }
        let from = block(from);
        let here = taken.by_address.get(&from).copied().unwrap_or(0);
        if taken.strangers >= MAX_STRANGERS || here >= STRANGERS_PER_ADDRESS {
            return Answer::Full;
        }
        // Forged addresses would fill the places of those who have them.
        let busy = taken.strangers >= MAX_STRANGERS / 2 || here >= STRANGERS_PER_ADDRESS / 2;
        if busy && may_ask {
            return Answer::Validate;
        }
        taken.strangers += 1;
        *taken.by_address.entry(from).or_default() += 1;
        Answer::Place(Place { gate: Arc::clone(self), stranger: Some(from) })
    }
}

/// A place of one connection, given up when it is dropped.
pub(super) struct Place {
    gate: Arc<Gate>,
    /// The address of a stranger; `None` once it has proved a ticket.
    stranger: Option<IpAddr>,
}

impl Place {
    pub(super) fn is_strangers(&self) -> bool {
        self.stranger.is_some()
    }

    /// Moves a stranger that has proved a ticket to the others. False if there is no place.
    pub(super) fn enter(&mut self) -> bool {
        let mut taken = self.gate.taken();
        let Some(from) = self.stranger else { return true };
        if taken.inside >= MAX_CONNECTIONS {
            return false;
        }
        taken.inside += 1;
        self.stranger = None;
        leave(&mut taken, from);
        true
    }
}

/// Counts a stranger out.
fn leave(taken: &mut Taken, from: IpAddr) {
    taken.strangers -= 1;
    if let Some(here) = taken.by_address.get_mut(&from) {
        *here -= 1;
        if *here == 0 {
            taken.by_address.remove(&from);
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.gate.taken();
        match self.stranger {
            Some(from) => leave(&mut taken, from),
            None => taken.inside -= 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, Ipv6Addr};

    use super::*;

    const SECRET: [u8; 16] = [3; 16];

    fn host(n: u8) -> IpAddr {
        Ipv4Addr::new(192, 0, 2, n).into()
    }

    fn place(answer: Answer) -> Option<Place> {
        match answer {
            Answer::Place(place) => Some(place),
            Answer::Validate | Answer::Full => None,
        }
    }

    #[test]
    fn strangers_fill_their_own_places_and_no_others() {
        let gate = Gate::new(SECRET);
        let mut held: Vec<Place> = (0..500)
            .filter_map(|n| place(gate.admit(host((n % 50) as u8), &[9; 20], false)))
            .collect();
        assert_eq!(held.len(), MAX_STRANGERS);
        assert!(held.iter().all(Place::is_strangers));
        // One of them shows its ticket.
        assert!(held[0].enter() && !held[0].is_strangers());
        assert!(place(gate.admit(host(77), &[], false)).is_some(), "its place is free again");
        let proved = |n| {
            let id = proof::draw(&SECRET).expect("random numbers");
            place(gate.admit(host(n), &id, true))
        };
        // One is inside already.
        let senders: Vec<Place> = (0..40).filter_map(|_| proved(1)).collect();
        assert_eq!(senders.len(), MAX_CONNECTIONS - 1);
        assert!(!held[1].enter(), "there is no place for another");
        drop(senders);
        assert!(held[1].enter());
        drop(held);
        let taken = gate.taken();
        assert_eq!((taken.inside, taken.strangers, taken.by_address.len()), (0, 0, 0));
    }

    #[test]
    fn one_address_has_half_of_the_places_and_proves_that_it_is_there() {
        let gate = Gate::new(SECRET);
        let admit = |from: IpAddr, may_ask| gate.admit(from, &[9; 20], may_ask);
        let half = STRANGERS_PER_ADDRESS / 2;
        let mut held: Vec<Place> = (0..half).filter_map(|_| place(admit(host(1), true))).collect();
        assert_eq!(held.len(), half);
        assert!(matches!(admit(host(1), true), Answer::Validate));
        held.extend((0..50).filter_map(|_| place(admit(host(1), false))));
        assert_eq!(held.len(), STRANGERS_PER_ADDRESS);
        assert!(matches!(admit(host(1), false), Answer::Full));
        assert!(place(admit(host(2), false)).is_some());
        // The addresses of one IPv6 network count as one.
        let mut net = |n| {
            let ip = Ipv6Addr::new(0x2001, 0xdb8, 0, 1, n, n, n, n);
            place(admit(ip.into(), false)).map(|place| held.push(place)).is_some()
        };
        assert_eq!((0..50).filter(|n| net(*n)).count(), MAX_STRANGERS - STRANGERS_PER_ADDRESS);
    }

    #[test]
    fn a_copied_proof_makes_a_stranger() {
        let gate = Gate::new(SECRET);
        let id = proof::draw(&SECRET).expect("random numbers");
        let first = place(gate.admit(host(1), &id, true)).expect("a place");
        let copy = place(gate.admit(host(2), &id, true)).expect("a place among strangers");
        assert_eq!((first.is_strangers(), copy.is_strangers()), (false, true));
    }
}
