//! The link: a queue, a transmitter, a wire.
//!
//! Only what can be seen from outside is an event: a packet that comes out, or a change of conditions. A
//! packet goes onto the wire at the *start* of its transmission, with its arrival already known, and the
//! start of a later transmission is found out at the next call that follows it. Nothing is seen too
//! late: as long as a packet waits another is in transmission, hence on the wire, and it arrives after
//! the next one's transmission began.

use std::collections::VecDeque;
use std::sync::Arc;

use atl_core::path::LinkReport;
use atl_core::time::Time;

use crate::blackout::Intervals;
use crate::config::{AtChange, Conditions, Config, QueueConfig};
use crate::counters::Counters;
use crate::damage::Damage;
use crate::delay::Propagation;
use crate::exit::{Cause, ChangeEvent, Exit};
use crate::loss::{Fate, LossProcess};
use crate::packet::Packet;
use crate::queue::Queue;
use crate::random::Stream;
use crate::report::LossWindow;
use crate::service::{Job, Transmitter};

/// Later than any call: what is due at [`Time::MAX`] never happens.
const LAST: Time = Time::from_nanos(u64::MAX - 1);

/// A packet in transmission or on the wire.
#[derive(Debug)]
struct Slot<P> {
    arrive: Time,
    fate: Fate,
    packet: P,
}

/// A link in one direction.
///
/// The caller's times never go back from one call to the next. Whoever calls [`Link::poll`] at each
/// [`Link::next_event`] gets each packet at its exact time; whoever calls later gets the same in the same
/// order.
#[derive(Debug)]
// In this order what a packet needs stands in front and together: with ten thousand links most of a
// packet's cost is the cache lines that it touches (docs/performance.md).
#[repr(C)]
pub struct Link<P> {
    /// End of the last transmission that has begun.
    free_at: Time,
    /// Time of the first change that was not polled, or of the next one.
    change_due: Time,
    /// When the next change is.
    change_at: Time,
    /// In transmission (the last one, while `free_at` is ahead) or on the wire, in order of arrival.
    wire: VecDeque<Slot<P>>,
    transmitter: Transmitter,
    propagation: Propagation,
    /// Blackouts during which nothing is transmitted; its place is the start of the last transmission.
    holds: Intervals,
    /// Blackouts during which what is transmitted is lost; its place is the end of the last transmission.
    dead: Intervals,
    /// The last transmission that has begun, from its start.
    job: Job,
    loss: LossProcess,
    queue: Queue<P>,
    /// From so many waiting packets on one that comes is marked.
    mark_at: usize,
    counters: Counters,
    window: LossWindow,
    stream: Stream,
    /// Index in the schedule of the next change.
    next_change: usize,
    config: Arc<Config>,
    /// Changes that have taken place but were not polled yet.
    changed: VecDeque<(Time, ChangeEvent)>,
    /// Wrong bits of the packets on the wire that have any, in their order.
    damages: VecDeque<Damage>,
}

impl<P: Packet> Link<P> {
    /// An idle, empty link at time zero. The schedule is taken to be in order of time: a change that is
    /// earlier than the one before it takes place together with that one.
    pub fn new(config: Arc<Config>, mut stream: Stream) -> Self {
        let change_at = config.schedule.first().map_or(Time::MAX, |change| change.at);
        let loss = LossProcess::new(&config.initial.loss, &mut stream);
        Link {
            stream,
            queue: Queue::new(config.queue),
            wire: VecDeque::new(),
            free_at: Time::ZERO,
            job: Job::default(),
            mark_at: config.mark_at.map_or(usize::MAX, |packets| packets.max(1) as usize),
            transmitter: Transmitter::new(&config.initial.service),
            propagation: Propagation::new(&config.initial.delay),
            loss,
            holds: Intervals::new(&config.blackouts, true),
            dead: Intervals::new(&config.blackouts, false),
            next_change: 0,
            change_at,
            changed: VecDeque::new(),
            damages: VecDeque::new(),
            change_due: change_at,
            counters: Counters::default(),
            window: LossWindow::new(config.report_window),
            config,
        }
    }

