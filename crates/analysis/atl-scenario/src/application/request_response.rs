//! The options of requests and responses, with their units.

use atl_core::time::Span;
use atl_endpoint::app::{Application, BuildApplication, RequestResponse};
use atl_link::random::Stream;
use serde::Deserialize;

use super::distribution::Distribution;
use crate::units::{size_option, time_option};

/// The options of [`RequestResponse`].
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Config {
    #[serde(deserialize_with = "size_option")]
    request: u64,
    #[serde(deserialize_with = "size_option")]
    response: u64,
    #[serde(deserialize_with = "time_option")]
    pause: Span,
    distribution: Distribution,
    exchanges: Option<u64>,
}

impl Default for Config {
    fn default() -> Self {
        let RequestResponse { request, response, pause, exchanges, .. } =
            RequestResponse::default();
        Config { request, response, pause, distribution: Distribution::Constant, exchanges }
    }
}

impl Config {
    fn parameters(&self) -> RequestResponse {
        RequestResponse {
            request: self.request,
            response: self.response,
            pause: self.pause,
            exponential: self.distribution == Distribution::Exponential,
            exchanges: self.exchanges,
        }
    }
}

impl BuildApplication for Config {
    fn check(&self) -> Result<(), &'static str> {
        self.parameters().check()
    }
    fn client(&self, stream: Stream) -> Box<dyn Application + Send> {
        self.parameters().client(stream)
    }
    fn server(&self, stream: Stream) -> Box<dyn Application + Send> {
        self.parameters().server(stream)
    }
}
