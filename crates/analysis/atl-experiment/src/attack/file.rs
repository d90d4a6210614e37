//! A case as a scenario file.

use std::fmt::Write as _;

use atl_core::time::Span;
use atl_engine::setup::{AckTiming, Claims};

use super::case::Case;
use super::network::Medium;

/// Name of the lying flow, and of the others.
pub(super) const LIAR: &str = "liar";
pub(super) const NEIGHBOURS: &str = "neighbours";

/// Times a SACK neighbour's goodput that a liar may get on a wire, and times its own goodput as an
/// honest receiver that it may get on a wireless link.
pub(super) const WIRE_BOUND: f64 = 2.0;
pub(super) const RADIO_BOUND: f64 = 1.5;

impl Case {
    /// The bound that this project sets itself: times a neighbour's goodput on a wire, times its
    /// own with the truth on a wireless link.
    pub fn bound(&self) -> f64 {
        if self.is_wired() { WIRE_BOUND } else { RADIO_BOUND }
    }

    /// The text of a scenario file that runs the case with these seeds: the receiver once honest,
    /// once lying.
    pub fn file(&self, seeds: &[u64]) -> String {
        let network = &self.network;
        let duration = network.duration();
        let mut out = format!(
            "# Made by `atl attack receiver`. Run it: `atl run FILE`.\n\n\
             title = \"A receiver that lies to {law}\"\n\
             about = \"\"\"\n\
             {about}\n\
             \"\"\"\n\
             source = \"this project\"\n\
             duration = \"{}\"\n\
             warmup = \"{}\"\n\
             seeds = {seeds:?}\n\n\
             [sweep]\n\
             receiver = [\n    {{ label = \"honest\", value = \"aware\" }},\n    {{ label = \"lying\", value = {} }},\n]\n\n",
            time(duration),
            time(duration / 4),
            claims(&self.lie),
            law = self.law,
            about = if self.is_wired() {
                "The path is wired: an honest receiver has nothing to report. Its neighbours are SACK flows."
            } else {
                "The receiver is behind a wireless link. Its neighbours are honest receivers on the same link."
            },
        );
        self.links(&mut out);
        self.flows(&mut out);
        self.quote(&mut out);
        out
    }

    fn links(&self, out: &mut String) {
        let [first, bottleneck, last] = self.network.delays();
        let (kbps, queue) = (self.network.kbps, self.network.queue);
        let fast = kbps * 12;
        let mut link = |name: &str, ends: [&str; 2], kbps: u64, delay: Span, rest: &str| {
            let _ = write!(
                out,
                "[[link]]\nname = \"{name}\"\nfrom = \"{}\"\nto = \"{}\"\nrate = \"{kbps}kb/s\"\ndelay = \"{}\"\n{rest}\n",
                ends[0],
                ends[1],
                time(delay)
            );
        };
        link("source", ["sender", "left"], fast, first, "queue = 1000\n");
        let short = format!("queue = {queue}\nreverse = {{ queue = 1000 }}\n");
        link("bottleneck", ["left", "right"], kbps, bottleneck, &short);
        let rest = match self.network.medium {
            Medium::Wire => "queue = 1000\n".to_owned(),
            Medium::Radio { loss, .. } => {
                format!("wireless = true\nloss = {loss}\nreverse = {{ loss = 0 }}\nqueue = 1000\n")
            }
        };
        link("last", ["right", "receiver"], fast, last, &rest);
    }

    fn flows(&self, out: &mut String) {
        let neighbours = if self.is_wired() { "sack" } else { &self.law };
        let mut flow = |name: &str, protocol: &str, rest: &str| {
            let _ = write!(
                out,
                "[[flow]]\nname = \"{name}\"\nfrom = \"sender\"\nto = \"receiver\"\nprotocol = \"{protocol}\"\n\
                 start-jitter = \"{}\"\noverhead = \"auto\"\n{rest}\n",
                time(self.network.rtt * 4)
            );
        };
        flow(LIAR, &self.law, "receiver = \"$receiver\"\n");
        flow(NEIGHBOURS, neighbours, &format!("count = {}\n", self.network.neighbours));
    }

    fn quote(&self, out: &mut String) {
        let bound = self.bound();
        let (text, over) = if self.is_wired() {
            (
                "A liar gets at most {bound} times what a SACK neighbour gets",
                format!("{{ flow = \"{NEIGHBOURS}\", receiver = \"lying\" }}"),
            )
        } else {
            (
                "A liar gets at most {bound} times what it gets honestly",
                format!("{{ flow = \"{LIAR}\", receiver = \"honest\" }}"),
            )
        };
        let _ = write!(
            out,
            "[[quote]]\nid = \"bound\"\ntext = \"{}\"\nown = true\nmetric = \"goodput\"\n\
             ratio = {{ of = {{ flow = \"{LIAR}\", receiver = \"lying\" }}, over = {over}, expect = {}, within = \"100%\" }}\n",
            text.replace("{bound}", &bound.to_string()),
            bound / 2.0
        );
    }
}

/// Claims as an inline table.
pub(super) fn claims(lie: &Claims) -> String {
    let mut out =
        format!("{{ loss = {}, delay = \"{}\"", float(lie.link.loss.get()), time(lie.link.delay));
    let mut add = |key: &str, span: Span| {
        let _ = write!(out, ", {key} = \"{}\"", time(span));
    };
    if let Some(flap) = lie.flap {
        add("flap", flap);
    }
    if let Some(every) = lie.handoffs {
        add("handoffs", every);
    }
    match lie.acks {
        AckTiming::Prompt => {}
        AckTiming::Together(every) => add("hold", every),
        AckTiming::Level(after) => add("level", after),
        AckTiming::Late(by) => add("late", by),
        AckTiming::Thin(of) => _ = write!(out, ", thin = {of}"),
    }
    if lie.ahead > 0 {
        let _ = write!(out, ", ahead = {}", lie.ahead);
    }
    out + " }"
}

/// A number with a decimal point.
fn float(x: f64) -> String {
    format!("{x:?}")
}

/// A time in the largest unit in which it is a whole number.
pub(crate) fn time(span: Span) -> String {
    let nanos = span.nanos();
    let units = [(1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "us"), (1, "ns")];
    let unit = units.iter().find(|(size, _)| nanos.is_multiple_of(*size));
    unit.map_or_else(|| format!("{nanos}ns"), |(size, unit)| format!("{}{unit}", nanos / size))
}
