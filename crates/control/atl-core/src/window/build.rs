//! The interface of a window controller's parameters.

use core::fmt::Debug;

use super::{ReceiverHalf, Start, WindowController};

/// Parameters that a window controller is built from.
pub trait BuildController: Debug + Send + Sync + 'static {
    /// Checks that the parameters are in their ranges.
    ///
    /// # Errors
    /// The allowed range of the first parameter that is out of its range.
    fn check(&self) -> Result<(), &'static str> {
        Ok(())
    }
    /// A controller for a connection that begins with `start`. Parameters that do not pass
    /// [`check`](Self::check) still give a working controller.
    fn build(&self, start: &Start) -> Box<dyn WindowController>;
    /// The receiver's half, for protocols that have one.
    fn build_receiver(&self, _start: &Start) -> Option<Box<dyn ReceiverHalf>> {
        None
    }
}
