//! Agents: packets meet them at places of the routing table.

use atl_core::time::Time;

use super::{AGENT, Simulation, What};
use crate::agent::snoop::Verdict;
use crate::agent::{Role, Spot};
use crate::network::{BEFORE_END, Door, END, Network};
use crate::packet::{Bits, OptionsId, Packet, PacketKind};

impl Simulation {
    /// A packet arrives at a place where agents stand.
    #[cold]
    pub(super) fn meet_agents(&mut self, packet: Packet) {
        self.meet(packet, 0);
    }

    /// A packet goes on from `met` agents of its place: to the next one, or past them. False if a
    /// queue dropped it.
    fn meet(&mut self, packet: Packet, met: usize) -> bool {
        let (place, behind) = self.network.place(packet.hop);
        let Some((agent, spot)) = self.network.places.agent(place, met) else {
            if behind == END {
                self.on_delivered(Packet { hop: BEFORE_END, ..packet });
                return true;
            }
            if (behind as usize) < self.network.links.len() {
                return self.put(behind, packet);
            }
            if let Door::Channel(end) = Network::door(behind) {
                self.enter_channel(end, packet);
            }
            return true;
        };
        let station = &mut self.stations[agent as usize];
        if spot == Spot::AccessPoint && !station.delay.is_zero() {
            let at = self.now.saturating_add(station.delay);
            station.waiting.push_back((at, packet, met));
            self.watch_agent(agent);
            return true;
        }
        self.hand_to(agent, spot, packet, met)
    }

    /// A packet has passed through to an agent.
    fn hand_to(&mut self, agent: u32, spot: Spot, packet: Packet, met: usize) -> bool {
        let now = self.now;
        let onward = match packet.kind {
            PacketKind::Ack => self.show_ack(agent, spot, packet),
            PacketKind::Request => {
                if let Role::FromMobile(watcher, mobile) = self.role(agent)
                    && let Some(request) = watcher.take_request(packet.tx)
                {
                    mobile.on_request(now, &request);
                }
                None
            }
            _ => Some(packet),
        };
        // The packet goes out first: it has the older number.
        let accepted = onward.is_some_and(|packet| self.meet(packet, met + 1));
        if accepted && packet.kind == PacketKind::Data {
            self.show_data(agent, spot, &packet);
        }
        self.send_copies(agent);
        self.watch_agent(agent);
        accepted
    }

    /// Hands a packet to a link. False if its queue dropped it.
    fn put(&mut self, link: u32, packet: Packet) -> bool {
        let offered = self.network.links[link as usize].link.offer(self.now, packet);
        // It may have pushed out another one.
        let accepted = offered.as_ref().map_or_else(|dropped| !dropped.is(&packet), |()| true);
        if accepted {
            self.note(What::Queued, &packet);
        }
        if let Err(dropped) = offered {
            self.on_dropped(link, &dropped);
        }
        self.watch(link);
        accepted
    }

    fn role(&mut self, agent: u32) -> &mut Role {
        &mut self.stations[agent as usize].role
    }

    /// An agent sees an ACK, and changes or keeps it.
    fn show_ack(&mut self, agent: u32, spot: Spot, packet: Packet) -> Option<Packet> {
        let now = self.now;
        let mut blocks = self.options.sack(packet.options);
        let verdict = match (self.role(agent), spot) {
            (Role::ToMobile(repairer), _) => repairer.on_ack(now, &packet, &mut blocks),
            (Role::FromMobile(_, mobile), Spot::Mobile) => mobile.on_ack(&packet, &mut blocks),
            (Role::FromMobile(watcher, _), Spot::AccessPoint) => {
                watcher.on_ack(now, &packet);
                Verdict::Pass
            }
        };
        // An ACK that reports more than blocks must reach the sender.
        if verdict == Verdict::Pass || self.options.tells_more(packet.options) {
            return Some(Packet {
                options: self.options.replace_sack(packet.options, &blocks),
                ..packet
            });
        }
        self.options.take(packet.options);
        None
    }

    /// An agent sees data that has gone on.
    fn show_data(&mut self, agent: u32, spot: Spot, packet: &Packet) {
        let now = self.now;
        match (self.role(agent), spot) {
            (Role::ToMobile(repairer), _) => repairer.on_data(now, packet),
            (Role::FromMobile(_, mobile), Spot::Mobile) => mobile.on_data(now, packet),
            (Role::FromMobile(watcher, _), Spot::AccessPoint) => {
                if let Some(number) = watcher.on_data(now, packet) {
                    self.send_request(agent, number, packet.flow);
                }
            }
        }
    }

    fn send_request(&mut self, agent: u32, number: u32, flow: u32) {
        let station = &self.stations[agent as usize];
        let packet = Packet {
            sent_at: self.now,
            seq: 0,
            tx: number,
            flow,
            hop: station.requests_from,
            bytes: station.request_bytes,
            kind: PacketKind::Request,
            bits: Bits::NONE,
            options: OptionsId::NONE,
        };
        let link = self.network.link_at(packet.hop);
        self.put(link, packet);
    }

    fn send_copies(&mut self, agent: u32) {
        while let Some(copy) = self.stations[agent as usize].poll_copy() {
            let station = &mut self.stations[agent as usize];
            station.copies += 1;
            let (air, flow) = (station.air, station.flow);
            self.flows[flow as usize].fate.copies += 1;
            if !self.put(air, copy) {
                self.stations[agent as usize].on_refused(&copy);
            }
        }
    }

    /// Schedules an agent's next event, unless it has an earlier one in the queue.
    fn watch_agent(&mut self, agent: u32) {
        let station = &mut self.stations[agent as usize];
        let next = station.next_event();
        if next < station.due {
            station.due = next;
            self.queue.push(next, AGENT | agent);
        }
    }

    /// An agent's event.
    #[cold]
    pub(super) fn on_agent(&mut self, agent: u32) {
        let station = &mut self.stations[agent as usize];
        if station.due != self.now {
            return;
        }
        station.due = Time::MAX;
        while let Some(&(at, packet, met)) = self.stations[agent as usize].waiting.front()
            && at <= self.now
        {
            self.stations[agent as usize].waiting.pop_front();
            self.hand_to(agent, Spot::AccessPoint, packet, met);
        }
        let now = self.now;
        let station = &mut self.stations[agent as usize];
        let flow = station.flow;
        let request = match &mut station.role {
            Role::ToMobile(repairer) => {
                repairer.on_timer(now);
                None
            }
            Role::FromMobile(watcher, _) => watcher.on_timer(now),
        };
        if let Some(number) = request {
            self.send_request(agent, number, flow);
        }
        self.send_copies(agent);
        self.watch_agent(agent);
    }
}
