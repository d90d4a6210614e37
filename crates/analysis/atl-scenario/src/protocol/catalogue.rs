//! The catalogue of protocols.
//!
//! A protocol is one line of [`OURS`], or of what a program [registers](register). It names the
//! `Config` of a controller, which checks itself and builds the controller ([`BuildController`],
//! [`BuildRateController`]). Lists, messages, keys and tests are made from these lines.

use atl_core::rate::{
    BuildRateController, RateConfig, aimd, arc, lda, nada, rap, rcp_atl, rcs, tfrc,
};
use atl_core::roaming::NewPath;
use atl_core::time::Span;
use atl_core::window::{
    BuildController, ControllerConfig, atl, bbr3, cubic, dctcp, fixed, peach, peach_plus, prague,
    reno, residual, tahoe, vegas, westwood, wtcp,
};
use atl_engine::protocol::{Protocol, QuicController, Recovery, TcpProtocol, Transport};
use atl_engine::{RegisterError, Registry};
use serde::de::DeserializeOwned;

use crate::controller_options::{ControllerOption, options_of};
use crate::options::{OptionError, Options, Value};
use crate::tree::Entry;

use Recovery::{GoBackN, NewReno, Rack, Reno, Sack, Tahoe};

#[rustfmt::skip]
static OURS: &[Listed] = &[
    Listed::window::<atl::Config>("tcp-atl", "TCP-ATL", Sack, "AIMD whose parameters follow the wireless link's loss and delay", "Akan, Akyildiz: ATL, sec. IV-A"),
    Listed::window::<atl::robust::Config>("tcp-atl-robust", "TCP-ATL robust", Rack, "CUBIC that does not back off for losses its own link reports; it paces and keeps queues short; on RACK-TLP", "this project, after ATL and RFC 9438"),
    Listed::window::<residual::Config>("residual", "Residual", Rack, "a model of the path; it reacts to the losses and delays that the wireless links' reports do not explain; on RACK-TLP", "this project, after FAST TCP and RFC 9438"),
    Listed::window::<reno::Config>("reno", "Reno", Reno, "adds a packet per RTT, halves at a loss; recovery ends at the first new ACK", "RFC 5681"),
    Listed::window::<reno::Config>("newreno", "NewReno", NewReno, "Reno whose recovery goes on at partial ACKs", "RFC 6582"),
    Listed::window::<reno::Config>("sack", "SACK", Sack, "Reno's window with selective acknowledgments", "RFC 2018, RFC 6675"),
    Listed::window::<westwood::Config>("westwood", "Westwood", Reno, "falls to the measured bandwidth times the least RTT at a loss; on Reno", "Mascolo et al., MobiCom 2001"),
    Listed::window::<westwood::Config>("westwood-nr", "Westwood-NR", NewReno, "Westwood on NewReno", "Mascolo et al., MobiCom 2001; RFC 6582"),
    Listed::window::<tahoe::Config>("tahoe", "Tahoe", Tahoe, "slow start from one packet after each loss; no fast recovery", "Jacobson, SIGCOMM 1988"),
    Listed::window::<fixed::Config>("fixed-window", "Fixed window", GoBackN, "go-back-N ARQ: a window that never changes, and no congestion control", "Akyildiz, Joe: AAL-T, sec. 4, eq. 3"),
    Listed::window::<vegas::Config>("vegas", "Vegas", NewReno, "keeps two to four packets of its own queued, judged by the RTT; on NewReno", "Brakmo, O'Malley, Peterson, SIGCOMM 1994"),
    Listed::window::<peach::Config>("peach", "TCP-Peach", NewReno, "low-priority dummies find what is free at the start and after a loss; on NewReno; reconstructed", "Akyildiz, Morabito, Palazzo, ToN 2001"),
    Listed::window::<peach_plus::Config>("peach-plus", "TCP-Peach+", Sack, "the same on SACK, with probes that repeat unacknowledged data; reconstructed", "Akyildiz, Zhang, Fang, Comm. Letters 2002"),
    Listed::window::<wtcp::Config>("wtcp", "WTCP", Sack, "a rate that the receiver sets from the packets' separations (reconstructed)", "Sinha et al., MobiCom 1999"),
    freezing(Span::from_millis(200), Listed::window::<reno::Config>("freeze-tcp", "Freeze-TCP", NewReno, "NewReno that a host freezes ahead of losing its link and thaws after", "Goff, Moronski, Phatak, Gupta, INFOCOM 2000")),
    Listed::window::<cubic::Config>("cubic", "CUBIC", Rack, "a cubic function of the time since the last loss, HyStart++, paced", "RFC 9438, RFC 9406"),
    Listed::window::<bbr3::Config>("bbr3", "BBRv3", Rack, "a model of the path's bandwidth, least RTT and tolerable data in flight, paced", "draft-ietf-ccwg-bbr, August 2026"),
    Listed::window::<prague::Config>("prague", "Prague", Rack, "follows the share of packets that queues mark, with ECT(1), paced: the congestion control of L4S", "draft-briscoe-iccrg-prague-congestion-control-04"),
    Listed::window::<dctcp::Config>("dctcp", "DCTCP", Rack, "Reno that falls by half of the share of marked packets, for queues that mark early", "RFC 8257"),
    quic(QuicController::Cubic, "noq-cubic", "CUBIC (noq)", "the same function as the QUIC library noq has it; only over QUIC", "RFC 9438; noq-proto 1.4"),
    quic(QuicController::Bbr3, "noq-bbr3", "BBRv3 (noq)", "BBRv3 as noq has it; only over QUIC, and no two runs are the same", "draft-ietf-ccwg-bbr; noq-proto 1.4"),
    quic(QuicController::NewReno, "noq-newreno", "NewReno (noq)", "RFC 9002's NewReno as noq has it; only over QUIC", "RFC 9002, sec. 7; noq-proto 1.4"),
    Listed::paced::<aimd::Config>("aimd-rate", "AIMD rate", "a rate under fixed AIMD parameters, by default TCP's (1, 0.5)", "Akan, Akyildiz: ATL, sec. III-C"),
    Listed::paced::<lda::Config>("lda-plus", "LDA+", "adds or falls at each RTCP report, within what a TCP gains and keeps; reconstructed", "Sisalem, Wolisz, NOSSDAV 2000 and ICME 2000"),
    Listed::paced::<rcp_atl::Config>("rcp-atl", "RCP-ATL", "a rate under AIMD whose parameters follow the wireless link's loss and delay", "Akan, Akyildiz: ATL, sec. III-C and IV-B"),
    Listed::paced::<nada::Config>("nada", "NADA", "today's congestion control of interactive media: queueing delay and losses in one signal", "RFC 8698"),
    Listed::paced::<tfrc::Config>("tfrc", "TFRC", "the rate that an equation gives a TCP at the loss event rate that the receiver measures", "RFC 5348"),
    Listed::paced::<rap::Config>("rap", "RAP", "adds a packet per RTT in each, halves once a cluster of losses", "Rejaie, Handley, Estrin, INFOCOM 1999"),
    Listed::paced::<rcs::Config>("rcs", "RCS", "low-priority dummies find what is free at the start and after a loss; reconstructed, its rules taken literally", "Tang, Morabito, Akyildiz, Johnson, INFOCOM 2001"),
    preset(&[("reading", Value::Text("robust"))], Listed::paced::<rcs::Config>("rcs-robust", "RCS robust", "the same, with one halving for each event of losses; reconstructed", "Tang, Morabito, Akyildiz, Johnson, INFOCOM 2001")),
    Listed::paced::<arc::Config>("arc", "ARC", "the throughput that TCP would have if only congestion lost packets; probes for its first rate", "Akan, Akyildiz: ARC, sec. IV"),
];

