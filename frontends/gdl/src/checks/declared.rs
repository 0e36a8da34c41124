//! U6: names in `base` and `input` that stand nowhere else, and are spelt almost like one that does.

use super::shown;
use crate::ast::{Description, Name, Word};
use crate::codes;
use rg_ir::diag::{Edit, is_near};
use rg_ir::{Diagnostic, Report};
use rustc_hash::{FxHashMap, FxHashSet};

/// Names that are compared with all others.
const MAX_LOOKED_UP: usize = 50;

/// Reports every such name once, where it stands first. Linear in the text, and in the number of different names for each of at most
/// [`MAX_LOOKED_UP`] names.
pub(super) fn run(description: &Description, report: &mut Report) {
    let mut others: FxHashSet<Word> = FxHashSet::default();
    let mut declared: Vec<Name> = Vec::new();
    for rule in &description.rules {
        match rule.head.name.word {
            Word::BASE | Word::INPUT => {
                rule.head.args.iter().for_each(|arg| arg.names(&mut |name| declared.push(name)))
            }
            _ => rule.head.names(&mut |name| _ = others.insert(name.word)),
        }
        for literal in &rule.body {
            literal.atoms(&mut |atom, _| atom.names(&mut |name| _ = others.insert(name.word)));
            literal.distinct(&mut |terms| {
                terms.iter().for_each(|term| term.names(&mut |name| _ = others.insert(name.word)));
            });
        }
    }
    let text = |word: Word| description.words.text(word);
    let mut lonely: Vec<(Word, Vec<Name>)> = Vec::new();
    let mut index: FxHashMap<Word, usize> = FxHashMap::default();
    for name in declared.into_iter().filter(|name| !others.contains(&name.word) && is_telling(text(name.word))) {
        let slot = *index.entry(name.word).or_insert(lonely.len());
        if let Some((_, names)) = lonely.get_mut(slot) {
            names.push(name);
        } else if lonely.len() < MAX_LOOKED_UP {
            lonely.push((name.word, vec![name]));
        }
    }
    for (word, names) in lonely {
        let mut near: Vec<&str> =
            others.iter().map(|&other| text(other)).filter(|other| is_near(text(word), other)).collect();
        near.sort_unstable();
        let Some(first) = names.first().filter(|_| !near.is_empty()) else { continue };
        let message = format!("`{}` occurs only in `base` and `input`", shown(description, *first));
        let mut warning = Diagnostic::warning(codes::U6_DECLARED, first.span, message).suggest(text(word), near);
        for fix in &mut warning.fixes {
            let Some(best) = fix.edits.first().map(|edit| edit.text.clone()) else { continue };
            let edit =
                |name: &Name| Edit { span: name.span, instead_of: Some(text(word).to_owned()), text: best.clone() };
            fix.edits.extend(names.iter().skip(1).map(edit));
        }
        report.push(warning);
    }
}

/// Whether a name says enough for its neighbours to be misspellings: it is no variable, not short, and not numbered.
fn is_telling(text: &str) -> bool {
    text.chars().count() > 2 && !text.contains(|c: char| c.is_ascii_digit() || c == '?')
}
