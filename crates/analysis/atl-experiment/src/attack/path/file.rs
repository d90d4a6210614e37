//! A case as a scenario file.

use std::fmt::Write as _;

use atl_core::time::Span;

use super::case::{Hold, PathCase, Piece, beyond};
use crate::attack::file::time;
use crate::engines;

impl PathCase {
    /// The text of a scenario file that runs the case with these seeds, on the engine of this name.
    pub fn file(&self, seeds: &[u64], on: &str) -> String {
        let on = if on == engines::DEFAULT { String::new() } else { format!(" --on {on}") };
        let objective = self.objective;
        let mut out = format!(
            "# Made by `atl attack path`. Run it: `atl run FILE{on}`.\n\n\
             title = \"A path that hurts {}\"\n\
             about = \"\"\"\n{}.\n\"\"\"\n\
             source = \"this project\"\n\
             duration = \"{}ms\"\n\
             seeds = {seeds:?}\n\n",
            self.law,
            capital(objective.about()),
            objective.duration(),
        );
        self.link(&mut out, 0);
        self.link(&mut out, 1);
        self.flows(&mut out);
        let _ = writeln!(out, "[record]\nevery = \"{}ms\"", objective.sample());
        out
    }

    /// The link towards the receiver (0), or back (1).
    fn link(&self, out: &mut String, way: usize) {
        let first = self.pieces[0];
        let (name, from, to) =
            [("path", "sender", "receiver"), ("path-back", "receiver", "sender")][way];
        let _ = write!(
            out,
            "[[link]]\nname = \"{name}\"\nfrom = \"{from}\"\nto = \"{to}\"\none-way = true\n\
             rate = {}\ndelay = \"{}\"\n",
            self.rate(first, way),
            self.delay(first, way),
        );
        if way == 0 {
            let _ = writeln!(out, "queue = {}", self.queue_packets());
        } else {
            out.push_str("queue = 100000\n");
        }
        if way == 0 && first.loss > 0.0 {
            let _ = writeln!(out, "loss = {:?}", first.loss);
        }
        if !self.jitter[way].is_zero() {
            let _ = writeln!(out, "jitter = \"{}\"", time(self.jitter[way]));
        }
        // After the harm the path is plain, but its extra delay may stay.
        let plain =
            self.pieces.last().map(|last| Piece { lasts: 0, rate: 1.0, loss: 0.0, ..*last });
        let plain = plain.filter(|_| self.objective.hostile() < self.objective.duration());
        let (mut at, mut before, mut roams) = (0, first, String::new());
        for piece in self.pieces.iter().copied().chain(plain) {
            let changes = self.changes(before, piece, way);
            if !changes.is_empty() {
                let _ = writeln!(roams, "    {{ at = \"{at}ms\"{changes} }},");
            }
            (at, before) = (at + piece.lasts, piece);
        }
        if !roams.is_empty() {
            let _ = writeln!(out, "roam = [\n{roams}]");
        }
        if way == 1 && !self.holds.is_empty() {
            let holds: String = self.holds.iter().map(|hold| self.hold(*hold)).collect();
            let _ = writeln!(out, "blackout = [\n{holds}]");
        }
        out.push('\n');
    }

    /// A hold as a blackout, in a line.
    fn hold(&self, hold: Hold) -> String {
        let Hold { at, lasts, every } = hold;
        let again = every.map_or_else(String::new, |every| {
            let left = self.objective.hostile() - at - beyond(lasts);
            format!(", every = \"{every}ms\", times = {}", left / every + 1)
        });
        let lasts = time(lasts);
        format!("    {{ at = \"{at}ms\", lasts = \"{lasts}\"{again}, hold = true }},\n")
    }

    fn rate(&self, piece: Piece, way: usize) -> String {
        // Acknowledgments never wait.
        let kbps = if way == 0 { self.kbps as f64 * piece.rate } else { 20.0 * self.kbps as f64 };
        format!("\"{}kb/s\"", (kbps.round() as u64).max(1))
    }

    fn delay(&self, piece: Piece, way: usize) -> String {
        // A delay holds at least what the jitter may take from it.
        let base = Span::from_micros(self.rtt.nanos() / 2000);
        time((base + piece.extra[way]).max(self.jitter[way]))
    }

    /// The keys of a roam between two pieces.
    fn changes(&self, before: Piece, piece: Piece, way: usize) -> String {
        let mut out = String::new();
        if self.rate(before, way) != self.rate(piece, way) {
            let _ = write!(out, ", rate = {}", self.rate(piece, way));
        }
        if self.delay(before, way) != self.delay(piece, way) {
            let _ = write!(out, ", delay = \"{}\"", self.delay(piece, way));
        }
        if way == 0 && before.loss.to_bits() != piece.loss.to_bits() {
            let _ = write!(out, ", loss = {:?}", piece.loss);
        }
        out
    }

    fn flows(&self, out: &mut String) {
        let mut flow = |name: &str, protocol: &str, rest: &str| {
            let _ = write!(
                out,
                "[[flow]]\nname = \"{name}\"\nfrom = \"sender\"\nto = \"receiver\"\n\
                 protocol = {protocol}\n{rest}\n"
            );
        };
        flow("sender", &format!("\"{}\"", self.law), "");
        if self.objective.neighbour() {
            flow("neighbour", "\"cubic\"", "start = \"1s\"\n");
        }
        for (nth, burst) in self.bursts.iter().enumerate() {
            let (packets, bytes) = (burst.packets, u64::from(burst.packets) * 1448);
            let every = burst.every.map_or_else(String::new, |ms| format!(", every = \"{ms}ms\""));
            let protocol =
                format!("{{ name = \"fixed-window\", window = {packets}, recovery = \"sack\" }}");
            let mut rest =
                format!("start = \"{}ms\"\nsource = {{ bytes = \"{bytes}B\"{every} }}\n", burst.at);
            if burst.every.is_some() && self.objective.hostile() < self.objective.duration() {
                let _ = writeln!(rest, "stop = \"{}ms\"", self.objective.hostile());
            }
            flow(&format!("burst-{nth}"), &protocol, &rest);
        }
    }
}

fn capital(text: &str) -> String {
    let mut out = text.to_owned();
    if let Some(first) = out.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    out
}
