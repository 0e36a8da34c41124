//! What the modifiers of moves do.

use crate::ast::{Description, Rule, RuleId};
use rg_ir::ids::Id;

/// What a modifier does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Act {
    /// It puts a piece on the current vertex.
    Put {
        /// The piece.
        piece: u32,
        /// The pieces one of which was there before, if the rules say so right before it.
        before: Option<Vec<u32>>,
    },
    /// It assigns a value, or hands over.
    Other,
}

/// A modifier.
#[derive(Clone, Debug)]
pub(super) struct Modifier {
    /// As it is written.
    pub(super) text: String,
    pub(super) act: Act,
}

/// The modifiers by index; entry 0 is empty. Linear in the rules.
pub(super) fn modifiers(description: &Description) -> Vec<Modifier> {
    let none = Modifier { text: String::new(), act: Act::Other };
    let mut modifiers = vec![none.clone()];
    let nodes = &description.rules.nodes;
    for (id, (rule, _)) in nodes.iter().enumerate() {
        let (index, act) = match rule {
            Rule::Off { index, piece } => (*index as usize, Act::Put { piece: *piece, before: None }),
            Rule::Assign { index, .. } | Rule::Switch { index, .. } => (*index as usize, Act::Other),
            _ => continue,
        };
        // Indices are dense, so there are no more of them than rules.
        if index == 0 || index > nodes.len() {
            continue;
        }
        if modifiers.len() <= index {
            modifiers.resize(index + 1, none.clone());
        }
        if let Some(slot) = modifiers.get_mut(index) {
            *slot = Modifier { text: crate::print::action(description, RuleId::from_index(id)), act };
        }
    }
    for (rule, _) in nodes {
        if let Rule::Concat(factors) = rule {
            note_before(description, factors, &mut modifiers);
        }
    }
    modifiers
}

/// Notes what was on the vertices of modifiers before, as the factors right before them say.
fn note_before(description: &Description, factors: &[RuleId], modifiers: &mut [Modifier]) {
    let mut known: Option<Vec<u32>> = None;
    for factor in factors {
        match description.rules.nodes.get(factor.index()).map(|(rule, _)| rule) {
            Some(Rule::On(pieces)) => known = Some(pieces.clone()),
            Some(Rule::Off { piece, index }) => {
                if let Some(Modifier { act: Act::Put { before, .. }, .. }) = modifiers.get_mut(*index as usize) {
                    before.clone_from(&known);
                }
                known = Some(vec![*piece]);
            }
            // These stay on the vertex.
            Some(Rule::Check { .. } | Rule::Compare { .. } | Rule::Assign { .. } | Rule::Dot) => {}
            _ => known = None,
        }
    }
}
