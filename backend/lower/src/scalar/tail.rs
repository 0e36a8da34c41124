//! Labels of moves whose words say only how they begin: the rest is read by walking the tail of the move ([`super::super::tails`]).

use super::super::emission::{PART_SHIFT, TEMPLATE_SHIFT, Template};
use super::super::tails::Rest;
use super::super::{Decider, Failure, Lifter};
use super::memory::{FAILED, MOST_TAGS};
use super::{Due, Goal, TagWidth, Walk};
use rg_ir::NodeId;
use wir::{FnId, Function, Op, Reg};

/// Most kinds of moves that leave room for the number of a part of a label.
const MAX_KINDS: usize = 1 << (PART_SHIFT - TEMPLATE_SHIFT);

// The number of the last part of the longest label has room above a word.
const _: () = assert!((MOST_TAGS / TagWidth::Wide.part()) as u64 - 1 <= u64::MAX >> PART_SHIFT);

impl Lifter<'_> {
    /// The function that reads what follows the tags that words say, if some kind of moves has such tags: see
    /// [`Decision::label`](crate::Decision::label).
    ///
    /// # Errors
    /// If there is no code for some tail, or there are too many kinds of moves.
    pub(in super::super) fn tail_labels(
        &mut self,
        decider: &Decider,
        templates: &[Template],
    ) -> Result<Option<FnId>, Failure> {
        if templates.iter().all(|template| template.sign.rest == Rest::None) {
            return Ok(None);
        }
        if templates.len() > MAX_KINDS {
            return Err(Failure::new("there are too many kinds of moves to number parts of labels"));
        }
        let written = self.or_undone(|lifter| {
            lifter.lay_out()?;
            let function = lifter.tail_function(decider, templates)?;
            lifter.write_procedures()?;
            lifter.program.functions.push(function);
            Ok(Some(lifter.program.functions.len() as FnId - 1))
        });
        // That this code is too large says nothing of the code for moves.
        written.map_err(|_| Failure::new("there is no code for the ends of labels"))
    }

    fn tail_function(&mut self, decider: &Decider, templates: &[Template]) -> Result<Function, Failure> {
        self.begin(1);
        let mask = self.function.builder.constant((1 << PART_SHIFT) - 1);
        let word = self.function.builder.and(0, mask);
        let loaded = self.loaded(decider);
        self.begin_search();
        let kind = self.function.builder.op(Op::ShrBy(word, TEMPLATE_SHIFT));
        let mut cases = Vec::new();
        for template in templates {
            self.open();
            let found = match template.sign.rest {
                Rest::None => self.no_tags(),
                _ => {
                    let lane = self.replayed(&loaded, template, word)?;
                    let area = self.area(Goal::Tail)?;
                    let (node, _) = self.led_to(template.edge);
                    self.poke_maps(&area, node, &lane);
                    let [zero, one] = [0, 1].map(|value| self.function.builder.constant(value));
                    let walk = self.begun(&lane, one);
                    self.call_search(&area, node, &Walk { due: Due::ScopeAndVersion, next: zero, ..walk })?
                }
            };
            cases.push(self.close(vec![found]));
        }
        let found = self.switched(kind, cases, 1)?;
        let found = Self::first_result(&found)?;
        let lost = self.function.builder.negation(found);
        let failed = self.peek(FAILED);
        let failed = self.function.builder.or(failed, lost);
        self.function.builder.exit_if(failed);
        let tags = self.part_of_label();
        Ok(self.finished(format!("label_{}", self.game.node_name(decider.node)), 1, vec![tags]))
    }

    /// A label without tags behind those of its word.
    fn no_tags(&mut self) -> Reg {
        let [zero, one] = [0, 1].map(|value| self.function.builder.constant(value));
        self.put_tag(zero, zero);
        one
    }

    /// Whether a node is one of a tail's copy.
    pub(super) fn is_in_tail(&self, node: NodeId) -> bool {
        self.known.tails.is_some_and(|tails| tails.copies.contains(&node))
    }
}
