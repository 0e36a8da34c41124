//! The names of options.

use envs::{Autoreset, Chance};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

const AUTORESETS: [(&str, Autoreset); 3] =
    [("same_step", Autoreset::SameStep), ("next_step", Autoreset::NextStep), ("disabled", Autoreset::Disabled)];

const CHANCES: [(&str, Chance); 2] = [("sampled", Chance::Sampled), ("explicit", Chance::Explicit)];

/// What `autoreset=` stands for.
pub(crate) fn autoreset_of(name: &str) -> PyResult<Autoreset> {
    named("autoreset", &AUTORESETS, name)
}

pub(crate) fn autoreset_name(autoreset: Autoreset) -> &'static str {
    name_of(&AUTORESETS, autoreset)
}

/// What `chance=` stands for.
pub(crate) fn chance_of(name: &str) -> PyResult<Chance> {
    named("chance", &CHANCES, name)
}

pub(crate) fn chance_name(chance: Chance) -> &'static str {
    name_of(&CHANCES, chance)
}

fn named<T: Copy>(option: &str, known: &[(&str, T)], name: &str) -> PyResult<T> {
    let found = known.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
    found.ok_or_else(|| {
        let names: Vec<String> = known.iter().map(|(known, _)| format!("\"{known}\"")).collect();
        let names = match names.split_last() {
            Some((last, first)) => format!("{} or {last}", first.join(", ")),
            None => String::new(),
        };
        PyValueError::new_err(format!("{option} is {names}, not \"{name}\""))
    })
}

fn name_of<T: PartialEq>(known: &[(&'static str, T)], value: T) -> &'static str {
    known.iter().find(|(_, known)| *known == value).map_or("", |(name, _)| name)
}
