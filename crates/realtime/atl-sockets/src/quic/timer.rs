//! The library's runtime, with timers that tell how late they were.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Instant;

use atl_core::time::Span;
use atl_net::lateness::Lateness;
use noq::{AsyncTimer, AsyncUdpSocket, Runtime, TokioRuntime};

/// tokio rounds a deadline up to its next tick, of 1 ms, and the wait for that up to a whole number
/// of milliseconds. Programs on tokio have that in any case; what is later is the machine's doing.
const TICKS: Span = Span::from_millis(2);

/// Lateness of an end's timers.
#[derive(Clone, Debug)]
pub(crate) struct TimerLateness {
    noted: Arc<Mutex<Lateness>>,
    packet_time: Span,
}

impl TimerLateness {
    /// Held against the time that a packet takes on the end's first link.
    pub(crate) fn new(packet_time: Span) -> Self {
        TimerLateness { noted: Arc::new(Mutex::new(Lateness::new())), packet_time }
    }

    fn note(&self, late: Span) {
        let late = late.saturating_sub(TICKS);
        self.noted.lock().unwrap_or_else(PoisonError::into_inner).add(late, self.packet_time);
    }

    pub(crate) fn noted(&self) -> Lateness {
        self.noted.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// [`TokioRuntime`], which programs with noq have, under observation.
#[derive(Debug)]
pub(crate) struct Observed(pub(crate) TimerLateness);

impl Runtime for Observed {
    fn new_timer(&self, due: Instant) -> Pin<Box<dyn AsyncTimer>> {
        let timer = TokioRuntime.new_timer(due);
        Box::pin(Timer { timer, due, lateness: self.0.clone() })
    }

    fn spawn(&self, future: Pin<Box<dyn Future<Output = ()> + Send>>) {
        TokioRuntime.spawn(future);
    }

    fn wrap_udp_socket(&self, socket: std::net::UdpSocket) -> io::Result<Box<dyn AsyncUdpSocket>> {
        TokioRuntime.wrap_udp_socket(socket)
    }

    fn now(&self) -> Instant {
        TokioRuntime.now()
    }
}

#[derive(Debug)]
struct Timer {
    timer: Pin<Box<dyn AsyncTimer>>,
    due: Instant,
    lateness: TimerLateness,
}

impl AsyncTimer for Timer {
    fn reset(mut self: Pin<&mut Self>, due: Instant) {
        self.due = due;
        self.timer.as_mut().reset(due);
    }

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        // noq looks at the clock itself: that a timer went off is seen only where it wakes the
        // connection.
        let waker = Waker::from(Arc::new(Noting {
            waker: context.waker().clone(),
            due: self.due,
            lateness: self.lateness.clone(),
            noted: AtomicBool::new(false),
        }));
        self.timer.as_mut().poll(&mut Context::from_waker(&waker))
    }
}

/// Wakes a connection, and notes how late that is.
struct Noting {
    waker: Waker,
    due: Instant,
    lateness: TimerLateness,
    noted: AtomicBool,
}

impl Wake for Noting {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        if !self.noted.swap(true, Ordering::Relaxed) {
            self.lateness.note(Instant::now().saturating_duration_since(self.due).into());
        }
        self.waker.wake_by_ref();
    }
}
