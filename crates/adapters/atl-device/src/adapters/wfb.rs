//! A link of wfb-ng.

use std::collections::VecDeque;

use serde_json::Value;

use crate::info::LinkInfo;
use crate::interval::{Batch, loss_estimate};

/// Reports in the window: 10 s at the default of one a second.
const RECENT: usize = 10;

/// The statistics of a receiver of wfb-ng: p_w of the direction towards this host, after its
/// forward error correction, which repeats nothing. Its interval is that of counted packets. d_w is
/// not told: it is that of a broadcast, plus the time that a block of the code waits for its rest.
#[derive(Clone, Debug, Default)]
pub struct Wfb {
    /// The stream of which the first report came: others are other links.
    id: Option<String>,
    batches: VecDeque<Batch>,
}

impl Wfb {
    /// Takes a message; `None` if it is not about received packets of the first stream.
    pub fn take(&mut self, message: &Value) -> Option<LinkInfo> {
        if message.get("type")?.as_str()? != "rx" {
            return None;
        }
        let id = message.get("id")?.as_str()?;
        if self.id.get_or_insert_with(|| id.to_owned()) != id {
            return None;
        }
        // Of each counter, what it grew by since the last message comes first.
        let grown = |key: &str| message.get("packets")?.get(key)?.get(0)?.as_u64();
        let (lost, out) = (grown("lost")?, grown("out")?);
        if self.batches.len() == RECENT {
            self.batches.pop_front();
        }
        self.batches.push_back(Batch { packets: out.saturating_add(lost), lost });
        let batches: Vec<Batch> = self.batches.iter().copied().collect();
        Some(LinkInfo { loss: loss_estimate(&batches), ..LinkInfo::UNKNOWN })
    }
}
