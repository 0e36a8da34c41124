//! Arms of a branch that differ in one name: `branch f in {up, down} { … }`.

use crate::code::{Block, Cond, Stmt};
use rustc_hash::FxHashSet;

/// The names in which arms differ.
type Hole = Option<Vec<String>>;

/// Replaces arms that are the same but for one name by one. Linear in each nesting, unless arms go together in pairs but not all at once.
pub(crate) fn fold(block: &mut Block, bound: &str) {
    for stmt in block {
        stmt.blocks_mut().into_iter().for_each(|inner| fold(inner, bound));
        let Stmt::Branch(arms) = stmt else { continue };
        // The last one is the next.
        let mut left = std::mem::take(arms);
        left.reverse();
        while let Some(first) = left.pop() {
            // As many arms as possible from here on that go together.
            let fits = |other: &&Block| folded(&[&first, *other], bound).is_some();
            let others = left.iter().rev().take_while(fits).count();
            let group: Vec<&Block> = std::iter::once(&first).chain(left.iter().rev().take(others)).collect();
            match folded(&group, bound).filter(|_| others > 0) {
                Some((names, body)) => {
                    left.truncate(left.len() - others);
                    arms.push(vec![Stmt::BranchIn(bound.to_owned(), names, body)]);
                }
                None => arms.push(first),
            }
        }
        if let [only] = arms.as_mut_slice()
            && let [Stmt::BranchIn(name, names, body)] = only.as_mut_slice()
        {
            *stmt = Stmt::BranchIn(std::mem::take(name), std::mem::take(names), std::mem::take(body));
        }
    }
}

/// The names in which blocks differ, and what they have in common with `bound` for these names.
fn folded(arms: &[&Block], bound: &str) -> Option<(Vec<String>, Block)> {
    let mut hole = None;
    let body = blocks(arms, &mut hole, bound)?;
    let names = hole?;
    let mut seen = FxHashSet::default();
    names.iter().all(|name| seen.insert(name)).then_some((names, body))
}

fn blocks(arms: &[&Block], hole: &mut Hole, bound: &str) -> Option<Block> {
    let first = arms.first()?;
    if arms.iter().any(|arm| arm.len() != first.len()) {
        return None;
    }
    (0..first.len())
        .map(|at| stmts(&arms.iter().filter_map(|arm| arm.get(at)).collect::<Vec<_>>(), hole, bound))
        .collect()
}

/// The parts of statements that must be of one kind; `None` if they are not.
macro_rules! parts {
    ($stmts:expr, $pattern:pat => $part:expr) => {
        $stmts.iter().map(|stmt| if let $pattern = stmt { Some($part) } else { None }).collect::<Option<Vec<_>>>()?
    };
}

fn stmts(list: &[&Stmt], hole: &mut Hole, bound: &str) -> Option<Stmt> {
    let first = *list.first()?;
    if list.iter().all(|stmt| *stmt == first) {
        return Some(first.clone());
    }
    Some(match first {
        Stmt::Assign(..) => {
            let targets = parts!(list, Stmt::Assign(target, _) => target.as_str());
            let values = parts!(list, Stmt::Assign(_, value) => value.as_str());
            // Values cannot be assigned, but they can be keys.
            if targets.iter().any(|target| root(target) != root(targets[0])) {
                return None;
            }
            Stmt::Assign(texts(&targets, hole, bound)?, texts(&values, hole, bound)?)
        }
        Stmt::Tag(_, artificial) => {
            if list.iter().any(|stmt| !matches!(stmt, Stmt::Tag(_, other) if other == artificial)) {
                return None;
            }
            Stmt::Tag(texts(&parts!(list, Stmt::Tag(tag, _) => tag.as_str()), hole, bound)?, *artificial)
        }
        Stmt::Check(_) => Stmt::Check(conds(&parts!(list, Stmt::Check(cond) => cond), hole, bound)?),
        Stmt::If(..) => Stmt::If(
            conds(&parts!(list, Stmt::If(cond, ..) => cond), hole, bound)?,
            blocks(&parts!(list, Stmt::If(_, yes, _) => yes), hole, bound)?,
            blocks(&parts!(list, Stmt::If(_, _, no) => no), hole, bound)?,
        ),
        Stmt::While(..) => Stmt::While(
            conds(&parts!(list, Stmt::While(cond, _) => cond), hole, bound)?,
            blocks(&parts!(list, Stmt::While(_, body) => body), hole, bound)?,
        ),
        Stmt::Loop(_) => Stmt::Loop(blocks(&parts!(list, Stmt::Loop(body) => body), hole, bound)?),
        Stmt::Branch(arms) => {
            let all = parts!(list, Stmt::Branch(arms) => arms);
            if all.iter().any(|other| other.len() != arms.len()) {
                return None;
            }
            let arm = |at: usize| blocks(&all.iter().filter_map(|arms| arms.get(at)).collect::<Vec<_>>(), hole, bound);
            Stmt::Branch((0..arms.len()).map(arm).collect::<Option<_>>()?)
        }
        // A variable inside of another one would need another name.
        _ => return None,
    })
}

