//! The rates of cells, as the map shows them.

use atl_engine::setup::{Map, Setup};
use atl_link::{Config, Service};

/// Rates of a cell: `6 Mb/s`, or `6 / 2 Mb/s` if the uplink's differs.
pub(super) fn rates(setup: &Setup, map: &Map, cell: usize) -> String {
    let downlink = map.cells[cell].downlink;
    let rate = |link: usize| setup.links.get(link).map_or_else(String::new, |l| rate(&l.config));
    let (down, up) = (rate(downlink), rate(downlink + 1));
    if down == up { down } else { format!("{down} down, {up} up") }
}

pub(super) fn rate(config: &Config) -> String {
    match &config.initial.service {
        Service::Constant(rate) => format!("{} Mb/s", plain(rate.mbps())),
        Service::Ramp(ramp) => {
            format!("{} to {} Mb/s", plain(ramp.from.mbps()), plain(ramp.to.mbps()))
        }
        Service::Blocked(sight) => {
            let [clear, blocked] = [sight.clear, sight.blocked].map(|rate| plain(rate.mbps()));
            format!("{clear} Mb/s, {blocked} while blocked")
        }
        Service::Wifi(wifi) => format!("Wi-Fi, {} Mb/s", plain(wifi.rate.mbps())),
        Service::Unlimited => "unlimited".to_owned(),
        Service::Trace(trace) => format!("recorded, {} Mb/s", plain(trace.mean_rate().mbps())),
    }
}

/// Number with up to three decimals, without trailing zeros.
pub(super) fn plain(value: f64) -> String {
    // Adding zero turns -0 into 0.
    format!("{}", (value * 1e3).round() / 1e3 + 0.0)
}
