//! Whose controller a flow has.

use std::fmt;
use std::sync::Arc;

use atl_core::roaming::{NewPath, Resume};
use atl_core::window::{Start, resume};
use atl_engine::flow::Build;
use atl_engine::protocol::{QuicController, Transport};
use atl_noq::{Factory, Marks};
use noq_proto::congestion::{Bbr3Config, ControllerFactory, CubicConfig, NewRenoConfig};

/// A factory of congestion controllers, as noq takes it.
pub type SharedFactory = Arc<dyn ControllerFactory + Send + Sync>;

/// A controller that the library noq brings along, with an initial window in bytes; the library's
/// own if `None`.
pub fn library(controller: QuicController, initial_window: Option<u64>) -> SharedFactory {
    match controller {
        QuicController::Cubic => {
            let mut config = CubicConfig::default();
            if let Some(bytes) = initial_window {
                config.initial_window(bytes);
            }
            Arc::new(config)
        }
        QuicController::Bbr3 => {
            let mut config = Bbr3Config::default();
            if let Some(bytes) = initial_window {
                config.initial_window(bytes);
            }
            Arc::new(config)
        }
        QuicController::NewReno => {
            let mut config = NewRenoConfig::default();
            if let Some(bytes) = initial_window {
                config.initial_window(bytes);
            }
            Arc::new(config)
        }
    }
}

/// The controllers of a flow.
pub enum Controllers {
    /// One of this workspace, which listens to what wireless links report.
    Own {
        /// Builds it, and leads to what it does.
        factory: Arc<Factory>,
        /// Tells it of packets that its own link has lost.
        marks: Option<Marks>,
    },
    /// Any other.
    Foreign(SharedFactory),
}

impl fmt::Debug for Controllers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Controllers::Own { factory, .. } => f.debug_tuple("Own").field(factory).finish(),
            Controllers::Foreign(_) => f.debug_struct("Foreign").finish_non_exhaustive(),
        }
    }
}

impl Controllers {
    /// Those of the flow's protocol; `None` for a protocol that paces. Datagrams have up to `mtu`
    /// bytes and `overhead` more on the wire.
    pub fn of_protocol(build: &Build<'_>, mtu: u16, overhead: u32) -> Option<Self> {
        let plan = build.plan;
        let tcp = &plan.tcp;
        // `as` saturates.
        let initial_window = (tcp.initial_window * f64::from(mtu)) as u64;
        Some(match &plan.protocol.transport {
            Transport::Tcp(protocol) => {
                let start = Start::default()
                    .initial_window(tcp.initial_window)
                    .access_rate(tcp.access_rate)
                    .acked_per_ack(if tcp.delayed_ack.is_some() { 2.0 } else { 1.0 })
                    .receive_window(tcp.receive_window)
                    .seed(build.stream("controller").next_u64());
                let marks = (build.wireless.access.is_some() && plan.protocol.listens())
                    .then(Marks::default);
                let controller = match plan.protocol.new_path {
                    // It observes its path, so that it may resume there.
                    NewPath::Resume(Resume { most, .. }) if plan.mobile.is_some() => {
                        let plain = resume::Config::new(protocol.controller.clone());
                        let most = most.map_or(plain.most, f64::from);
                        resume::Config { most, ..plain }.into()
                    }
                    _ => protocol.controller.clone(),
                };
                let factory = Factory::new(controller).start(start).header_bytes(overhead);
                let factory = match &marks {
                    Some(marks) => factory.marks(marks.clone()),
                    None => factory,
                };
                Controllers::Own { factory: Arc::new(factory), marks }
            }
            Transport::Quic(controller) => {
                Controllers::Foreign(library(*controller, Some(initial_window)))
            }
            Transport::Paced(_) => return None,
        })
    }

    /// The factory, as noq takes it.
    pub fn factory(&self) -> SharedFactory {
        match self {
            Controllers::Own { factory, .. } => factory.clone(),
            Controllers::Foreign(factory) => factory.clone(),
        }
    }
}
