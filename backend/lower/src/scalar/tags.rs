//! Tags that a walk shows: they become part of the label that is read, or of its hash where labels are compared.

use super::super::{Failure, Lifter};
use super::area::Area;
use super::memory::{MOST_TAGS, TAGS};
use super::{Goal, Labels, Walk};
use rg_ir::ids::Id;
use rg_ir::{Label, Symbol};
use wir::{Op, Reg};

impl Lifter<'_> {
    pub(super) fn put_tag(&mut self, place: Reg, symbol: Reg) {
        let tags = self.function.builder.constant(u64::from(TAGS));
        let at = self.function.builder.op(Op::Add(tags, place));
        self.poke_at(at, symbol);
    }

    /// A walk shows a tag.
    pub(super) fn show(&mut self, area: &Area, walk: &mut Walk, tag: Label) -> Result<(), Failure> {
        if !matches!(area.goal, Goal::Label | Goal::Tail | Goal::Nth(_) | Goal::List(Labels::Compared)) {
            return Ok(());
        }
        let symbol = self.tag_number(walk, tag)?;
        match area.goal {
            Goal::Label | Goal::Tail => {
                self.put_tag(walk.next, symbol);
                let one = self.function.builder.constant(1);
                walk.next = self.function.builder.op(Op::Add(walk.next, one));
                let last = self.function.builder.constant(u64::from(MOST_TAGS - 1));
                let number = self.function.builder.and(walk.next, last);
                let full = self.function.builder.op(Op::Eq(number, last));
                self.fail_if(full);
            }
            Goal::Nth(_) => {
                self.put_tag(walk.next, symbol);
                walk.next = self.next_or_last(walk.next);
            }
            _ => {}
        }
        if area.goal == Goal::List(Labels::Compared) {
            self.sign_with(walk, symbol);
        }
        Ok(())
    }

    /// 1 more than the number of the symbol that a tag shows; 0 for a label that is no tag.
    fn tag_number(&mut self, walk: &Walk, tag: Label) -> Result<Reg, Failure> {
        let number = |symbol: Symbol| symbol.index() as u64 + 1;
        match tag {
            Label::Tag(symbol) => Ok(self.function.builder.constant(number(symbol))),
            Label::TagVar(var) => {
                let class = self.class_of_var(var)?;
                let value = walk.vars.get(var.index()).cloned().flatten();
                let value = value.ok_or_else(|| Failure::new("a whole map is used").at(self.var_name(var)))?;
                let numbers = self.known.numbers.members(class).iter().map(|&symbol| number(symbol)).collect();
                let value = self.register(&value)?;
                Ok(self.function.builder.looked_up(numbers, value))
            }
            _ => Ok(self.function.builder.constant(0)),
        }
    }
}
