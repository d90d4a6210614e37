//! The link: a queue, a transmitter, a wire.
//!
//! Only what is visible from outside is an event: a packet that comes out, or a change of
//! conditions. A packet enters the wire at the *start* of its transmission, when its arrival is
//! already known. The starts of later transmissions are worked out at the next call. No event is
//! missed: while a packet waits, another is in transmission, hence on the wire, and that one
//! arrives after the next transmission has begun. For the same reason, a packet that the queue
//! drops instead of beginning its transmission has another ahead of it on the wire, and comes out
//! just before the first exit that is not earlier than the drop.

use std::collections::VecDeque;
use std::sync::Arc;

use atl_core::memory::trim;
use atl_core::path::LinkReport;
use atl_core::time::{Span, Time};

use crate::blackout::Intervals;
use crate::config::{Conditions, Config, QueueConfig};
use crate::counters::Counters;
use crate::damage::Damage;
use crate::delay::Propagation;
use crate::disturbance::Disturbance;
use crate::entry::Entry;
use crate::exit::{Cause, ChangeEvent, Exit};
use crate::loss::{Fate, LossProcess};
use crate::packet::Packet;
use crate::plain::Plain;
use crate::queue::Queue;
use crate::random::Stream;
use crate::report::LossWindow;
use crate::reporting::Reporter;
use crate::service::{Job, Transmitter};
use crate::wifi::Radio;

mod changes;
mod plain;
mod radio;
mod wire;

/// The latest time of a call: what is due at [`Time::MAX`] never happens.
const LAST: Time = Time::from_nanos(u64::MAX - 1);

/// The number of waiting packets from which on an arrival is marked.
fn marking(mark_at: Option<u32>) -> usize {
    mark_at.map_or(usize::MAX, |packets| packets.max(1) as usize)
}

/// A packet in transmission or on the wire.
#[derive(Debug)]
struct Slot<P> {
    arrive: Time,
    fate: Fate,
    packet: P,
}

