//! The parameters of any rate controller, behind one type.

use core::any::Any;
use core::fmt::Debug;
use std::sync::Arc;

use super::{
    Aimd, BuildRateController, FeedbackMode, RateController, RateStart, ReportingReceiver,
};
use crate::time::Span;

/// The parameters of one rate controller, whichever it is.
///
/// ```
/// use atl_core::rate::{FeedbackMode, RateConfig, RateStart, tfrc};
///
/// let config = RateConfig::from(tfrc::Config::default());
/// assert_eq!(config.feedback(), FeedbackMode::Own);
/// assert!(config.build(&RateStart::default()).rate() > 0.0);
/// ```
#[derive(Clone, Debug)]
pub struct RateConfig(Arc<dyn Parameters>);

/// The operations of the parameters in a [`RateConfig`].
trait Parameters: BuildRateController {
    fn is_equal(&self, other: &dyn Any) -> bool;
    fn as_any(&self) -> &dyn Any;
}

impl<C: BuildRateController + PartialEq> Parameters for C {
    fn is_equal(&self, other: &dyn Any) -> bool {
        other.downcast_ref::<C>().is_some_and(|other| self == other)
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl<C: BuildRateController + PartialEq> From<C> for RateConfig {
    fn from(config: C) -> Self {
        RateConfig(Arc::new(config))
    }
}

impl PartialEq for RateConfig {
    fn eq(&self, other: &Self) -> bool {
        self.0.is_equal(other.0.as_any())
    }
}

impl RateConfig {
    /// The parameters, if they have the type `C`.
    pub fn get<C: BuildRateController>(&self) -> Option<&C> {
        self.0.as_any().downcast_ref()
    }

    /// Checks that the parameters are in their ranges.
    ///
    /// # Errors
    /// The allowed range of the first parameter that is out of its range.
    pub fn check(&self) -> Result<(), &'static str> {
        self.0.check()
    }

    /// A controller for a flow that begins with `start`.
    pub fn build(&self, start: &RateStart) -> Box<dyn RateController> {
        self.0.build(start)
    }

    /// AIMD parameters that never change ([`BuildRateController::fixed_aimd`]).
    pub fn fixed_aimd(&self, rtt: Span) -> Option<Aimd> {
        self.0.fixed_aimd(rtt)
    }

    /// The way in which the receiver reports arrivals, unless a caller chooses another one.
    pub fn feedback(&self) -> FeedbackMode {
        self.0.feedback()
    }

    /// The receiver that reports in this mode; `None` if each packet is acknowledged.
    pub fn build_receiver(&self, mode: FeedbackMode) -> Option<Box<dyn ReportingReceiver>> {
        self.0.build_receiver(mode)
    }
}
