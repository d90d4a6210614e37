//! Explanations at the end of the page.

use maud::{Markup, html};

/// Explains the numbers, verdicts and charts.
pub(super) fn notes() -> Markup {
    html! {
        section id="notes" {
            h2 { "How to read this report" }
            ul {
                li {
                    "Each point was run once with each seed; each run is one observation. Means are taken over the \
                     seeds, with their two-sided 95 % confidence interval by Student’s t: “±” half of it or, where it \
                     is clearly asymmetric, “[low, high]”. An interval never holds what cannot be: that of a rate or \
                     a time is taken on a logarithmic scale, that of a share on the scale of the logit. Fewer than \
                     five seeds have no interval, and a number without one was the same with every seed."
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
                    "Claims. A claim of a paper is judged as printed, on the paper’s network, and as fitted where \
                     something was chosen to fit or inferred; it counts once. " em { "Value" } ": met if the mean is \
                     within the tolerance; a value has no direction, so “same direction” means within three times \
                     the tolerance. " em { "Ratio" } ": met if within the tolerance; same direction if the ratio is \
                     on the same side of 1, the interval excludes 1 and the effect, the distance from 1 on a \
                     logarithmic scale, is at least a quarter of the quoted one. " em { "Order" } ": met if every \
                     difference between neighbours, paired by seed, is significant at 95 %; same direction if one \
                     is and none points the other way. " em { "Above" } ": met if the means are above at every value \
                     and most differences are significant; same direction if they are above at most values, and \
                     more significantly above than below. Undecided: half of the interval is at least the value or \
                     the ratio, or no difference is significant, and one is not shown to be within 1 %."
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
