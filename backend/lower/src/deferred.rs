//! Variables that moves change and nobody asks for before the move is made.
//!
//! How many pieces of a kind there are changes with what a move captures, but which moves there are does not depend on
//! it. Such assignments are left to making the move: finding moves need not tell captures of different pieces apart.

use super::Lifter;
use super::ahead::{read_by, variables};
use super::layout::Kind;
use super::numbers::path;
use super::region::{Region, ends};
use rg_ir::ids::Id;
use rg_ir::{Expr, ExprId, Label, VarId};
use rustc_hash::FxHashSet;

impl Lifter<'_> {
    /// The variables of a region of moves whose assignments can wait: at least one depends on an entry of a map of sets,
    /// and only assignments to themselves read them.
    pub(super) fn deferrable(&self, region: &Region) -> FxHashSet<VarId> {
        let game = self.game;
        let kind = |var: VarId| self.known.kinds.get(var.index()).copied();
        let (mut wanted, mut never) = (FxHashSet::default(), FxHashSet::default());
        never.extend(self.known.player.into_iter().chain(self.known.visible));
        for &node in region.members.iter().flatten() {
            for &id in game.automaton.outgoing(node) {
                let edge = game.automaton.edge(id);
                if !region.contains(edge.target) && !ends(game, region.goal, &edge.label, edge.target) {
                    continue;
                }
                match edge.label {
                    Label::Reach { from, to, .. } => never.extend(read_by(game, from, to)),
                    Label::TagVar(var) => {
                        never.insert(var);
                    }
                    Label::AssignAny { lhs, .. } => variables(game, lhs, &mut never),
                    Label::Assign { lhs, rhs } => {
                        let (Expr::Var(target), keys) = path(game, lhs) else { continue };
                        let mut read = FxHashSet::default();
                        let exprs = || keys.iter().copied().chain([rhs]);
                        exprs().for_each(|expr: ExprId| variables(game, expr, &mut read));
                        read.remove(&target);
                        let single = matches!(kind(target), Some(Kind::Scalar | Kind::Cells));
                        let position = matches!(self.class_of(lhs), Ok(Some(class)) if self.is_position(class));
                        if !single || position {
                            never.insert(target);
                        } else if read.iter().any(|&var| kind(var) == Some(Kind::Sets)) {
                            wanted.insert(target);
                        }
                        never.extend(read);
                    }
                    label => label.exprs().for_each(|expr| variables(game, expr, &mut never)),
                }
            }
        }
        wanted.retain(|var| !never.contains(var));
        wanted
    }
}