fn conds(list: &[&Cond], hole: &mut Hole, bound: &str) -> Option<Cond> {
    let first = *list.first()?;
    if list.iter().all(|cond| *cond == first) {
        return Some(first.clone());
    }
    let inner = |list: &[&Vec<Cond>], hole: &mut Hole| {
        let length = list.first().map_or(0, |conds| conds.len());
        if list.iter().any(|conds| conds.len() != length) {
            return None;
        }
        (0..length)
            .map(|at| conds(&list.iter().filter_map(|conds| conds.get(at)).collect::<Vec<_>>(), hole, bound))
            .collect()
    };
    Some(match first {
        Cond::Equal(_, _, holds) => {
            if list.iter().any(|cond| !matches!(cond, Cond::Equal(_, _, other) if other == holds)) {
                return None;
            }
            let left = parts!(list, Cond::Equal(a, _, _) => a.as_str());
            let right = parts!(list, Cond::Equal(_, b, _) => b.as_str());
            Cond::Equal(texts(&left, hole, bound)?, texts(&right, hole, bound)?, *holds)
        }
        Cond::All(_) => Cond::All(inner(&parts!(list, Cond::All(conds) => conds), hole)?),
        Cond::Some(_) => Cond::Some(inner(&parts!(list, Cond::Some(conds) => conds), hole)?),
        Cond::Reachable(..) | Cond::Fixed(_) => return None,
    })
}

/// The variable that is assigned.
fn root(target: &str) -> &str {
    target.split('[').next().unwrap_or_default()
}

/// Words, signs and spaces of an expression.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let length = if is_word(first) { rest.find(|c| !is_word(c)).unwrap_or(rest.len()) } else { first.len_utf8() };
        let (token, behind) = rest.split_at(length);
        tokens.push(token);
        rest = behind;
    }
    tokens
}

/// Expressions that differ in the names of the hole only.
fn texts(list: &[&str], hole: &mut Hole, bound: &str) -> Option<String> {
    let all: Vec<Vec<&str>> = list.iter().map(|text| tokens(text)).collect();
    let first = all.first()?;
    if all.iter().any(|other| other.len() != first.len()) {
        return None;
    }
    let mut text = String::new();
    for (at, token) in first.iter().enumerate() {
        let column: Vec<&str> = all.iter().filter_map(|tokens| tokens.get(at).copied()).collect();
        if column.iter().all(|other| other == token) {
            text.push_str(token);
            continue;
        }
        // Constructors stand for themselves.
        let is_constructor =
            |tokens: &Vec<&str>| tokens.get(at + 1) == Some(&"(") && tokens[at].starts_with(char::is_uppercase);
        if !column.iter().all(|token| token.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
            || all.iter().any(is_constructor)
        {
            return None;
        }
        let known = hole.get_or_insert_with(|| column.iter().map(|&name| name.to_owned()).collect());
        if known.iter().ne(column.iter()) {
            return None;
        }
        text.push_str(bound);
    }
    Some(text)
}
