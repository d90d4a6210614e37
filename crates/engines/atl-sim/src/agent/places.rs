//! Places of the routing table where agents stand.

/// Where an agent meets a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spot {
    /// Between the wireless link and the next one.
    AccessPoint,
    /// In the link layer of the host at the other end of the wireless link.
    Mobile,
}

/// Agents at one place of the routing table, in the order in which a packet meets them, and what is
/// behind them: a link, an end of a virtual channel, or the end of the path.
#[derive(Debug)]
struct Place {
    behind: u32,
    agents: Vec<(u32, Spot)>,
}

/// All places with agents.
#[derive(Debug, Default)]
pub(crate) struct Places(Vec<Place>);

impl Places {
    /// The entry of the route behind the agents of a place: a link, or the end of the route.
    pub(crate) fn behind(&self, place: u32) -> u32 {
        self.0[place as usize].behind
    }

    /// The agent that a packet meets there after `met` others.
    pub(crate) fn agent(&self, place: u32, met: usize) -> Option<(u32, Spot)> {
        self.0[place as usize].agents.get(met).copied()
    }

    /// Adds a place.
    pub(crate) fn add(&mut self, behind: u32) -> u32 {
        self.0.push(Place { behind, agents: Vec::new() });
        self.0.len() as u32 - 1
    }

    /// Adds an agent, behind those that stand there already.
    pub(crate) fn enter(&mut self, place: u32, agent: u32, spot: Spot) {
        self.0[place as usize].agents.push((agent, spot));
    }
}
