//! The names by which frames take routes.

/// A route of a [`Relay`](super::Relay).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RouteId(pub usize);
