//! A point as a scenario file.

use std::fmt::Write as _;

use atl_core::time::Span;

use super::contest::Sender;
use super::point::Point;
use crate::attack::time;

/// Name of the flows' group.
pub(super) const FLOW: &str = "flow";
/// Largest one-way delay of the wire behind the lossy link.
const WIRE: Span = Span::from_millis(5);

impl Point {
    /// The text of a scenario file that runs these senders at this point with these seeds.
    pub fn file(&self, senders: &[Sender], seeds: &[u64]) -> String {
        let mut out = format!(
            "# Made by `atl grid`. Run it: `atl run FILE`.\n\n\
             title = \"Point {} of a grid\"\n\
             about = \"What does each sender get, and what does knowledge of the link buy?\"\n\
             source = \"this project\"\n\
             duration = \"{}\"\n\
             seeds = {seeds:?}\n\n\
             [sweep]\n\
             protocol = [\n",
            self.number,
            time(self.duration()),
        );
        for sender in senders {
            let _ = writeln!(
                out,
                "    {{ label = \"{0}\", value = {{ {1}, recovery = \"rack\", label = \"{0}\" }} }},",
                sender.label, sender.options
            );
        }
        out.push_str("]\n\n");
        self.links(&mut out);
        let (from, to) = self.ends();
        let _ = write!(
            out,
            "[[flow]]\nname = \"{FLOW}\"\ncount = {}\nfrom = \"{from}\"\nto = \"{to}\"\n\
             protocol = \"$protocol\"\nstart-jitter = \"{}\"\noverhead = \"auto\"\n",
            self.flows,
            time(self.rtt() * 4)
        );
        out
    }

    fn ends(&self) -> (&'static str, &'static str) {
        if self.down { ("server", "phone") } else { ("phone", "server") }
    }

    fn links(&self, out: &mut String) {
        let one_way = self.rtt() / 2;
        let wire = WIRE.min(one_way / 4);
        let (from, to) = if self.down { ("access", "phone") } else { ("phone", "access") };
        let _ = write!(
            out,
            "[[link]]\nname = \"air\"\nfrom = \"{from}\"\nto = \"{to}\"\n\
             # It reports its loss and delay to the phone.\n\
             wireless = true\nrate = \"{}kb/s\"\ndelay = \"{}\"\nqueue = {}\nloss = {}\n\
             reverse = {{ loss = 0, queue = 10000 }}\n\n\
             [[link]]\nname = \"wire\"\nfrom = \"access\"\nto = \"server\"\nrate = \"{}kb/s\"\n\
             delay = \"{}\"\nqueue = 10000\n\n",
            self.kbps,
            time(one_way.saturating_sub(wire)),
            self.queue,
            self.losses(),
            10 * self.kbps,
            time(wire),
        );
    }

    /// Losses of mean `loss`: independent, or all packets of bursts of mean length `burst`.
    fn losses(&self) -> String {
        if self.burst <= 1.0 {
            return format!("{}", self.loss);
        }
        let ends = 1.0 / self.burst;
        let begins = ends * self.loss / (1.0 - self.loss);
        format!("{{ good-to-bad = {begins}, bad-to-good = {ends} }}")
    }
}
