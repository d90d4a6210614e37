//! A browser with several connections, and the server that answers over each.

use std::collections::VecDeque;

use atl_core::time::{Span, Time};
use atl_link::random::Stream;

use crate::app::contract::{Actions, Application};
use crate::app::pause::pause;

/// The parameters of [`WebPage`](crate::app::WebPage) that matter here.
#[derive(Clone, Copy, Debug)]
pub(super) struct Params {
    pub request: u64,
    pub connections: usize,
    pub think: Span,
    pub pause: Span,
    pub exponential: bool,
    pub pages: Option<u64>,
}

/// A browser that asks for one object at a time over each of its connections.
pub(super) struct Browser {
    config: Params,
    levels: Vec<Vec<u64>>,
    stream: Stream,
    /// When the page's first request was written.
    began: Time,
    /// The level that is loading, or is asked for next, and the number of its first object.
    level: usize,
    first: u64,
    /// Numbers and sizes of its objects that are not asked for.
    waiting: VecDeque<(u64, u64)>,
    /// Bytes that are missing of the object that each connection loads.
    loading: Vec<Option<u64>>,
    /// Complete pages.
    done: u64,
}

impl Browser {
    pub(super) fn new(config: Params, levels: Vec<Vec<u64>>, stream: Stream) -> Browser {
        let loading = vec![None; config.connections];
        let began = Time::ZERO;
        Browser {
            config,
            levels,
            stream,
            began,
            level: 0,
            first: 0,
            waiting: VecDeque::new(),
            loading,
            done: 0,
        }
    }

    /// Begins with the objects of the level.
    fn begin(&mut self, now: Time, actions: &mut Actions) {
        if self.level == 0 {
            self.began = now;
            self.first = 0;
        }
        let Some(sizes) = self.levels.get(self.level) else { return };
        self.waiting = (self.first..).zip(sizes.iter().copied()).collect();
        self.first += sizes.len() as u64;
        for connection in 0..self.loading.len() {
            self.ask(connection, actions);
        }
    }

    /// Asks for the next object over a connection that is free.
    fn ask(&mut self, connection: usize, actions: &mut Actions) {
        let Some((number, size)) = self.waiting.pop_front() else { return };
        actions.say(connection, self.config.request, number);
        self.loading[connection] = Some(size);
        let last = self.waiting.is_empty() && self.level + 1 == self.levels.len();
        if last && self.config.pages == Some(self.done + 1) {
            actions.finish();
        }
    }

    /// Begins with the next level after this time.
    fn begin_after(&mut self, wait: Span, now: Time, actions: &mut Actions) {
        if wait.is_zero() {
            self.begin(now, actions);
        } else {
            actions.wake_at(now.saturating_add(wait));
        }
    }
}

impl Application for Browser {
    fn on_start(&mut self, now: Time, actions: &mut Actions) {
        self.begin(now, actions);
    }

    fn on_delivered(&mut self, now: Time, bytes: u64, actions: &mut Actions) {
        self.on_delivered_over(now, 0, bytes, actions);
    }

    fn on_delivered_over(
        &mut self,
        now: Time,
        connection: usize,
        bytes: u64,
        actions: &mut Actions,
    ) {
        let Some(Some(missing)) = self.loading.get_mut(connection) else { return };
        // Never more than was asked for.
        *missing = missing.saturating_sub(bytes);
        if *missing > 0 {
            return;
        }
        self.loading[connection] = None;
        self.ask(connection, actions);
        if self.loading.iter().any(Option::is_some) {
            return;
        }
        self.level += 1;
        if self.level < self.levels.len() {
            self.begin_after(self.config.think, now, actions);
            return;
        }
        self.level = 0;
        self.done += 1;
        actions.complete(self.began);
        if self.config.pages != Some(self.done) {
            let wait = pause(self.config.pause, self.config.exponential, &mut self.stream);
            self.begin_after(wait, now, actions);
        }
    }

    fn on_timer(&mut self, now: Time, actions: &mut Actions) {
        self.begin(now, actions);
    }
}

/// A server that answers over the connection over which it was asked.
pub(super) struct Server {
    /// Sizes of the objects by their numbers.
    sizes: Vec<u64>,
    /// Answers after which it ends, and those given.
    most: Option<u64>,
    given: u64,
}

impl Server {
    pub(super) fn new(pages: Option<u64>, sizes: Vec<u64>) -> Server {
        let most = pages.map(|pages| pages.saturating_mul(sizes.len() as u64));
        Server { sizes, most, given: 0 }
    }
}

impl Application for Server {
    fn on_delivered(&mut self, _now: Time, _bytes: u64, _actions: &mut Actions) {}

    /// A request is complete, which names the object.
    fn on_word(&mut self, _now: Time, connection: usize, number: u64, actions: &mut Actions) {
        let Some(size) = usize::try_from(number).ok().and_then(|at| self.sizes.get(at)) else {
            return;
        };
        actions.write_over(connection, *size);
        self.given += 1;
        if self.most == Some(self.given) {
            actions.finish();
        }
    }
}
