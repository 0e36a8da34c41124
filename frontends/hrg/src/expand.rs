//! Descriptions with everything evaluated that is known before the game begins.

use crate::ast::{Declaration, Domain, Element, Function, Source, Variable};
use crate::declare::{self, Declare, Shape};
use crate::eval::{Evaluator, Limits, Odometer};
use crate::missing::Places;
use crate::values::{Value, ValueRef};
use crate::{lower, parse};
use rg_ir::{Diagnostic, Report, SourceId, Span};
use rustc_hash::{FxHashMap, FxHashSet};

/// Column after which a list is not continued.
const WIDTH: usize = 110;

/// A description with tables in place of functions.
#[derive(Clone, Debug)]
pub struct Evaluated {
    /// The text, which is a description of the same game.
    pub text: String,
    /// For each line that replaces something, in order: where it begins in `text`, and the place of what it replaces.
    pub lines: Vec<(usize, Span)>,
}

/// A description in which each function is written as a table, a case for all its arguments, and initial values of variables as maps; the values of
/// domains are listed in comments, since HRG has no other way to write them. All else is left as it stands, but for comments between cases. Nothing if there are errors; the
/// findings are those of [`crate::load`]. Linear in the sizes of domains and tables, which are limited.
pub fn evaluated(source: SourceId, text: &str) -> (Option<Evaluated>, Vec<Diagnostic>) {
    let (lowered, findings) = lower::load(source, text);
    let tree = match (lowered, parse::parse(source, text)) {
        (Some(_), (Some(tree), _)) => tree,
        _ => return (None, findings),
    };
    let mut ev = Evaluator::new(&tree, Places::of(source, text, &tree), Limits::default(), Report::default());
    declare::domains(&mut ev);
    lower::names(&mut ev, &tree);
    let declare = Declare {
        ev: &mut ev,
        game: rg_ir::Game::new(),
        written: FxHashMap::default(),
        broken: FxHashSet::default(),
        strange: Vec::new(),
    };
    let mut writer = Writer { declare, tree: &tree, out: String::new(), lines: Vec::new() };
    let mut at = 0;
    for (declaration, extent) in tree.order.iter().zip(&tree.extents) {
        let (start, end) = (extent.start as usize, extent.end as usize);
        writer.out.push_str(text.get(at..start).unwrap_or_default());
        let own = text.get(start..end).unwrap_or_default();
        if writer.declaration(*declaration, own).is_none() {
            writer.out.push_str(own);
        }
        at = end;
    }
    writer.out.push_str(text.get(at..).unwrap_or_default());
    (Some(Evaluated { text: writer.out, lines: writer.lines }), findings)
}

struct Writer<'e, 'a> {
    declare: Declare<'e, 'a>,
    tree: &'a Source,
    out: String,
    lines: Vec<(usize, Span)>,
}

impl<'a> Writer<'_, 'a> {
    /// Writes a declaration without its last line end; `None`, and nothing, if it stays as it is.
    fn declaration(&mut self, declaration: Declaration, own: &str) -> Option<()> {
        match declaration {
            Declaration::Domain(at) => self.domain(self.tree.domains.get(at)?, own),
            Declaration::Function(at) => self.function(self.tree.functions.get(at)?, own),
            Declaration::Variable(at) => self.variable(self.tree.variables.get(at)?, own),
            Declaration::Graph(_) => None,
        }
    }

    /// A value as it is written, maps on a line.
    fn show(&self, value: ValueRef) -> String {
        match self.declare.ev.values.get(value) {
            Value::Map(default, entries) => {
                let show =
                    |&(key, value): &(ValueRef, ValueRef)| format!("; {} = {}", self.show(key), self.show(value));
                let entries: String = entries.iter().map(show).collect();
                format!("{{ :{}{entries} }}", self.show(*default))
            }
            _ => self.declare.ev.values.show(value, &self.declare.ev.symbols),
        }
    }

    fn domain(&mut self, domain: &Domain, own: &str) -> Option<()> {
        let is_listed = domain.elements.iter().all(|element| matches!(element, Element::Name(_)));
        let values = self.declare.ev.domains.get(&domain.name.symbol)?.list.clone();
        if is_listed && values.len() == domain.elements.len() {
            return None;
        }
        self.out.push_str(own.trim_end());
        let mut line = String::new();
        let shown: Vec<String> = values.iter().map(|&value| self.show(value)).collect();
        let count = shown.len();
        for (number, value) in shown.into_iter().enumerate() {
            if line.is_empty() {
                line.push_str("\n//");
            }
            line.push(' ');
            line.push_str(&value);
            if number + 1 < count {
                line.push(',');
            }
            if line.len() > WIDTH {
                self.out.push_str(&line);
                line.clear();
            }
        }
        self.out.push_str(&line);
        Some(())
    }

    fn function(&mut self, function: &'a Function, own: &str) -> Option<()> {
        let shape: Shape = self.declare.shape(&function.ty).ok()?;
        let arity = function.cases.first()?.patterns.len();
        // The head is what stands before the first case.
        let head = function.cases.first()?.span.start.checked_sub(self.tree.extent(function.name.span).start)?;
        self.out.push_str(own.get(..head as usize)?.trim_end());
        let name = self.declare.ev.symbols.name(function.name.symbol).to_owned();
        let mut odometer = Odometer::new(shape.keys.iter().take(arity).map(Vec::len));
        while let Some(digits) = odometer.next() {
            let keys = shape.keys.iter().zip(digits);
            let arguments: Vec<ValueRef> = keys.filter_map(|(keys, &digit)| keys.get(digit).copied()).collect();
            let value = self.declare.ev.apply(function.name.symbol, arguments.clone(), function.name.span).ok()?;
            let case = self.declare.ev.results.get(&(function.name.symbol, arguments.clone().into()));
            let span =
                case.and_then(|&(_, case)| function.cases.get(case)).map_or(function.name.span, |case| case.span);
            let arguments: Vec<String> = arguments.iter().map(|&argument| self.show(argument)).collect();
            self.out.push('\n');
            self.lines.push((self.out.len(), span));
            self.out.push_str(&format!("{name}({}) = {}", arguments.join(", "), self.show(value)));
        }
        Some(())
    }

    fn variable(&mut self, variable: &Variable, own: &str) -> Option<()> {
        let initial = variable.initial?;
        let value = self.declare.ev.eval(initial, &[]).ok()?;
        let Value::Map(default, entries) = self.declare.ev.values.get(value).clone() else { return None };
        let head = self.tree.span(initial).start.checked_sub(self.tree.extent(variable.name.span).start)?;
        self.out.push_str(own.get(..head as usize)?);
        self.out.push_str(&format!("{{\n  :{}", self.show(default)));
        for &(key, value) in &entries {
            self.out.push_str(";\n");
            self.lines.push((self.out.len(), self.tree.span(initial)));
            self.out.push_str(&format!("  {} = {}", self.show(key), self.show(value)));
        }
        self.out.push_str("\n}");
        Some(())
    }
}
