//! A web page over one connection or several: a document, and the objects that it names, which
//! name others.

mod parallel;

use atl_core::time::{Span, Time};
use atl_link::random::Stream;

use super::contract::{Actions, Application, BuildApplication, MOST_CONNECTIONS};
use super::pause::pause;

/// Parameters of a browser that loads pages over one connection, several objects at a time, as
/// HTTP/2 and HTTP/3 do, or over several connections, one object at a time over each, as HTTP/1.1
/// does (RFC 9112, sec. 9.3, without pipelining).
///
/// A browser asks for the document, then for all objects of the first level at once, then for those
/// of the next level when it has all of the one before. It then pauses and loads the same page
/// again, with nothing kept. An exchange is a page: from its first request to its last byte. Over
/// several connections, the document comes over the first, and an object is asked for over the one
/// that is free first.
#[derive(Clone, Debug, PartialEq)]
pub struct WebPage {
    /// Bytes of a request, at least 1.
    pub request: u64,
    /// Bytes of the document, at least 1.
    pub document: u64,
    /// Objects besides the document, at most [`MOST_OBJECTS`].
    pub objects: u32,
    /// Median of the objects' sizes in bytes, at least 1. Sizes are lognormal.
    pub median: u64,
    /// Standard deviation of the logarithm of sizes, 0 to 3. The mean is the median times
    /// exp(`sigma`^2 / 2).
    pub sigma: f64,
    /// Connections, 1 to [`MOST_CONNECTIONS`]; browsers open six at most to a server. All of them
    /// are opened at the start, and kept.
    pub connections: u32,
    /// Levels of dependency, 1 to 20: objects are spread over them as evenly as they can be.
    pub levels: u32,
    /// Time from the last byte of a level to the requests of the next: parsing, scripts.
    pub think: Span,
    /// Mean time from a complete page to the next one.
    pub pause: Span,
    /// Pauses are exponentially distributed; otherwise they are constant.
    pub exponential: bool,
    /// Pages after which it ends; `None`: it goes on until the run ends.
    pub pages: Option<u64>,
}

/// Limit on the objects of a page.
pub const MOST_OBJECTS: u32 = 10_000;

impl Default for WebPage {
    /// About the median page of the HTTP Archive in 2024: 70 requests and 2.6 MB. The split into a
    /// document and objects, their spread, three levels and the times are ours.
    fn default() -> Self {
        WebPage {
            request: 500,
            document: 30_000,
            objects: 70,
            median: 12_000,
            sigma: 1.5,
            connections: 1,
            levels: 3,
            think: Span::from_millis(20),
            pause: Span::from_secs(10),
            exponential: true,
            pages: None,
        }
    }
}

impl BuildApplication for WebPage {
    fn check(&self) -> Result<(), &'static str> {
        if self.request == 0 || self.document == 0 || self.median == 0 {
            return Err("request, document and median must be at least one byte");
        }
        if self.objects > MOST_OBJECTS {
            return Err("a page has at most 10000 objects");
        }
        if !(0.0..=3.0).contains(&self.sigma) {
            return Err("sigma must be from 0 to 3");
        }
        if !(1..=MOST_CONNECTIONS as u32).contains(&self.connections) {
            return Err("connections must be from 1 to 100");
        }
        if !(1..=20).contains(&self.levels) {
            return Err("levels must be from 1 to 20");
        }
        if self.pages == Some(0) { Err("pages must be at least 1") } else { Ok(()) }
    }

    fn connections(&self) -> usize {
        self.connections as usize
    }

    fn client(&self, stream: Stream) -> Box<dyn Application + Send> {
        let levels = self.levels();
        if self.connections > 1 {
            let params = parallel::Params {
                request: self.request,
                connections: self.connections as usize,
                think: self.think,
                pause: self.pause,
                exponential: self.exponential,
                pages: self.pages,
            };
            return Box::new(parallel::Browser::new(params, levels, stream));
        }
        Box::new(Browser {
            config: self.clone(),
            levels,
            stream,
            began: Time::ZERO,
            level: 0,
            missing: 0,
            loading: false,
            done: 0,
        })
    }

    fn server(&self, _stream: Stream) -> Box<dyn Application + Send> {
        let sizes = self.levels().into_iter().flatten().collect();
        if self.connections > 1 {
            return Box::new(parallel::Server::new(self.pages, sizes));
        }
        Box::new(Server { config: self.clone(), sizes, received: 0, next: 0, done: 0 })
    }
}

