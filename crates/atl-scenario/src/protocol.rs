//! The catalogue of protocols: a name for each pair of congestion controller and loss recovery.

use atl_core::time::Span;
use atl_core::window::hosted::{bbr, cubic};
use atl_core::window::{ControllerConfig, atl, peach, reno, tahoe, vegas, westwood, wtcp};

use crate::options::{OptionError, Options};

use Recovery::{NewReno, Rack, Reno, Sack, Tahoe};

/// How a TCP sender repairs losses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recovery {
    /// Fast retransmit and fast recovery of RFC 5681: ends at the first new ACK.
    Reno,
    /// NewReno (RFC 6582): partial ACKs keep recovery going.
    NewReno,
    /// Selective acknowledgments (RFC 2018, RFC 6675).
    Sack,
    /// Selective acknowledgments, and losses judged by time: also lost retransmissions and lost tails are found
    /// without the timer (RFC 8985, RACK-TLP).
    Rack,
    /// Fast retransmit without fast recovery: slow start after each loss (Jacobson 1988).
    Tahoe,
}

impl Recovery {
    /// The receiver answers with selective acknowledgments.
    pub fn selective(self) -> bool {
        matches!(self, Sack | Rack)
    }
}

/// Loss recoveries by their names in a scenario file.
pub(crate) const RECOVERIES: &[(&str, Recovery)] =
    &[("reno", Reno), ("newreno", NewReno), ("sack", Sack), ("rack", Rack), ("tahoe", Tahoe)];

/// A transport protocol as a scenario names it.
#[derive(Clone, Debug, PartialEq)]
pub struct Protocol {
    /// Name in the catalogue (`tcp-atl`).
    pub name: String,
    /// Name for people (`TCP-ATL`).
    pub label: String,
    /// Loss recovery.
    pub recovery: Recovery,
    /// Congestion controller with its parameters.
    pub controller: ControllerConfig,
    /// Freeze-TCP: a host that is about to lose its link freezes the sender so long ahead, and thaws it when the
    /// link is back.
    pub freeze: Option<Span>,
}

