//! Where fluents are kept: a kind of fluents is a map from keys to values, or to `0`/`1` where no group is proven.

use super::Lift;
use super::query::Stop;
use super::vocabulary::Dom;
use crate::flat::Rel;
use crate::groups::Group;
use crate::normal::TermId;
use rg_ir::ids::{ExprId, TypeId, VarId};
use rg_ir::{Expr, Span, Symbol};

/// Most cells of the map of one kind of fluents.
const MAX_CELLS: usize = 20_000;

/// Where one kind of fluents is kept.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// The arguments that are the key, and those that are the value.
    pub(super) key: Vec<usize>,
    pub(super) value: Vec<usize>,
    /// The type of the key, if there is one.
    pub(super) key_dom: Option<Dom>,
    pub(super) value_dom: Dom,
    /// The variable.
    pub(super) var: VarId,
    pub(super) expr: ExprId,
    /// What stands for no value; not used if `total`.
    pub(super) null: Symbol,
    /// Whether there always is a value.
    pub(super) total: bool,
    pub(super) ty: TypeId,
}

impl Lift<'_, '_> {
    /// The layout of the fluents that a relation is about.
    pub(super) fn layout_of(&self, truth: Rel) -> Option<&Layout> {
        self.layouts.get(self.context.flat.fluent_of(truth)?)?.as_ref()
    }

    /// Declares variables for all kinds of fluents.
    pub(super) fn lay_out(&mut self, groups: &[Group]) -> Result<(), Stop> {
        for fluent in 0..self.context.flat.fluents.len() {
            let layout = self.lay_out_kind(fluent, groups)?;
            self.layouts.push(layout);
        }
        Ok(())
    }

    fn lay_out_kind(&mut self, fluent: usize, groups: &[Group]) -> Result<Option<Layout>, Stop> {
        let Some(kind) = self.context.flat.fluents.get(fluent).copied() else { return Ok(None) };
        let arity = self.context.flat.relation(kind.truth).arity;
        let mut domains: Vec<Vec<TermId>> = Vec::new();
        for place in 0..arity {
            // Without values, it is never true.
            let Some(domain) = self.context.domains.at(kind.truth, place) else { return Ok(None) };
            domains.push(domain.values().to_vec());
        }
        let size = |places: &[usize]| {
            places
                .iter()
                .filter_map(|&place| domains.get(place))
                .fold(1usize, |size, list| size.saturating_mul(list.len()))
        };
        let bits = |group: &Group| {
            size(&group.key).saturating_mul(bits_of(size(&group.value) + usize::from(!group.exactly_one)))
        };
        let plain = Group { fluent, key: (0..arity).collect(), value: Vec::new(), exactly_one: false };
        let own = groups.iter().filter(|group| group.fluent == fluent);
        let Some(group) =
            std::iter::once(&plain).chain(own).min_by_key(|group| (bits(group), size(&group.key), group.value.len()))
        else {
            return Ok(None);
        };
        if size(&group.key) > MAX_CELLS || size(&group.value) > MAX_CELLS {
            return Err(Stop::Unsupported("a kind of fluents has too many keys or values".to_owned()));
        }
        let name = kind.shape.map_or("fact", |(word, _)| self.voc.program.words.text(word)).to_owned();
        let tuples = |places: &[usize]| {
            let mut all: Vec<Vec<TermId>> = vec![Vec::new()];
            for list in places.iter().filter_map(|&place| domains.get(place)) {
                all = all
                    .iter()
                    .flat_map(|tuple| list.iter().map(|&term| [tuple.as_slice(), &[term]].concat()))
                    .collect();
            }
            all
        };
        let key_dom = (!group.key.is_empty()).then(|| self.voc.dom(tuples(&group.key), &format!("{name}Key")));
        let value_dom = self.voc.dom(tuples(&group.value), &format!("{name}Value"));
        let flags = group.value.is_empty();
        let null = if flags { self.voc.bools[0] } else { self.voc.null };
        let value_ty = match (flags, group.exactly_one) {
            (true, _) => self.voc.bool_ty,
            (false, true) => self.voc.tuples(value_dom).ty,
            (false, false) => self.voc.tuples(value_dom).or_null,
        };
        let keys = key_dom.map_or(vec![Vec::new()], |dom| self.voc.tuples(dom).values.clone());
        let mut initial = vec![null; keys.len()];
        let rows = self.context.tables.of(kind.init).rows().to_vec();
        for row in &rows {
            let pick = |places: &[usize]| -> Vec<TermId> {
                places.iter().filter_map(|&place| row.get(place).copied()).collect()
            };
            let (key, value) = (pick(&group.key), pick(&group.value));
            let symbol = self.voc.symbol(&value);
            if let Some(cell) = keys.iter().position(|other| *other == key).and_then(|at| initial.get_mut(at)) {
                *cell = symbol;
            }
        }
        let literal_keys: Vec<Dom> = key_dom.into_iter().collect();
        let ty = match key_dom {
            Some(dom) => {
                let key = self.voc.tuples(dom).ty;
                self.voc.game.types.arrow(key, value_ty)
            }
            None => value_ty,
        };
        let value = self.voc.literal(&literal_keys, &initial, null);
        let var_name = self.voc.name(&name);
        let var = self.voc.game.add_var(var_name, ty, value, Span::NONE);
        let expr = self.voc.game.exprs.intern(Expr::Var(var));
        let (key, value, total) = (group.key.clone(), group.value.clone(), group.exactly_one);
        Ok(Some(Layout { key, value, key_dom, value_dom, var, expr, null, total, ty }))
    }
}

fn bits_of(values: usize) -> usize {
    (usize::BITS - values.saturating_sub(1).leading_zeros()) as usize
}
