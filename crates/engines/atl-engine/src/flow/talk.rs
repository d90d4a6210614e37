//! The applications of a setup that talk over pairs of flows.

use atl_core::time::Time;
use atl_endpoint::app::Conversation;
use atl_endpoint::meters::ExchangeResult;
use atl_link::random::Stream;

use crate::flow::build;
use crate::setup::{Setup, Source};

/// An application, and the pair of flows over which its ends talk.
///
/// A connection is two flows here, one for each direction: TCP and QUIC have a congestion control,
/// a loss recovery and a send buffer for each direction of a connection, too. What differs is that
/// acknowledgments are packets of their own and never travel with data.
#[derive(Debug)]
pub struct Talk {
    /// Both ends of the application.
    pub conversation: Conversation,
    /// Indices in [`Setup::flows`]: from the client to the server, and back.
    pub flows: [usize; 2],
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

impl Talk {
    /// Every application of a setup, in a run with this seed.
    pub fn all(setup: &Setup, seed: u64) -> Vec<Talk> {
        let pair = |(index, plan): (usize, &crate::setup::FlowSetup)| {
            let (Source::Application(config), Some(back)) = (&plan.source, plan.answers) else {
                return None;
            };
            let stream = |end| Stream::new(seed, &format!("flow/{}/{end}", plan.name));
            let streams = [stream("client"), stream("server")];
            let conversation = Conversation::new(config, build::start(plan, seed), streams);
            Some(Talk { conversation, flows: [index, back] })
        };
        setup.flows.iter().enumerate().filter_map(pair).collect()
    }

    /// Lets the ends act on the bytes that each of its flows has delivered. Returns what an end
    /// that acted has written, for each of its flows.
    pub fn advance(&mut self, now: Time, [there, back]: [u64; 2]) -> [Option<Written>; 2] {
        // The client hears what comes back.
        let [client, server] = self.conversation.advance(now, [back, there]);
        let written = self.conversation.written();
        let of = |acted: bool, end: usize| {
            let (flow, (bytes, ended)) = (self.flows[end], written[end]);
            acted.then_some(Written { flow, bytes, ended })
        };
        [of(client, 0), of(server, 1)]
    }

    /// The index of each of its flows, with the exchanges that the end which writes into it has
    /// completed.
    pub fn results(&self) -> [(usize, ExchangeResult); 2] {
        let [client, server] = self.conversation.exchanges();
        [(self.flows[0], client.result()), (self.flows[1], server.result())]
    }
}