/// One direction of a link, as a state machine without a clock. An engine drives it, in
/// virtual or in real time.
///
/// # Contract
///
/// - **Time** is what the caller passes as `now`, counted from the creation of the link. It must
///   not decrease from one call to the next. An engine in real time passes the time elapsed on a
///   monotonic clock.
/// - **[`offer`](Link::offer)** hands over a packet at its time of entry. It returns the packets
///   that the queue drops because of it (after an error, [`next_dropped`](Link::next_dropped) gives
///   any others). Every other packet comes out of `poll` later, delivered, lost, or dropped as its
///   transmission was to begin or as a change of network brought another queue: none is
///   duplicated, forgotten, or reordered within its priority, unless the conditions say so
///   ([`Conditions::jitter`], [`Conditions::reorder`], [`Conditions::duplicate`]).
/// - **[`poll`](Link::poll)** returns what has come out by `now`, one [`Exit`] at a time, in order
///   of time. Call it until it returns `None`.
/// - **[`next_event`](Link::next_event)** is the time at which `poll` will next return something
///   (with jitter or reordering: the earliest time at which it may). Read it again after each
///   `offer` and after the last `poll`; nothing else changes it. Sleep until then or until a packet
///   arrives to be offered, whichever comes first. [`Time::MAX`] means that only an offer can lead
///   to an event.
///
/// A caller that polls exactly at each `next_event` gets every exit at its exact time. A caller
/// that polls late gets the same exits in the same order, and lateness in polling has no effect on
/// later packets. `next_event`, read right before a `poll` that returns an exit, is the time at
/// which that exit was due; the difference from `now` is the lateness of the caller. A packet that
/// is *offered* late, however, does enter late.
///
/// The link draws random numbers only from its own stream: the same calls give the same exits. It
/// does no I/O and never blocks. It holds the queue and the packets on the wire, and nothing that
/// grows with the length of a run. A link of `Send` packets is `Send`, so each link can have a
/// thread of its own.
#[derive(Debug)]
// The fields that every packet needs come first and together: with ten thousand links most of a
// packet's cost is the cache lines that it touches (docs/performance.md).
#[repr(C)]
pub struct Link<P> {
    /// End of the last transmission that has begun.
    free_at: Time,
    /// Time of the first change not yet polled, or else of the next one; or of a wake, if earlier.
    change_due: Time,
    /// Time of the next change.
    change_at: Time,
    /// Arrival of the last packet put onto the wire, before which none that keeps its order
    /// arrives.
    latest: Time,
    /// Packets in transmission (the last one, while `free_at` is ahead) or on the wire, in order of
    /// arrival.
    wire: VecDeque<Slot<P>>,
    /// The packets of a plain link are all on the wire; `None` of any other.
    plain: Option<Plain>,
    transmitter: Transmitter,
    propagation: Propagation,
    /// Blackouts that hold packets; positioned at the start of the last transmission.
    holds: Intervals,
    /// Blackouts that lose packets; positioned at the end of the last transmission.
    dead: Intervals,
    /// The last transmission that has begun, as of its start.
    job: Job,
    loss: LossProcess,
    queue: Queue<P>,
    /// A packet that finds at least this many waiting is marked.
    mark_at: usize,
    /// There is an `entry` or a `radio`.
    guarded: bool,
    /// There is a `disturbance` or a `radio`.
    disturbed: bool,
    counters: Counters,
    window: LossWindow,
    stream: Stream,
    /// Index of the next change in the schedule.
    next_change: usize,
    /// Number of the change that has brought the queue; 0 for that of the start.
    queued_by: usize,
    config: Arc<Config>,
    /// Changes that have taken place but have not been polled.
    changed: VecDeque<(Time, ChangeEvent)>,
    /// Bit errors of the damaged packets on the wire, in order.
    damages: VecDeque<Damage>,
    /// The position in recorded traces at time zero.
    trace_offset: Span,
    /// Jitter and reordering; `None` on most links.
    disturbance: Option<Box<Disturbance>>,
    /// Makes reports wrong or old; `None` where they are exact.
    reporter: Option<Box<Reporter>>,
    /// Changes or loses packets on their way into the link; `None` on most links.
    entry: Option<Box<Entry>>,
    /// A station of Wi-Fi, which transmits instead of the transmitter; `None` on most links.
    radio: Option<Box<Radio<P>>>,
    /// Draws that both directions of a link share.
    shared: Stream,
}

impl<P: Packet> Link<P> {
    /// An idle, empty link at time zero that draws its losses from `stream`, and what its queue
    /// drops at random from a [part](Stream::part) of that. The schedule must be in order of time;
    /// a change earlier than its predecessor takes place together with it.
    pub fn new(config: Arc<Config>, mut stream: Stream) -> Self {
        let change_at = config.schedule.first().map_or(Time::MAX, |change| change.at);
        let (queue, mark_at) = config.queue_of(0).unwrap_or((&config.queue, config.mark_at));
        let queue = Queue::new(queue, &stream, config.rate_of(&config.initial));
        let disturbance = Disturbance::new(&config.initial, &stream, Time::ZERO);
        let entry = Entry::new(&config, &stream);
        let loss = LossProcess::new(&config.initial.loss, &mut stream);
        let shared = stream.part("shared");
        let plain = Plain::of(&config).filter(|_| disturbance.is_none() && entry.is_none());
        let mut link = Link {
            stream,
            queue,
            wire: VecDeque::new(),
            plain,
            free_at: Time::ZERO,
            latest: Time::ZERO,
            job: Job::default(),
            mark_at: marking(mark_at),
            guarded: entry.is_some(),
            entry,
            transmitter: Transmitter::of_link(&config, (Span::ZERO, &shared)),
            propagation: Propagation::new(&config.initial.delay, Span::ZERO),
            loss,
            holds: Intervals::new(&config.blackouts, true),
            dead: Intervals::new(&config.blackouts, false),
            next_change: 0,
            queued_by: 0,
            change_at,
            changed: VecDeque::new(),
            damages: VecDeque::new(),
            change_due: change_at,
            counters: Counters::default(),
            window: LossWindow::new(config.report_window),
            trace_offset: Span::ZERO,
            disturbed: disturbance.is_some(),
            disturbance,
            reporter: Reporter::new(&config.report_error),
            radio: None,
            shared,
            config,
        };
        link.enter_cell(Time::ZERO, None);
        link
    }

