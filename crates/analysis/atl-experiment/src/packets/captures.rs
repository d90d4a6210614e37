//! Captures at the ends of links: what a host or router there would see of its interface.

use std::fs::File;
use std::io::{self, BufWriter, Write};

use atl_engine::setup::Setup;
use atl_engine::witness::{Content, Seen, What};
use atl_net::capture::pcap::{file_header, record_header};

use super::flow::Numbers;
use super::headers::{self, Ends};

/// The port of all receivers: that of QUIC over UDP, and of TCP with TLS.
const PORT: u16 = 443;
/// Ports of senders begin here.
const FIRST_PORT: u16 = 20_000;
const PORTS: usize = 40_000;

/// Captures under way.
#[derive(Debug)]
pub(super) struct Captures {
    files: Vec<BufWriter<File>>,
    /// For each link, the files of the ends at which packets enter it and leave it.
    ends: Vec<[usize; 2]>,
    flows: Vec<Ends>,
    failed: Option<io::Error>,
}

/// The link whose other direction this is, and its index.
fn other_way(setup: &Setup, link: usize) -> Option<usize> {
    let name = setup.links[link].name.strip_suffix(".back")?;
    setup.links.iter().position(|other| other.name == name)
}

impl Captures {
    /// Names of the files: link and node.
    pub(super) fn files(setup: &Setup) -> Vec<String> {
        let ways = (0..setup.links.len()).filter(|link| other_way(setup, *link).is_none());
        let links = ways.map(|link| &setup.links[link]);
        let ends = links.flat_map(|link| [link.from, link.to].map(|node| (&link.name, node)));
        ends.map(|(link, node)| format!("{link}-{}", setup.nodes[node])).collect()
    }

    pub(super) fn new(setup: &Setup, mut files: Vec<BufWriter<File>>) -> io::Result<Captures> {
        for file in &mut files {
            file.write_all(&file_header())?;
        }
        let mut ends = vec![[0; 2]; setup.links.len()];
        let mut next = 0;
        for (link, ends) in ends.iter_mut().enumerate() {
            if other_way(setup, link).is_none() {
                *ends = [next, next + 1];
                next += 2;
            }
        }
        for link in 0..ends.len() {
            if let Some(other) = other_way(setup, link) {
                let [near, far] = ends[other];
                ends[link] = [far, near];
            }
        }
        let address = |node: usize| {
            // Node 0 is 10.0.0.1.
            let [_, a, b, c] = (node as u32 + 1).to_be_bytes();
            [10, a, b, c]
        };
        let of_flow = |(index, flow): (usize, &atl_engine::setup::FlowSetup)| {
            let (from, to) = setup.ends(flow.first_path());
            let port = FIRST_PORT + (index % PORTS) as u16;
            let tcp = (!flow.protocol.paces()).then_some((flow.tcp.header, flow.tcp.timestamps));
            Ends { sender: (address(from), port), receiver: (address(to), PORT), tcp }
        };
        let flows = setup.flows.iter().enumerate().map(of_flow).collect();
        Ok(Captures { files, ends, flows, failed: None })
    }

    /// Takes a step of a packet.
    pub(super) fn packet(&mut self, seen: &Seen<'_>, numbers: &Numbers) {
        let end = match seen.what {
            What::Queued => 0,
            What::Passed | What::Arrived => 1,
            What::Copied | What::Dropped | What::Lost(_) => return,
        };
        let Some(link) = seen.link else { return };
        let ends = &self.flows[seen.flow];
        let (head, body): (_, &[u8]) = match &seen.content {
            Content::Datagram(bytes) => (headers::datagram(ends, seen, bytes.len()), *bytes),
            Content::Fields(fields) => (headers::of_fields(ends, seen, fields, numbers), &[]),
        };
        let captured = (head.len() + body.len()) as u32;
        let record = record_header(seen.at, captured, captured.max(seen.bytes));
        let file = &mut self.files[self.ends[link][end]];
        let written = [&record[..], &head, body].into_iter().try_for_each(|p| file.write_all(p));
        if let Err(error) = written {
            self.failed.get_or_insert(error);
        }
    }

    /// Writes what is left.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.failed.map_or(Ok(()), Err)?;
        self.files.iter_mut().try_for_each(Write::flush)
    }
}
