//! The parameters of an application, whichever it is.

use core::any::Any;
use std::sync::Arc;

use atl_link::random::Stream;

use super::contract::{Application, BuildApplication, MOST_CONNECTIONS};

/// The parameters of one application, whichever it is.
#[derive(Clone, Debug)]
pub struct ApplicationConfig(Arc<dyn Parameters>);

/// The parameters inside an [`ApplicationConfig`], which are compared although their type is
/// unknown.
trait Parameters: BuildApplication {
    fn is_equal(&self, other: &dyn Any) -> bool;
    fn as_any(&self) -> &dyn Any;
}

impl<C: BuildApplication + PartialEq> Parameters for C {
    fn is_equal(&self, other: &dyn Any) -> bool {
        other.downcast_ref::<C>().is_some_and(|other| self == other)
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl<C: BuildApplication + PartialEq> From<C> for ApplicationConfig {
    fn from(config: C) -> Self {
        ApplicationConfig(Arc::new(config))
    }
}

impl PartialEq for ApplicationConfig {
    fn eq(&self, other: &Self) -> bool {
        self.0.is_equal(other.0.as_any())
    }
}

impl ApplicationConfig {
    /// Checks that the parameters are in their ranges.
    ///
    /// # Errors
    /// The range that is allowed for the first parameter outside of its own.
    pub fn check(&self) -> Result<(), &'static str> {
        self.0.check()
    }

    /// Number of connections that it talks over, at least 1.
    pub fn connections(&self) -> usize {
        self.0.connections().clamp(1, MOST_CONNECTIONS)
    }

    /// True if its client is a player.
    pub fn plays(&self) -> bool {
        self.0.plays()
    }

    /// The end at the flow's source, which draws its random numbers, if any, from `stream`.
    pub fn client(&self, stream: Stream) -> Box<dyn Application + Send> {
        self.0.client(stream)
    }

    /// The end at the flow's destination.
    pub fn server(&self, stream: Stream) -> Box<dyn Application + Send> {
        self.0.server(stream)
    }
}
