// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which nodes of a graph every way to a node passes: Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm".
//! In the reverse graph, from a node that stands for the end of every way, these are the post-dominators.

use crate::Graph;

/// The dominators of each node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dominators {
    /// The nearest one of each node, itself for the root; `None` where no way leads.
    nearest: Vec<Option<usize>>,
}

impl Dominators {
    /// Of the blocks of a function.
    pub fn of(graph: &Graph) -> Dominators {
        Dominators::new(&successors(graph), graph.entry)
    }

    /// Blocks that every way from a block to an end passes. The end has the number of blocks as its number; a block
    /// from which no way ends has none.
    pub fn post(graph: &Graph) -> Dominators {
        let ends = graph.blocks.iter().map(|block| block.end.is_some());
        Dominators::behind(&successors(graph), ends)
    }

    fn behind(successors: &[Vec<usize>], ends: impl Iterator<Item = bool>) -> Dominators {
        let end = successors.len();
        let mut reverse = vec![Vec::new(); end + 1];
        for (from, (behind, ends)) in successors.iter().zip(ends).enumerate() {
            behind.iter().for_each(|to| reverse[*to].push(from));
            if ends {
                reverse[end].push(from);
            }
        }
        Dominators::new(&reverse, end)
    }

    pub(crate) fn new(successors: &[Vec<usize>], root: usize) -> Dominators {
        let order = reverse_postorder(successors, root);
        let mut number = vec![usize::MAX; successors.len()];
        for (place, node) in order.iter().enumerate() {
            number[*node] = place;
        }
        let mut predecessors = vec![Vec::new(); successors.len()];
        for node in &order {
            successors[*node].iter().for_each(|to| predecessors[*to].push(*node));
        }
        let mut nearest = vec![None; successors.len()];
        nearest[root] = Some(root);
        let mut changed = true;
        while changed {
            changed = false;
            for node in order.iter().skip(1) {
                let known = predecessors[*node].iter().filter(|it| nearest[**it].is_some());
                let joined = known.copied().reduce(|a, b| common(&nearest, &number, a, b));
                changed |= joined != nearest[*node];
                nearest[*node] = joined;
            }
        }
        Dominators { nearest }
    }

    /// The nearest dominator of a node, but for itself.
    pub fn nearest(&self, node: usize) -> Option<usize> {
        self.nearest[node].filter(|nearest| *nearest != node)
    }

    /// Whether every way to `node` passes `by`, as it does if they are the same; not if no way leads to `node`.
    pub fn passes(&self, node: usize, by: usize) -> bool {
        let is_reached = self.nearest[node].is_some();
        is_reached
            && std::iter::successors(Some(node), |node| self.nearest(*node)).any(|it| it == by)
    }
}

/// The last node that dominates both.
fn common(nearest: &[Option<usize>], number: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        let later = if number[a] > number[b] { &mut a } else { &mut b };
        *later = nearest[*later].expect("it was reached");
    }
    a
}

/// The blocks behind each block.
pub(crate) fn successors(graph: &Graph) -> Vec<Vec<usize>> {
    graph.blocks.iter().map(|block| block.edges.iter().map(|edge| edge.to).collect()).collect()
}

/// The nodes to which a way leads from `root`, each before what follows it, except at the edges that lead back.
pub(crate) fn reverse_postorder(successors: &[Vec<usize>], root: usize) -> Vec<usize> {
    let mut seen = vec![false; successors.len()];
    seen[root] = true;
    let mut open = vec![(root, 0)];
    let mut order = Vec::new();
    while let Some((node, done)) = open.last_mut() {
        match successors[*node].get(*done) {
            Some(to) => {
                *done += 1;
                if !std::mem::replace(&mut seen[*to], true) {
                    open.push((*to, 0));
                }
            }
            None => {
                order.push(*node);
                open.pop();
            }
        }
    }
    order.reverse();
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Random, reached};

    /// No node of a graph.
    const NONE: usize = usize::MAX;

    #[test]
    fn a_node_that_cannot_be_reached_without_another_one_is_dominated_by_it() {
        let mut random = Random(21);
        for _ in 0..3_000 {
            let successors = random.graph();
            let dominators = Dominators::new(&successors, 0);
            for by in 0..successors.len() {
                let (all, others) = (reached(&successors, 0, NONE), reached(&successors, 0, by));
                for node in 0..successors.len() {
                    let passes = all.contains(&node) && !others.contains(&node);
                    assert_eq!(dominators.passes(node, by), passes, "{node} {by} {successors:?}");
                }
            }
        }
    }

    #[test]
    fn a_node_that_does_not_come_to_an_end_without_another_one_is_postdominated_by_it() {
        let mut random = Random(22);
        for _ in 0..3_000 {
            let successors = random.graph();
            let ends: Vec<bool> = successors.iter().map(|_| random.below(3) == 0).collect();
            let dominators = Dominators::behind(&successors, ends.iter().copied());
            for node in 0..successors.len() {
                let comes = |but| reached(&successors, node, but).iter().any(|it| ends[*it]);
                assert_eq!(dominators.passes(node, successors.len()), comes(NONE));
                for by in 0..successors.len() {
                    let passes = comes(NONE) && !comes(by);
                    assert_eq!(dominators.passes(node, by), passes, "{node} {by} {successors:?}");
                }
            }
        }
    }

    #[test]
    fn what_every_way_passes_dominates() {
        //  0 -> 1 -> 3 -> 4,  0 -> 2 -> 3,  4 -> 1, and 5 is not reached
        let successors = [vec![1, 2], vec![3], vec![3], vec![4], vec![1], vec![4]];
        let dominators = Dominators::new(&successors, 0);
        let nearest: Vec<_> = (0..6).map(|node| dominators.nearest(node)).collect();
        assert_eq!(nearest, [None, Some(0), Some(0), Some(0), Some(3), None]);
        assert!(dominators.passes(4, 3) && dominators.passes(4, 0) && dominators.passes(4, 4));
        assert!(!dominators.passes(4, 1) && !dominators.passes(5, 5));
    }
}
