//! Proxies that split connections (RFC 3135): what one flow delivers, another sends on.
//!
//! A proxy acknowledges what arrives and keeps it until it is acknowledged on the second flow. It
//! announces the room that is left in each ACK of the first, and so never has more than its buffer
//! holds. Room counts whole segments, as a receive window does here: what it has sent on counts as
//! full segments until it is acknowledged.

use super::{RELAY, Simulation};
use crate::flow::{Ends, Proxied, Relay};
use crate::packet::OptionsId;

impl Simulation {
    /// The flow to a proxy may have delivered something, or ended.
    pub(super) fn on_relay(&mut self, id: u32) {
        let flow = &mut self.flows[id as usize];
        let (Some(Proxied::Ends(relay)), Ends::Tcp(tcp)) = (&mut flow.proxied, &flow.ends) else {
            return;
        };
        let bytes = tcp.receiver.delivered_bytes();
        let ended = tcp.sender.end() == Some(bytes);
        let onward = relay.onward;
        if relay.told == (bytes, ended) {
            return;
        }
        relay.told = (bytes, ended);
        if let Ends::Tcp(tcp) = &mut self.flows[onward as usize].ends {
            tcp.sender.write(self.now, bytes, ended);
            self.send(onward);
        }
    }

    /// Looks at a flow to a proxy after all arrivals of this instant.
    pub(super) fn relay_soon(&mut self, id: u32) {
        self.queue.push(self.now, RELAY | id);
    }

    /// An ACK reached the sender of a flow that has to do with a proxy.
    #[cold]
    pub(super) fn on_proxied_ack(&mut self, id: u32) {
        match self.flows[id as usize].proxied {
            // It may have learned that its application has ended.
            Some(Proxied::Ends(_)) => self.relay_soon(id),
            Some(Proxied::Begins(from)) => self.open(from),
            None => {}
        }
    }

    /// Adds the room that a proxy announces to the options of an ACK, in segments from the next
    /// one on. An ACK of any other flow stays as it is.
    #[cold]
    pub(super) fn announce(&mut self, id: u32, options: OptionsId) -> OptionsId {
        let Some((next, edge)) = self.room(id) else { return options };
        if let Some(Proxied::Ends(relay)) = &mut self.flows[id as usize].proxied {
            relay.edge = edge;
        }
        match u32::try_from(edge.saturating_sub(next)) {
            Ok(window) => self.options.add_window(options, window),
            Err(_) => options,
        }
    }

    /// Tells the sender of a flow to a proxy that there is room again, if it may be waiting for
    /// that: once for two segments or half of the buffer, whichever is less (RFC 9293, sec.
    /// 3.8.6.2.2).
    fn open(&mut self, id: u32) {
        let Some((next, edge)) = self.room(id) else { return };
        let Some(Proxied::Ends(relay)) = &self.flows[id as usize].proxied else { return };
        let all = relay.buffer / u64::from(relay.segment);
        let left = relay.edge.saturating_sub(next);
        if left <= all / 4 && edge >= relay.edge + (all / 2).clamp(1, 2) {
            self.repeat_ack(id);
        }
    }

    /// The next segment that the receiver of a flow to a proxy expects, and one past the last for
    /// which the proxy has room.
    fn room(&self, id: u32) -> Option<(u64, u64)> {
        let flow = &self.flows[id as usize];
        let (Some(Proxied::Ends(relay)), Ends::Tcp(tcp)) = (&flow.proxied, &flow.ends) else {
            return None;
        };
        let Relay { onward, buffer, segment, most, edge, .. } = **relay;
        let Ends::Tcp(second) = &self.flows[onward as usize].ends else { return None };
        let (next, delivered) = (tcp.receiver.next(), tcp.receiver.delivered_bytes());
        let kept = delivered.saturating_sub(second.sender.acknowledged_at_least());
        let room = buffer.saturating_sub(kept) / u64::from(segment);
        Some((next, edge.max(next + room.min(u64::from(most)))))
    }
}
