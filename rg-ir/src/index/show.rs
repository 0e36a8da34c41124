//! An index as a text, to be read by people who look for mistakes in it.

use super::Index;
use crate::ids::EntityId;
use std::fmt::Write as _;

impl Index {
    /// Each entity on a line, with the places where it is named; then the outline. `text` is what the index is of. Quadratic.
    pub fn show(&self, text: &str) -> String {
        let place = |offset: u32| {
            let before = text.get(..offset as usize).unwrap_or_default();
            let line = before.rfind('\n').map_or(0, |at| at + 1);
            format!("{}:{}", before.matches('\n').count() + 1, before.len() - line + 1)
        };
        let mut shown = String::new();
        // Writing to a string does not fail.
        for (id, entity) in self.entities.iter() {
            let _ = write!(shown, "{} {}", entity.kind.word(), entity.name);
            let notes = [("detail", &*entity.detail), ("fixed", entity.fixed.unwrap_or_default())];
            for (what, note) in notes.iter().filter(|(_, note)| !note.is_empty()) {
                let _ = write!(shown, ", {what}: {note}");
            }
            if !entity.parameters.is_empty() {
                let _ = write!(shown, ", takes: {}", entity.parameters.join("; "));
            }
            for (what, span) in [("signature", entity.signature), ("doc", entity.doc), ("scope", entity.scope)] {
                if span.is_some() {
                    let quoted = text.get(span.range()).unwrap_or("?");
                    let _ = write!(shown, "\n    {what}: {}", quoted.replace('\n', "\n        "));
                }
            }
            let places = self.places(id, &place);
            let _ = writeln!(shown, "{}{places}", if places.is_empty() { "" } else { "\n   " });
        }
        for item in self.items.values() {
            let (start, end) = (place(item.span.start), place(item.span.end));
            let inner = if item.parent.is_some() { "  " } else { "" };
            let _ = writeln!(shown, "{inner}{start}-{end} {} {}", item.kind.word(), item.name);
        }
        for hint in &self.hints {
            let _ = writeln!(shown, "{} shows {}", place(hint.offset), hint.text);
        }
        if let Some(rules) = self.rules {
            let _ = writeln!(shown, "rules at {}", place(rules.start));
        }
        shown
    }

    fn places(&self, id: EntityId, place: &impl Fn(u32) -> String) -> String {
        let uses = self.uses_of(id);
        uses.fold(String::new(), |list, used| format!("{list} {} {:?}", place(used.span.start), used.role))
    }
}
