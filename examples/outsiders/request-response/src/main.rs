//! Web pages over one connection, and the program `atl` with them: `cargo run -- run page.toml`.
//!
//! A browser asks for a document, then for all of its objects at once, and loads the next page when
//! its user has read this one. The time to load a page is the time of an exchange.

use std::{env, process::ExitCode};

use atl::{App, ListedApplication};
use atl_core::time::{Span, Time};
use atl_endpoint::app::{Actions, Application, BuildApplication};
use atl_link::random::Stream;
use serde::Deserialize;

/// Bytes of a request.
const REQUEST: u64 = 400;

/// Its options in a scenario file.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Page {
    #[serde(deserialize_with = "atl_scenario::units::size_option")]
    document: u64,
    #[serde(deserialize_with = "atl_scenario::units::size_option")]
    object: u64,
    /// Objects of a page.
    objects: u64,
    /// Mean time for which the user reads; it is exponentially distributed.
    #[serde(deserialize_with = "atl_scenario::units::time_option")]
    reading: Span,
}

impl Default for Page {
    fn default() -> Self {
        Page { document: 30_000, object: 15_000, objects: 10, reading: Span::from_secs(5) }
    }
}

impl BuildApplication for Page {
    fn check(&self) -> Result<(), &'static str> {
        let usable = self.document > 0 && self.object > 0 && !self.reading.is_zero();
        if usable { Ok(()) } else { Err("document, object and reading must be above zero") }
    }
    fn client(&self, stream: Stream) -> Box<dyn Application + Send> {
        Box::new(Browser { page: *self, stream, asked: Time::ZERO, loaded: 0 })
    }
    fn server(&self, _stream: Stream) -> Box<dyn Application + Send> {
        Box::new(Site { page: *self, received: 0, answered: 0 })
    }
}

struct Browser {
    page: Page,
    stream: Stream,
    asked: Time,
    /// Bytes of this page.
    loaded: u64,
}

impl Application for Browser {
    fn on_start(&mut self, now: Time, actions: &mut Actions) {
        self.on_timer(now, actions);
    }
    fn on_timer(&mut self, now: Time, actions: &mut Actions) {
        (self.asked, self.loaded) = (now, 0);
        actions.write(REQUEST);
    }
    fn on_delivered(&mut self, now: Time, bytes: u64, actions: &mut Actions) {
        let Page { document, object, objects, reading } = self.page;
        let had_document = self.loaded >= document;
        self.loaded += bytes;
        if self.loaded >= document && !had_document {
            actions.write(objects * REQUEST);
        }
        if self.loaded == document + objects * object {
            actions.complete(self.asked);
            let reading = Span::from_secs_f64(self.stream.exponential(reading.secs()));
            actions.wake_at(now + reading.max(Span::from_nanos(1)));
        }
    }
}

struct Site {
    page: Page,
    received: u64,
    /// Requests that were answered.
    answered: u64,
}

impl Application for Site {
    fn on_delivered(&mut self, _now: Time, bytes: u64, actions: &mut Actions) {
        self.received += bytes;
        while self.received >= (self.answered + 1) * REQUEST {
            let is_document = self.answered % (self.page.objects + 1) == 0;
            actions.write(if is_document { self.page.document } else { self.page.object });
            self.answered += 1;
        }
    }
}

const PAGE: ListedApplication = ListedApplication::new::<Page>("page");
fn main() -> ExitCode {
    App::new().application(PAGE).run(env::args_os()).into()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use atl_scenario::{Overrides, application, load, scenario::Point};
    use atl_sim::Simulation;

    use super::*;

    #[test]
    fn it_keeps_the_contract() {
        atl_endpoint::conformance::application(&Page::default());
        atl_endpoint::conformance::application(&Page { objects: 0, ..Page::default() });
    }

    /// A page takes two round trips and the time to send it: a long path gains little from a fast
    /// link (Belshe, "More Bandwidth Doesn't Matter (Much)", 2010).
    #[test]
    fn round_trips_bound_the_time_to_load_a_page() {
        application::register(&[PAGE]).expect("nobody else is called page");
        let scenario = load("page.toml".as_ref(), &Overrides::default()).expect("it is right");
        let load_s = |rate: &str, delay: &str| {
            let is = |point: &Point, name: &str, text| point.vars[name].text == text;
            let mut points = scenario.points.iter();
            let point = points.find(|p| is(p, "rate", rate) && is(p, "delay", delay));
            let flows = Simulation::new(&point.expect("swept").setup, 1).run().flows;
            flows[0].exchanges.and_then(|pages| pages.mean_s).expect("pages")
        };
        let (slow, fast) = (load_s("2Mb/s", "5ms"), load_s("50Mb/s", "5ms"));
        assert!(slow > 330_000.0 * 8.0 / 2e6 && fast < slow / 9.0, "{slow} and {fast} s");
        let (slow, fast) = (load_s("2Mb/s", "50ms"), load_s("50Mb/s", "50ms"));
        assert!(fast > 0.2 && fast > slow / 8.0, "{slow} and {fast} s");
    }

    #[test]
    fn the_program_runs_the_scenario() {
        let out = env::temp_dir().join("atl-outsider-page");
        let arguments = ["atl", "run", "page.toml", "--quick", "--quiet", "--csv", "--out"];
        let arguments = arguments.map(Into::into).into_iter().chain([out.clone().into()]);
        assert_eq!(App::new().application(PAGE).run(arguments), 0);
        let flows = fs::read_to_string(out.join("flows.csv")).expect("results");
        assert!(flows.contains("exchange_p95_s") && flows.contains("web.back"), "{flows}");
    }
}
