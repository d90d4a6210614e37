//! The options of adaptive streaming, with their units.

use atl_core::time::Span;
use atl_core::units::Rate;
use atl_endpoint::app::{Application, BuildApplication, Dash, RateChoice};
use atl_link::random::Stream;
use serde::Deserialize;

use crate::units::{rate_options, size_option, time_option};

/// The options of [`Dash`].
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Config {
    #[serde(deserialize_with = "size_option")]
    request: u64,
    #[serde(deserialize_with = "time_option")]
    segment: Span,
    #[serde(deserialize_with = "rate_options")]
    ladder: Vec<Rate>,
    #[serde(deserialize_with = "time_option")]
    buffer: Span,
    #[serde(deserialize_with = "time_option")]
    start_up: Span,
    choice: RateChoice,
    segments: Option<u64>,
}

impl Default for Config {
    fn default() -> Self {
        let Dash { request, segment, ladder, buffer, start_up, choice, segments } = Dash::default();
        Config { request, segment, ladder, buffer, start_up, choice, segments }
    }
}

impl Config {
    fn parameters(&self) -> Dash {
        Dash {
            request: self.request,
            segment: self.segment,
            ladder: self.ladder.clone(),
            buffer: self.buffer,
            start_up: self.start_up,
            choice: self.choice,
            segments: self.segments,
        }
    }
}

impl BuildApplication for Config {
    fn check(&self) -> Result<(), &'static str> {
        self.parameters().check()
    }
    fn plays(&self) -> bool {
        self.parameters().plays()
    }
    fn client(&self, stream: Stream) -> Box<dyn Application + Send> {
        self.parameters().client(stream)
    }
    fn server(&self, stream: Stream) -> Box<dyn Application + Send> {
        self.parameters().server(stream)
    }
}
