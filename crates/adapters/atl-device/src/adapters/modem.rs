//! A cellular modem under ModemManager.

use serde_json::Value;

use crate::info::LinkInfo;

/// The cell and technology that a modem is registered with: another one is a handoff. Neither p_w
/// nor d_w can be known from it: a modem counts no packets that its link lost, and signal strength
/// says nothing of what its retransmissions leave.
#[derive(Clone, Debug, Default)]
pub struct Modem {
    /// From the modem's state: technologies and operator.
    network: Option<String>,
    /// From its location: cell and area.
    cell: Option<String>,
    epoch: u32,
}

/// The places of what tells networks apart, and cells.
const NETWORK: [&str; 3] =
    ["/modem/generic/access-technologies", "/modem/3gpp/operator-code", "/modem/generic/state"];
const CELL: [&str; 4] = ["mcc", "mnc", "tac", "cid"];

impl Modem {
    /// Takes a modem's state or location; `None` of anything else.
    pub fn take(&mut self, report: &Value) -> Option<LinkInfo> {
        let changed = match report.pointer("/modem/location/3gpp") {
            Some(place) => {
                let cell = CELL.map(|key| known(place.get(key)).unwrap_or_default());
                let cell = (!cell[3].is_empty()).then(|| cell.join("-"));
                follow(&mut self.cell, cell)
            }
            None => {
                let [technologies, operator, state] = NETWORK.map(|path| report.pointer(path));
                let state = known(state)?;
                let registered =
                    matches!(state.as_str(), "registered" | "connecting" | "connected");
                let network = known(operator).filter(|_| registered);
                let technologies = technologies.map(Value::to_string).unwrap_or_default();
                follow(&mut self.network, network.map(|operator| operator + &technologies))
            }
        };
        self.epoch = self.epoch.wrapping_add(u32::from(changed));
        Some(LinkInfo { epoch: self.epoch, ..LinkInfo::UNKNOWN })
    }
}

/// A text that says something: mmcli writes `--` for what it does not know.
fn known(value: Option<&Value>) -> Option<String> {
    let text = value?.as_str()?;
    (!text.is_empty() && text != "--").then(|| text.to_owned())
}

/// True if a place that is known is another than the last one known.
fn follow(last: &mut Option<String>, now: Option<String>) -> bool {
    let Some(now) = now else { return false };
    let before = last.replace(now);
    before.is_some_and(|before| Some(before) != *last)
}
