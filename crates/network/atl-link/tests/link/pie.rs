//! PIE: the controller of its probability, and the requirements of RFC 8033.

use atl_core::time::{Span, Time};
use atl_link::random::Stream;
use atl_link::{BuildDiscipline as _, Ecn, Limit, Packet as _, Pie, QueueDiscipline, Queued};

use crate::support::{ms, us};

type Queue = Box<dyn QueueDiscipline + Send>;

fn with(config: Pie) -> Queue {
    config.build(Limit::Packets(1000), Stream::new(1, "pie"))
}

/// rfc8033 4.2: The target is 15 ms and the update time 15 ms.
/// rfc8033 6: alpha may be 1/8 Hz and beta 1 + 1/4 Hz, which are the defaults of appendix A.
/// rfc8033 4.4: The burst allowance is 150 ms.
/// rfc8033 5.1: ECN-capable packets are marked up to a probability of 10 %.
#[test]
fn the_defaults_are_those_of_the_rfc() {
    let Pie { target, update, max_burst, alpha, beta, mark_up_to, .. } = Pie::default();
    assert_eq!((target, update), (Span::from_millis(15), Span::from_millis(15)));
    assert_eq!(max_burst, Span::from_millis(150));
    assert_eq!([alpha, beta, mark_up_to].map(|x| (x * 1000.0) as u32), [125, 1250, 100]);
    for wrong in [
        Pie { target: Span::ZERO, ..Pie::default() },
        Pie { update: Span::ZERO, ..Pie::default() },
        Pie { alpha: -0.1, ..Pie::default() },
        Pie { alpha: f64::INFINITY, ..Pie::default() },
        Pie { beta: -0.1, ..Pie::default() },
        Pie { beta: f64::INFINITY, ..Pie::default() },
        Pie { beta: f64::NAN, ..Pie::default() },
        Pie { mark_up_to: 1.5, ..Pie::default() },
        Pie { mark_up_to: -0.5, ..Pie::default() },
    ] {
        assert!(wrong.check().is_err(), "{wrong:?}");
    }
    for right in [
        Pie { alpha: 0.0, beta: 0.0, ..Pie::default() },
        Pie { mark_up_to: 0.0, ..Pie::default() },
        Pie { mark_up_to: 1.0, ..Pie::default() },
    ] {
        assert_eq!(right.check(), Ok(()), "{right:?}");
    }
}

