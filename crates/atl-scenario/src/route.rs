//! The way of a flow: fewest links, ties broken by the file's order.

use std::collections::VecDeque;

/// A link's two ends.
pub(crate) type Ends = (usize, usize);

/// The links from one node to another, in order; `None` if no way leads there. Among ways with equally
/// few links the one whose links come first in the file wins, so that a route never depends on chance.
pub(crate) fn route(nodes: usize, links: &[Ends], from: usize, to: usize) -> Option<Vec<usize>> {
    let mut reached: Vec<Option<usize>> = vec![None; nodes];
    let mut waiting = VecDeque::from([from]);
    while let Some(node) = waiting.pop_front() {
        if node == to {
            break;
        }
        for (link, &(a, b)) in links.iter().enumerate() {
            if a == node && b != from && reached[b].is_none() {
                reached[b] = Some(link);
                waiting.push_back(b);
            }
        }
    }
    let mut way = Vec::new();
    let mut node = to;
    while node != from {
        let link = reached[node]?;
        way.push(link);
        node = links[link].0;
    }
    way.reverse();
    Some(way)
}

/// The nodes that a node's packets can get to.
pub(crate) fn reachable(nodes: usize, links: &[Ends], from: usize) -> Vec<usize> {
    (0..nodes).filter(|&to| to != from && route(nodes, links, from, to).is_some()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_way_wins_and_then_the_first_in_the_file() {
        //    1
        //  /   \
        // 0     3, and a detour 0-4-5-3
        //  \   /
        //    2
        let links = [(0, 4), (4, 5), (5, 3), (0, 2), (2, 3), (0, 1), (1, 3)];
        assert_eq!(route(6, &links, 0, 3), Some(vec![3, 4]));
        assert_eq!(route(6, &links, 0, 5), Some(vec![0, 1]));
        assert_eq!(route(6, &links, 3, 0), None);
        assert_eq!(route(6, &[(0, 1), (0, 1)], 0, 1), Some(vec![0]));
    }

    #[test]
    fn a_circle_does_not_trap_it() {
        let links = [(0, 1), (1, 0), (1, 2), (2, 1)];
        assert_eq!(route(4, &links, 0, 2), Some(vec![0, 2]));
        assert_eq!(route(4, &links, 0, 3), None);
        assert_eq!(reachable(4, &links, 0), [1, 2]);
    }
}
