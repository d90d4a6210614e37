//! The failure of a flow.

use std::error::Error;
use std::sync::Arc;

use atl_engine::Stopped;

/// An error of a flow, which ends the run.
#[derive(Debug)]
pub(crate) struct Failure {
    /// Of the flow with this index, once that is known.
    flow: Option<usize>,
    why: Arc<dyn Error + Send + Sync>,
}

impl<E: Error + Send + Sync + 'static> From<E> for Failure {
    fn from(error: E) -> Self {
        Failure { flow: None, why: Arc::new(error) }
    }
}

impl Failure {
    pub(crate) fn of(flow: usize, failure: Failure) -> Failure {
        Failure { flow: Some(flow), ..failure }
    }

    pub(crate) fn stopped(&self, names: &[String]) -> Stopped {
        let name = self.flow.and_then(|flow| names.get(flow)).map_or("?", String::as_str);
        Stopped::failed(format!("flow `{name}` over QUIC: {}", self.why))
    }
}
