//! Depth-first search for cycles: of type aliases and of constants.

/// What a search over a graph of `0..n` finds.
#[derive(Debug, Default)]
pub(crate) struct Cycles {
    /// One cycle for every vertex that closes one, as a list of vertices; at most [`MAX_CYCLES`].
    pub(crate) cycles: Vec<Vec<usize>>,
    /// All vertices, successors first (except along cycles).
    pub(crate) order: Vec<usize>,
}

/// How many cycles are looked for: more are not shown.
const MAX_CYCLES: usize = 100;

/// Searches a graph given by the successors of its vertices; successors out of range are ignored.
/// Linear, up to the lengths of the cycles found; no recursion.
pub(crate) fn find(successors: &[Vec<usize>]) -> Cycles {
    let mut found = Cycles::default();
    // Position on the path while it is on it; then `Done`.
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        OnPath(usize),
        Done,
    }
    let mut states = vec![State::New; successors.len()];
    let mut closed = vec![false; successors.len()];
    let mut path: Vec<(usize, std::slice::Iter<usize>)> = Vec::new();
    for root in 0..successors.len() {
        let mut next = Some(root);
        loop {
            if let Some(vertex) = next.take() {
                match states.get(vertex).copied() {
                    Some(State::New) => {
                        if let (Some(state), Some(list)) = (states.get_mut(vertex), successors.get(vertex)) {
                            *state = State::OnPath(path.len());
                            path.push((vertex, list.iter()));
                        }
                    }
                    Some(State::OnPath(at)) => {
                        let closing = closed.get_mut(vertex).map(|closed| std::mem::replace(closed, true));
                        if closing == Some(false) && found.cycles.len() < MAX_CYCLES {
                            found.cycles.push(path.iter().skip(at).map(|&(vertex, _)| vertex).collect());
                        }
                    }
                    Some(State::Done) | None => {}
                }
            }
            let Some((vertex, rest)) = path.last_mut() else { break };
            match rest.next() {
                Some(&successor) => next = Some(successor),
                None => {
                    if let Some(state) = states.get_mut(*vertex) {
                        *state = State::Done;
                    }
                    found.order.push(*vertex);
                    path.pop();
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_are_found_once_and_the_order_is_bottom_up() {
        let found = find(&[vec![1], vec![2, 2], vec![0, 3], vec![], vec![4, 9]]);
        assert_eq!(found.cycles, [vec![0, 1, 2], vec![4]]);
        assert_eq!(found.order, [3, 2, 1, 0, 4]);
    }

    #[test]
    fn long_chains_do_not_overflow_the_stack() {
        let chain: Vec<Vec<usize>> = (0..200_000).map(|i| vec![i + 1]).collect();
        assert!(find(&chain).cycles.is_empty());
    }
}
