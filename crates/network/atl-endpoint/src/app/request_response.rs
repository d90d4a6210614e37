//! Requests and their responses, one after the other: a client that asks, waits for the whole
//! answer, pauses, and asks again.

use atl_core::time::{Span, Time};
use atl_link::random::Stream;

use super::contract::{Actions, Application, BuildApplication};
use super::pause::pause;

/// Parameters of an application of requests and responses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestResponse {
    /// Bytes of a request, at least 1.
    pub request: u64,
    /// Bytes of the response to it, at least 1.
    pub response: u64,
    /// Mean time from a complete response to the next request.
    pub pause: Span,
    /// Pauses are exponentially distributed; otherwise they are constant.
    pub exponential: bool,
    /// Exchanges after which it ends; `None`: it goes on until the run ends.
    pub exchanges: Option<u64>,
}

impl Default for RequestResponse {
    fn default() -> Self {
        RequestResponse {
            request: 500,
            response: 100_000,
            pause: Span::ZERO,
            exponential: false,
            exchanges: None,
        }
    }
}

impl BuildApplication for RequestResponse {
    fn check(&self) -> Result<(), &'static str> {
        if self.request == 0 || self.response == 0 {
            return Err("request and response must be at least one byte");
        }
        if self.exchanges == Some(0) { Err("exchanges must be at least 1") } else { Ok(()) }
    }

    fn client(&self, stream: Stream) -> Box<dyn Application + Send> {
        let config = self.clone();
        Box::new(Client { config, stream, asked: Time::ZERO, received: 0, done: 0 })
    }

    fn server(&self, _stream: Stream) -> Box<dyn Application + Send> {
        Box::new(Server { config: self.clone(), received: 0, done: 0 })
    }
}

struct Client {
    config: RequestResponse,
    stream: Stream,
    /// When the last request was written.
    asked: Time,
    /// Bytes of the response to it.
    received: u64,
    /// Complete responses.
    done: u64,
}

impl Client {
    fn ask(&mut self, now: Time, actions: &mut Actions) {
        self.asked = now;
        actions.write(self.config.request);
        if self.config.exchanges == Some(self.done + 1) {
            actions.finish();
        }
    }

    fn pause(&mut self) -> Span {
        pause(self.config.pause, self.config.exponential, &mut self.stream)
    }
}

impl Application for Client {
    fn on_start(&mut self, now: Time, actions: &mut Actions) {
        self.ask(now, actions);
    }

    fn on_delivered(&mut self, now: Time, bytes: u64, actions: &mut Actions) {
        // Not more than one response, since there is one request at a time.
        self.received += bytes;
        if self.received < self.config.response {
            return;
        }
        self.received = 0;
        self.done += 1;
        actions.complete(self.asked);
        if self.config.exchanges == Some(self.done) {
            return;
        }
        let pause = self.pause();
        if pause.is_zero() {
            self.ask(now, actions);
        } else {
            actions.wake_at(now.saturating_add(pause));
        }
    }

    fn on_timer(&mut self, now: Time, actions: &mut Actions) {
        self.ask(now, actions);
    }
}

struct Server {
    config: RequestResponse,
    /// Bytes of the request that is arriving.
    received: u64,
    done: u64,
}

impl Application for Server {
    fn on_delivered(&mut self, _now: Time, bytes: u64, actions: &mut Actions) {
        self.received += bytes;
        while self.received >= self.config.request {
            self.received -= self.config.request;
            self.done += 1;
            actions.write(self.config.response);
            if self.config.exchanges == Some(self.done) {
                actions.finish();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::{ApplicationConfig, Conversation};

    fn conversation(config: RequestResponse) -> Conversation {
        let streams = [Stream::new(1, "client"), Stream::new(1, "server")];
        Conversation::new(&ApplicationConfig::from(config), Time::from_millis(100), streams)
    }

    #[test]
    fn a_client_asks_again_after_a_complete_response_and_a_pause() {
        let (ms, pause) = (Time::from_millis, Span::from_millis(30));
        let config = RequestResponse {
            request: 10,
            response: 1000,
            pause,
            exchanges: Some(2),
            ..RequestResponse::default()
        };
        let mut talk = conversation(config);
        assert_eq!(talk.next_timer(), ms(100));
        assert_eq!(talk.advance(ms(99), [0, 0]), [false, false]);
        assert_eq!(talk.advance(ms(100), [0, 0]), [true, false]);
        // A part of a request, and of a response, is none.
        assert_eq!(talk.advance(ms(110), [0, 9]), [false, false]);
        assert_eq!(talk.advance(ms(120), [0, 10]), [false, true]);
        assert_eq!(talk.written(), [(10, false), (1000, false)]);
        assert_eq!(talk.advance(ms(130), [999, 10]), [false, false]);
        assert_eq!(talk.next_timer(), Time::MAX);
        assert_eq!(talk.advance(ms(140), [1000, 10]), [false, false]);
        assert_eq!(talk.next_timer(), ms(170));
        assert_eq!(talk.advance(ms(170), [1000, 10]), [true, false]);
        assert_eq!(talk.written(), [(20, true), (1000, false)]);
        talk.advance(ms(200), [1000, 20]);
        assert_eq!(talk.written(), [(20, true), (2000, true)]);
        talk.begin_measurement(ms(200));
        talk.advance(ms(230), [2000, 20]);
        assert_eq!(talk.next_timer(), Time::MAX);
        let [client, server] = talk.exchanges().map(|exchanges| exchanges.result());
        assert_eq!((client.count, client.mean_s, server.count), (1, Some(0.06), 0));
    }

    #[test]
    fn both_ends_keep_the_contract() {
        for pause in [0, 700] {
            for exchanges in [None, Some(3)] {
                let pause = Span::from_millis(pause);
                crate::conformance::application(&RequestResponse {
                    pause,
                    exponential: true,
                    exchanges,
                    ..RequestResponse::default()
                });
            }
        }
    }
}
