//! Ends that were built.

use atl_core::window::ReceiverHalf;

/// Ends that were built, and what the rest of their flow needs.
pub(super) struct Built<E> {
    pub ends: E,
    /// The receiving half of the protocol's controller.
    pub half: Option<Box<dyn ReceiverHalf>>,
}
