//! Values of variables by name.

use backend::State as Position;
use rg_ir::StateView;
use rg_ir::diag::{alternatives, closest};

/// Names that are listed at most.
const NAMED: usize = 12;

/// The value of a variable, or of an entry of a map, in a position of an engine that keeps all values.
///
/// # Errors
/// What there is instead, in one line.
pub(crate) fn value(game: &envs::Game, position: &Position, asked: &[String]) -> Result<String, String> {
    let rules = &game.runner().loaded.game;
    let Some((name, keys)) = asked.split_first() else {
        return Err("the name of a variable is needed".to_owned());
    };
    let refs: Vec<&str> = keys.iter().map(String::as_str).collect();
    if let Some(value) = game.reasoner().view(position).get(name, &refs) {
        return Ok(value.to_owned());
    }
    let names = || rules.vars.ids().filter_map(|var| Some(rules.name(rules.vars.get(var)?.name)));
    let Some(variable) =
        rules.vars.ids().filter_map(|var| rules.vars.get(var)).find(|var| rules.name(var.name) == name)
    else {
        return Err(format!("there is no variable `{name}`{}", instead(name, names().collect())));
    };
    let shape = rules.shape(variable.ty).map(|shape| shape.keys).unwrap_or_default();
    if shape.len() != keys.len() {
        let form: Vec<&str> = shape.iter().map(|_| "key").collect();
        let first: Vec<&str> =
            shape.iter().filter_map(|&ty| rules.types.members(ty).first().map(|&key| rules.name(key))).collect();
        return Err(match shape.len() {
            0 => format!("`{name}` is no map: it has a value, but no entries"),
            _ => format!(
                "`{name}` is a map: state[\"{name}\", {}], such as {}",
                form.join(", "),
                quoted(&first).join(", ")
            ),
        });
    }
    for (&ty, key) in shape.iter().zip(&refs) {
        let members: Vec<&str> = rules.types.members(ty).iter().map(|&member| rules.name(member)).collect();
        if !members.contains(key) {
            return Err(format!("`{name}` has no entry `{key}`{}", instead(key, members)));
        }
    }
    Err(format!("`{name}` has no value there"))
}

fn quoted(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| format!("`{name}`")).collect()
}

/// The name that was meant, if one is near, and what there is.
fn instead(name: &str, there: Vec<&str>) -> String {
    let meant = closest(name, there.iter().copied()).map(|near| format!("; did you mean `{near}`?"));
    let (count, first) = (there.len(), there.get(..NAMED.min(there.len())).unwrap_or(&[]));
    let list = if count <= NAMED {
        alternatives(&quoted(first))
    } else {
        format!("{}, … ({count} in all)", quoted(first).join(", "))
    };
    format!("{}; there is {list}", meant.unwrap_or_default())
}
