//! The one place where rate controllers are registered: a variant of [`RateConfig`] and its arms.

use super::{
    Aimd, PeriodicReports, RateController, RateStart, ReportingReceiver, aimd, arc, lda, nada, rap,
    rcp_atl, rcs, tfrc,
};
use crate::time::Span;

/// How what arrives is told to the sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FeedbackMode {
    /// Each packet is acknowledged.
    Acks,
    /// A report at even times.
    Reports {
        /// Time between two.
        every: Span,
    },
    /// The protocol's own receiver decides when it reports.
    Own,
}

/// Every rate controller with its parameters.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum RateConfig {
    /// AIMD with fixed parameters.
    Aimd(aimd::Config),
    /// LDA+.
    LdaPlus(lda::Config),
    /// RCP-ATL.
    RcpAtl(rcp_atl::Config),
    /// NADA.
    Nada(nada::Config),
    /// TFRC (RFC 5348).
    Tfrc(tfrc::Config),
    /// RAP.
    Rap(rap::Config),
    /// RCS.
    Rcs(rcs::Config),
    /// ARC.
    Arc(arc::Config),
}

impl RateConfig {
    /// Checks that the parameters are in their ranges.
    ///
    /// # Errors
    /// What is allowed for the first one that is not.
    pub fn check(&self) -> Result<(), &'static str> {
        match self {
            RateConfig::Aimd(c) => c.check(),
            RateConfig::LdaPlus(c) => c.check(),
            RateConfig::RcpAtl(c) => c.check(),
            RateConfig::Nada(c) => c.check(),
            RateConfig::Tfrc(c) => c.check(),
            RateConfig::Rap(c) => c.check(),
            RateConfig::Rcs(c) => c.check(),
            RateConfig::Arc(c) => c.check(),
        }
    }

    /// A controller for a flow that begins as `start` says.
    pub fn build(&self, start: &RateStart) -> Box<dyn RateController> {
        match self {
            RateConfig::Aimd(c) => Box::new(aimd::RateAimd::new(c, start)),
            RateConfig::LdaPlus(c) => Box::new(lda::Lda::new(c, start)),
            RateConfig::RcpAtl(c) => Box::new(rcp_atl::RcpAtl::new(c, start)),
            RateConfig::Nada(c) => Box::new(nada::Nada::new(c, start)),
            RateConfig::Tfrc(c) => Box::new(tfrc::Tfrc::new(c, start)),
            RateConfig::Rap(c) => Box::new(rap::Rap::new(c, start)),
            RateConfig::Rcs(c) => Box::new(rcs::Rcs::new(c, start)),
            RateConfig::Arc(c) => Box::new(arc::Arc::new(c, start)),
        }
    }

    /// AIMD parameters that never change, of a flow with this round-trip time; alpha in packets per second per
    /// round-trip time. `None` of a controller that adapts them, or has none.
    pub fn fixed_aimd(&self, rtt: Span) -> Option<Aimd> {
        match self {
            RateConfig::Aimd(c) => Some(c.aimd(rtt)),
            _ => None,
        }
    }

    /// How its receiver tells what arrives, unless a scenario says otherwise.
    pub fn feedback(&self) -> FeedbackMode {
        match self {
            RateConfig::Aimd(_)
            | RateConfig::RcpAtl(_)
            | RateConfig::Nada(_)
            | RateConfig::Rap(_)
            | RateConfig::Rcs(_) => FeedbackMode::Acks,
            RateConfig::Arc(_) => FeedbackMode::Acks,
            RateConfig::LdaPlus(c) => {
                FeedbackMode::Reports { every: Span::from_secs_f64(c.interval) }
            }
            RateConfig::Tfrc(_) => FeedbackMode::Own,
        }
    }

    /// The reporting receiver for this mode; `None` where each packet is acknowledged.
    pub fn build_receiver(&self, mode: FeedbackMode) -> Option<Box<dyn ReportingReceiver>> {
        match (mode, self) {
            (FeedbackMode::Acks, _) => None,
            (FeedbackMode::Reports { every }, RateConfig::LdaPlus(_)) => {
                Some(Box::new(lda::Receiver::new(every)))
            }
            (FeedbackMode::Own, RateConfig::LdaPlus(c)) => {
                Some(Box::new(lda::Receiver::new(Span::from_secs_f64(c.interval))))
            }
            (FeedbackMode::Reports { every }, _) => Some(Box::new(PeriodicReports::new(every))),
            (FeedbackMode::Own, RateConfig::Tfrc(c)) => Some(Box::new(tfrc::Receiver::new(c))),
            // None of these has a receiver of its own: RTCP's least interval (RFC 3550, sec. 6.2).
            (
                FeedbackMode::Own,
                RateConfig::Aimd(_)
                | RateConfig::RcpAtl(_)
                | RateConfig::Nada(_)
                | RateConfig::Rap(_)
                | RateConfig::Rcs(_)
                | RateConfig::Arc(_),
            ) => Some(Box::new(PeriodicReports::new(Span::from_secs(5)))),
        }
    }
}
