//! Applications at both ends of a connection: what their flows deliver lets them act.

use atl_core::time::Time;
use atl_engine::flow::{Talked, Written};
use atl_engine::result::FlowResult;

use super::{Simulation, TALK};
use crate::flow::{Ends, Talking};

impl Simulation {
    pub(super) fn start_talks(&mut self) {
        for (index, talking) in (0..).zip(&self.talks) {
            self.queue.push(talking.due, TALK | index);
        }
    }

    /// An application may have something to do: it starts, one of its flows has delivered, or it is
    /// to wake up.
    pub(super) fn on_talk(&mut self, index: u32) {
        let Talking { talk, due } = &mut self.talks[index as usize];
        let flows = &self.flows;
        let mut written = std::mem::take(&mut self.written);
        talk.advance(self.now, |flow| flows[flow].ends.delivered_bytes(), &mut written);
        let next = talk.conversation.next_timer();
        if next != *due {
            *due = next;
            if next < Time::MAX {
                self.queue.push(next, TALK | index);
            }
        }
        for Written { flow, bytes, ended } in written.drain(..) {
            if let Ends::Tcp(tcp) = &mut self.flows[flow].ends {
                tcp.sender.write(self.now, bytes, ended);
                self.send(flow as u32);
                if self.flows[flow].proxied.is_some() {
                    self.relay_soon(flow as u32);
                }
            }
        }
        self.written = written;
    }

    pub(super) fn begin_measuring_exchanges(&mut self) {
        for talking in &mut self.talks {
            talking.talk.conversation.begin_measurement(self.now);
        }
    }

    /// Adds what applications have measured to the results of their flows.
    pub(super) fn add_exchanges(&self, flows: &mut [FlowResult]) {
        let ends = self.talks.iter().flat_map(|talking| talking.talk.results(self.end));
        for Talked { flow, exchanges, playback } in ends {
            flows[flow].exchanges = Some(exchanges);
            flows[flow].playback = playback;
        }
    }
}
