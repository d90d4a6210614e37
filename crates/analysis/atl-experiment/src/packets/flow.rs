//! Conclusions from the packets of a flow seen so far: places of segments in the stream, and the
//! packets that an acknowledgment acknowledges.

use std::collections::{BTreeMap, VecDeque};

use atl_core::time::Time;
use atl_engine::setup::FlowSetup;
use atl_engine::witness::{Fields, Role, Seen, What};

/// A segment that was sent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    /// Its first byte in the stream.
    pub(super) offset: u64,
    pub(super) length: u32,
    /// Its newest transmission.
    pub(super) transmission: u32,
}

/// Identity of an acknowledgment, but for repeated ones.
type AckId = (u32, u32, Time);

/// The packets of a flow.
#[derive(Debug)]
pub(super) struct Numbers {
    /// First links of its paths, from the sender and from the receiver.
    first: [Vec<usize>; 2],
    header: u32,
    /// By number.
    segments: BTreeMap<u32, Segment>,
    /// Bytes of all segments so far.
    end: u64,
    /// Transmissions in order of arrival, and how many of these the sender knows of.
    arrived: Vec<u32>,
    known: usize,
    /// For each acknowledgment under way, how many had arrived when it left.
    acks: BTreeMap<AckId, VecDeque<usize>>,
    /// The step that was noted last: a packet is sent, or sent in place of another transmission.
    pub(super) sent: Option<Sent>,
}

/// A data packet that has left its sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sent {
    /// The transmission before of the same data, which is not known to have arrived.
    pub(super) again: Option<u32>,
}

impl Numbers {
    pub(super) fn new(flow: &FlowSetup) -> Numbers {
        let firsts = |forward: bool| {
            let way = |path: &atl_engine::setup::Path| {
                let links = if forward { &path.forward } else { &path.back };
                links.first().copied()
            };
            flow.paths.iter().filter_map(way).collect()
        };
        Numbers {
            first: [firsts(true), firsts(false)],
            header: flow.tcp.header,
            segments: BTreeMap::new(),
            end: 0,
            arrived: Vec::new(),
            known: 0,
            acks: BTreeMap::new(),
            sent: None,
        }
    }

    /// Takes a step of a packet.
    pub(super) fn note(&mut self, seen: &Seen<'_>, fields: &Fields) {
        self.sent = None;
        let first = &self.first[usize::from(!seen.forward)];
        let at_source = seen.link.is_none_or(|link| first.contains(&link));
        match (fields.role, seen.what) {
            (Role::Data, What::Queued | What::Dropped) if at_source => {
                self.on_sent(fields, seen.bytes);
            }
            (Role::Data, What::Arrived) => self.arrived.push(fields.transmission),
            (Role::Ack, What::Queued) if at_source => {
                self.acks.entry(id(fields)).or_default().push_back(self.arrived.len());
            }
            _ => {}
        }
    }

    fn on_sent(&mut self, fields: &Fields, bytes: u32) {
        let length = bytes.saturating_sub(self.header);
        let newest = fields.transmission;
        let Some(segment) = self.segments.get_mut(&fields.number) else {
            let segment = Segment { offset: self.end, length, transmission: newest };
            self.segments.insert(fields.number, segment);
            self.end += u64::from(length);
            self.sent = Some(Sent { again: None });
            return;
        };
        if segment.transmission != newest {
            let before = std::mem::replace(&mut segment.transmission, newest);
            let known = self.arrived[..self.known].iter().rev().take(1000).any(|t| *t == before);
            self.sent = Some(Sent { again: (!known).then_some(before) });
        }
    }

    /// A segment that was sent.
    pub(super) fn segment(&self, number: u32) -> Option<Segment> {
        self.segments.get(&number).copied()
    }

    /// The place in the stream at which a segment begins, or would.
    pub(super) fn offset(&self, number: u32) -> u64 {
        self.segment(number).map_or(self.end, |segment| segment.offset)
    }

    /// The transmissions of which the sender learns by an acknowledgment that has reached it, as
    /// ranges in rising order.
    pub(super) fn acknowledged(&mut self, fields: &Fields) -> Vec<[u32; 2]> {
        let left = self.acks.get_mut(&id(fields)).and_then(VecDeque::pop_front);
        let Some(until) = left.filter(|until| *until > self.known) else { return Vec::new() };
        let mut new = self.arrived[self.known..until].to_vec();
        self.known = until;
        new.sort_unstable();
        let mut ranges: Vec<[u32; 2]> = Vec::new();
        for transmission in new {
            match ranges.last_mut() {
                Some([_, last]) if *last == transmission => {}
                Some([_, last]) if last.checked_add(1) == Some(transmission) => *last += 1,
                _ => ranges.push([transmission; 2]),
            }
        }
        ranges
    }
}

fn id(fields: &Fields) -> AckId {
    (fields.number, fields.transmission, fields.sent_at)
}