static CATALOGUE: Registry<Listed> = Registry::new("protocol", OURS, |listed| listed.name);

/// Every protocol, in the order in which lists show them: ours, then those that the program
/// registered.
pub fn catalogue() -> &'static [Listed] {
    CATALOGUE.all()
}

/// Adds protocols to the catalogue, for the life of the process: before anything else is asked of
/// this crate, and at once. To register the same lines again changes nothing.
///
/// # Errors
/// If a name is taken, or the catalogue is in use already.
pub fn register(protocols: &[Listed]) -> Result<(), RegisterError> {
    CATALOGUE.register(protocols)
}

/// A line of the catalogue.
#[derive(Clone, Copy, Debug)]
pub struct Listed {
    /// Name in a scenario file (`tcp-atl`).
    pub name: &'static str,
    /// Name for people (`TCP-ATL`).
    pub label: &'static str,
    /// Its description in one line.
    pub about: &'static str,
    /// Where it is described.
    pub source: &'static str,
    family: Family,
    preset: &'static [(&'static str, Value)],
    options: fn() -> Vec<ControllerOption>,
}

#[derive(Clone, Copy, Debug)]
enum Family {
    Tcp { recovery: Recovery, freeze: Option<Span>, controller: Read<ControllerConfig> },
    Paced(Read<RateConfig>),
    Quic(QuicController),
}

