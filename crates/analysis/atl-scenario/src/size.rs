//! Limits on the size of a sweep, which are found to be passed before any point is read.

use crate::errors::Problem;
use crate::points::Points;
use crate::sweep::flow_count;
use crate::table::Cx;
use crate::tree::Node;

/// Limit on the flows of all points together.
pub(crate) const MAX_FLOWS: usize = 1_000_000;
/// Limit on the runs of a sweep, ten times what its memory is tested with. All of them leave
/// results on the disk.
const MAX_RUNS: usize = 10_000_000;

/// Reports too many runs before any point is read.
pub(crate) fn too_many_runs(
    tree: &Node,
    points: &Points<'_>,
    seeds: Option<&[u64]>,
    cx: Cx<'_>,
) -> bool {
    let (points, seeds) = (points.len(), seeds.map_or(0, <[u64]>::len));
    let runs = points.saturating_mul(seeds);
    if runs > MAX_RUNS {
        let place = tree.get("seeds").map_or(tree.at, |seeds| seeds.at);
        let all = format!("{points} points with {seeds} seeds each are {runs} runs");
        let problem = Problem::new(format!("{all}: at most {MAX_RUNS} are allowed"));
        let problem = problem.at(place).key("seeds");
        cx.sink.report(problem.help(format!(
            "lower `seeds` to {}, or list fewer values in `sweep`",
            MAX_RUNS / points
        )));
    }
    runs > MAX_RUNS
}

/// Reports too many flows over all points before any point is read, since each setup takes
/// memory.
pub(crate) fn too_many_flows(tree: &Node, points: &Points<'_>, cx: Cx<'_>) -> bool {
    let mut flows = 0_u64;
    let many = points.iter().any(|point| {
        flows = flows.saturating_add(flow_count(tree, &point));
        flows > MAX_FLOWS as u64
    });
    if many {
        let all = format!("all points together have more than {MAX_FLOWS} flows");
        let at = tree.get("flow").map_or(tree.at, |flow| flow.at);
        let help = "lower `count`, or list fewer values in `sweep`";
        cx.sink.report(Problem::new(all).at(at).key("flow").help(help));
    }
    many
}
