//! How to read the page.

use maud::{Markup, html};

/// What the numbers, verdicts and charts mean.
pub(super) fn notes() -> Markup {
    html! {
        section id="notes" {
            h2 { "How to read this report" }
            ul {
                li {
                    "Each point was run once with each seed; each run is one observation. Means are taken over the \
                     seeds, and “±” is half of the two-sided 95 % confidence interval (Student’s t with n − 1 degrees \
                     of freedom for n seeds). A single seed has no interval."
                }
                li {
                    "Differences and ratios are taken seed by seed: with the same seed, every protocol meets the same \
                     losses on the same links. The interval of a ratio of means is that of the classical ratio \
                     estimator."
                }
                li {
                    "Throughput counts every byte that left the source onto its first link, headers and \
                     retransmissions included; goodput counts application bytes received in order, each once."
                }
                li {
                    "Quotes. " em { "Value" } ": met if the mean is within the tolerance; a value has no direction, \
                     so “same direction” means within three times the tolerance. " em { "Ratio" } ": met if within \
                     the tolerance; same direction if the ratio is on the same side of 1, the interval excludes 1 \
                     (with one seed the ratio alone decides) and the effect, the distance from 1 on a logarithmic \
                     scale, is at least a quarter of the quoted one. " em { "Order" } ": met if every difference \
                     between neighbours is significant at 95 %, paired by seed; same direction if the means are in \
                     order. " em { "Above" } ": met if above at every value; same direction if at more than half of \
                     them."
                }
                li.screen {
                    "Charts: drag across a chart to zoom in, double-click to reset. With the keyboard: Tab moves to a \
                     chart, ← → move the cursor, + − zoom, 0 or Esc resets. Click a name in the legend to hide its \
                     curve."
                }
            }
        }
    }
}
