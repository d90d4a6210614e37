//! A plain link, whose packets go straight onto the wire, against the same link with a queue: one
//! that changes to the same conditions long after the end of the test.

use std::sync::Arc;

use atl_core::time::{Span, Time};
use atl_core::units::{Probability, Rate};
use atl_link::random::Stream;
use atl_link::{Change, Channel, Config, Link, Loss, QueueConfig};
use proptest::prelude::*;

use crate::properties::packets;
use crate::support::{Numbered, config, drain_until, ms, network};

const FAR: Time = Time::from_millis(1_000_000_000);

fn loss() -> impl Strategy<Value = Loss> {
    let p = || (0.0..=1.0_f64).prop_map(Probability::clamped);
    prop_oneof![
        2 => Just(Loss::None),
        1 => p().prop_map(Loss::Bernoulli),
        1 => (p(), p()).prop_map(|(to_bad, loss_bad)| Loss::GilbertElliott {
            to_bad,
            to_good: Probability::clamped(0.5),
            loss_good: Probability::ZERO,
            loss_bad,
        }),
        1 => (0.0..=1e-3_f64)
            .prop_map(|p| Loss::Bits(Channel::Independent(Probability::clamped(p)))),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn a_plain_link_does_what_one_with_a_queue_does(
        kbps in 100_u64..20_000,
        delay in 0_u64..30,
        room in 1_u32..10,
        loss in loss(),
        packets in packets(4000),
        late in prop::collection::vec(any::<bool>(), 120),
    ) {
        let rate = Rate::from_bps(kbps as f64 * 1e3);
        let initial = atl_link::Conditions { loss, ..network(rate, delay) };
        let queue = QueueConfig::DropTail { packets: room };
        let plain = Config { queue, ..config(initial.clone()) };
        let queued =
            Config { schedule: vec![Change { at: FAR, to: initial }], ..plain.clone() };
        let new = |config| Link::<Numbered>::new(Arc::new(config), Stream::new(3, "plain"));
        let (mut plain, mut queued) = (new(plain), new(queued));
        let mut now = Time::ZERO;
        for (n, (&(ticks, bytes), &late)) in packets.iter().zip(&late).enumerate() {
            now += Span::from_micros(ticks * 100);
            if !late {
                prop_assert_eq!(drain_until(&mut plain, now), drain_until(&mut queued, now));
            }
            let packet = Numbered(n as u64, bytes);
            let taken = n % 2 == 0 && plain.takes(now, &packet);
            let offered = if taken { Ok(()) } else { plain.offer(now, packet) };
            prop_assert_eq!(offered, queued.offer(now, packet));
            prop_assert_eq!(plain.next_dropped(), queued.next_dropped());
            prop_assert_eq!(plain.next_event().min(FAR), queued.next_event());
            prop_assert_eq!(plain.counters(), queued.counters());
            prop_assert_eq!(plain.queue_len(), queued.queue_len());
            prop_assert_eq!(plain.held(), queued.held());
            let all = |link: &Link<Numbered>| link.packets().map(|p| p.0).collect::<Vec<_>>();
            prop_assert_eq!(all(&plain), all(&queued));
        }
        loop {
            prop_assert_eq!(plain.front(), queued.front());
            let delivered = plain.delivers_front(now);
            prop_assert_eq!(delivered, queued.delivers_front(now));
            if !delivered {
                let exit = plain.poll(now);
                prop_assert_eq!(&exit, &queued.poll(now));
                if exit.is_none() {
                    break;
                }
            }
            prop_assert_eq!(plain.counters(), queued.counters());
        }
        prop_assert_eq!(plain.report(now), queued.report(now));
        prop_assert_eq!(plain.counters(), queued.counters());
        prop_assert_eq!(drain_until(&mut plain, FAR), drain_until(&mut queued, FAR));
        prop_assert_eq!((plain.counters(), plain.held()), (queued.counters(), 0));
    }
}

#[test]
fn what_waits_on_the_wire_is_not_transmitted() {
    let mut link = crate::support::link(config(network(crate::support::EIGHT, 10)));
    crate::support::offer_at_start(&mut link, 5);
    for (now, begun) in [(0, 1), (1, 2), (3, 4), (12, 5)] {
        while link.poll(ms(now)).is_some() {}
        let counters = link.counters();
        assert_eq!(counters.transmitted, begun, "at {now} ms");
        assert_eq!(counters.transmitted_bytes, 1000 * begun);
        assert_eq!(link.queue_len() as u64, 5 - begun);
    }
}
