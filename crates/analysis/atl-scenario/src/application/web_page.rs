//! The options of a web page, with their units.

use atl_core::time::Span;
use atl_endpoint::app::{Application, BuildApplication, WebPage};
use atl_link::random::Stream;
use serde::Deserialize;

use super::distribution::Distribution;
use crate::units::{size_option, time_option};

/// The options of [`WebPage`].
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Config {
    #[serde(deserialize_with = "size_option")]
    request: u64,
    #[serde(deserialize_with = "size_option")]
    document: u64,
    objects: u32,
    #[serde(deserialize_with = "size_option")]
    median: u64,
    sigma: f64,
    connections: u32,
    levels: u32,
    #[serde(deserialize_with = "time_option")]
    think: Span,
    #[serde(deserialize_with = "time_option")]
    pause: Span,
    distribution: Distribution,
    pages: Option<u64>,
}

impl Default for Config {
    fn default() -> Self {
        let WebPage {
            request,
            document,
            objects,
            median,
            sigma,
            connections,
            levels,
            think,
            pause,
            exponential,
            pages,
        } = WebPage::default();
        let distribution = Distribution::of(exponential);
        Config {
            request,
            document,
            objects,
            median,
            sigma,
            connections,
            levels,
            think,
            pause,
            distribution,
            pages,
        }
    }
}

impl Config {
    fn parameters(&self) -> WebPage {
        WebPage {
            request: self.request,
            document: self.document,
            objects: self.objects,
            median: self.median,
            sigma: self.sigma,
            connections: self.connections,
            levels: self.levels,
            think: self.think,
            pause: self.pause,
            exponential: self.distribution == Distribution::Exponential,
            pages: self.pages,
        }
    }
}

impl BuildApplication for Config {
    fn check(&self) -> Result<(), &'static str> {
        self.parameters().check()
    }
    fn connections(&self) -> usize {
        self.parameters().connections()
    }
    fn client(&self, stream: Stream) -> Box<dyn Application + Send> {
        self.parameters().client(stream)
    }
    fn server(&self, stream: Stream) -> Box<dyn Application + Send> {
        self.parameters().server(stream)
    }
}
