//! The qlog of one connection.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use atl_core::time::{Epoch, Time};
use noq_proto::{ConnectionId, QlogConfig, QlogFactory, Side};

use crate::options::Log;

/// Gives its log to the first connection that asks.
pub(crate) struct Once {
    log: Mutex<Option<Log>>,
    epoch: Epoch,
    title: String,
}

impl Once {
    pub(crate) fn new(log: Log, epoch: Epoch, title: &str) -> Self {
        Once { log: Mutex::new(Some(log)), epoch, title: title.to_owned() }
    }
}

impl QlogFactory for Once {
    fn for_connection(
        &self,
        _side: Side,
        _remote: std::net::SocketAddr,
        _initial_dst_cid: ConnectionId,
        now: Instant,
    ) -> Option<QlogConfig> {
        let log = self.log.lock().unwrap_or_else(PoisonError::into_inner).take()?;
        let mut config = QlogConfig::new(log);
        config.title(Some(self.title.clone()));
        config.start_time(self.epoch.instant(Time::ZERO).unwrap_or(now));
        Some(config)
    }
}
