//! Cells, and the packets in them, leave their stores when they arrive or are lost.

use std::path::Path;

use atl_aal::cell::{Cell, Header, PAYLOAD_OCTETS};
use atl_core::time::Time;
use atl_link::Damage;
use atl_scenario::scenario::Scenario;
use atl_scenario::{Overrides, no_files, parse};

use super::Simulation;
use crate::atm::{ChannelCounts, Lines, Passage};
use crate::packet::{Bits, OptionsId, Packet, PacketKind};

/// Two flows that end, over cells that are damaged, lost, marked, forced to fail and dropped by
/// queues in both directions.
const ALL: &str = r#"
title = "t"
duration = "60s"
[sweep]
own = [false, "aal5", "aal-t", { label = "faults", value = { name = "aal-t", faults = { scenario = "any", share = 0.01 } } }]
tunnel = [false, "aal5", "aal-t"]
loss = [0.01, { label = "bits", value = { bit-errors = 2e-5 } }]
[tcp]
segment = 1000
header = 40
ack = 40
initial-window = 2
[[link]]
name = "air"
from = "a"
to = "b"
rate = "2Mb/s"
delay = "3ms"
queue = { packets = 150, mark = 40 }
loss = "$loss"
adaptation = "$tunnel"
blackout = [{ at = "1s", lasts = "300ms" }]
[[link]]
name = "wire"
from = "b"
to = "c"
rate = "1500kb/s"
delay = "3ms"
queue = { packets = 100, mark = 30 }
[[flow]]
name = "f"
count = 2
from = "a"
to = "c"
protocol = "sack"
source = { bytes = "100kB" }
adaptation = "$own"
"#;

fn scenario(text: &str) -> Scenario {
    let scenario = parse("t", text, Path::new("t.toml"), &no_files, &Overrides::default());
    scenario.unwrap_or_else(|errors| panic!("{errors}"))
}

#[test]
fn every_packet_and_every_cell_is_freed_once() {
    // A flow's own layer and a tunnel on its path exclude each other.
    for (own, tunnel) in [(false, true), (true, false)] {
        let text = match (own, tunnel) {
            (true, _) => ALL.replace("adaptation = \"$tunnel\"", "").replace("tunnel = [", "# ["),
            _ => ALL.replace("adaptation = \"$own\"", "").replace("own = [", "# ["),
        };
        for point in &scenario(&text).points {
            let mut sim = Simulation::new(&point.setup, 1);
            let mut most = 0;
            for ms in 1..=6_000 {
                sim.advance_to(Time::from_millis(10 * ms));
                most = most.max(sim.atm.cells_in_use());
            }
            assert_eq!((sim.delivered(0), sim.delivered(1)), (100, 100), "{:?}", point.vars);
            assert_eq!(sim.options.in_use(), 0, "{:?}", point.vars);
            // Two links with queues of 150 and 100 cells and their wires, in both directions.
            assert!(most < 700, "{:?}: {most}", point.vars);
            for end in 0..sim.atm.ends.len() {
                let held = sim.atm.ends.get(end).packets().count();
                // AAL5 does not know that the last ones were lost.
                assert!(held <= 4, "{:?}: {held}", point.vars);
            }
        }
    }
}

/// Damage that the header check takes for a single error, and that leads from one channel to
/// another.
fn misleading(lines: &mut Lines, from: Cell, to: (u8, u16)) -> Damage {
    for seed in 0.. {
        for hits in 3..9 {
            let damage = Damage { hits, seed };
            let mut cell = from;
            // Two intact cells: the next error is corrected.
            lines.note_intact(0);
            let passage = lines.receive(0, &mut cell, damage);
            let user = cell.header().payload_type == from.header().payload_type;
            if let Passage::Passed { header_changed: true, .. } = passage
                && (cell.header().vpi(), cell.header().vci()) == to
                && user
            {
                return damage;
            }
        }
    }
    unreachable!("the seeds do not end")
}

#[test]
fn a_miscorrected_cell_goes_on_in_another_channel_or_nowhere() {
    let text = ALL
        .replace("adaptation = \"$tunnel\"", "")
        .replace("tunnel = [", "# [")
        .replace("loss = [0.01,", "loss = [0, ")
        .replace("source = { bytes = \"100kB\" }", "start = \"50s\"");
    let point = &scenario(&text).points[2];
    let mut sim = Simulation::new(&point.setup, 1);
    let cell = Cell::new(Header::user(0, 32, false), &[0x55; PAYLOAD_OCTETS]);
    let mut lines = Lines::new(1);
    // The second flow's channel, and one that does not exist.
    for (to, known) in [((0, 33), true), ((0, 96), false)] {
        let damage = misleading(&mut lines, cell, to);
        let before = (sim.atm.cells_in_use(), *sim.atm.ends.get(0).counts());
        let id = sim.atm.put(cell);
        let hop = sim.atm.ends.get(0).route;
        let mut packet = Packet {
            sent_at: Time::ZERO,
            seq: 0,
            tx: id,
            flow: 0,
            hop,
            options: OptionsId::NONE,
            bytes: 53,
            kind: PacketKind::Cell,
            bits: Bits::NONE,
        };
        assert!(atl_link::Packet::damage(&mut packet, damage));
        sim.on_delivered(packet);
        let after = *sim.atm.ends.get(0).counts();
        let wrong = |c: ChannelCounts| c.cells_astray + c.cells_damaged;
        assert_eq!(wrong(after) - wrong(before.1), 1, "it is counted once");
        // On the second link, or gone.
        assert_eq!(sim.atm.cells_in_use() - before.0, usize::from(known));
    }
}