    /// Hands a packet in.
    ///
    /// # Errors
    /// The packet that the queue drops: the one handed in or, by a queue with priorities, one that it pushes
    /// out, in which case it was itself taken. More may go for the same packet where the capacity is in bytes:
    /// [`Link::next_dropped`] gives them.
    #[inline]
    pub fn offer(&mut self, now: Time, mut packet: P) -> Result<(), P> {
        let now = now.min(LAST);
        self.advance(now);
        self.counters.offered += 1;
        if self.free_at <= now {
            let (arrive, fate) = self.start(now, packet.wire_bytes(), true);
            self.wire.push_back(Slot { arrive, fate, packet });
            return Ok(());
        }
        if self.queue.len() >= self.mark_at {
            packet.mark();
            self.counters.marked += 1;
        }
        let result = self.queue.push(now, packet);
        if result.is_err() {
            self.counters.dropped += 1 + self.queue.dropped() as u64;
        }
        result
    }

    /// After an error of [`Link::offer`]: the next packet that was dropped for the same one, the latest first;
    /// to be called until there is none. What is left of them is forgotten when more are dropped.
    #[inline]
    pub fn next_dropped(&mut self) -> Option<P> {
        self.queue.next_dropped()
    }

    /// The next thing that has come out at or before `now`; to be called until there is none.
    #[inline]
    pub fn poll(&mut self, now: Time) -> Option<Exit<P>> {
        let now = now.min(LAST);
        self.advance(now);
        let arrive = self.wire.front().map_or(Time::MAX, |slot| slot.arrive);
        if self.change_due <= now && self.change_due <= arrive {
            return self.take_change();
        }
        if arrive > now {
            return None;
        }
        let mut slot = self.take_front()?;
        self.window.advance(arrive, &self.counters);
        let lost = match slot.fate {
            Fate::Arrives => None,
            Fate::Damaged => self.damage(&mut slot.packet),
            Fate::Lost(cause) => Some(cause),
        };
        let Some(cause) = lost else {
            self.counters.delivered += 1;
            self.counters.delivered_bytes += u64::from(slot.packet.wire_bytes());
            return Some(Exit::Delivered(slot.packet));
        };
        self.counters.lost += 1;
        self.counters.congested += u64::from(cause == Cause::Congestion);
        Some(Exit::Lost(slot.packet, cause))
    }

    /// The next packet that has arrived at or before `now`, if that is the next thing to come out: the
    /// short way for the most frequent case. `None` says nothing about what [`Link::poll`] would give.
    #[inline]
    pub fn poll_delivered(&mut self, now: Time) -> Option<P> {
        let now = now.min(LAST);
        let slot = self.wire.front()?;
        let arrive = slot.arrive;
        if arrive > now || slot.fate != Fate::Arrives || self.change_due <= arrive {
            return None;
        }
        if self.free_at <= now {
            self.advance(now);
        }
        let packet = self.take_front()?.packet;
        self.window.advance(arrive, &self.counters);
        self.counters.delivered += 1;
        self.counters.delivered_bytes += u64::from(packet.wire_bytes());
        Some(packet)
    }

    /// When [`Link::poll`] gives something next; [`Time::MAX`] if never, unless a packet is offered.
    #[inline]
    pub fn next_event(&self) -> Time {
        match self.wire.front() {
            Some(slot) => slot.arrive.min(self.change_due),
            None => self.change_due,
        }
    }

    /// What it has counted up to the last call.
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    /// p_w over the window of [`Config::report_window`] (which moves on in steps of 1/16) up to `now`,
    /// counting the packets that were polled by then; d_w, the one-way delay at `now`.
    pub fn report(&mut self, now: Time) -> LinkReport {
        let now = now.min(LAST);
        self.advance(now);
        LinkReport { loss: self.window.loss(now, &self.counters), delay: self.propagation.at(now) }
    }

    /// The conditions as of the last call.
    pub fn conditions(&self) -> &Conditions {
        match self.next_change.checked_sub(1).and_then(|last| self.config.schedule.get(last)) {
            Some(change) => &change.to,
            None => &self.config.initial,
        }
    }

    /// Changes of conditions that have taken place as of the last call.
    pub fn changes(&self) -> usize {
        self.next_change
    }

    /// Packets waiting as of the last call; the one in transmission is not among them.
    pub fn queue_len(&self) -> usize {
        self.queue.len()
    }

