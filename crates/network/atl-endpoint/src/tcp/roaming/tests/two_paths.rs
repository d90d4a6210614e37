//! Data over two paths: which of them a packet takes.

use std::sync::{Arc, Mutex};

use atl_core::roaming::Knowledge;
use atl_core::time::Span;
use atl_core::window::{Ack, Controller, Loss, Timeout, WindowController};

use super::*;
use crate::tcp::paths::Leg;

/// A controller with a constant window, which paces as it is told.
#[derive(Clone, Debug)]
struct Told {
    window: f64,
    release: Option<Time>,
    /// Packets in flight at each timeout.
    timeouts: Arc<Mutex<Vec<u32>>>,
}

impl Told {
    fn new(window: f64) -> Self {
        Told { window, release: None, timeouts: Arc::default() }
    }

    fn boxed(&self) -> Controller {
        Controller::Boxed(Box::new(self.clone()))
    }
}

impl WindowController for Told {
    fn on_ack(&mut self, _: &Ack) {}
    fn on_loss(&mut self, _: &Loss) {}
    fn on_timeout(&mut self, timeout: &Timeout) {
        self.timeouts.lock().expect("one thread").push(timeout.in_flight);
    }
    fn window(&self) -> f64 {
        self.window
    }
    fn release_at(&self) -> Option<Time> {
        self.release
    }
}

/// Ten packets are in flight over A, which has a window of `window` and this RTT in ms; B is used
/// beside it, with a window of 20.
fn two(window: f64, here: u64, there: u64) -> Sender {
    let mut sender = sender(probe(Meanwhile::Both));
    drain(&mut sender, ms(0));
    sender.conn.path.controller = Told::new(window).boxed();
    sender.conn.path.rtt.on_sample(Span::from_millis(here));
    sender.with_paths(|sender, paths| {
        let known = Knowledge::of_rtt(Span::from_millis(there));
        sender.begin_beside(paths, ms(0), B, known);
        let beside = paths.beside.as_mut().expect("begun");
        beside.controller = Told::new(20.0).boxed();
    });
    sender
}

fn timeouts(sender: &mut Sender, here: u32, there: u32) {
    sender.conn.path.timeouts = here;
    look(sender, |paths| paths.beside.as_mut().expect("two paths").timeouts = there);
}

#[test]
fn a_silent_path_waits_for_its_timer_if_the_other_answers() {
    for (here, there, sends) in [(0, 0, true), (1, 1, true), (1, 0, true), (0, 1, false)] {
        let mut sender = two(20.0, 100, 50);
        timeouts(&mut sender, here, there);
        assert_eq!(sender.poll_beside(ms(1)).is_some(), sends, "{here} {there}");
    }
}

/// The packet that tries a path is repaired over the other one, unless that is as silent.
#[test]
fn a_packet_that_tries_a_path_is_lost_only_to_a_path_that_answers() {
    for (here, there, lost) in [(1, 1, 0), (2, 1, 0), (0, 1, 1), (1, 2, 1)] {
        let mut sender = two(20.0, 100, 50);
        assert!(sender.poll_beside(ms(1)).is_some());
        timeouts(&mut sender, here, there);
        sender.with_paths(|sender, paths| sender.may_send_beside(paths, ms(1)));
        assert_eq!(sender.conn.board.waiting(), lost, "{here} {there}");
    }
}

#[test]
fn a_third_path_that_is_surveyed_in_vain_takes_nothing_from_the_second() {
    let mut sender = two(20.0, 100, 50);
    let Some(Outgoing::Data { tx, path: B, .. }) = sender.poll_beside(ms(1)) else {
        panic!("B has room")
    };
    notice(&mut sender, ms(2), 1, PathSignal::Imminent(C));
    assert!(look(&mut sender, |paths| paths.underway.is_some()));
    notice(&mut sender, ms(3), 2, PathSignal::Gone(C));
    assert!(look(&mut sender, |paths| paths.underway.is_none()));
    assert_eq!(look(&mut sender, |paths| paths.sent.of(tx)), Leg::Ahead);
}

/// The slower path gets what the faster one has no room for, or does not let go yet.
#[test]
fn the_faster_path_goes_first_if_it_may_send_now() {
    let now = ms(1);
    let later = now + Span::from_nanos(1);
    for (window, release, forced, beside) in [
        (20.0, None, false, false),
        (20.0, Some(now), false, false),
        (20.0, Some(later), false, true),
        (20.0, Some(later), true, false),
        (10.0, None, false, true),
        (10.0, None, true, false),
    ] {
        let mut sender = two(window, 50, 100);
        sender.conn.path.controller = Told { release, ..Told::new(window) }.boxed();
        sender.conn.path.forced = forced;
        let out = sender.poll_beside(now);
        assert_eq!(out.is_some(), beside, "{window} {release:?} {forced}");
    }
}

/// A slow path takes nothing that the receive window would wait for, but what it is tried with.
#[test]
fn a_packet_that_must_go_is_not_held_back_for_the_receive_window() {
    for (receive_window, forced, sends) in
        [(100, false, true), (12, false, false), (12, true, true)]
    {
        let mut sender = two(10.0, 50, 100);
        sender.receive_window = receive_window;
        look(&mut sender, |paths| paths.beside.as_mut().expect("two paths").forced = forced);
        assert_eq!(sender.poll_beside(ms(1)).is_some(), sends, "{receive_window} {forced}");
    }
}

/// Nothing can be said of a path that answers in no time.
#[test]
fn a_path_without_a_delay_blocks_no_other() {
    let mut sender = two(10.0, 0, 100);
    assert!(sender.poll_beside(ms(1)).is_some());
}

/// Packets that were spaced beside an earlier path do not hold up those beside the next one.
#[test]
fn spacing_begins_anew_with_each_path_beside() {
    let mut sender = two(20.0, 100, 50);
    (0..20).for_each(|_| sender.conn.path.space(ms(1), true));
    assert!(sender.conn.path.spaced_until(ms(1)).is_some());
    sender.with_paths(|sender, paths| {
        sender.give_up_beside(paths, ms(1));
        sender.begin_beside(paths, ms(1), C, Knowledge::default());
    });
    assert_eq!(sender.conn.path.spaced_until(ms(1)), None);
}

#[test]
fn a_timeout_counts_what_is_in_flight_on_its_own_path() {
    let mut sender = two(20.0, 100, 50);
    let told = Told::new(20.0);
    look(&mut sender, |paths| {
        paths.beside.as_mut().expect("two paths").controller = told.boxed();
    });
    assert!(sender.poll_beside(ms(99)).is_some() && sender.poll_beside(ms(99)).is_some());
    let due = look(&mut sender, |paths| paths.beside.as_ref().expect("two paths").rto_due);
    sender.on_timer(due);
    assert_eq!(*told.timeouts.lock().expect("one thread"), [2]);
}
