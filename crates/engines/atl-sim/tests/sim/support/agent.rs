//! Packets and setups for the tests of agents.

use atl_core::time::{Span, Time};
use atl_core::units::Rate;
use atl_endpoint::options::{SackBlock, SackBlocks};
use atl_engine::setup::{Agent, Setup, Snoop};
use atl_link::Config;
use atl_sim::{Bits, OptionsId, Packet, PacketKind};

use super::{flow, link, lossy};

/// Data: segment `seq` in transmission `tx`.
pub(crate) fn data(seq: u64, tx: u64, sent_at: Time) -> Packet {
    packet(PacketKind::Data, seq, tx, sent_at)
}

/// An ACK that expects segment `ack` and answers transmission `tx`.
pub(crate) fn ack(ack: u64, tx: u64) -> Packet {
    packet(PacketKind::Ack, ack, tx, Time::ZERO)
}

fn packet(kind: PacketKind, seq: u64, tx: u64, sent_at: Time) -> Packet {
    Packet {
        sent_at,
        seq: seq as u32,
        tx: tx as u32,
        flow: 0,
        hop: 0,
        options: OptionsId::NONE,
        bytes: 1040,
        kind,
        bits: Bits::NONE,
    }
}

/// SACK blocks, each by its distance from the ACK and its length.
pub(crate) fn blocks(list: &[(u32, u32)]) -> SackBlocks {
    let mut blocks = SackBlocks::default();
    for (block, &(offset, len)) in blocks.iter_mut().zip(list) {
        *block = SackBlock { offset, len };
    }
    blocks
}

/// Which end of a flow is wireless.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wireless {
    Source,
    Receiver,
    Both,
}

/// Mobile - access point - host (or a second mobile): 2 Mb/s, `d_w` and 10 ms, losses of data on
/// the air.
pub(crate) fn wlan(
    protocol: &str,
    ends: Wireless,
    p_w: f64,
    snoop: Option<Snoop>,
    secs: f64,
) -> Setup {
    let leg = Config::constant(Rate::from_mbps(2.0), Span::from_millis(10), 50);
    let lossy_leg = lossy(leg.clone(), p_w);
    let agent = snoop.map(Agent::Snoop);
    let mut links = Vec::new();
    let wireless = match ends {
        Wireless::Source => [true, false],
        Wireless::Receiver => [false, true],
        Wireless::Both => [true, true],
    };
    for (at, wireless) in wireless.into_iter().enumerate() {
        let there = if wireless { lossy_leg.clone() } else { leg.clone() };
        links.push(link(&format!("leg-{at}"), at, at + 1, there));
        links.push(link(&format!("leg-{at}.back"), at + 1, at, leg.clone()));
        for link in links.iter_mut().skip(2 * at) {
            link.wireless = wireless;
            link.agent = agent.clone().filter(|_| wireless);
        }
    }
    let mut flow = flow("ftp", protocol, &[0, 2], &[3, 1]);
    flow.overhead = Rate::from_mbps(2.0).time_for(1040);
    flow.start_jitter = Span::from_millis(100);
    Setup {
        nodes: (0..3).map(|i| i.to_string()).collect(),
        links,
        flows: vec![flow],
        mobiles: Vec::new(),
        map: None,
        duration: Span::from_secs_f64(secs),
        warmup: Span::ZERO,
        sample_every: None,
    }
}