    /// The same link, which draws from `shared` what both directions of a link have in common: when
    /// its line of sight is blocked. Call it before anything else.
    #[must_use]
    pub fn with_shared(mut self, shared: Stream) -> Self {
        self.shared = shared;
        self.transmitter = Transmitter::of_link(&self.config, (self.trace_offset, &self.shared));
        self
    }

    /// The same link, whose recorded traces are `offset` into themselves at time zero, instead of
    /// at their beginning. They repeat, so any offset is allowed. Call it before anything else.
    #[must_use]
    pub fn with_trace_offset(mut self, offset: Span) -> Self {
        self.trace_offset = offset;
        self.transmitter = Transmitter::of_link(&self.config, (offset, &self.shared));
        self.propagation = Propagation::new(&self.config.initial.delay, offset);
        self
    }

    /// Offers a packet to the queue, or to the transmitter if it is idle.
    ///
    /// # Errors
    /// The packet that was lost ahead of the queue ([`Conditions::ingress`]), or that the queue
    /// dropped: the one offered or one that it pushed out (the packet offered was then taken). One
    /// packet may push out several: [`Link::next_dropped`] gives the others.
    #[inline(always)]
    pub fn offer(&mut self, now: Time, mut packet: P) -> Result<(), P> {
        let now = now.min(LAST);
        if self.plain.is_some() {
            return self.offer_plainly(now, packet);
        }
        self.advance(now);
        self.counters.offered += 1;
        if self.guarded && !self.passes_entry(now, &mut packet) {
            return Err(packet);
        }
        if self.free_at <= now {
            if !self.queue.bypass(now, now.since(self.free_at)) {
                return self.offer_through(now, packet);
            }
            let (arrive, fate) = self.start(now, packet.wire_bytes(), true);
            self.put(Slot { arrive, fate, packet });
            return Ok(());
        }
        if self.queue.len() >= self.mark_at {
            self.counters.marked += u64::from(packet.takes_mark());
            packet.mark();
        }
        let result = self.queue.push(now, packet);
        if result.is_err() {
            self.counters.dropped += 1 + self.queue.dropped() as u64;
        }
        result
    }

    /// A faster [`Link::offer`] for the most frequent case: true if the link, a plain one, took the
    /// packet. After false nothing has happened, and [`Link::offer`] is to be called.
    #[inline(always)]
    pub fn takes(&mut self, now: Time, packet: &P) -> bool
    where
        P: Copy,
    {
        now <= LAST && self.plain.is_some() && self.takes_plainly(now, packet)
    }

    /// Offers a packet to the queue of an idle link, which is empty and hands it over if it takes
    /// it.
    #[cold]
    fn offer_through(&mut self, now: Time, packet: P) -> Result<(), P> {
        let result = self.queue.push(now, packet);
        if result.is_err() {
            self.counters.dropped += 1 + self.queue.dropped() as u64;
        } else if let Some(packet) = self.queue.pop(now, &mut self.counters.marked) {
            let (arrive, fate) = self.start(now, packet.wire_bytes(), true);
            self.put(Slot { arrive, fate, packet });
        }
        result
    }

    #[cold]
    fn passes_entry(&mut self, now: Time, packet: &mut P) -> bool {
        let entry = self.entry.as_mut();
        let passes = entry.is_none_or(|entry| entry.pass(now, packet, &mut self.counters));
        if passes && self.radio.is_some() {
            self.wake_radio(now);
        }
        passes
    }

    /// After an error from [`Link::offer`]: the next packet that the same offer dropped. Call it
    /// until it returns `None`; the next call of anything else discards what was not taken.
    #[inline]
    pub fn next_dropped(&mut self) -> Option<P> {
        self.queue.next_dropped()
    }

