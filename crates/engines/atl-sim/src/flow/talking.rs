//! Applications that talk over pairs of flows.

use atl_core::time::Time;
use atl_engine::flow::Talk;
use atl_engine::setup::Setup;

use super::Flow;
use super::ends::Ends;
use super::tcp::Reader;

/// An application, and the time of its timer event in the queue; [`Time::MAX`] without one.
#[derive(Debug)]
pub(crate) struct Talking {
    pub talk: Talk,
    pub due: Time,
}

impl Talking {
    /// Every application of a setup. Its flows are told which one reads what they deliver.
    pub(crate) fn all(setup: &Setup, seed: u64, flows: &mut [Flow]) -> Vec<Talking> {
        let talks = Talk::all(setup, seed);
        for (index, talk) in (0..).zip(&talks) {
            for flow in talk.flows() {
                if let Ends::Tcp(tcp) = &mut flows[flow].ends {
                    tcp.reader = Some(Box::new(Reader::Talk(index)));
                }
            }
        }
        let talking = |talk: Talk| Talking { due: talk.conversation.next_timer(), talk };
        talks.into_iter().map(talking).collect()
    }
}
