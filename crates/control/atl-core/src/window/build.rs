//! What parameters of a window controller can do.

use core::fmt::Debug;

use super::{ReceiverHalf, Start, WindowController};

/// Parameters that a window controller is built from.
pub trait BuildController: Debug + Send + Sync + 'static {
    /// Checks that the parameters are in their ranges.
    ///
    /// # Errors
    /// What is allowed for the first parameter that is out of its range.
    fn check(&self) -> Result<(), &'static str> {
        Ok(())
    }
    /// A controller for a connection that begins as `start` says. Parameters that do not pass [`check`](Self::check) give
    /// a controller that works too.
    fn build(&self, start: &Start) -> Box<dyn WindowController>;
    /// The receiver's half, for protocols that have one.
    fn build_receiver(&self, _start: &Start) -> Option<Box<dyn ReceiverHalf>> {
        None
    }
}
