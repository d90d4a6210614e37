//! The random delay within an end system, and its default.

use std::collections::BTreeMap;

use atl_core::time::Span;
use atl_core::units::Rate;
use atl_engine::setup::{FlowSetup, LinkSetup, Path};

use super::link::slowest;
use crate::table::{Field, Table};

/// The value of `overhead`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Overhead {
    /// The file does not say: see [`settle`].
    Unsaid,
    /// The time of a packet on the slowest link.
    Auto,
    Most(Span),
}

impl Overhead {
    pub(super) fn read(table: &Table<'_>) -> Option<Self> {
        let value = |field: &Field<'_>| match field.is_word("auto") {
            true => Some(Overhead::Auto),
            false => field.time().map(Overhead::Most),
        };
        table.get("overhead").map_or(Some(Overhead::Unsaid), |field| value(&field))
    }

    /// The limit of the delay for packets of this size, as far as it is known before all flows are.
    pub(super) fn most(self, paths: &[Path], links: &[LinkSetup], bytes: u64) -> Span {
        match self {
            Overhead::Unsaid => Span::ZERO,
            Overhead::Auto => packet_time(paths, links, bytes),
            Overhead::Most(most) => most,
        }
    }
}

/// Gives the flows of which the file does not say it (`unsaid`, by index) their overhead: one of
/// `"auto"` if they pace and share a link with another flow's data. Packets at equal distances meet
/// a queue in the same phase for ever, and where it is full one flow may lose all of them and
/// another none (Floyd and Jacobson 1992). ACKs break up the phases of windows.
pub(super) fn settle(flows: &mut [FlowSetup], unsaid: &[usize], links: &[LinkSetup]) {
    let mut users: BTreeMap<usize, usize> = BTreeMap::new();
    for flow in &*flows {
        for link in ways(&flow.paths) {
            *users.entry(link).or_default() += 1;
        }
    }
    for &index in unsaid {
        let flow = &mut flows[index];
        if flow.protocol.paces() && ways(&flow.paths).iter().any(|link| users[link] > 1) {
            let bytes = u64::from(flow.tcp.segment + flow.tcp.header);
            flow.overhead = packet_time(&flow.paths, links, bytes);
        }
    }
}

/// The links that a flow's data may take, each once.
fn ways(paths: &[Path]) -> Vec<usize> {
    let mut links: Vec<usize> =
        paths.iter().flat_map(|path| path.forward.iter().copied()).collect();
    links.sort_unstable();
    links.dedup();
    links
}

/// Transmission time of a packet on the slowest link of these paths.
fn packet_time(paths: &[Path], links: &[LinkSetup], bytes: u64) -> Span {
    let all = paths.iter().flat_map(|path| &path.forward);
    let slowest = all.filter_map(|link| slowest(&links[*link].config)).reduce(f64::min);
    slowest.map_or(Span::ZERO, |bps| Rate::from_bps(bps).time_for(bytes))
}
