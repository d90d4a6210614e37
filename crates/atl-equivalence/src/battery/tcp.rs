//! The cases of kernel TCP.

use atl_core::time::Span;
use atl_scenario::setup::Setup;
use serde::Serialize;

use super::link::{BadLink, read};

/// A congestion control of the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kernel {
    /// CUBIC.
    Cubic,
    /// Reno.
    Reno,
}

impl Kernel {
    /// Both.
    pub const ALL: [Kernel; 2] = [Kernel::Cubic, Kernel::Reno];

    /// The kernel's name for it.
    pub fn name(self) -> &'static str {
        match self {
            Kernel::Cubic => "cubic",
            Kernel::Reno => "reno",
        }
    }

    /// The simulator's protocols that it is compared with.
    pub fn counterparts(self) -> &'static [&'static str] {
        match self {
            Kernel::Cubic => &["cubic"],
            // Linux's Reno repairs losses with SACK and RACK.
            Kernel::Reno => &["newreno", "sack", "{ name = \"reno\", recovery = \"rack\" }"],
        }
    }
}

/// A path for TCP.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TcpCase {
    /// Its name, as `--only` takes it.
    pub name: &'static str,
    /// What it is, in a few words.
    pub title: &'static str,
    /// The link in both directions, in the keys of a scenario file.
    pub link: &'static str,
    /// How long a run lasts, in seconds.
    pub seconds: f64,
    /// Time at the beginning that goodput leaves out, in seconds.
    pub warmup: f64,
}

/// All of them.
pub const TCP_CASES: &[TcpCase] = &[
    TcpCase {
        name: "tcp-clean",
        title: "20 Mb/s, 40 ms there and back, a queue of one bandwidth-delay product",
        link: "rate = \"20Mb/s\"\ndelay = \"20ms\"\nqueue = 67",
        seconds: 6.0,
        warmup: 1.0,
    },
    TcpCase {
        name: "tcp-lossy",
        title: "20 Mb/s, 40 ms there and back, 0.5 % of the data lost at random",
        link: "rate = \"20Mb/s\"\ndelay = \"20ms\"\nqueue = 67\nloss = 0.005\nreverse = { loss = 0 }",
        seconds: 6.0,
        warmup: 1.0,
    },
];

impl TcpCase {
    /// How long a run lasts.
    pub fn lasts(&self) -> Span {
        Span::from_secs_f64(self.seconds)
    }

    /// The case with a protocol of the simulator, a name or a table. Segments are those of the
    /// kernel over an MTU of 1500 bytes.
    ///
    /// # Errors
    /// If the keys are not those of a link, or there is no such protocol.
    pub fn setup(&self, protocol: &str) -> Result<Setup, BadLink> {
        let protocol = match protocol.starts_with('{') {
            true => protocol.to_owned(),
            false => format!("\"{protocol}\""),
        };
        let TcpCase { name, link, seconds, warmup, .. } = self;
        let text = format!(
            "title = \"{name}\"\nduration = \"{seconds}s\"\nwarmup = \"{warmup}s\"\n\
             [[link]]\nname = \"link\"\nfrom = \"near\"\nto = \"far\"\n{link}\n\
             [[flow]]\nname = \"data\"\nfrom = \"near\"\nto = \"far\"\nprotocol = {protocol}\nstart = \"100ms\"\n\
             [flow.tcp]\nsegment = 1448\nheader = 52\nack = 52\ninitial-window = 10\n"
        );
        read(name, &text)
    }
}
