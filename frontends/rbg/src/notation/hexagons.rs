//! Rectangles whose cells the rules use as hexagons.

use super::picture::grid;
use crate::ast::{Description, Rule, RuleId};
use rg_ir::ids::Id as _;
use rg_ir::scene::Slant;
use std::collections::BTreeSet;

/// A step: columns to the right, and rows upwards.
type Step = (i64, i64);

/// How the columns of a rectangle lean, if its cells are hexagons: somewhere the rules choose between steps to the six neighbours of one,
/// and nowhere between steps along the other diagonal. `None` for other boards. Linear.
pub(super) fn slant(description: &Description) -> Option<Slant> {
    let labels = labels(description)?;
    let nodes = &description.rules.nodes;
    // Children come before their parents.
    let mut words: Vec<Option<Step>> = Vec::with_capacity(nodes.len());
    let mut choices: Vec<Option<BTreeSet<Step>>> = Vec::with_capacity(nodes.len());
    let mut all: BTreeSet<Step> = BTreeSet::new();
    let mut found = None;
    for (rule, _) in nodes {
        let word = |id: &RuleId| words.get(id.index()).copied().flatten();
        let own = match rule {
            Rule::Shift(label) => labels.get(*label as usize).copied().flatten(),
            Rule::Concat(factors) => {
                factors.iter().map(word).try_fold((0, 0), |(x, y), step| step.map(|step| (x + step.0, y + step.1)))
            }
            _ => None,
        };
        let choice = match rule {
            Rule::Sum(alternatives) => alternatives.iter().try_fold(BTreeSet::new(), |mut steps, id| {
                match (word(id), choices.get(id.index()).and_then(Option::as_ref)) {
                    (Some(step), _) => _ = steps.insert(step),
                    (None, Some(inner)) => steps.extend(inner),
                    (None, None) => return None,
                }
                Some(steps)
            }),
            _ => None,
        };
        if let Some(steps) = &choice {
            all.extend(steps);
            found = found.or(Slant::of(steps.iter().copied()));
        }
        words.push(own);
        choices.push(choice);
    }
    found.filter(|_| Slant::of(all).is_some())
}

/// The step of each label, if all its edges make the same; `None` if the vertices are not those of a rectangle.
fn labels(description: &Description) -> Option<Vec<Option<Step>>> {
    let board = &description.board;
    let at = |name: &str| grid(name).map(|(column, row)| (i64::from(column), -i64::from(row)));
    let places: Vec<Step> = board.vertices.iter().map(|vertex| at(&vertex.name.text)).collect::<Option<_>>()?;
    let mut steps: Vec<Option<BTreeSet<Step>>> = vec![None; board.labels.len()];
    for (vertex, from) in board.vertices.iter().zip(&places) {
        for &(label, to) in &vertex.edges {
            if let (Some(steps), Some(to)) = (steps.get_mut(label as usize), places.get(to as usize)) {
                steps.get_or_insert_default().insert((to.0 - from.0, to.1 - from.1));
            }
        }
    }
    let only =
        |steps: Option<BTreeSet<Step>>| steps.filter(|steps| steps.len() == 1).and_then(|steps| steps.first().copied());
    Some(steps.into_iter().map(only).collect())
}
