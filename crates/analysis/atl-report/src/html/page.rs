//! The document around the sections: head, styles, data and scripts.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::archive::Archive;
use super::assets;
use super::files::Placed;
use crate::figure::palette;

/// Content security policy: the page may run its own scripts but load nothing.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; \
                      base-uri 'none'; form-action 'none'";

/// Maker of the page, by which it is told from the pages of others.
const GENERATOR: &str = "atl";

/// True for the HTML of a report of ours.
pub fn is_report(page: &str) -> bool {
    // Pages from before they had a maker hold their charts in a form that can be read back.
    let maker = html! { meta name="generator" content=(GENERATOR); };
    page.contains(&maker.into_string()) || Archive::read(page).is_ok()
}

pub(super) fn document(title: &str, body: &Markup, charts: &[Placed]) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="generator" content=(GENERATOR);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                title { (title) }
                style {
                    (PreEscaped(assets::UPLOT_CSS)) "\n"
                    (PreEscaped(palette::css()))
                    (PreEscaped(assets::REPORT_CSS))
                }
            }
            body {
                main {
                    noscript {
                        p.warning {
                            "Scripts are disabled, so the charts are not drawn. All tables, including the numbers \
                             behind the figures, work without them."
                        }
                    }
                    (body)
                }
                script type="application/json" id="charts" { (PreEscaped(data(charts))) }
                script {
                    "\n/* uPlot 1.6.32\n" (PreEscaped(assets::UPLOT_LICENSE)) "*/\n"
                    (PreEscaped(assets::UPLOT_JS))
                }
                script { "\nconst LOOKS = " (PreEscaped(looks())) ";\n" (PreEscaped(assets::REPORT_JS)) }
            }
        }
    }
}

/// The charts as JSON, escaped so that no text ends the script element or opens a comment.
fn data(charts: &[Placed]) -> String {
    ordered(serde_json::json!(charts)).replace('<', "\\u003c")
}

/// Palette for the script, as JSON.
fn looks() -> String {
    ordered(serde_json::json!(palette::ForScript::new()))
}

/// Heading of a level from 1 to 4; deeper ones become 4.
pub(super) fn heading(level: u8, text: &str) -> Markup {
    html! {
        @match level {
            1 => h1 { (text) },
            2 => h2 { (text) },
            3 => h3 { (text) },
            _ => h4 { (text) },
        }
    }
}

/// JSON with sorted keys. Another crate of the build may turn on `serde_json`'s `preserve_order`;
/// sorting gives the same bytes regardless.
fn ordered(mut value: serde_json::Value) -> String {
    value.sort_all_objects();
    value.to_string()
}
