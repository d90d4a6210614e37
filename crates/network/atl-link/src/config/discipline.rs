//! The parameters of a queue discipline that others provide.

use core::any::Any;
use std::sync::Arc;

use crate::discipline::{BuildDiscipline, QueueDiscipline};
use crate::limit::Limit;
use crate::random::Stream;

/// The parameters of one queue discipline, whichever it is.
#[derive(Clone, Debug)]
pub struct DisciplineConfig(Arc<dyn Parameters>);

/// The parameters inside a [`DisciplineConfig`], which are compared although their type is unknown.
trait Parameters: BuildDiscipline {
    fn is_equal(&self, other: &dyn Any) -> bool;
    fn as_any(&self) -> &dyn Any;
}

impl<C: BuildDiscipline + PartialEq> Parameters for C {
    fn is_equal(&self, other: &dyn Any) -> bool {
        other.downcast_ref::<C>().is_some_and(|other| self == other)
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl<C: BuildDiscipline + PartialEq> From<C> for DisciplineConfig {
    fn from(config: C) -> Self {
        DisciplineConfig(Arc::new(config))
    }
}

impl PartialEq for DisciplineConfig {
    fn eq(&self, other: &Self) -> bool {
        self.0.is_equal(other.0.as_any())
    }
}

impl DisciplineConfig {
    /// Checks that the parameters are in their ranges.
    ///
    /// # Errors
    /// The range that is allowed for the first parameter outside of its own.
    pub fn check(&self) -> Result<(), &'static str> {
        self.0.check()
    }

    /// The capacity where a scenario says none; `None` if it must say one.
    pub fn usual_limit(&self) -> Option<Limit> {
        self.0.usual_limit()
    }

    /// An empty queue of this capacity that draws its random numbers, if any, from `stream`.
    pub fn build(&self, limit: Limit, stream: Stream) -> Box<dyn QueueDiscipline + Send> {
        self.0.build(limit, stream)
    }
}