impl WebPage {
    /// The sizes of what is asked for together: the document, then the objects of each level.
    /// Both ends know them: they are drawn once, with a seed of their own, so that each page of
    /// each run is the same.
    fn levels(&self) -> Vec<Vec<u64>> {
        let mut stream = Stream::new(1, "web page");
        let mut levels = vec![vec![self.document]];
        let (objects, parts) = (u64::from(self.objects), u64::from(self.levels));
        for part in 0..parts {
            let count = (part + 1) * objects / parts - part * objects / parts;
            let size = |_| lognormal(self.median as f64, self.sigma, &mut stream);
            let level: Vec<u64> = (0..count).map(size).collect();
            if !level.is_empty() {
                levels.push(level);
            }
        }
        levels
    }
}

/// A lognormal size of at least one byte, by Box and Muller (1958).
fn lognormal(median: f64, sigma: f64, stream: &mut Stream) -> u64 {
    let (one, two) = (stream.uniform(), stream.uniform());
    let radius = libm::sqrt(-2.0 * libm::log(1.0 - one));
    let normal = radius * libm::cos(core::f64::consts::TAU * two);
    // Bounded: the radius is below 9, so that the exponent is below 26.
    (median * libm::exp(sigma * normal)).round().max(1.0) as u64
}

struct Browser {
    config: WebPage,
    levels: Vec<Vec<u64>>,
    stream: Stream,
    /// When the page's first request was written.
    began: Time,
    /// The level that is loading, or is asked for next.
    level: usize,
    /// Bytes of it that are missing.
    missing: u64,
    /// False between levels and between pages.
    loading: bool,
    /// Complete pages.
    done: u64,
}

impl Browser {
    fn ask(&mut self, now: Time, actions: &mut Actions) {
        if self.level == 0 {
            self.began = now;
        }
        let Some(sizes) = self.levels.get(self.level) else { return };
        actions.write(self.config.request.saturating_mul(sizes.len() as u64));
        self.missing = sizes.iter().fold(0, |sum, size| sum.saturating_add(*size));
        self.loading = true;
        let last = self.level + 1 == self.levels.len();
        if last && self.config.pages == Some(self.done + 1) {
            actions.finish();
        }
    }

    /// Asks for the next level after this time.
    fn ask_after(&mut self, wait: Span, now: Time, actions: &mut Actions) {
        if wait.is_zero() {
            self.ask(now, actions);
        } else {
            actions.wake_at(now.saturating_add(wait));
        }
    }

    fn pause(&mut self) -> Span {
        pause(self.config.pause, self.config.exponential, &mut self.stream)
    }
}

impl Application for Browser {
    fn on_start(&mut self, now: Time, actions: &mut Actions) {
        self.ask(now, actions);
    }

    fn on_delivered(&mut self, now: Time, bytes: u64, actions: &mut Actions) {
        // Never more than was asked for.
        self.missing = self.missing.saturating_sub(bytes);
        if !self.loading || self.missing > 0 {
            return;
        }
        self.loading = false;
        self.level += 1;
        if self.level < self.levels.len() {
            self.ask_after(self.config.think, now, actions);
            return;
        }
        self.level = 0;
        self.done += 1;
        actions.complete(self.began);
        if self.config.pages != Some(self.done) {
            let pause = self.pause();
            self.ask_after(pause, now, actions);
        }
    }

    fn on_timer(&mut self, now: Time, actions: &mut Actions) {
        self.ask(now, actions);
    }
}

