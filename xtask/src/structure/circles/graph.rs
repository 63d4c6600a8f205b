//! A directed graph and its strongly connected components.

use std::collections::{BTreeMap, BTreeSet};

/// Edges between nodes, each with a value of the caller.
pub(super) struct Graph<E> {
    edges: BTreeMap<usize, BTreeMap<usize, E>>,
}

impl<E> Graph<E> {
    pub(super) fn new() -> Self {
        Self { edges: BTreeMap::new() }
    }

    /// Adds an edge, unless there is one between these nodes.
    pub(super) fn add(&mut self, from: usize, to: usize, edge: E) {
        self.edges.entry(from).or_default().entry(to).or_insert(edge);
    }

    pub(super) fn edges_within<'g>(
        &'g self,
        nodes: &'g BTreeSet<usize>,
    ) -> impl Iterator<Item = (usize, usize, &'g E)> {
        let of_nodes = self.edges.iter().filter(|(from, _)| nodes.contains(from));
        of_nodes
            .flat_map(|(from, edges)| edges.iter().map(|(to, edge)| (*from, *to, edge)))
            .filter(|(_, to, _)| nodes.contains(to))
    }

    /// The strongly connected components of two nodes or more.
    ///
    /// Computed from the set of nodes that each node reaches: quadratic, which is fast enough for the files of a crate.
    pub(super) fn circles(&self) -> Vec<BTreeSet<usize>> {
        let reached: BTreeMap<usize, BTreeSet<usize>> =
            self.edges.keys().map(|node| (*node, self.reached_from(*node))).collect();
        let reaches = |from: usize, to: usize| reached.get(&from).is_some_and(|nodes| nodes.contains(&to));
        let circle = |node: usize| -> BTreeSet<usize> {
            reached.keys().copied().filter(|other| reaches(node, *other) && reaches(*other, node)).collect()
        };
        let circles: BTreeSet<BTreeSet<usize>> =
            reached.keys().map(|node| circle(*node)).filter(|nodes| nodes.len() > 1).collect();
        circles.into_iter().collect()
    }

    /// The nodes that `node` reaches; includes `node` itself only if a path leads back to it.
    fn reached_from(&self, node: usize) -> BTreeSet<usize> {
        let mut reached = BTreeSet::new();
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            let next = self.edges.get(&node).into_iter().flat_map(BTreeMap::keys);
            open.extend(next.copied().filter(|node| reached.insert(*node)));
        }
        reached
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn circles(edges: &[(usize, usize)]) -> Vec<Vec<usize>> {
        let mut graph = Graph::new();
        edges.iter().for_each(|(from, to)| graph.add(*from, *to, ()));
        graph.circles().into_iter().map(|nodes| nodes.into_iter().collect()).collect()
    }

    #[test]
    fn an_acyclic_graph_has_no_circle() {
        assert!(circles(&[(0, 1), (1, 2), (0, 2), (3, 2)]).is_empty());
    }

    #[test]
    fn an_edge_from_a_node_to_itself_is_no_circle() {
        assert!(circles(&[(0, 0), (0, 1)]).is_empty());
    }

    #[test]
    fn separate_circles_stay_separate() {
        assert_eq!(circles(&[(0, 1), (1, 0), (1, 2), (2, 3), (3, 4), (4, 2)]), [vec![0, 1], vec![2, 3, 4]]);
    }
}
