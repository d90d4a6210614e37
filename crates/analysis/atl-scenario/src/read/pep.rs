//! Reading a proxy that splits a connection.

use atl_core::time::Span;
use atl_core::units::Rate;
use atl_engine::protocol::{Protocol, Recovery};
use atl_engine::setup::{FlowSetup, LinkSetup, Path, ReceiverAwareness, Source, Tcp};

use super::paths::Net;
use super::protocol::protocol;
use crate::table::{Field, Table};

/// The parts of a flow that a proxy splits, as far as all copies have them in common.
#[derive(Clone, Debug)]
pub(super) struct Split {
    /// The flow to the proxy, without its name and what it sends.
    pub first: FlowSetup,
    /// The flow from the proxy on.
    pub second: FlowSetup,
    pub buffer: u64,
}

/// A proxy as the file has it.
#[derive(Clone, Debug)]
pub(super) struct Pep<'a> {
    field: Field<'a>,
    node: usize,
    protocol: Option<Protocol>,
    buffer: u64,
}

impl<'a> Pep<'a> {
    /// The proxy of a flow, if it has one; `None` after an error of the file.
    pub(super) fn read(flow: &Table<'a>, net: &Net<'_>) -> Option<Option<Pep<'a>>> {
        let Some(field) = flow.get("pep").filter(|field| !field.is_off()) else {
            return Some(None);
        };
        let table = field.table()?;
        let node = table.read("at", |at| net.node(at));
        let own = match table.get("protocol") {
            Some(field) => protocol(&field).map(Some),
            None => Some(None),
        };
        let buffer = table.value("buffer", Field::size);
        let (node, protocol, buffer) = (node?, own?, buffer?);
        Some(Some(Pep { field, node, protocol, buffer }))
    }

    /// Splits a flow. `local` gives what depends on the links that a flow begins with: the rate of
    /// its access link that the host knows, and the delay of packets in the host.
    pub(super) fn split(
        &self,
        flow: &FlowSetup,
        links: &[LinkSetup],
        local: impl Fn(&[Path]) -> (Option<Rate>, Span),
    ) -> Option<Split> {
        let bad = |why: &str| self.field.bad::<Split>(why);
        if flow.mobile.is_some() {
            return bad("it splits flows between hosts that stay where they are");
        }
        if flow.adaptation.is_some() {
            return bad("packets in cells from end to end have no proxy: give links `adaptation`");
        }
        let protocol = self.protocol.as_ref().unwrap_or(&flow.protocol);
        for protocol in [&flow.protocol, protocol] {
            match protocol.tcp().map(|tcp| tcp.recovery) {
                None => return bad("it splits TCP, and this protocol is another"),
                Some(Recovery::Quic) => {
                    return bad("QUIC's acknowledgments are encrypted: nobody can split it");
                }
                Some(recovery) if !recovery.repairs() => {
                    return bad("it needs a TCP that delivers every byte");
                }
                Some(_) => {}
            }
        }
        let segment = u64::from(flow.tcp.segment);
        if self.buffer < 2 * segment {
            return bad("its `buffer` holds at least two segments");
        }
        let path = flow.first_path();
        let (Some(there), Some(back)) =
            (self.place(&path.forward, links), self.place(&path.back, links))
        else {
            return bad("it stands on the way there and back, and is no end of the flow");
        };
        let first = Path { forward: path.forward[..there].into(), back: path.back[back..].into() };
        let second = Path { forward: path.forward[there..].into(), back: path.back[..back].into() };
        let part = |path: Path| {
            let paths = vec![path];
            let (access_rate, overhead) = local(&paths);
            let tcp = Tcp { access_rate, ..flow.tcp.clone() };
            FlowSetup { paths, overhead, tcp, ..flow.clone() }
        };
        let most = u32::try_from(self.buffer / segment).unwrap_or(u32::MAX);
        let first = part(first);
        let tcp = Tcp { receive_window: first.tcp.receive_window.min(most), ..first.tcp };
        let (group, receiver) = (format!("{}.pep", flow.group), ReceiverAwareness::default());
        let first = FlowSetup { group, receiver, tcp, ..first };
        let source = Source::Relayed(Box::new(flow.source.clone()));
        let second = FlowSetup { protocol: protocol.clone(), source, stop: None, ..part(second) };
        Some(Split { first, second, buffer: self.buffer })
    }

    /// The number of links of a way up to the proxy, if it stands between two of them.
    fn place(&self, way: &[usize], links: &[LinkSetup]) -> Option<usize> {
        let place = way.iter().position(|link| links[*link].to == self.node)? + 1;
        (place < way.len()).then_some(place)
    }
}
