//! The C++ interfaces of the two published compilers, over the forward model that `rgc compile --emit cpp` writes: programs that are written for
//! headers of those compile with such a header unchanged.
//!
//! What is written stands behind the forward model in the same header, which it calls; it finds squares and variables by their names in the
//! tables of the model.

mod rbg;
mod rg;

pub use rbg::{Refused, interface as of_rbg};
pub use rg::interface as of_rg;

/// The namespace of a forward model, as its header says.
fn namespace(header: &str) -> Option<&str> {
    let line = header.lines().find(|line| line.starts_with("namespace rgc_"))?;
    line.strip_prefix("namespace ")?.strip_suffix(" {")
}

/// The header with more before its last line, which ends the include guard.
fn with(header: &str, more: &str) -> String {
    match header.trim_end().rsplit_once('\n') {
        Some((before, last)) => format!("{before}\n{more}\n{last}\n"),
        None => header.to_owned(),
    }
}

/// A list of C++ strings.
fn strings<'t>(names: impl Iterator<Item = &'t str>) -> String {
    names.map(|name| format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))).collect::<Vec<_>>().join(", ")
}
