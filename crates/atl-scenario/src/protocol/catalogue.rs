//! The catalogue of protocols: a name for each pair of congestion controller and loss recovery, and for each rate
//! controller.

use atl_core::rate::{RateConfig, rcs};
use atl_core::time::Span;
use atl_core::window::{ControllerConfig, atl};

use super::{Protocol, Recovery, TcpProtocol, Transport};
use crate::options::{OptionError, Options};

use Recovery::{GoBackN, NewReno, Rack, Reno, Sack, Tahoe};

/// A line of the catalogue.
#[derive(Clone, Copy, Debug)]
pub struct Listed {
    /// Name in a scenario file (`tcp-atl`).
    pub name: &'static str,
    /// Name for people (`TCP-ATL`).
    pub label: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
    /// Where it is described.
    pub source: &'static str,
    family: Family,
}

#[derive(Clone, Copy, Debug)]
enum Family {
    Tcp { recovery: Recovery, freeze: Option<Span>, controller: Build },
    Paced(BuildRate),
}

type Build = fn(Options<'_>) -> Result<ControllerConfig, OptionError>;
type BuildRate = fn(Options<'_>) -> Result<RateConfig, OptionError>;

const fn line(
    name: &'static str,
    label: &'static str,
    recovery: Recovery,
    controller: Build,
    about: &'static str,
    source: &'static str,
) -> Listed {
    Listed {
        name,
        label,
        about,
        source,
        family: Family::Tcp { recovery, freeze: None, controller },
    }
}

const fn frozen(ahead: Span, listed: Listed) -> Listed {
    let family = match listed.family {
        Family::Tcp { recovery, controller, .. } => {
            Family::Tcp { recovery, freeze: Some(ahead), controller }
        }
        paced @ Family::Paced(_) => paced,
    };
    Listed { family, ..listed }
}

const fn paced(
    name: &'static str,
    label: &'static str,
    controller: BuildRate,
    about: &'static str,
    source: &'static str,
) -> Listed {
    Listed { name, label, about, source, family: Family::Paced(controller) }
}

fn window_aimd(options: Options<'_>) -> Result<ControllerConfig, OptionError> {
    options.read(ControllerConfig::Reno)
}

fn bandwidth(options: Options<'_>) -> Result<ControllerConfig, OptionError> {
    options.read(ControllerConfig::Westwood)
}

fn adaptive(options: Options<'_>) -> Result<ControllerConfig, OptionError> {
    options.read(ControllerConfig::TcpAtl)
}

fn slow_starter(options: Options<'_>) -> Result<ControllerConfig, OptionError> {
    options.read(ControllerConfig::Tahoe)
}

fn constant(options: Options<'_>) -> Result<ControllerConfig, OptionError> {
    options.read(ControllerConfig::FixedWindow)
}

fn delay(options: Options<'_>) -> Result<ControllerConfig, OptionError> {
    options.read(ControllerConfig::Vegas)
}

fn dummies(options: Options<'_>) -> Result<ControllerConfig, OptionError> {
    options.read(ControllerConfig::Peach)
}

fn nil_segments(options: Options<'_>) -> Result<ControllerConfig, OptionError> {
    options.read(ControllerConfig::PeachPlus)
}

fn receiver_rate(options: Options<'_>) -> Result<ControllerConfig, OptionError> {
    options.read(ControllerConfig::Wtcp)
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
    options.read(ControllerConfig::Cubic)
}

fn bbr(options: Options<'_>) -> Result<ControllerConfig, OptionError> {
    options.read(ControllerConfig::Bbr)
}

fn rate_aimd(options: Options<'_>) -> Result<RateConfig, OptionError> {
    options.read(RateConfig::Aimd)
}

fn reported(options: Options<'_>) -> Result<RateConfig, OptionError> {
    options.read(RateConfig::LdaPlus)
}

fn adaptive_rate(options: Options<'_>) -> Result<RateConfig, OptionError> {
    options.read(RateConfig::RcpAtl)
}

fn delay_and_loss(options: Options<'_>) -> Result<RateConfig, OptionError> {
    options.read(RateConfig::Nada)
}

fn equation(options: Options<'_>) -> Result<RateConfig, OptionError> {
    options.read(RateConfig::Tfrc)
}

fn rate_tcp_like(options: Options<'_>) -> Result<RateConfig, OptionError> {
    options.read(RateConfig::Rap)
}

fn rate_dummies(options: Options<'_>) -> Result<RateConfig, OptionError> {
    options.read(RateConfig::Rcs)
}

/// RCS as one would build it, unless the file names the reading.
fn rate_dummies_robust(options: Options<'_>) -> Result<RateConfig, OptionError> {
    let named = options.0.iter().any(|entry| entry.key == "reading");
    let mut config = rate_dummies(options)?;
    if let RateConfig::Rcs(rcs) = &mut config
        && !named
    {
        rcs.reading = rcs::Reading::Robust;
    }
    Ok(config)
}

fn equation_21(options: Options<'_>) -> Result<RateConfig, OptionError> {
    options.read(RateConfig::Arc)
}

#[rustfmt::skip]
static CATALOGUE: &[Listed] = &[
    line("tcp-atl", "TCP-ATL", Sack, adaptive, "AIMD whose parameters follow the wireless link's loss and delay", "Akan, Akyildiz: ATL, sec. IV-A"),
    line("tcp-atl-robust", "TCP-ATL robust", Rack, robust, "TCP-ATL that is spared the losses that its own link owns up to, on RACK-TLP", "this project, after ATL, sec. IV-A"),
    line("reno", "Reno", Reno, window_aimd, "adds a packet per RTT, halves at a loss; recovery ends at the first new ACK", "RFC 5681"),
    line("newreno", "NewReno", NewReno, window_aimd, "Reno whose recovery goes on at partial ACKs", "RFC 6582"),
    line("sack", "SACK", Sack, window_aimd, "Reno's window with selective acknowledgments", "RFC 2018, RFC 6675"),
    line("westwood", "Westwood", Reno, bandwidth, "falls to the measured bandwidth times the least RTT at a loss; on Reno", "Mascolo et al., MobiCom 2001"),
    line("westwood-nr", "Westwood-NR", NewReno, bandwidth, "Westwood on NewReno", "Mascolo et al., MobiCom 2001; RFC 6582"),
    line("tahoe", "Tahoe", Tahoe, slow_starter, "slow start from one packet after each loss; no fast recovery", "Jacobson, SIGCOMM 1988"),
    line("fixed-window", "Fixed window", GoBackN, constant, "go-back-N ARQ: a window that never changes, and no congestion control", "Akyildiz, Joe: AAL-T, sec. 4, eq. 3"),
    line("vegas", "Vegas", NewReno, delay, "keeps two to four packets of its own queued, judged by the RTT; on NewReno", "Brakmo, O'Malley, Peterson, SIGCOMM 1994"),
    line("peach", "TCP-Peach", NewReno, dummies, "low-priority dummies find what is free at the start and after a loss; on NewReno; reconstructed", "Akyildiz, Morabito, Palazzo, ToN 2001"),
    line("peach-plus", "TCP-Peach+", Sack, nil_segments, "the same on SACK, with probes that repeat unacknowledged data; reconstructed", "Akyildiz, Zhang, Fang, Comm. Letters 2002"),
    line("wtcp", "WTCP", Sack, receiver_rate, "a rate that the receiver sets from the packets' separations (reconstructed)", "Sinha et al., MobiCom 1999"),
    frozen(Span::from_millis(200), line("freeze-tcp", "Freeze-TCP", NewReno, window_aimd, "NewReno that a host freezes ahead of losing its link and thaws after", "Goff, Moronski, Phatak, Gupta, INFOCOM 2000")),
    line("cubic", "CUBIC", Sack, cubic, "a cubic function of the time since the last loss; Linux's default", "RFC 9438"),
    line("bbr", "BBR", Sack, bbr, "a model of the path's bandwidth and least RTT, paced", "draft-cardwell-iccrg-bbr-congestion-control"),
    paced("aimd-rate", "AIMD rate", rate_aimd, "a rate under fixed AIMD parameters, by default TCP's (1, 0.5)", "Akan, Akyildiz: ATL, sec. III-C"),
    paced("lda-plus", "LDA+", reported, "adds or falls at each RTCP report, within what a TCP gains and keeps; reconstructed", "Sisalem, Wolisz, NOSSDAV 2000 and ICME 2000"),
    paced("rcp-atl", "RCP-ATL", adaptive_rate, "a rate under AIMD whose parameters follow the wireless link's loss and delay", "Akan, Akyildiz: ATL, sec. III-C and IV-B"),
    paced("nada", "NADA", delay_and_loss, "today's congestion control of interactive media: queueing delay and losses in one signal", "RFC 8698"),
    paced("tfrc", "TFRC", equation, "the rate that an equation gives a TCP at the loss event rate that the receiver measures", "RFC 5348"),
    paced("rap", "RAP", rate_tcp_like, "adds a packet per RTT in each, halves once a cluster of losses", "Rejaie, Handley, Estrin, INFOCOM 1999"),
    paced("rcs", "RCS", rate_dummies, "low-priority dummies find what is free at the start and after a loss; reconstructed, its rules taken literally", "Tang, Morabito, Akyildiz, Johnson, INFOCOM 2001"),
    paced("rcs-robust", "RCS robust", rate_dummies_robust, "the same, with one halving for each event of losses; reconstructed", "Tang, Morabito, Akyildiz, Johnson, INFOCOM 2001"),
    paced("arc", "ARC", equation_21, "the throughput that TCP would have if only congestion lost packets; probes for its first rate", "Akan, Akyildiz: ARC, sec. IV"),
];

/// Every protocol, in the order in which lists show them.
pub fn catalogue() -> &'static [Listed] {
    CATALOGUE
}

impl Listed {
    /// The protocol with the options of a scenario file.
    pub(crate) fn with_options(&self, options: Options<'_>) -> Result<Protocol, OptionError> {
        let transport = match self.family {
            Family::Tcp { recovery, freeze, controller } => {
                Transport::Tcp(TcpProtocol { recovery, controller: controller(options)?, freeze })
            }
            Family::Paced(controller) => Transport::Paced(controller(options)?),
        };
        Ok(Protocol { name: self.name.to_owned(), label: self.label.to_owned(), transport })
    }

    /// The protocol with its default parameters.
    pub(super) fn with_defaults(&self) -> Option<Protocol> {
        self.with_options(Options(&[])).ok()
    }

    /// Loss recovery, of a TCP, unless a scenario says otherwise.
    pub fn recovery(&self) -> Option<Recovery> {
        match self.family {
            Family::Tcp { recovery, .. } => Some(recovery),
            Family::Paced(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use atl_core::window::reno;

    use super::*;

    #[test]
    fn every_line_makes_a_protocol_of_its_own() {
        for (i, listed) in catalogue().iter().enumerate() {
            let protocol = Protocol::named(listed.name).expect(listed.name);
            assert_eq!(protocol.label, listed.label);
            for other in &catalogue()[i + 1..] {
                assert_ne!(listed.name, other.name);
                let other = Protocol::named(other.name).expect("listed");
                assert_ne!(protocol.transport, other.transport, "{listed:?} {other:?}");
            }
        }
    }

    fn tcp(name: &str) -> TcpProtocol {
        Protocol::named(name).expect(name).tcp().expect(name).clone()
    }

    #[test]
    fn the_robust_preset_is_the_one_of_the_controller() {
        let robust = tcp("tcp-atl-robust").controller;
        assert_eq!(robust, ControllerConfig::TcpAtl(atl::Config::robust()));
    }

    #[test]
    fn the_classics_are_what_their_papers_say() {
        assert_eq!(tcp("reno").controller, ControllerConfig::Reno(reno::Config::default()));
        assert_eq!(tcp("reno").recovery, Reno);
        assert_eq!(tcp("tcp-atl").recovery, Sack);
        assert_eq!(tcp("tahoe").recovery, Tahoe);
        assert_eq!(tcp("fixed-window").recovery, GoBackN);
        assert_eq!(tcp("vegas").recovery, NewReno);
        assert_eq!(Protocol::named("compound"), None);
    }
}