    /// The next exit at or before `now`. Call it until it returns `None`.
    #[inline]
    pub fn poll(&mut self, now: Time) -> Option<Exit<P>> {
        let now = now.min(LAST);
        self.advance(now);
        let due = self.next_event();
        if due > now {
            return if self.disturbed { self.dropped_in_vain(now) } else { None };
        }
        if let Some((at, packet)) = self.queue.next_dropped_at_departure(due) {
            self.counters.dropped += 1;
            return Some(Exit::Dropped(packet, at));
        }
        if self.change_due == due {
            return match self.take_change() {
                Some(change) => Some(change),
                None => self.poll(now),
            };
        }
        let mut slot = self.take_front()?;
        self.window.advance(due, &self.counters);
        let lost = match slot.fate {
            Fate::Arrives | Fate::ArrivesTwice => None,
            Fate::Damaged => self.damage(&mut slot.packet),
            Fate::Lost(cause) => Some(cause),
        };
        let Some(cause) = lost else {
            self.counters.delivered += 1;
            self.counters.delivered_bytes += u64::from(slot.packet.wire_bytes());
            if slot.fate == Fate::ArrivesTwice {
                self.counters.duplicated += 1;
                return Some(Exit::DeliveredTwice(slot.packet));
            }
            return Some(Exit::Delivered(slot.packet));
        };
        self.counters.lost += 1;
        self.counters.congested += u64::from(cause == Cause::Congestion);
        Some(Exit::Lost(slot.packet, cause))
    }

    /// A faster [`Link::poll`] for the most frequent case: true if the next exit is an undamaged
    /// delivery at or before `now`, that of the [`front`](Link::front), which is gone then. The
    /// caller copies it before. After false, call [`Link::poll`], which may still return something.
    #[inline(always)]
    pub fn delivers_front(&mut self, now: Time) -> bool {
        let Some(slot) = self.wire.front() else { return false };
        // Its window of losses is left to the other way: a call here, and everything about the wire
        // would be read anew behind it.
        let (arrive, fate, bytes) = (slot.arrive, slot.fate, slot.packet.wire_bytes());
        let due = arrive <= now && now <= LAST && arrive < self.change_due;
        if !due || fate != Fate::Arrives || arrive >= self.window.end() {
            return false;
        }
        match &mut self.plain {
            Some(plain) => {
                plain.seen = now;
                plain.on_front_taken();
                self.wire.pop_front();
            }
            None => {
                if self.free_at <= now {
                    self.advance(now);
                }
                if self.queue.dropped_at_departure() > 0 {
                    return false;
                }
                self.wire.pop_front();
            }
        }
        self.counters.delivered += 1;
        self.counters.delivered_bytes += u64::from(bytes);
        true
    }

    /// The time at which [`Link::poll`] next returns something; [`Time::MAX`] if never, unless a
    /// packet is offered.
    #[inline]
    pub fn next_event(&self) -> Time {
        match self.wire.front() {
            Some(slot) => slot.arrive.min(self.change_due),
            None => self.change_due,
        }
    }

    /// False if an [`offer`](Link::offer) that was taken has left [`next_event`](Link::next_event)
    /// as it was, since another packet is ahead on the wire: an engine that knows when its link's
    /// next event is need not ask again.
    #[inline]
    pub fn may_lead(&self) -> bool {
        self.wire.len() < 2 || self.disturbed
    }

    /// The counters as of the last call.
    pub fn counters(&self) -> Counters {
        self.counted()
    }

    /// The link report at `now`: p_w, the loss fraction over [`Config::report_window`] (which
    /// advances in steps of 1/16), counting packets that have been polled; and d_w, the one-way
    /// delay. Both with the errors of [`Config::report_error`].
    pub fn report(&mut self, now: Time) -> LinkReport {
        let now = now.min(LAST);
        self.advance(now);
        let loss = self.window.loss(now, &self.counters);
        let report = LinkReport { loss, delay: self.propagation.at(now) };
        match &mut self.reporter {
            Some(reporter) => reporter.report(now, report),
            None => report,
        }
    }

    /// The conditions as of the last call.
    pub fn conditions(&self) -> &Conditions {
        match self.next_change.checked_sub(1).and_then(|last| self.config.schedule.get(last)) {
            Some(change) => &change.to,
            None => &self.config.initial,
        }
    }

