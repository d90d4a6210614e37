//! Scripts and styles that the page embeds, so that it needs no network.

pub(super) const UPLOT_JS: &str =
    include_str!("../../assets/vendor/uplot-1.6.32/uPlot.iife.min.js");
pub(super) const UPLOT_CSS: &str = include_str!("../../assets/vendor/uplot-1.6.32/uPlot.min.css");
pub(super) const UPLOT_LICENSE: &str = include_str!("../../assets/vendor/uplot-1.6.32/LICENSE");
pub(super) const REPORT_JS: &str = include_str!("../../assets/report.js");
pub(super) const REPORT_CSS: &str = include_str!("../../assets/report.css");
