//! Writing a path as a scenario file.

use std::fmt::Write as _;

use atl_core::time::Span;
use atl_core::units::Rate;

use crate::path::contest::{self, ALONE, NEIGHBOUR, NEIGHBOUR_FLOW, NEIGHBOURS, START_JITTER};
use crate::path::direction::Direction;
use crate::path::network::{Network, UNNAMED};
use crate::path::stages::{Path, SAMPLE, Stage};
use crate::path::written::{rate, time};

/// Upper limit of the one-way delay between the access network and the server.
const WIRES: Span = Span::from_millis(5);

impl Path {
    /// The text that `atl path --save` writes and `atl run` reads.
    pub fn file(&self) -> String {
        let mut out = String::new();
        self.head(&mut out);
        contest::sweep(&mut out, &self.protocols, self.neighbours, quoted);
        let wires = self.wires();
        for (i, (stage, _)) in self.stays().enumerate() {
            let queue = self.has_queues().then(|| self.queue_key(i));
            network(&mut out, (&self.key(i), queue), &stage.network, wires, self.send);
        }
        self.links(&mut out, wires);
        self.flow(&mut out);
        out.push_str(&figures(self.stages.len() > 1));
        out
    }

    /// Such as `Down over wifi, then leo`.
    pub(crate) fn title(&self) -> String {
        let what = match self.send {
            Direction::Down => "A download",
            Direction::Up => "An upload",
        };
        let name = |stage: &Stage| match &*stage.network.name {
            UNNAMED if self.stages.len() == 1 => "your path".to_owned(),
            UNNAMED => {
                let rtt = time(stage.network.rtt);
                format!("{} and {rtt}", rate(self.rate(&stage.network)))
            }
            name => name.to_owned(),
        };
        let names: Vec<String> = self.stages.iter().map(name).collect();
        format!("{what} over {}", names.join(", then "))
    }

    /// Key of a stage's network in the file. Each stage has its own, since a network that comes
    /// twice may have other numbers the second time.
    pub(crate) fn key(&self, stage: usize) -> String {
        let name = |stage: &Stage| stage.network.name.to_string();
        let own = name(&self.stages[stage]);
        let same = self.stages[..stage].iter().filter(|other| other.network.name == own);
        // Behind five of `wifi`, `wifi-6` is another network's name.
        let is_free = |key: &String| self.stages.iter().all(|other| name(other) != *key);
        let again = || (2..).map(|n| format!("{own}-{n}")).filter(is_free);
        match same.count() {
            0 => own.clone(),
            before => again().nth(before - 1).unwrap_or_else(|| own.clone()),
        }
    }

    /// True if each network has a queue of its own. A stated one is that of every network.
    fn has_queues(&self) -> bool {
        self.stages.len() > 1 && self.queue.is_none()
    }

    /// Name of the variable that is the queue of a stage's network. Each has one, so that `--set`
    /// never changes the first network alone while it seems to change all.
    fn queue_key(&self, stage: usize) -> String {
        format!("queue-{}", self.key(stage))
    }

    /// The variables that say the length of queues, and a comment on them.
    fn queues(&self) -> String {
        // Without a stated queue all are in packets.
        let counts = self.queue(&self.stages[0].network).counts();
        let length = |stage: &Stage| self.queue(&stage.network).toml();
        if !self.has_queues() {
            return format!("# {counts}, each way.\nqueue = {}\n", length(&self.stages[0]));
        }
        let mut out = format!("# {counts}, each way, in each network.\n");
        for (i, stage) in self.stages.iter().enumerate() {
            let _ = writeln!(out, "{} = {}", self.queue_key(i), length(stage));
        }
        out
    }

    fn head(&self, out: &mut String) {
        let left = match self.neighbours {
            0 => "",
            1 => ", what does it leave a CUBIC flow in\nthe same queue",
            _ => ", what does it leave CUBIC flows in\nthe same queue",
        };
        let _ = write!(
            out,
            "# Made by `atl path`. Change it, and run it: `atl run FILE`.\n\n\
             title = \"{}\"\n\
             about = \"\"\"\n\
             How much of the path does each transport use in each network, at what delay{left}, and what is it worth to know the wireless link's own loss, delay and rate?\n\
             All run on RACK unless a protocol brings a recovery of its own.\n\n\
             Simulated: {}.\n\
             \"\"\"\n\
             duration = \"{}\"\n\
             seeds = {}\n\n\
             [quick]\n\
             seeds = {}\n\n\
             [vars]\n\
             {}\
             # Other flows, CUBIC's, through the same queue.\n\
             {NEIGHBOURS} = {{ label = \"{ALONE}\", value = 0 }}\n\n",
            self.title(),
            escaped(&self.told()),
            time(self.duration),
            self.seeds,
            self.seeds.min(2),
            self.queues(),
        );
    }

    /// One-way delay of the wired part. It is the same for all networks, so it is at most a quarter
    /// of the shortest RTT, and leaves the air what its delays vary by.
    pub(crate) fn wires(&self) -> Span {
        let room = |network: &Network| {
            (network.rtt / 2).saturating_sub(network.effects.below()).min(network.rtt / 4)
        };
        let least = self.stages.iter().map(|stage| room(&stage.network)).min();
        WIRES.min(least.unwrap_or(Span::ZERO))
    }