    /// The number of changes that have taken place as of the last call.
    pub fn changes(&self) -> usize {
        self.next_change
    }

    /// Packets waiting as of the last call, without the one in transmission.
    pub fn queue_len(&self) -> usize {
        self.queue.len() + self.waiting_on_wire()
    }

    /// The transmission time of `bytes` bytes, under the conditions as of the last call:
    /// on average over a recorded trace, [`Span::ZERO`] where service is instant, [`Span::MAX`] at
    /// rate zero.
    pub fn packet_time(&self, bytes: u32) -> Span {
        // Without what a shaper adds. Rounding a time of some seconds to whole nanoseconds;
        // infinity becomes the largest.
        Span::from_nanos((f64::from(bytes) * self.transmitter.ns_per_byte()) as u64)
    }

    /// The configuration of the queue as of the last call.
    pub fn queue_config(&self) -> &QueueConfig {
        self.config.queue_of(self.queued_by).map_or(&self.config.queue, |(queue, _)| queue)
    }

    /// Packets in the link: waiting, in transmission, or on the wire or dropped at departure and
    /// not yet polled.
    pub fn held(&self) -> usize {
        let in_radio = self.radio.as_ref().map_or(0, |radio| radio.len());
        self.queue.len() + self.queue.dropped_at_departure() + self.wire.len() + in_radio
    }

    /// The packets in the link, in no particular order.
    pub fn packets(&self) -> impl Iterator<Item = &P> {
        let in_radio = self.radio.iter().flat_map(|radio| radio.packets());
        self.wire.iter().map(|slot| &slot.packet).chain(self.queue.packets()).chain(in_radio)
    }

    /// Takes the first packet off the wire.
    #[inline]
    fn take_front(&mut self) -> Option<Slot<P>> {
        if let Some(plain) = &mut self.plain {
            plain.on_front_taken();
        }
        self.wire.pop_front()
    }

    /// Puts a packet at the end of the wire. An empty ring restarts at its front; otherwise it
    /// would keep cycling through all the memory of its fullest moment.
    #[inline(always)]
    fn append(&mut self, slot: Slot<P>) {
        if self.wire.is_empty() {
            self.wire.clear();
        }
        self.wire.push_back(slot);
    }

    /// Gives back memory that the wire took at its fullest moment and needs no more.
    pub fn trim(&mut self) {
        trim(&mut self.wire);
    }

    /// Keeps no window for [`report`](Self::report), which then counts losses from the start: for
    /// links that nobody asks. Call it before anything else.
    #[must_use]
    pub fn without_window(mut self) -> Self {
        self.window = LossWindow::new(Span::ZERO);
        self
    }

    /// The packet that will come out next, delivered or lost.
    #[inline]
    pub fn front(&self) -> Option<&P> {
        self.wire.front().map(|slot| &slot.packet)
    }

    /// Reads one word of each cache line that the next packet will need and returns them combined.
    /// An engine with thousands of links calls it for several links before it uses the first, so
    /// that their memory is fetched in parallel.
    #[inline]
    pub fn touch(&self) -> u64 {
        self.free_at.nanos()
            ^ self.holds.begin().nanos()
            ^ self.job.from.nanos()
            ^ self.queue.len() as u64
            ^ self.counters.delivered
            ^ self.window.end().nanos()
    }

    /// Works out what has begun up to `now`.
    #[inline]
    fn advance(&mut self, now: Time) {
        if let Some(plain) = &mut self.plain {
            plain.seen = now;
            return;
        }
        while self.change_at <= now {
            self.cross_change();
        }
        if self.free_at <= now && self.queue.len() > 0 {
            self.serve_until(now);
        }
    }

    /// Starts the transmissions due at or before `now`.
    #[inline]
    fn serve_until(&mut self, now: Time) {
        while self.free_at <= now {
            let at = self.free_at;
            let Some(packet) = self.queue.pop(at, &mut self.counters.marked) else {
                return;
            };
            let (arrive, fate) = self.start(at, packet.wire_bytes(), false);
            self.put(Slot { arrive, fate, packet });
        }
    }