/// A line of the catalogue.
#[derive(Clone, Copy, Debug)]
pub struct Listed {
    /// Name in a scenario file (`tcp-atl`).
    pub name: &'static str,
    /// Name for people (`TCP-ATL`).
    pub label: &'static str,
    /// Loss recovery, unless a scenario says otherwise.
    pub recovery: Recovery,
    /// What it is, in a line.
    pub about: &'static str,
    /// Where it is described.
    pub source: &'static str,
    /// Freeze-TCP's warning ahead of a loss of the link, unless a scenario says otherwise.
    pub freeze: Option<Span>,
    controller: fn(Options<'_>) -> Result<ControllerConfig, OptionError>,
}

type Build = fn(Options<'_>) -> Result<ControllerConfig, OptionError>;

const fn line(
    name: &'static str,
    label: &'static str,
    recovery: Recovery,
    controller: Build,
    about: &'static str,
    source: &'static str,
) -> Listed {
    Listed { name, label, recovery, about, source, freeze: None, controller }
}

const fn frozen(ahead: Span, listed: Listed) -> Listed {
    Listed { freeze: Some(ahead), ..listed }
}

fn aimd(options: Options<'_>) -> Result<ControllerConfig, OptionError> {
    options.read::<reno::Config>(ControllerConfig::Reno)
}

fn bandwidth(options: Options<'_>) -> Result<ControllerConfig, OptionError> {
    options.read::<westwood::Config>(ControllerConfig::Westwood)
}

fn adaptive(options: Options<'_>) -> Result<ControllerConfig, OptionError> {
    options.read::<atl::Config>(ControllerConfig::TcpAtl)
}

fn slow_starter(options: Options<'_>) -> Result<ControllerConfig, OptionError> {
    options.read::<tahoe::Config>(ControllerConfig::Tahoe)
}

fn delay(options: Options<'_>) -> Result<ControllerConfig, OptionError> {
    options.read::<vegas::Config>(ControllerConfig::Vegas)
}

fn dummies(options: Options<'_>) -> Result<ControllerConfig, OptionError> {
    options.read::<peach::Config>(ControllerConfig::Peach)
}

fn nil_segments(options: Options<'_>) -> Result<ControllerConfig, OptionError> {
    options.read::<peach::Config>(ControllerConfig::PeachPlus)
}

fn receiver_rate(options: Options<'_>) -> Result<ControllerConfig, OptionError> {
    options.read::<wtcp::Config>(ControllerConfig::Wtcp)
}

/// TCP-ATL's robust preset: what differs from the paper's protocol, unless the file names it.
fn robust(options: Options<'_>) -> Result<ControllerConfig, OptionError> {
    let named = |key: &str| options.0.iter().any(|entry| entry.key == key);
    let mut config = adaptive(options)?;
    if let ControllerConfig::TcpAtl(atl) = &mut config {
        let preset = atl::Config::robust();
        if !named("spare-marked") {
            atl.spare_marked = preset.spare_marked;
        }
        if !named("spared-beta") {
            atl.spared_beta = preset.spared_beta;
        }
    }
    Ok(config)
}

fn cubic(options: Options<'_>) -> Result<ControllerConfig, OptionError> {
    options.read::<cubic::Config>(ControllerConfig::Cubic)
}

fn bbr(options: Options<'_>) -> Result<ControllerConfig, OptionError> {
    options.read::<bbr::Config>(ControllerConfig::Bbr)
}

#[rustfmt::skip]
static CATALOGUE: &[Listed] = &[
    line("tcp-atl", "TCP-ATL", Sack, adaptive, "AIMD whose parameters follow the wireless link's loss and delay", "Akan, Akyildiz: ATL, sec. IV-A"),
    line("tcp-atl-robust", "TCP-ATL robust", Rack, robust, "TCP-ATL that is spared the losses that its own link owns up to, on RACK-TLP", "this project, after ATL, sec. IV-A"),
    line("reno", "Reno", Reno, aimd, "adds a packet per RTT, halves at a loss; recovery ends at the first new ACK", "RFC 5681"),
    line("newreno", "NewReno", NewReno, aimd, "Reno whose recovery goes on at partial ACKs", "RFC 6582"),
    line("sack", "SACK", Sack, aimd, "Reno's window with selective acknowledgments", "RFC 2018, RFC 6675"),
    line("westwood", "Westwood", Reno, bandwidth, "falls to the measured bandwidth times the least RTT at a loss; on Reno", "Mascolo et al., MobiCom 2001"),
    line("westwood-nr", "Westwood-NR", NewReno, bandwidth, "Westwood on NewReno", "Mascolo et al., MobiCom 2001; RFC 6582"),
    line("tahoe", "Tahoe", Tahoe, slow_starter, "slow start from one packet after each loss; no fast recovery", "Jacobson, SIGCOMM 1988"),
    line("vegas", "Vegas", NewReno, delay, "keeps two to four packets of its own queued, judged by the RTT; on NewReno", "Brakmo, O'Malley, Peterson, SIGCOMM 1994"),
    line("peach", "TCP-Peach", NewReno, dummies, "low-priority dummies find what is free at the start and after a loss; on NewReno; reconstructed", "Akyildiz, Morabito, Palazzo, ToN 2001"),
    line("peach-plus", "TCP-Peach+", Sack, nil_segments, "the same on SACK, with probes that repeat unacknowledged data; reconstructed", "Akyildiz, Zhang, Fang, Comm. Letters 2002"),
    line("wtcp", "WTCP", Sack, receiver_rate, "a rate that the receiver sets from the packets' separations (reconstructed)", "Sinha et al., MobiCom 1999"),
    frozen(Span::from_millis(200), line("freeze-tcp", "Freeze-TCP", NewReno, aimd, "NewReno that a host freezes ahead of losing its link and thaws after", "Goff, Moronski, Phatak, Gupta, INFOCOM 2000")),
    line("cubic", "CUBIC", Sack, cubic, "a cubic function of the time since the last loss; Linux's default", "RFC 9438"),
    line("bbr", "BBR", Sack, bbr, "a model of the path's bandwidth and least RTT, paced", "draft-cardwell-iccrg-bbr-congestion-control"),
];

/// Every protocol, in the order in which lists show them.
pub fn catalogue() -> &'static [Listed] {
    CATALOGUE
}

impl Listed {
    /// The protocol with the options of a scenario file.
    pub(crate) fn with_options(&self, options: Options<'_>) -> Result<Protocol, OptionError> {
        Ok(Protocol {
            name: self.name.to_owned(),
            label: self.label.to_owned(),
            recovery: self.recovery,
            controller: (self.controller)(options)?,
            freeze: self.freeze,
        })
    }
}

impl Protocol {
    /// The protocol of this name, with its default parameters.
    pub fn named(name: &str) -> Option<Protocol> {
        let listed = CATALOGUE.iter().find(|p| p.name == name)?;
        listed.with_options(Options(&[])).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_makes_a_protocol_of_its_own() {
        for (i, listed) in catalogue().iter().enumerate() {
            let protocol = Protocol::named(listed.name).expect(listed.name);
            assert_eq!(protocol.label, listed.label);
            for other in &catalogue()[i + 1..] {
                assert_ne!(listed.name, other.name);
                let other = Protocol::named(other.name).expect("listed");
                let parts = |p: &Protocol| (p.recovery, p.controller.clone(), p.freeze);
                assert_ne!(parts(&protocol), parts(&other), "{listed:?} {other:?}");
            }
        }
    }

    #[test]
    fn the_robust_preset_is_the_one_of_the_controller() {
        let robust = Protocol::named("tcp-atl-robust").expect("listed");
        assert_eq!(robust.controller, ControllerConfig::TcpAtl(atl::Config::robust()));
    }

    #[test]
    fn the_classics_are_what_their_papers_say() {
        let reno = Protocol::named("reno").expect("listed");
        assert_eq!(reno.controller, ControllerConfig::Reno(reno::Config::default()));
        assert_eq!(reno.recovery, Reno);
        assert_eq!(Protocol::named("tcp-atl").map(|p| p.recovery), Some(Sack));
        assert_eq!(Protocol::named("tahoe").map(|p| p.recovery), Some(Tahoe));
        assert_eq!(Protocol::named("vegas").map(|p| p.recovery), Some(NewReno));
        assert_eq!(Protocol::named("compound"), None);
    }
}
