//! Routes with the fewest links; ties are broken by the links' order in the file.

use std::collections::VecDeque;

/// A link's source and destination, as indices of nodes.
pub type Ends = (usize, usize);

/// Links of the route between two nodes; `None` if there is none. Among routes of equal length, the
/// one whose links come first in the file wins, so that routes are deterministic.
pub fn route(nodes: usize, links: &[Ends], from: usize, to: usize) -> Option<Vec<usize>> {
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
    let mut path = Vec::new();
    let mut node = to;
    while node != from {
        let link = reached[node]?;
        path.push(link);
        node = links[link].0;
    }
    path.reverse();
    Some(path)
}

/// Nodes reachable from a node.
pub fn reachable(nodes: usize, links: &[Ends], from: usize) -> Vec<usize> {
    (0..nodes).filter(|&to| to != from && route(nodes, links, from, to).is_some()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_path_wins_and_then_the_first_in_the_file() {
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
    fn a_cycle_does_not_trap_the_search() {
        let links = [(0, 1), (1, 0), (1, 2), (2, 1)];
        assert_eq!(route(4, &links, 0, 2), Some(vec![0, 2]));
        assert_eq!(route(4, &links, 0, 3), None);
        assert_eq!(reachable(4, &links, 0), [1, 2]);
    }
}
