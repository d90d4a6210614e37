//! The bottleneck of a course: FIFO, DropTail, a transmitter, a delay.

use std::collections::VecDeque;

use super::{Course, Losses, PACKET};
use crate::support::draws::Draws;

/// The end of a packet's way.
pub(super) enum Fate {
    Dropped,
    /// By the link, whose MAC knows.
    Lost,
    Arrives {
        at: u64,
        marked: bool,
        twice: bool,
    },
}

pub(super) struct Pipe {
    pub(super) course: Course,
    draws: Draws,
    /// Since when the transmitter is free, in nanoseconds.
    free: u64,
    /// When the transmission of each packet that waits begins.
    waiting: VecDeque<u64>,
    last_arrival: u64,
    losing: bool,
}

impl Pipe {
    pub(super) fn new(course: &Course) -> Self {
        Pipe {
            course: *course,
            draws: Draws(17),
            free: 0,
            waiting: VecDeque::new(),
            last_arrival: 0,
            losing: false,
        }
    }

    /// A packet that gives way to data (`yields`) takes half of the queue at most; one over the air
    /// meets the losses of the sender's own link.
    pub(super) fn offer(&mut self, now: u64, yields: bool, air: bool) -> Fate {
        while self.waiting.front().is_some_and(|begins| *begins <= now) {
            self.waiting.pop_front();
        }
        let waiting = self.waiting.len() as u32;
        let room = if yields { self.course.queue / 2 } else { self.course.queue };
        if waiting >= room && self.free > now {
            return Fate::Dropped;
        }
        let begins = self.free.max(now);
        if begins > now {
            self.waiting.push_back(begins);
        }
        self.free = begins + u64::from(PACKET) * 8_000_000 / self.course.kbps(begins);
        let (from, to) = self.course.dead;
        let dead = (from * 1_000_000..to * 1_000_000).contains(&self.free);
        if air && self.loses() || dead {
            return Fate::Lost;
        }
        let marked = self.course.mark_at.is_some_and(|least| waiting >= least);
        let twice = self.course.twice > 0 && self.draws.below(self.course.twice) == 0;
        Fate::Arrives { at: self.arrival(), marked, twice }
    }

    fn arrival(&mut self) -> u64 {
        let mut at = self.free + self.course.delay(self.free);
        if self.course.jitter_us > 0 {
            at += self.draws.below(self.course.jitter_us * 1000);
        }
        at = at.max(self.last_arrival);
        if let Some((one_in, more_us)) = self.course.late
            && self.draws.below(one_in) == 0
        {
            return at + more_us * 1000;
        }
        self.last_arrival = at;
        at
    }

    fn loses(&mut self) -> bool {
        match self.course.losses {
            Losses::None => false,
            Losses::Each(ppm) => self.draws.below(1_000_000) < ppm,
            Losses::Runs(begins, ends) => {
                let ppm = if self.losing { ends } else { begins };
                self.losing ^= self.draws.below(1_000_000) < ppm;
                self.losing
            }
        }
    }
}