    /// The queue, as it was configured.
    pub fn queue_config(&self) -> QueueConfig {
        self.config.queue
    }

    /// Packets in the link: waiting, in transmission, or on the wire and not polled yet.
    pub fn held(&self) -> usize {
        self.queue.len() + self.wire.len()
    }

    /// Takes the first packet off the wire. An empty ring begins anew at its front: one that went round
    /// and round would touch all the memory that its fullest moment took.
    #[inline]
    fn take_front(&mut self) -> Option<Slot<P>> {
        let slot = self.wire.pop_front();
        if self.wire.is_empty() {
            self.wire.clear();
        }
        slot
    }

    /// The packet that comes out next, or is lost next, if there is one.
    #[inline]
    pub fn front(&self) -> Option<&P> {
        self.wire.front().map(|slot| &slot.packet)
    }

    /// Reads a word of each cache line that a packet will need, and gives them mixed together. A host with
    /// thousands of links calls it for several before it uses the first: their memory then comes in at the
    /// same time.
    #[inline]
    pub fn touch(&self) -> u64 {
        self.free_at.nanos()
            ^ self.holds.begin().nanos()
            ^ self.job.from.nanos()
            ^ self.queue.len() as u64
            ^ self.counters.delivered
            ^ self.window.end().nanos()
    }

    /// Finds out what has begun up to `now`.
    #[inline]
    fn advance(&mut self, now: Time) {
        while self.change_at <= now {
            self.cross_change();
        }
        if self.free_at <= now && self.queue.len() > 0 {
            self.serve_until(now);
        }
    }

    /// Starts the transmissions that start at or before `now`.
    #[inline]
    fn serve_until(&mut self, now: Time) {
        while self.free_at <= now {
            let at = self.free_at;
            let Some(packet) = self.queue.pop(at) else {
                return;
            };
            let (arrive, fate) = self.start(at, packet.wire_bytes(), false);
            self.wire.push_back(Slot { arrive, fate, packet });
        }
    }

    /// Begins to transmit a packet, `fresh` unless the last transmission ends at `at`; when it arrives,
    /// and what becomes of it. The packet itself is not handed in: it would be copied once more.
    #[inline]
    fn start(&mut self, at: Time, bytes: u32, fresh: bool) -> (Time, Fate) {
        self.counters.transmitted += 1;
        self.counters.transmitted_bytes += u64::from(bytes);
        self.transmit(at, f64::from(bytes), fresh);
        let earliest = self.wire.back().map_or(Time::ZERO, |slot| slot.arrive);
        self.outcome(at, bytes, earliest)
    }

    /// Sets the job and its end, which blackouts put off.
    #[inline]
    fn transmit(&mut self, at: Time, bytes: f64, fresh: bool) {
        self.free_at = self.transmitter.transmit(at, bytes, fresh, &mut self.job);
        if self.free_at >= self.holds.begin() {
            self.put_off();
        }
    }

    /// A transmission that would go on into a blackout is suspended and goes on after it.
    #[cold]
    fn put_off(&mut self) {
        self.holds.advance(self.job.from);
        let mut job = self.job;
        for hold in self.holds.ahead() {
            if self.free_at <= hold.from && job.from < hold.from {
                break;
            }
            job = self.transmitter.remaining(job, hold.from);
            self.free_at = self.transmitter.transmit(hold.until, job.bytes, true, &mut job);
        }
    }

    /// What is left of the job at `at`, past the blackouts before.
    fn remaining(&self, at: Time) -> Job {
        let mut job = self.job;
        for hold in self.holds.ahead() {
            if hold.from >= at {
                break;
            }
            job = self.transmitter.remaining(job, hold.from);
            job.from = job.from.max(hold.until);
        }
        self.transmitter.remaining(job, at)
    }

    /// When the packet in transmission since `at`, of so many bytes, arrives, not before `earliest`, and what becomes
    /// of it.
    #[inline]
    fn outcome(&mut self, at: Time, bytes: u32, earliest: Time) -> (Time, Fate) {
        let end = self.free_at;
        // Asked for each packet, so that a blackout does not change which of the others are lost.
        let mut fate = self.loss.next(at, end, 8.0 * f64::from(bytes), &mut self.stream);
        if end >= self.dead.begin() && self.dead.covers(end) {
            fate = Fate::Lost(Cause::Blackout);
        }
        if fate == Fate::Damaged {
            self.damages.extend(self.loss.damage());
        }
        let arrive = end.saturating_add(self.propagation.at(end));
        (arrive.max(earliest), fate)
    }

