//! What became of the decisions of a game, as data and as lines for people. Linear in the number of decisions.

use engine::model::{DecisionForm, LiftedForm};
use lower::{Lifted, Stop};
use rg_ir::Game;
use rg_ir::ids::Id;

/// The decisions that a play can arrive at, in the order in which lifting found them.
pub(super) fn forms(game: &Game, lifted: &Lifted) -> Vec<DecisionForm> {
    let reached = |stop: &&Stop| !matches!(&stop.decision, Err(failure) if failure.is_elsewhere());
    let stops = lifted.stops.iter().skip(1).filter(reached);
    stops.map(|stop| DecisionForm { name: name(game, lifted, stop), form: form(stop) }).collect()
}

fn form(stop: &Stop) -> Result<LiftedForm, String> {
    let decision = stop.decision.as_ref().map_err(ToString::to_string)?;
    Ok(LiftedForm {
        decide: decision.decide,
        apply: decision.apply,
        speculative: decision.speculative,
        kinds: decision.templates.len(),
    })
}

/// The node, and the values that the decision is made for.
fn name(game: &Game, lifted: &Lifted, stop: &Stop) -> String {
    let node = stop.decider.node;
    let mut name = if game.automaton.contains_node(node) { game.node_name(node).to_owned() } else { String::new() };
    for &(var, value) in &stop.decider.fixed {
        let symbol = lifted.symbols.get(var.index()).and_then(|list| list.get(value as usize));
        name.push_str(", ");
        name.push_str(game.vars.get(var).map_or("", |decl| game.name(decl.name)));
        name.push_str(" = ");
        name.push_str(symbol.map_or("", |&symbol| game.name(symbol)));
    }
    name
}

/// The lines of [`crate::Reasoner::report`].
pub(super) fn lines(forms: &[DecisionForm], side_exits: u64) -> Vec<String> {
    let line = |DecisionForm { name, form }: &DecisionForm| match form {
        Ok(form) if form.kinds == 1 => format!("{name}: lifted, 1 kind of moves"),
        Ok(form) => format!("{name}: lifted, {} kinds of moves", form.kinds),
        Err(reason) => format!("{name}: not lifted, {reason}"),
    };
    forms.iter().map(line).chain([format!("side exits: {side_exits}")]).collect()
}
