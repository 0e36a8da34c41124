//! Generators of games: short descriptions in, rules in one of the languages out.
//!
//! [`line`] writes line games: alquerque and its relatives, where pieces stand on the points of a board of lines, move along the
//! lines, and capture by jumping. A generator never writes a game that does not load: what it cannot make sense of gets a
//! diagnostic of the codes in [`codes`].

pub mod codes;
pub mod line;
pub mod random;