    fn links(&self, out: &mut String, wires: Span) {
        let (from, to) = match self.send {
            Direction::Down => ("access", "phone"),
            Direction::Up => ("phone", "access"),
        };
        let _ = write!(
            out,
            "[[link]]\n\
             name = \"air\"\n\
             from = \"{from}\"\n\
             to = \"{to}\"\n\
             # It reports its loss and delay to the phone.\n\
             wireless = true\n\
             network = \"{}\"\n",
            self.key(0)
        );
        if !self.has_queues() {
            out.push_str("queue = \"$queue\"\n");
        }
        if self.stages.len() > 1 {
            out.push_str("roam = [\n");
            for (i, stage) in self.stages.iter().enumerate().skip(1) {
                let at = time(stage.from.since(atl_core::time::Time::ZERO));
                let _ = writeln!(out, "    {{ at = \"{at}\", network = \"{}\" }},", self.key(i));
            }
            out.push_str("]\n");
        }
        let _ = write!(
            out,
            "\n[[link]]\n\
             name = \"wires\"\n\
             from = \"access\"\n\
             to = \"server\"\n\
             rate = \"{}\"\n\
             delay = \"{}\"\n\
             queue = 1000\n\n",
            rate(self.wire_rate()),
            time(wires)
        );
    }

    /// Ten times the rate of the fastest network, so that the wired part is never the bottleneck.
    fn wire_rate(&self) -> Rate {
        let rates = self.stages.iter().flat_map(|stage| [stage.network.down, stage.network.up]);
        Rate::from_bps(10.0 * rates.map(Rate::bps).fold(0.0, f64::max))
    }

    fn flow(&self, out: &mut String) {
        let (name, from, to) = match self.send {
            Direction::Down => ("download", "server", "phone"),
            Direction::Up => ("upload", "phone", "server"),
        };
        let jitter = time(START_JITTER);
        let _ = write!(
            out,
            "[[flow]]\n\
             name = \"{name}\"\n\
             from = \"{from}\"\n\
             to = \"{to}\"\n\
             protocol = \"$protocol\"\n\
             start-jitter = \"{jitter}\"\n\
             overhead = \"100us\"\n\n\
             [[flow]]\n\
             name = \"{NEIGHBOUR_FLOW}\"\n\
             count = \"${NEIGHBOURS}\"\n\
             from = \"{from}\"\n\
             to = \"{to}\"\n\
             protocol = {{ name = \"cubic\", recovery = \"rack\", label = \"{NEIGHBOUR}\" }}\n\
             start-jitter = \"{jitter}\"\n\
             overhead = \"100us\"\n\n\
             [record]\n\
             every = \"{}\"\n\n",
            time(SAMPLE)
        );
    }
}

/// Writes a network under its key, with the name of the variable that is its queue.
fn network(
    out: &mut String,
    (key, queue): (&str, Option<String>),
    network: &Network,
    wires: Span,
    send: Direction,
) {
    let (effects, mut back) = network.effects.written(send);
    let own = |way| match network.effects.get("wifi", way) {
        Some(_) => None,
        None => Some(format!("rate = \"{}\"", rate(network.rate(way)))),
    };
    let other = match send {
        Direction::Down => Direction::Up,
        Direction::Up => Direction::Down,
    };
    let _ = writeln!(out, "[network.{key}]");
    if let Some(rate) = own(send) {
        let _ = writeln!(out, "{rate}");
    }
    let _ = writeln!(out, "delay = \"{}\"", time((network.rtt / 2).saturating_sub(wires)));
    if !network.effects.has("loss") {
        let _ = writeln!(out, "loss = {}", network.loss.get());
    }
    if let Some(queue) = queue {
        let _ = writeln!(out, "queue = \"${queue}\"");
    }
    back.splice(0..0, own(other));
    let _ = write!(out, "{effects}reverse = {{ {} }}\n\n", back.join(", "));
}

fn figures(several: bool) -> String {
    let figure = |title: &str, rest: &str| {
        format!(
            "[[figure]]\ntitle = \"{title}\"\n{rest}series = \"protocol\"\nat = {{ {NEIGHBOURS} = \"{ALONE}\" }}\n\n"
        )
    };
    let time = |y: &str| format!("kind = \"time\"\ny = \"{y}\"\n");
    let networks = "kind = \"networks\"\ny = \"goodput\"\n";
    let bars =
        if several { figure("What is left in each network", networks) } else { String::new() };
    bars + &figure("Goodput over time", &time("goodput"))
        + &figure("Congestion window over time", &time("cwnd"))
        + &figure(
            "Throughput versus delay",
            "caption = \"Up and to the left is better: much data, little queueing.\"\nkind = \"scatter\"\nx = \"queueing-p95\"\ny = \"throughput\"\n",
        )
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}

/// A text for a string of one line or of several.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '"' | '\\' => escaped.extend(['\\', c]),
            c if c.is_control() => {
                let _ = write!(escaped, "\\u{:04x}", u32::from(c));
            }
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_leave_its_string() {
        assert_eq!(quoted("a\"]\n"), r#""a\"]\u000a""#);
    }
}