    /// Tells a packet that arrives of its wrong bits; why it is lost, if it is.
    #[cold]
    fn damage(&mut self, packet: &mut P) -> Option<Cause> {
        let through = self.damages.pop_front().is_some_and(|damage| packet.damage(damage));
        self.counters.damaged += u64::from(through);
        (!through).then_some(Cause::Error)
    }

    #[cold]
    fn take_change<T>(&mut self) -> Option<Exit<T>> {
        let (_, event) = self.changed.pop_front()?;
        self.change_due = self.changed.front().map_or(self.change_at, |&(at, _)| at);
        Some(Exit::Changed(event))
    }

    /// Everything up to the next change, and the change itself.
    #[cold]
    fn cross_change(&mut self) {
        let at = self.change_at;
        // What starts at the very moment of the change starts in the new network.
        if let Some(before) = at.nanos().checked_sub(1) {
            self.serve_until(Time::from_nanos(before));
        }
        let in_transmission = self.free_at > at;
        let job = in_transmission.then(|| self.remaining(at));
        let old_delay = self.propagation.at(at);
        if self.config.at_change == AtChange::Lose {
            self.lose_wire(at, self.wire.len() - usize::from(in_transmission));
        }
        let index = self.next_change;
        self.enter(index, at);
        if let Some(job) = job {
            self.carry_over(at, job);
        }
        let event = ChangeEvent { index, old_delay, new_delay: self.propagation.at(at) };
        self.changed.push_back((at, event));
        self.change_due = self.changed.front().map_or(self.change_at, |&(at, _)| at);
    }

    /// Takes on the conditions of a change at `at`.
    fn enter(&mut self, index: usize, at: Time) {
        let config = Arc::clone(&self.config);
        let old = self.conditions().loss;
        let to = &config.schedule[index].to;
        self.transmitter = Transmitter::new(&to.service);
        self.propagation = Propagation::new(&to.delay);
        // A chain goes on where the change does not concern it.
        if old != to.loss {
            self.loss = LossProcess::new(&to.loss, &mut self.stream);
        }
        self.next_change = index + 1;
        self.change_at =
            config.schedule.get(self.next_change).map_or(Time::MAX, |change| change.at.max(at));
    }

    /// Loses the first `transmitted` packets of the wire, where they have not arrived by `at`.
    fn lose_wire(&mut self, at: Time, transmitted: usize) {
        // Arrivals are in order: the wrong bits of those that have arrived come first, then those of the lost ones.
        let arrived = self.wire.iter().take(transmitted).take_while(|slot| slot.arrive <= at);
        let kept = arrived.filter(|slot| slot.fate == Fate::Damaged).count();
        let mut damaged = 0;
        for slot in self.wire.iter_mut().take(transmitted).filter(|slot| slot.arrive > at) {
            damaged += usize::from(slot.fate == Fate::Damaged);
            if !matches!(slot.fate, Fate::Lost(_)) {
                slot.fate = Fate::Lost(Cause::Change);
            }
            slot.arrive = at;
        }
        self.damages.drain(kept..kept + damaged);
    }

    /// The packet in transmission goes on with what is left of it in the new network, which also decides
    /// its fate.
    fn carry_over(&mut self, at: Time, job: Job) {
        let Some(last) = self.wire.back() else { return };
        let bytes = last.packet.wire_bytes();
        if last.fate == Fate::Damaged {
            self.damages.pop_back();
        }
        self.transmit(at, job.bytes, true);
        self.dead.rewind(at);
        let before = self.wire.len().checked_sub(2).and_then(|i| self.wire.get(i));
        let earliest = before.map_or(Time::ZERO, |slot| slot.arrive);
        let (arrive, fate) = self.outcome(at, bytes, earliest);
        if let Some(slot) = self.wire.back_mut() {
            (slot.arrive, slot.fate) = (arrive, fate);
        }
    }
}
