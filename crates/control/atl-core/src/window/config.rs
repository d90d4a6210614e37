//! The parameters of any window controller, behind one type.

use core::any::Any;
use core::fmt::Debug;
use std::sync::Arc;

use super::{BuildController, Controller, ReceiverHalf, Start};

/// The parameters of one window controller, whichever it is.
///
/// ```
/// use atl_core::window::{ControllerConfig, Start, WindowController, atl::robust, vegas};
///
/// let configs: [ControllerConfig; 2] = [robust::Config::default().into(), vegas::Config::default().into()];
/// for config in &configs {
///     assert!(config.check().is_ok());
///     assert!(config.build(&Start::default()).window() >= 1.0);
/// }
/// assert!(configs[0].get::<robust::Config>().is_some_and(|robust| robust.check_claims));
/// ```
#[derive(Clone, Debug)]
pub struct ControllerConfig(Arc<dyn Parameters>);

/// The operations of the parameters in a [`ControllerConfig`].
trait Parameters: BuildController {
    fn is_equal(&self, other: &dyn Any) -> bool;
    fn as_any(&self) -> &dyn Any;
}

impl<C: BuildController + PartialEq> Parameters for C {
    fn is_equal(&self, other: &dyn Any) -> bool {
        other.downcast_ref::<C>().is_some_and(|other| self == other)
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl<C: BuildController + PartialEq> From<C> for ControllerConfig {
    fn from(config: C) -> Self {
        ControllerConfig(Arc::new(config))
    }
}

impl PartialEq for ControllerConfig {
    fn eq(&self, other: &Self) -> bool {
        self.0.is_equal(other.0.as_any())
    }
}

impl ControllerConfig {
    /// The parameters, if they have the type `C`.
    pub fn get<C: BuildController>(&self) -> Option<&C> {
        self.0.as_any().downcast_ref()
    }

    /// Checks that the parameters are in their ranges.
    ///
    /// # Errors
    /// The allowed range of the first parameter that is out of its range.
    pub fn check(&self) -> Result<(), &'static str> {
        self.0.check()
    }

    /// A controller for a connection that begins with `start`.
    pub fn build(&self, start: &Start) -> Controller {
        let controller = Controller::with_variant(self.0.as_any(), start);
        controller.unwrap_or_else(|| Controller::Boxed(self.0.build(start)))
    }

    /// The receiver's half, for protocols that have one.
    pub fn build_receiver(&self, start: &Start) -> Option<Box<dyn ReceiverHalf>> {
        self.0.build_receiver(start)
    }
}
