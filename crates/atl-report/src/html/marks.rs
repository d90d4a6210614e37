//! Handoffs and blackouts of wireless links, as marks on figures over time.

use atl_scenario::scenario::Point;
use atl_scenario::setup::LinkSetup;

use super::chart::Mark;

/// The handoffs and blackouts of the first wireless link on a flow's path that has any.
fn of_link(point: &Point, flow: Option<usize>) -> Vec<Mark> {
    let setup = &point.setup;
    let flows = setup.flows.iter().enumerate().filter(|(i, _)| flow.is_none_or(|f| f == *i));
    let changing = |link: &&LinkSetup| {
        link.wireless && !(link.config.schedule.is_empty() && link.config.blackouts.is_empty())
    };
    let mut links = flows
        .flat_map(|(_, f)| f.paths.iter().flat_map(|p| p.forward.iter().chain(&p.back)))
        .filter_map(|&i| setup.links.get(i));
    let Some(link) = links.find(changing) else {
        return Vec::new();
    };
    let mut marks = Vec::new();
    if !link.config.schedule.is_empty() {
        marks.push(Mark {
            x: 0.0,
            to: None,
            text: link.config.initial.name.to_string(),
            curve: None,
        });
    }
    for change in &link.config.schedule {
        marks.push(Mark {
            x: change.at.secs(),
            to: None,
            text: change.to.name.to_string(),
            curve: None,
        });
    }
    for blackout in &link.config.blackouts {
        let from = blackout.at.secs();
        let text = "blackout".to_owned();
        marks.push(Mark { x: from, to: Some(from + blackout.lasts.secs()), text, curve: None });
    }
    marks
}

/// The marks of a figure: once if all curves share them, otherwise separately for each curve.
pub(super) fn of(curves: &[(&Point, Option<usize>)]) -> Vec<Mark> {
    let each: Vec<Vec<Mark>> = curves.iter().map(|&(point, flow)| of_link(point, flow)).collect();
    // A wired flow has no marks and does not keep the other flows from sharing theirs.
    let mut distinct = each.iter().filter(|m| !m.is_empty());
    match distinct.next() {
        None => Vec::new(),
        Some(first) if distinct.all(|m| m == first) => first.clone(),
        Some(_) => each
            .into_iter()
            .enumerate()
            .flat_map(|(i, marks)| marks.into_iter().map(move |m| Mark { curve: Some(i), ..m }))
            .collect(),
    }
}
