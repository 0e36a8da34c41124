//! Types with names, one level deep (catalogue of passes, 7.5).

use crate::pass::{Context, Pass, Phase};
use crate::type_names::TypeNames;
use rg_ir::types::TypeKind;
use rg_ir::{Game, Label, Pragma, TypeId};

/// Gives every type a name, so that a map type is one level deep and its parts are names.
///
/// ```text
/// type A = { a, b };   var m: A -> { 0, 1 } -> A = { :{ :a } };
/// ```
/// becomes
/// ```text
/// type A = { a, b };   type Set = { 0, 1 };   type Set_to_A = Set -> A;   type A_to_Set_to_A = A -> Set_to_A;
/// var m: A_to_Set_to_A = { :{ :a } };
/// ```
///
/// *Correct*, since names of types are transparent. Equal types share a name, also one that is already declared.
/// O(declarations + edges).
pub struct TypeForm;

impl Pass for TypeForm {
    fn name(&self) -> &'static str {
        "type-form"
    }

    fn summary(&self) -> &'static str {
        "name all types, so that map types are one level deep"
    }

    fn phase(&self) -> Phase {
        Phase::Request
    }

    fn keeps_claims(&self) -> bool {
        true
    }

    fn run(&self, game: &mut Game, _: &mut Context) -> bool {
        let mut names = TypeNames::new(game);
        let mut changed = false;
        let mut rebind = false;
        for id in game.type_decls.ids() {
            let old = game.type_decls[id].definition;
            let new = names.flat(game, old);
            if old != new {
                game.type_decls[id].definition = new;
                rebind = true;
            }
        }
        if rebind {
            // Aliases are bound to definitions when they are declared.
            game.retain_declarations(|_| true, |_| true, |_| true);
            names = TypeNames::new(game);
        }
        let mut name = |game: &mut Game, ty: TypeId| {
            let new = names.name(game, ty);
            changed |= new != ty;
            new
        };
        for id in game.consts.ids() {
            game.consts[id].ty = name(game, game.consts[id].ty);
        }
        for id in game.vars.ids() {
            game.vars[id].ty = name(game, game.vars[id].ty);
        }
        let mut pragmas = std::mem::take(&mut game.pragmas);
        for decl in &mut pragmas {
            if let Pragma::SimpleApply { tags, .. } = &mut decl.pragma {
                for ty in tags.iter_mut().filter_map(|tag| tag.ty.as_mut()) {
                    *ty = name(game, *ty);
                }
            }
        }
        game.pragmas = pragmas;
        let unnamed = |game: &Game, label: &Label| match *label {
            Label::AssignAny { ty, .. } if !matches!(game.types.kind(ty), TypeKind::Name(_)) => Some(ty),
            _ => None,
        };
        let choices: Vec<_> =
            game.automaton.edges().filter_map(|(id, edge)| Some((id, unnamed(game, &edge.label)?))).collect();
        for (id, ty) in choices {
            if let Label::AssignAny { lhs, .. } = game.automaton.edge(id).label {
                let ty = name(game, ty);
                game.automaton.set_label(id, Label::AssignAny { lhs, ty });
            }
        }
        changed | rebind
    }
}