struct Server {
    config: WebPage,
    /// Sizes in the order in which they are asked for.
    sizes: Vec<u64>,
    /// Bytes of the request that is arriving.
    received: u64,
    /// The next size to answer with.
    next: usize,
    /// Pages answered.
    done: u64,
}

impl Application for Server {
    fn on_delivered(&mut self, _now: Time, bytes: u64, actions: &mut Actions) {
        self.received += bytes;
        while self.received >= self.config.request {
            self.received -= self.config.request;
            let Some(size) = self.sizes.get(self.next) else { return };
            actions.write(*size);
            self.next += 1;
            if self.next == self.sizes.len() {
                self.next = 0;
                self.done += 1;
                if self.config.pages == Some(self.done) {
                    actions.finish();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::{ApplicationConfig, Conversation};

    fn page() -> WebPage {
        WebPage {
            request: 10,
            document: 1000,
            objects: 5,
            median: 100,
            sigma: 0.0,
            connections: 1,
            levels: 2,
            think: Span::from_millis(5),
            pause: Span::from_millis(30),
            exponential: false,
            pages: Some(2),
        }
    }

    fn conversation(config: WebPage) -> Conversation {
        let streams = [Stream::new(1, "client"), Stream::new(1, "server")];
        Conversation::new(&ApplicationConfig::from(config), Time::from_millis(100), streams)
    }

    #[test]
    fn a_browser_asks_for_a_level_when_it_has_the_one_before() {
        let ms = Time::from_millis;
        let mut talk = conversation(page());
        assert_eq!(talk.advance(ms(100), [0, 0]), [true, false]);
        assert_eq!(talk.written(), [(10, false), (0, false)]);
        talk.advance(ms(110), [0, 10]);
        assert_eq!(talk.written(), [(10, false), (1000, false)], "the document");
        talk.advance(ms(120), [999, 10]);
        assert_eq!(talk.next_timer(), Time::MAX, "a part of it is not enough");
        talk.advance(ms(130), [1000, 10]);
        assert_eq!(talk.next_timer(), ms(135), "it thinks");
        talk.advance(ms(135), [1000, 10]);
        // Of five objects two are named by the document, three by those two.
        assert_eq!(talk.written(), [(30, false), (1000, false)]);
        talk.advance(ms(140), [1000, 30]);
        assert_eq!(talk.written(), [(30, false), (1200, false)]);
        talk.advance(ms(150), [1200, 30]);
        talk.advance(ms(155), [1200, 30]);
        assert_eq!(talk.written(), [(60, false), (1200, false)]);
        talk.advance(ms(160), [1200, 60]);
        talk.begin_measurement(ms(160));
        talk.advance(ms(170), [1500, 60]);
        assert_eq!(talk.next_timer(), ms(200), "the next page after a pause");
        let [client, _] = talk.exchanges().map(|exchanges| exchanges.result());
        assert_eq!((client.count, client.mean_s), (1, Some(0.07)), "from 100 to 170 ms");
        // The last page ends both directions.
        for (at, back, there) in [
            (200, 1500, 60),
            (210, 1500, 70),
            (220, 2500, 70),
            (225, 2500, 70),
            (230, 2500, 90),
            (240, 2700, 90),
            (245, 2700, 90),
            (250, 2700, 120),
        ] {
            talk.advance(ms(at), [back, there]);
        }
        assert_eq!(talk.written(), [(120, true), (3000, true)]);
    }

    #[test]
    fn sizes_are_lognormal_and_the_same_at_both_ends() {
        let config = WebPage { objects: 5000, ..WebPage::default() };
        let levels = config.levels();
        assert_eq!(levels, config.levels());
        assert_eq!(levels.iter().map(Vec::len).collect::<Vec<_>>(), [1, 1666, 1667, 1667]);
        let mut sizes: Vec<u64> = levels.into_iter().skip(1).flatten().collect();
        sizes.sort_unstable();
        // The median of 5000 is within four of its standard errors: 1.25 sigma / sqrt(n).
        assert!((sizes[2500] as f64 / 12_000.0 - 1.0).abs() < 0.11, "{}", sizes[2500]);
        let below = sizes.iter().filter(|size| **size < 12_000 * 10).count() as f64 / 5000.0;
        // ln 10 / 1.5 = 1.535 standard deviations.
        assert!((below - 0.9376).abs() < 0.014, "{below}");
        let usual: u64 = WebPage::default().levels().iter().flatten().sum();
        assert!((1_500_000..4_500_000).contains(&usual), "{usual} bytes");
    }

    #[test]
    fn a_page_without_objects_is_its_document() {
        let config = WebPage { objects: 0, pages: Some(1), ..page() };
        let mut talk = conversation(config);
        talk.advance(Time::from_millis(100), [0, 0]);
        assert_eq!(talk.written(), [(10, true), (0, false)]);
        talk.advance(Time::from_millis(110), [0, 10]);
        assert_eq!(talk.written(), [(10, true), (1000, true)]);
    }

    #[test]
    fn both_ends_keep_the_contract() {
        for (think, pages, connections) in
            [(0, None, 1), (7, Some(3), 1), (0, None, 6), (7, Some(3), 2)]
        {
            let config = WebPage {
                connections,
                think: Span::from_millis(think),
                pause: Span::from_millis(700),
                exponential: true,
                pages,
                ..WebPage::default()
            };
            crate::conformance::application(&config);
        }
    }

    #[test]
    fn numbers_outside_their_ranges_are_refused() {
        assert_eq!(WebPage::default().check(), Ok(()));
        for wrong in [
            WebPage { request: 0, ..page() },
            WebPage { document: 0, ..page() },
            WebPage { median: 0, ..page() },
            WebPage { objects: MOST_OBJECTS + 1, ..page() },
            WebPage { sigma: f64::NAN, ..page() },
            WebPage { sigma: 3.1, ..page() },
            WebPage { connections: 0, ..page() },
            WebPage { connections: 101, ..page() },
            WebPage { levels: 0, ..page() },
            WebPage { levels: 21, ..page() },
            WebPage { pages: Some(0), ..page() },
        ] {
            assert!(wrong.check().is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn an_object_is_asked_for_over_the_connection_that_is_free_first() {
        // A document of 1000 bytes, then 5 objects of 100 over two connections.
        let config = WebPage {
            request: 10,
            document: 1000,
            objects: 5,
            median: 100,
            sigma: 0.0,
            connections: 2,
            levels: 1,
            think: Span::ZERO,
            pages: Some(1),
            ..WebPage::default()
        };
        let streams = [Stream::new(1, "client"), Stream::new(1, "server")];
        let mut talk = Conversation::new(&ApplicationConfig::from(config), Time::ZERO, streams);
        let mut ms = 0;
        // Delivers this many bytes to the client over each connection, and all requests.
        let mut step = |back: [u64; 2]| {
            ms += 1;
            for _ in 0..2 {
                let there = [0, 1].map(|connection| talk.written_over(connection)[0].0);
                let now = Time::from_millis(ms);
                talk.advance_over(now, &[[back[0], there[0]], [back[1], there[1]]]);
            }
            [0, 1].map(|connection| talk.written_over(connection).map(|(bytes, _)| bytes))
        };
        assert_eq!(step([0, 0]), [[10, 1000], [0, 0]], "the document over the first");
        assert_eq!(step([999, 0]), [[10, 1000], [0, 0]]);
        assert_eq!(step([1000, 0]), [[20, 1100], [10, 100]]);
        assert_eq!(step([1000, 100]), [[20, 1100], [20, 200]], "the second is free first");
        assert_eq!(step([1000, 200]), [[20, 1100], [30, 300]]);
        assert_eq!(step([1100, 200]), [[30, 1200], [30, 300]]);
        assert_eq!(step([1200, 299]), [[30, 1200], [30, 300]]);
        step([1200, 300]);
        assert!((0..2).all(|connection| talk.written_over(connection).iter().all(|end| end.1)));
        let [client, _] = talk.exchanges().map(|exchanges| exchanges.result().count);
        assert_eq!(client, 1);
    }
}
