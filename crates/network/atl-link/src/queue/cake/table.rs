//! The queue of a flow: a table in sets of eight, each flow in any of a set's places.
//!
//! With 1024 queues and 100 flows, one flow in ten would share its queue under a plain hash; here a
//! flow shares one only where its set has no free place (Hoeiland-Joergensen, Taht, Morton, "Piece
//! of CAKE", LANMAN 2018, on flow isolation; Linux's `cake_hash`).

/// Places of a set.
const WAYS: usize = 8;

/// Which flow had each queue last.
#[derive(Debug)]
pub(super) struct Table {
    /// The hash of that flow.
    tags: Vec<u32>,
}

impl Table {
    /// A table of this many queues, a multiple of eight unless there are fewer.
    pub(super) fn new(queues: u32) -> Self {
        Table { tags: vec![0; queues as usize] }
    }

    /// The queue of the flow with this hash. `in_use` says whether a queue has packets, or a state
    /// that is still of use; `holds`, whether it holds packets of this very flow behind another's
    /// tag: the flow then stays there, so that its packets keep their order, which Linux gives up.
    pub(super) fn place(
        &mut self,
        hash: u32,
        in_use: impl Fn(usize) -> bool,
        holds: impl Fn(usize) -> bool,
    ) -> usize {
        let own = hash as usize % self.tags.len();
        let ways = WAYS.min(self.tags.len());
        let (first, inner) = (own - own % ways, own % ways);
        let set = || (0..ways).map(|step| first + (inner + step) % ways);
        let known = set().find(|at| self.tags[*at] == hash && in_use(*at));
        if known.is_none()
            && let Some(at) = set().find(|at| holds(*at))
        {
            return at;
        }
        let at = known.or_else(|| set().find(|at| !in_use(*at))).unwrap_or(own);
        self.tags[at] = hash;
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// cake flow isolation: A flow has any free one of eight queues, keeps it while it uses it, and
    /// shares one only where all eight are taken.
    #[test]
    fn a_set_holds_eight_flows() {
        let mut table = Table::new(1024);
        let mut used = std::collections::BTreeSet::new();
        // All have the same place: 8 mod 1024.
        let flows: Vec<u32> = (0..9).map(|n| 8 + 1024 * n).collect();
        let places: Vec<usize> = flows[..8]
            .iter()
            .map(|flow| {
                let at = table.place(*flow, |at| used.contains(&at), |_| false);
                used.insert(at);
                at
            })
            .collect();
        assert_eq!(places, [8, 9, 10, 11, 12, 13, 14, 15]);
        let again: Vec<usize> = flows[..8]
            .iter()
            .map(|flow| table.place(*flow, |at| used.contains(&at), |_| false))
            .collect();
        assert_eq!(again, places);
        // The ninth takes the place of its hash, whose flow then shares it.
        assert_eq!(table.place(flows[8], |at| used.contains(&at), |_| false), 8);
        // Whose packets wait there still, it stays.
        assert_eq!(table.place(flows[0], |at| used.contains(&at), |at| at == 8), 8);
        used.remove(&12);
        assert_eq!(table.place(flows[0], |at| used.contains(&at), |_| false), 12);
        // A queue that is its own it keeps, though some of its packets wait elsewhere.
        used.insert(12);
        assert_eq!(table.place(flows[0], |at| used.contains(&at), |at| at == 8), 12);
    }

    #[test]
    fn few_queues_are_one_set() {
        let mut table = Table::new(3);
        let all: Vec<usize> = (0..3)
            .map(|flow| {
                table.place(7 + 3 * flow, move |at| at < flow as usize + 1 && at != 0, |_| false)
            })
            .collect();
        assert!(all.iter().all(|at| *at < 3), "{all:?}");
    }
}