    /// Starts the transmission of a packet, `fresh` unless the last transmission ends at `at`.
    /// Returns its arrival and fate. The packet itself is not passed, which would copy it once
    /// more.
    #[inline(always)]
    fn start(&mut self, at: Time, bytes: u32, fresh: bool) -> (Time, Fate) {
        self.counters.transmitted += 1;
        self.counters.transmitted_bytes += u64::from(bytes);
        self.transmit(at, f64::from(bytes), fresh);
        let (arrive, fate) = self.outcome(at, bytes, self.latest);
        self.latest = arrive;
        (arrive, fate)
    }

    /// Sets the job and its end, which blackouts may postpone.
    #[inline(always)]
    fn transmit(&mut self, at: Time, bytes: f64, fresh: bool) {
        self.free_at = self.transmitter.transmit(at, bytes, fresh, &mut self.job);
        if self.free_at >= self.holds.begin() {
            self.postpone();
        }
    }

    /// Suspends a transmission that would run into a blackout, and resumes it afterwards.
    #[cold]
    fn postpone(&mut self) {
        self.holds.advance(self.job.from);
        let mut job = self.job;
        for hold in self.holds.ahead() {
            if self.free_at <= hold.from && job.from < hold.from {
                break;
            }
            job = self.transmitter.remaining(job, hold.from);
            self.free_at = self.transmitter.resume(hold.until, job.bytes, &mut job);
        }
    }

    /// The rest of the job at `at`, taking earlier blackouts into account.
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

    /// The fate, by the losses, of a packet of `bytes` bytes that goes from `from` to `end`.
    #[inline(always)]
    fn draw(&mut self, from: Time, end: Time, bytes: u32) -> Fate {
        match &mut self.loss {
            LossProcess::None => Fate::Arrives,
            process => process.next(from, end, 8.0 * f64::from(bytes), &mut self.stream),
        }
    }

    /// Arrival, not before `earliest`, and fate of the packet of `bytes` bytes in transmission
    /// since `at`.
    #[inline(always)]
    fn outcome(&mut self, at: Time, bytes: u32, earliest: Time) -> (Time, Fate) {
        let end = self.free_at;
        // Drawn for every packet, so that a blackout does not change the fate of the others.
        let mut fate = self.draw(at, end, bytes);
        if end >= self.dead.begin() && self.dead.covers(end) {
            fate = Fate::Lost(Cause::Blackout);
        }
        if fate == Fate::Damaged {
            self.damages.extend(self.loss.damage());
        }
        let arrive = end.saturating_add(self.propagation.at(end));
        (arrive.max(earliest), fate)
    }

    /// Passes an arriving packet its bit errors. Returns the cause if it is lost.
    #[cold]
    fn damage(&mut self, packet: &mut P) -> Option<Cause> {
        let through = self.damages.pop_front().is_some_and(|damage| packet.damage(damage));
        self.counters.damaged += u64::from(through);
        (!through).then_some(Cause::Error)
    }

    /// The change that is due; `None` for a wake, which has done its work.
    #[cold]
    fn take_change<T>(&mut self) -> Option<Exit<T>> {
        let due = self.change_due;
        let change = self.changed.pop_front_if(|(at, _)| *at <= due);
        if let (None, Some(disturbance)) = (&change, &mut self.disturbance) {
            disturbance.wake = Time::MAX;
        }
        self.change_due = self.due();
        change.map(|(_, event)| Exit::Changed(event))
    }

    /// Time of the next event that is no arrival.
    fn due(&self) -> Time {
        let change = self.changed.front().map_or(self.change_at, |&(at, _)| at);
        self.disturbance.as_ref().map_or(change, |disturbance| change.min(disturbance.wake))
    }

    /// Puts a packet, whose transmission has just begun, onto the wire.
    #[inline(always)]
    fn put(&mut self, slot: Slot<P>) {
        match self.disturbed {
            false => self.append(slot),
            true => self.put_among(slot, self.free_at),
        }
    }
}
