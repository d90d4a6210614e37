//! The cases of kernel TCP.

use atl_core::time::Span;
use atl_engine::setup::Setup;
use serde::Serialize;

use super::link::{BadLink, read};

/// A congestion control of the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kernel {
    /// Linux's CUBIC, its default.
    Cubic,
    /// Linux's `reno`, which is NewReno with SACK and RACK.
    Reno,
}

impl Kernel {
    /// Both, in the order of tables.
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
    /// A description in a few words, for tables.
    pub title: &'static str,
    /// The link in both directions, in the keys of a scenario file.
    pub link: &'static str,
    /// Duration of a run, in seconds.
    pub seconds: f64,
    /// Time at the beginning that goodput leaves out, in seconds.
    pub warmup: f64,
}

/// All paths, in the order of tables.
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
    /// Duration of a run.
    pub fn lasts(&self) -> Span {
        Span::from_secs_f64(self.seconds)
    }

    /// A setup with a protocol of the simulator, given as a name or an inline table. Segments have
    /// the size of the kernel's over an MTU of 1500 bytes.
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
