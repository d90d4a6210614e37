//! The applications at both ends of a connection, without the connection.

use atl_core::time::Time;
use atl_endpoint::app::{App, Sizes};
use atl_endpoint::meters::Delays;
use atl_engine::flow::Build;

/// The bytes of every application: QUIC encrypts them anyway, so their values do not matter.
pub static OCTETS: [u8; 1 << 16] = [0; 1 << 16];

/// The application at the sender: how far it has written, and what is still to come.
#[derive(Debug)]
pub struct Writes {
    app: App,
    written: u64,
}

impl Writes {
    /// That of a flow.
    pub fn new(build: &Build<'_>) -> Self {
        Writes { app: build.app(), written: 0 }
    }

    /// Bytes that it has submitted by now and that were not written, up to the length of
    /// [`OCTETS`].
    pub fn waiting(&mut self, now: Time) -> usize {
        let waiting = self.app.left(now, self.written);
        waiting.min(OCTETS.len() as u64) as usize
    }

    /// An end of a conversation has written this many bytes in all; see [`App::tell`].
    pub fn tell(&mut self, written: u64, ended: bool) {
        self.app.tell(written, ended);
    }

    /// The transport took this many bytes.
    pub fn on_written(&mut self, bytes: usize) {
        self.written += bytes as u64;
    }

    /// True once everything is written, of an application that ends.
    pub fn is_complete(&mut self, now: Time) -> bool {
        self.app.is_complete(now, self.written)
    }

    /// When it has more to write; [`Time::MAX`] if never.
    pub fn next(&mut self, now: Time) -> Time {
        self.app.next_write(now).unwrap_or(Time::MAX)
    }
}

/// The application at the receiver: it reads whatever is there, in order.
#[derive(Debug)]
pub struct Reads {
    bytes: u64,
    /// Delays of the application's segments; `None` for an application that always has data.
    delays: Option<Box<Delays>>,
}

impl Reads {
    /// That of a flow.
    pub fn new(build: &Build<'_>) -> Self {
        let plan = build.plan;
        let stream = build.stream("source");
        let writes =
            atl_endpoint::app::Writes::new(&plan.source, plan.tcp.segment, build.start, stream);
        let sizes = Sizes::new(&plan.source, plan.tcp.segment);
        Reads { bytes: 0, delays: writes.map(|writes| Box::new(Delays::new(writes, sizes))) }
    }

    /// It has read this many bytes more.
    pub fn on_read(&mut self, now: Time, bytes: usize) {
        self.bytes += bytes as u64;
        if let Some(delays) = &mut self.delays {
            delays.on_delivered(now, self.bytes);
        }
    }

    /// Earlier delays do not count.
    pub fn begin_measurement(&mut self) {
        if let Some(delays) = &mut self.delays {
            delays.reset();
        }
    }

    /// Bytes read.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Mean delay from application to application, in seconds.
    pub fn delay_s(&self) -> Option<f64> {
        self.delays.as_ref().and_then(|delays| delays.mean_s())
    }
}
