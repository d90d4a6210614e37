//! The flows that one flow of the file stands for: those of an application in the other direction
//! and over further connections, and those to a proxy.

use atl_core::time::Span;
use atl_core::units::Rate;
use atl_engine::setup::{FlowMobile, FlowSetup, Onward, Path, Source, TO_PROXY, Tcp};

use super::pep::Split;

/// The flows of one flow of the file, as far as all of its copies have them in common.
#[derive(Debug)]
pub(super) struct Parts {
    pub flow: FlowSetup,
    /// The one in the other direction, of an application.
    pub back: Option<FlowSetup>,
    /// Their parts, where a proxy splits them.
    pub splits: Option<(Split, Option<Split>)>,
}

impl Parts {
    /// Connections of the flow's application beyond the first.
    fn more(&self) -> usize {
        match &self.flow.source {
            Source::Application(config) => config.connections() - 1,
            _ => 0,
        }
    }

    /// Flows in one direction of a connection.
    fn legs(&self) -> usize {
        1 + usize::from(self.splits.is_some())
    }

    /// Flows of a connection.
    fn of_one(&self) -> usize {
        self.legs() * (1 + usize::from(self.back.is_some()))
    }

    /// Flows of a copy.
    pub(super) fn count(&self) -> usize {
        self.of_one() * (1 + self.more())
    }

    /// All flows of a copy with this name, start and source, the first of which has this place in
    /// the setup: those of the first connection, then those of the others, each with its number
    /// from 2.
    pub(super) fn all(&self, own: FlowSetup, first: usize) -> Vec<FlowSetup> {
        let more = self.more();
        // A client writes into the flow to the proxy, if there is one.
        let written = self.legs() - 1;
        let connection = |number: usize| {
            let name = match number {
                0 => own.name.clone(),
                _ => format!("{}.{}", own.name, number + 1),
            };
            let place = first + self.of_one() * number;
            let answers = self.back.as_ref().map(|_| place + self.legs() + written);
            let connections = match number {
                0 => (1..=more).map(|number| first + self.of_one() * number + written).collect(),
                _ => Vec::new(),
            };
            // Further ones are open by the time at which the first request is written.
            let start_jitter = if number == 0 { own.start_jitter } else { Span::ZERO };
            let back = self.back.as_ref().map(|back| {
                let name = format!("{name}.back");
                FlowSetup { name, start: own.start, ..back.clone() }
            });
            let there = FlowSetup { name, answers, connections, start_jitter, ..own.clone() };
            let (split, split_back) = match &self.splits {
                Some((there, back)) => (Some(there), back.as_ref()),
                None => (None, None),
            };
            let mut flows = legs(there, split, place);
            flows.extend(
                back.into_iter().flat_map(|back| legs(back, split_back, place + self.legs())),
            );
            flows
        };
        (0..=more).flat_map(connection).collect()
    }
}

/// A flow, or what a proxy makes of it: the flow that it sends on, at this place in the setup, then
/// the one to it.
fn legs(flow: FlowSetup, split: Option<&Split>, place: usize) -> Vec<FlowSetup> {
    let Some(Split { first, second, buffer }) = split else { return vec![flow] };
    let FlowSetup { name, start, start_jitter, source, answers, connections, .. } = flow;
    let onward = Some(Onward { flow: place, buffer: *buffer });
    let to_proxy = FlowSetup {
        name: format!("{name}{TO_PROXY}"),
        start,
        start_jitter,
        source: source.clone(),
        answers,
        connections,
        onward,
        ..first.clone()
    };
    let source = Source::Relayed(Box::new(source));
    vec![FlowSetup { name, start, start_jitter, source, ..second.clone() }, to_proxy]
}

/// The flow that carries the answers of the application of `flow`, with its parameters, over the
/// same links in the other direction. `local` gives what depends on the links that it begins with:
/// the rate of its access link that the host knows, and the delay of packets in the host.
pub(super) fn answers(
    flow: &FlowSetup,
    local: impl FnOnce(&[Path]) -> (Option<Rate>, Span),
) -> FlowSetup {
    let turned = |path: &Path| Path { forward: path.back.clone(), back: path.forward.clone() };
    let paths: Vec<Path> = flow.paths.iter().map(turned).collect();
    let (access_rate, overhead) = local(&paths);
    FlowSetup {
        name: format!("{}.back", flow.name),
        group: format!("{}.back", flow.group),
        mobile: flow.mobile.map(|mobile| FlowMobile { sends: !mobile.sends, ..mobile }),
        paths,
        overhead,
        // There is one handshake in a connection, before the first request.
        tcp: Tcp { access_rate, handshake: false, ..flow.tcp.clone() },
        // It begins with the first answer.
        start_jitter: Span::ZERO,
        ..flow.clone()
    }
}
