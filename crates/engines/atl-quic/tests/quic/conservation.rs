//! No packet appears or vanishes.

use atl_core::time::Span;
use proptest::prelude::*;

use crate::support::{parse, run, text};

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn packets_are_conserved(
        protocol in prop::sample::select(vec!["tcp-atl", "tcp-atl-robust", "reno", "noq-cubic", "noq-newreno"]),
        loss in 0.0..0.3_f64,
        back in 0.0..0.3_f64,
        queue in 1_u32..60,
        overhead in 0_u64..20_000,
        warmup in 0_u64..3,
        source in prop::sample::select(vec!["\"greedy\"", "{ bytes = \"200kB\" }", "{ rate = \"1Mb/s\" }"]),
        seed in any::<u64>(),
    ) {
        let text = text(&format!("{protocol:?}"), loss, 4)
            .replace("reverse = { loss = 0 }", &format!("reverse = {{ loss = {back:?} }}"))
            .replace("queue = 170", &format!("queue = {queue}"))
            .replace("warmup = \"2s\"", &format!("warmup = \"{warmup}s\""));
        let more = format!("source = {source}\n[record]\nevery = \"500ms\"\n");
        let mut setup = parse(&(text + &more));
        setup.flows[0].overhead = Span::from_nanos(overhead * 1000);
        let result = run(&setup, seed);
        let flow = &result.flows[0];
        prop_assert_eq!(
            flow.under_way_before.expect("known") + flow.sent,
            flow.arrived.expect("known") + flow.dropped.expect("known") + flow.lost.expect("known")
                + flow.under_way_after.expect("known")
        );
        for link in &result.links {
            prop_assert_eq!(link.offered, link.delivered + link.dropped + link.lost + link.held);
        }
        if warmup == 0 {
            // ACKs of the handshake's end are no data packets.
            prop_assert!(flow.sent <= result.links[0].offered + flow.under_way_after.expect("known"));
        }
        prop_assert_eq!(result.samples.len(), 8);
        for pair in result.samples.windows(2) {
            prop_assert!(pair[0].delivered_bytes <= pair[1].delivered_bytes);
            prop_assert!(pair[0].wire_bytes <= pair[1].wire_bytes);
            prop_assert!(pair[1].delivered_bytes <= pair[1].wire_bytes);
        }
    }
}