/// Reads a controller's parameters.
type Read<C> = fn(Options<'_>) -> Result<C, OptionError>;

fn window_config<C>(options: Options<'_>) -> Result<ControllerConfig, OptionError>
where
    C: BuildController + DeserializeOwned + PartialEq,
{
    options.read(C::check).map(ControllerConfig::from)
}

/// QUIC with a controller of the library noq, which has no parameters.
const fn quic(
    controller: QuicController,
    name: &'static str,
    label: &'static str,
    about: &'static str,
    source: &'static str,
) -> Listed {
    let family = Family::Quic(controller);
    Listed { name, label, about, source, family, preset: &[], options: Vec::new }
}

fn rate_config<C>(options: Options<'_>) -> Result<RateConfig, OptionError>
where
    C: BuildRateController + DeserializeOwned + PartialEq,
{
    options.read(C::check).map(RateConfig::from)
}

/// A protocol with these values for options that a scenario does not set.
const fn preset(preset: &'static [(&'static str, Value)], listed: Listed) -> Listed {
    Listed { preset, ..listed }
}

/// A TCP whose sender is frozen this long before its host loses the link.
const fn freezing(ahead: Span, listed: Listed) -> Listed {
    let family = match listed.family {
        Family::Tcp { recovery, controller, .. } => {
            Family::Tcp { recovery, freeze: Some(ahead), controller }
        }
        other @ (Family::Paced(_) | Family::Quic(_)) => other,
    };
    Listed { family, ..listed }
}

impl Listed {
    /// A TCP whose window controller has the parameters `C`, with this loss recovery unless a
    /// scenario chooses another. The fields of `C` are its options in a scenario file.
    ///
    /// ```
    /// use atl_core::window::reno;
    /// use atl_engine::protocol::Recovery;
    /// use atl_scenario::protocol::{Listed, named, register};
    ///
    /// let about = "Reno under another name";
    /// let mine = Listed::window::<reno::Config>("mine", "Mine", Recovery::Rack, about, "RFC 5681");
    /// register(&[mine])?;
    /// assert_eq!(named("mine").expect("registered").label, "Mine");
    /// # Ok::<(), atl_scenario::RegisterError>(())
    /// ```
    pub const fn window<C: BuildController + DeserializeOwned + PartialEq>(
        name: &'static str,
        label: &'static str,
        recovery: Recovery,
        about: &'static str,
        source: &'static str,
    ) -> Listed {
        let family = Family::Tcp { recovery, freeze: None, controller: window_config::<C> };
        Listed { name, label, about, source, family, preset: &[], options: options_of::<C> }
    }

    /// A paced protocol whose rate controller has the parameters `C`, whose fields are its options
    /// in a scenario file.
    pub const fn paced<C: BuildRateController + DeserializeOwned + PartialEq>(
        name: &'static str,
        label: &'static str,
        about: &'static str,
        source: &'static str,
    ) -> Listed {
        let family = Family::Paced(rate_config::<C>);
        Listed { name, label, about, source, family, preset: &[], options: options_of::<C> }
    }

    /// The protocol with the options of a scenario file.
    pub(crate) fn with_options(&self, options: &[&Entry]) -> Result<Protocol, OptionError> {
        let options = Options { entries: options, preset: self.preset };
        let transport = match self.family {
            Family::Tcp { recovery, freeze, controller } => {
                Transport::Tcp(TcpProtocol { recovery, controller: controller(options)?, freeze })
            }
            Family::Paced(controller) => Transport::Paced(controller(options)?),
            Family::Quic(controller) => {
                options.read::<NoOptions>(|_| Ok(()))?;
                Transport::Quic(controller)
            }
        };
        Ok(Protocol {
            name: self.name.to_owned(),
            label: self.label.to_owned(),
            transport,
            new_path: NewPath::default(),
        })
    }

    /// The protocol with its default parameters.
    pub(super) fn with_defaults(&self) -> Option<Protocol> {
        self.with_options(&[]).ok()
    }

    /// The options of its controller.
    pub(crate) fn options(&self) -> Vec<ControllerOption> {
        (self.options)()
    }

    /// The loss recovery of a TCP unless a scenario chooses another; `None` for a paced protocol.
    pub fn recovery(&self) -> Option<Recovery> {
        match self.family {
            Family::Tcp { recovery, .. } => Some(recovery),
            Family::Paced(_) | Family::Quic(_) => None,
        }
    }

    /// True of a protocol that only hosts with QUIC have.
    pub fn is_quic(&self) -> bool {
        matches!(self.family, Family::Quic(_))
    }
}

/// The parameters of a controller that has none.
#[derive(Debug, Default, PartialEq, serde::Deserialize, serde::Serialize)]
#[serde(default, deny_unknown_fields)]
struct NoOptions {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::named;

    #[test]
    fn every_line_makes_a_protocol_of_its_own() {
        for (i, listed) in catalogue().iter().enumerate() {
            let protocol = named(listed.name).expect(listed.name);
            assert_eq!(protocol.label, listed.label);
            for other in &catalogue()[i + 1..] {
                assert_ne!(listed.name, other.name);
                let other = named(other.name).expect("listed");
                assert_ne!(protocol.transport, other.transport, "{listed:?} {other:?}");
            }
        }
    }

    #[test]
    fn a_name_of_ours_is_taken() {
        let taken = RegisterError::Taken { entry: "protocol", name: "tcp-atl" };
        assert_eq!(register(&[OURS[0]]), Err(taken));
        assert_eq!(catalogue().len(), OURS.len());
        assert_eq!(register(&[]), Ok(()), "the catalogue in use has nothing else");
    }

    fn tcp(name: &str) -> TcpProtocol {
        named(name).expect(name).tcp().expect(name).clone()
    }

    #[test]
    fn presets_are_those_of_the_controllers() {
        assert_eq!(tcp("tcp-atl-robust").controller, atl::robust::Config::default().into());
        let robust = named("rcs-robust").expect("listed").transport;
        let config = rcs::Config { reading: rcs::Reading::Robust };
        assert_eq!(robust, Transport::Paced(config.into()));
    }

    #[test]
    fn the_classics_are_what_their_papers_say() {
        assert_eq!(tcp("reno").controller, reno::Config::default().into());
        assert_eq!(tcp("reno").recovery, Reno);
        assert_eq!(tcp("tcp-atl").recovery, Sack);
        assert_eq!(tcp("tahoe").recovery, Tahoe);
        assert_eq!(tcp("fixed-window").recovery, GoBackN);
        assert_eq!(tcp("vegas").recovery, NewReno);
        assert_eq!(named("compound"), None);
    }
}
