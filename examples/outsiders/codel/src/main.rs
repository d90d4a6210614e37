//! A CoDel (RFC 8289) of one's own, without ECN, and the program `atl` with it beside its own:
//! `cargo run -- run codel.toml`.

use std::{env, process::ExitCode};

use atl::{App, ListedDiscipline};
use atl_core::time::{Span, Time};
use atl_link::{BuildDiscipline, DropTail, Limit, QueueDiscipline, Queued, random::Stream};
use serde::Deserialize;

/// Its options in a scenario file.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Config {
    #[serde(deserialize_with = "atl_scenario::units::time_option")]
    target: Span,
    #[serde(deserialize_with = "atl_scenario::units::time_option")]
    interval: Span,
}

impl Default for Config {
    fn default() -> Self {
        Config { target: Span::from_millis(5), interval: Span::from_millis(100) }
    }
}

impl BuildDiscipline for Config {
    fn build(&self, limit: Limit, _stream: Stream) -> Box<dyn QueueDiscipline + Send> {
        let (fifo, drop_next) = (DropTail::new(limit), Time::ZERO);
        let (first_above_time, dropping, counts) = (None, false, [0; 2]);
        Box::new(CoDel { config: *self, fifo, first_above_time, dropping, drop_next, counts })
    }
}

/// The names are the RFC's, section 5; `counts` are its `count_` and `lastcount_`.
struct CoDel {
    config: Config,
    fifo: DropTail,
    first_above_time: Option<Time>,
    dropping: bool,
    drop_next: Time,
    counts: [u32; 2],
}

impl CoDel {
    /// The head, and true if it may be dropped: the queue was above target for an interval, and
    /// leaves more than a packet of 1500 bytes behind.
    fn pop(&mut self, now: Time) -> (Option<Queued>, bool) {
        let head = self.fifo.pop();
        let sojourn = head.as_ref().map_or(Span::ZERO, |packet| packet.sojourn(now));
        if sojourn < self.config.target || self.fifo.bytes() <= 1500 {
            self.first_above_time = None;
            return (head, false);
        }
        let since = *self.first_above_time.get_or_insert(now + self.config.interval);
        (head, now >= since)
    }

    fn control_law(&self, from: Time) -> Time {
        from + self.config.interval.mul_f64(1.0 / f64::from(self.counts[0]).sqrt())
    }
}

impl QueueDiscipline for CoDel {
    fn enqueue(&mut self, _now: Time, packet: Queued, dropped: &mut Vec<Queued>) {
        dropped.extend(self.fifo.push(packet).err());
    }
    fn dequeue(&mut self, now: Time, dropped: &mut Vec<Queued>) -> Option<Queued> {
        let (mut head, mut ok_to_drop) = self.pop(now);
        if self.dropping {
            while ok_to_drop && now >= self.drop_next {
                dropped.extend(head);
                self.counts[0] += 1;
                (head, ok_to_drop) = self.pop(now);
                if ok_to_drop {
                    self.drop_next = self.control_law(self.drop_next);
                }
            }
            self.dropping = ok_to_drop;
        } else if ok_to_drop {
            dropped.extend(head);
            head = self.pop(now).0;
            // The rate of drops that was right not long ago is a good one to start with.
            let recent = now.since(self.drop_next) < self.config.interval * 16;
            let delta = self.counts[0] - self.counts[1];
            self.counts = [if recent { delta.max(1) } else { 1 }; 2];
            (self.dropping, self.drop_next) = (true, self.control_law(now));
        }
        head
    }
    fn len(&self) -> usize {
        self.fifo.len()
    }
    fn bytes(&self) -> u64 {
        self.fifo.bytes()
    }
}

const CODEL: ListedDiscipline = ListedDiscipline::new::<Config>("my-codel");
fn main() -> ExitCode {
    App::new().queue(CODEL).run(env::args_os()).into()
}

#[cfg(test)]
mod tests {
    use atl_scenario::{Overrides, load, queue};
    use atl_sim::Simulation;

    use super::*;

    #[test]
    fn it_keeps_the_contract() {
        atl_link::conformance::queue(|limit, stream| Config::default().build(limit, stream));
    }

    /// A packet leaves each ms; those that wait are `age` ms old. Returns the ms with a drop.
    fn drops(codel: &mut dyn QueueDiscipline, ms: std::ops::Range<u64>, age: u64) -> Vec<u64> {
        let has_drop = |ms: &u64| {
            let (now, mut dropped) = (Time::from_millis(*ms), Vec::new());
            while codel.len() < 4 {
                codel.enqueue(now, Queued::new(Time::from_millis(ms - age), 1000), &mut dropped);
            }
            codel.dequeue(now, &mut dropped);
            !dropped.is_empty()
        };
        ms.filter(has_drop).collect()
    }

    /// Above target from 50 ms on: drops are due at 150, 250, 320.7, 378.4, 428.4 and 473.2 ms.
    /// Above target again from 493 ms on: 5 drops a cycle were right, so the second is due after
    /// 100 / sqrt(5) = 44.7 ms. After 16 intervals that is forgotten.
    #[test]
    fn drops_follow_the_control_law() {
        let codel = &mut *Config::default().build(Limit::Packets(10), Stream::new(1, "codel"));
        assert_eq!(drops(codel, 50..480, 50), [150, 250, 321, 379, 429, 474]);
        assert_eq!(drops(codel, 480..490, 0), [0; 0]);
        assert_eq!(drops(codel, 490..670, 50), [593, 638]);
        assert_eq!(drops(codel, 670..2300, 0), [0; 0]);
        assert_eq!(drops(codel, 2300..2510, 50), [2403, 2503]);
    }

    #[test]
    fn the_queue_of_a_greedy_sender_is_short_at_nearly_the_same_goodput() {
        queue::register(&[CODEL]).expect("nobody else has this name");
        let scenario = load("codel.toml".as_ref(), &Overrides::default()).expect("it is right");
        let run = |n: usize| Simulation::new(&scenario.points[n].setup, 1).run().flows.remove(0);
        let (drop_tail, codel) = (run(0), run(1));
        assert!(codel.rtt_p95_s.unwrap() < 0.2 * drop_tail.rtt_p95_s.unwrap());
        assert!(codel.goodput_bps > 0.9 * drop_tail.goodput_bps);
    }
}
