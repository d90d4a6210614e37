//! The applications of a setup that talk over pairs of flows.

use std::collections::BTreeSet;

use atl_core::time::Time;
use atl_endpoint::app::Conversation;
use atl_endpoint::meters::{ExchangeResult, PlaybackResult};
use atl_link::random::Stream;

use crate::flow::build;
use crate::setup::{FlowSetup, Setup, Source};

/// An application, and the pairs of flows over which its ends talk: one for each connection.
///
/// A connection is two flows here, one for each direction: TCP and QUIC have a congestion control,
/// a loss recovery and a send buffer for each direction of a connection, too. What differs is that
/// acknowledgments are packets of their own and never travel with data.
#[derive(Debug)]
pub struct Talk {
    /// Both ends of the application.
    pub conversation: Conversation,
    /// The flows of each connection.
    connections: Vec<Pair>,
    /// Bytes delivered to each end over each connection.
    delivered: Vec<[u64; 2]>,
}

/// The flows of a connection.
#[derive(Clone, Copy, Debug)]
struct Pair {
    /// Indices in [`Setup::flows`] of those that the client and the server write into.
    flows: [usize; 2],
    /// Those that deliver it: the same, unless a proxy splits them.
    ends: [usize; 2],
    /// Bytes that each end has written, as far as it was told.
    told: [(u64, bool); 2],
}

/// All that an end of an application has written so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// Index in [`Setup::flows`].
    pub flow: usize,
    /// Bytes from the beginning.
    pub bytes: u64,
    /// True if no more follow.
    pub ended: bool,
}

/// Measurements of one end of an application.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Talked {
    /// Index in [`Setup::flows`] of the flow that delivers what it writes, of the first connection.
    pub flow: usize,
    /// Exchanges that it has completed.
    pub exchanges: ExchangeResult,
    /// Its playback, if it is a player.
    pub playback: Option<PlaybackResult>,
}

impl Talk {
    /// Every application of a setup, in a run with this seed.
    pub fn all(setup: &Setup, seed: u64) -> Vec<Talk> {
        let flows = setup.flows.iter();
        let beside: BTreeSet<usize> = flows.flat_map(|plan| &plan.connections).copied().collect();
        let talk = |(index, plan): (usize, &FlowSetup)| {
            let Source::Application(config) = &plan.source else { return None };
            if beside.contains(&index) {
                return None;
            }
            let pair = |flow: usize| {
                let back = setup.flows.get(flow)?.answers?;
                let end = |flow: usize| setup.flows[flow].onward.map_or(flow, |onward| onward.flow);
                let flows = [flow, back];
                Some(Pair { flows, ends: flows.map(end), told: [(0, false); 2] })
            };
            let all = std::iter::once(index).chain(plan.connections.iter().copied());
            let connections: Vec<Pair> = all.map(pair).collect::<Option<_>>()?;
            let name = build::whole_name(plan);
            let stream = |end| Stream::new(seed, &format!("flow/{name}/{end}"));
            let streams = [stream("client"), stream("server")];
            let conversation =
                Conversation::new(config, build::start(plan, seed), streams).stopping_at(plan.stop);
            let delivered = vec![[0; 2]; connections.len()];
            Some(Talk { conversation, connections, delivered })
        };
        setup.flows.iter().enumerate().filter_map(talk).collect()
    }

    /// The indices of the flows that deliver to its ends.
    pub fn flows(&self) -> impl Iterator<Item = usize> + '_ {
        self.connections.iter().flat_map(|pair| pair.ends)
    }

    /// Lets the ends act on the bytes that each of its flows has delivered. Adds what an end that
    /// acted has written to `written`, for each flow in which that is new.
    pub fn advance(
        &mut self,
        now: Time,
        delivered: impl Fn(usize) -> u64,
        written: &mut Vec<Written>,
    ) {
        for (bytes, pair) in self.delivered.iter_mut().zip(&self.connections) {
            // The client hears what comes back.
            let [there, back] = pair.ends;
            *bytes = [delivered(back), delivered(there)];
        }
        if self.conversation.advance_over(now, &self.delivered) == [false; 2] {
            return;
        }
        for (connection, pair) in self.connections.iter_mut().enumerate() {
            let ends = self.conversation.written_over(connection);
            for ((flow, told), now) in pair.flows.into_iter().zip(&mut pair.told).zip(ends) {
                if now != *told {
                    *told = now;
                    written.push(Written { flow, bytes: now.0, ended: now.1 });
                }
            }
        }
    }

    /// Measurements of its client and its server by now.
    pub fn results(&self, now: Time) -> [Talked; 2] {
        let exchanges = self.conversation.exchanges();
        let playback = self.conversation.playback(now);
        [0, 1].map(|end| Talked {
            flow: self.connections[0].ends[end],
            exchanges: exchanges[end].result(),
            playback: playback[end],
        })
    }
}