/// A packet leaves each ms after a sojourn of `delay_ms`, and one comes each ms. Returns
/// the fates of the arrivals of each ms from `from` on.
fn run(queue: &mut Queue, from: u64, until: u64, delay_ms: u64, ecn: Ecn) -> Vec<Fate> {
    let mut fates = Vec::new();
    for n in from..until {
        let now = ms(n + 1000);
        let mut dropped = Vec::new();
        let old = ms(n + 1000 - delay_ms);
        // Every packet waits since `old`, whichever were dropped.
        while queue.len() < 10 {
            let before = dropped.len();
            queue.enqueue(now, Queued::new(old, 1000).with_ecn(ecn), &mut dropped);
            if dropped.len() > before {
                break;
            }
        }
        let head = queue.dequeue(now, &mut dropped);
        fates.push(match head {
            _ if !dropped.is_empty() => Fate::Drop,
            Some(head) if head.ecn() == Ecn::Ce => Fate::Mark,
            _ => Fate::Pass,
        });
    }
    fates
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Fate {
    Pass,
    Mark,
    Drop,
}

fn count(fates: &[Fate], which: Fate) -> usize {
    fates.iter().filter(|fate| **fate == which).count()
}

/// rfc8033 4.4: Nothing is dropped until the burst allowance is used up.
#[test]
fn a_burst_passes() {
    let huge = Pie { alpha: 100.0, beta: 100.0, ..Pie::default() };
    let fates = run(&mut with(huge), 0, 400, 100, Ecn::NotEct);
    // The clock of updates runs since time zero: the allowance lasts for 10 of them.
    let first = fates.iter().position(|fate| *fate == Fate::Drop).expect("drops");
    assert!((135..180).contains(&first), "{first}");
    let none = Pie { max_burst: Span::ZERO, ..huge };
    let first =
        run(&mut with(none), 0, 400, 100, Ecn::NotEct).iter().position(|f| *f == Fate::Drop);
    assert!(first.is_some_and(|first| first < 60), "{first:?}");
}

/// rfc8033 4.4: The burst allowance comes back while the delay is below half of the target and the
/// probability is 0, and not at a delay above that.
#[test]
fn a_calm_queue_earns_another_burst() {
    let config = Pie { target: Span::from_millis(60), alpha: 100.0, beta: 100.0, ..Pie::default() };
    // A packet waits 9 ms more than it had when it came: 25 and 35 ms are on either side of 30.
    for (delay, calm) in [(16, true), (26, false)] {
        let mut queue = with(config);
        assert_eq!(count(&run(&mut queue, 0, 1000, delay, Ecn::NotEct), Fate::Drop), 0);
        let fates = run(&mut queue, 1000, 1400, 100, Ecn::NotEct);
        let first = fates.iter().position(|fate| *fate == Fate::Drop).expect("drops");
        assert_eq!((135..180).contains(&first), calm, "{delay} ms: {first}");
        assert!(calm || first < 90, "{first}");
    }
}

/// rfc8033 4.1: Nothing is dropped while the delay was below half of the target and the
/// probability is below 20 %, nor from a queue of two packets or fewer.
#[test]
fn short_queues_are_safe() {
    let mut queue = with(Pie::default());
    assert_eq!(count(&run(&mut queue, 0, 2000, 7, Ecn::NotEct), Fate::Drop), 0);
    let mut queue = with(Pie { mean_packet: 5000, ..Pie::default() });
    assert_eq!(count(&run(&mut queue, 0, 2000, 100, Ecn::NotEct), Fate::Drop), 0);
}

/// rfc8033 4.2: Without a queue the probability decays, and the burst allowance comes back.
#[test]
fn after_congestion_the_probability_decays() {
    let mut queue = with(Pie::default());
    assert!(count(&run(&mut queue, 0, 3000, 60, Ecn::NotEct), Fate::Drop) > 100);
    let mut dropped = Vec::new();
    while queue.dequeue(ms(4000), &mut dropped).is_some() {}
    queue.on_bypass(ms(8000), Span::from_secs(4));
    let fates = run(&mut queue, 7000, 7150, 60, Ecn::NotEct);
    assert_eq!(count(&fates, Fate::Drop), 0);
}

/// rfc8033 4.1: From a probability of 20 % on a delay below half of the target is no shelter.
#[test]
fn a_short_delay_is_safe_only_below_a_probability_of_a_fifth() {
    // One update makes beta * 95 ms / 2048 of nothing, .285 and .1425; the next adds .02. Without
    // alpha it stays there while the delay does.
    for (beta, safe) in [(6144.0, false), (3072.0, true)] {
        let target = Span::from_millis(300);
        let config = Pie { target, alpha: 0.0, beta, max_burst: Span::ZERO, ..Pie::default() };
        let drops = count(&run(&mut with(config), 0, 100, 91, Ecn::NotEct), Fate::Drop);
        assert_eq!(drops == 0, safe, "{beta}: {drops} drops");
    }
}

/// rfc8033 5.1: ECN-capable packets are marked instead of dropped while the probability is below
/// 10 %, and dropped above.
#[test]
fn capable_packets_are_marked_up_to_a_tenth() {
    let mut queue = with(Pie::default());
    let fates = run(&mut queue, 0, 5000, 60, Ecn::Ect0);
    let last_mark = fates.iter().rposition(|fate| *fate == Fate::Mark).expect("marks");
    let first_drop = fates.iter().position(|fate| *fate == Fate::Drop).expect("drops");
    assert!(count(&fates, Fate::Mark) > 5, "{}", count(&fates, Fate::Mark));
    // A mark is seen when its packet leaves, ten arrivals later.
    assert!(last_mark <= first_drop + 11, "{last_mark} {first_drop}");
    let off = Pie { ecn: false, ..Pie::default() };
    assert_eq!(count(&run(&mut with(off), 0, 5000, 60, Ecn::Ect0), Fate::Mark), 0);
}

/// Drops of 20 s, in which 5 packets come for every 4 that leave; one leaves each `gap_us`.
fn overloaded(config: Pie, gap_us: u64) -> usize {
    let mut queue = with(config);
    let (mut dropped, mut leaves) = (Vec::new(), Time::ZERO);
    for n in 0..20_000_000 / 800 {
        let now = us(800 * n);
        while leaves <= now {
            queue.dequeue(leaves, &mut dropped);
            leaves += Span::from_micros(gap_us);
        }
        queue.enqueue(now, Queued::new(now, 1000), &mut dropped);
    }
    dropped.len()
}

/// ns-3's `pie-queue-disc` suite, tests 2 to 5: a longer target drops less, a slower link more, and
/// a longer update time again less.
#[test]
fn drops_are_ordered_as_in_ns_3() {
    let usual = overloaded(Pie::default(), 1000);
    assert!(usual > 1000, "{usual}");
    let patient = overloaded(Pie { target: Span::from_secs(1), ..Pie::default() }, 1000);
    assert!(patient < usual, "{patient} {usual}");
    let slow = overloaded(Pie::default(), 1500);
    assert!(slow > usual, "{slow} {usual}");
    let rarely = overloaded(Pie { update: Span::from_millis(90), ..Pie::default() }, 1500);
    assert!(rarely < slow, "{rarely} {slow}");
}

/// With the load of [`overloaded`] the delay settles at the target.
#[test]
fn the_delay_settles_at_the_target() {
    for target_ms in [15, 60] {
        let mut queue = with(Pie { target: Span::from_millis(target_ms), ..Pie::default() });
        let (mut dropped, mut sum, mut left) = (Vec::new(), 0.0, 0.0);
        let mut leaves = Time::ZERO;
        for n in 0..75_000 {
            let now = us(800 * n);
            while leaves <= now {
                if let Some(head) = queue.dequeue(leaves, &mut dropped)
                    && n > 25_000
                {
                    (sum, left) = (sum + head.sojourn(leaves).millis(), left + 1.0);
                }
                leaves += Span::from_millis(1);
            }
            queue.enqueue(now, Queued::new(now, 1000), &mut dropped);
        }
        let mean = sum / left;
        assert!((mean - target_ms as f64).abs() < 0.1 * target_ms as f64, "{target_ms}: {mean}");
    }
}
