//! The tree as text: one declaration or statement per line, comments and the author's lines gone.

use crate::ast::*;

/// Writes a description so that it reads back as the same tree. Linear.
pub fn print(source: &Source) -> String {
    let mut printer = Printer { source, out: String::new() };
    for declaration in &source.order {
        match *declaration {
            Declaration::Domain(at) => source.domains.get(at).map(|domain| printer.domain(domain)),
            Declaration::Function(at) => source.functions.get(at).map(|function| printer.function(function)),
            Declaration::Variable(at) => source.variables.get(at).map(|variable| printer.variable(variable)),
            Declaration::Graph(at) => source.graphs.get(at).map(|graph| printer.graph(graph)),
        };
    }
    printer.out
}

/// How tightly an expression holds together; operands must be at least as tight as their operator wants.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Tightness {
    Conditional,
    Or,
    And,
    Comparison,
    Sum,
    Postfix,
    /// Can be called.
    Callable,
}

/// Something that is yet to be written.
enum Task<'a> {
    Text(&'static str),
    Name(rg_ir::Symbol),
    /// In brackets, unless it is tight enough.
    Expr(ExprRef, Tightness),
    Pattern(PatternRef),
    Ranges(&'a [Range]),
    Statement(StatementRef, usize),
    Line(usize),
}

struct Printer<'a> {
    source: &'a Source,
    out: String,
}

impl<'a> Printer<'a> {
    fn text(&mut self, symbol: rg_ir::Symbol) {
        self.out.push_str(self.source.symbols.name(symbol));
    }

    fn list<T>(&mut self, items: &[T], separator: &str, mut write: impl FnMut(&mut Self, &T)) {
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.out.push_str(separator);
            }
            write(self, item);
        }
    }

    fn names(&mut self, names: &[Name]) {
        self.list(names, ", ", |printer, name| printer.text(name.symbol));
    }

    fn domain(&mut self, domain: &Domain) {
        self.out.push_str("domain ");
        self.text(domain.name.symbol);
        self.out.push_str(" = ");
        self.list(&domain.elements, " | ", |printer, element| match element {
            Element::Name(name) => printer.text(name.symbol),
            Element::Generator(name, arguments, ranges) => {
                printer.text(name.symbol);
                printer.out.push('(');
                printer.list(arguments, ", ", |printer, name| printer.text(name.symbol));
                printer.out.push_str(") where ");
                printer.ranges(ranges);
            }
        });
        self.out.push('\n');
    }

    fn ranges(&mut self, ranges: &[Range]) {
        self.list(ranges, ", ", |printer, range| {
            printer.text(range.name.symbol);
            match &range.values {
                RangeValues::Numbers(first, last) => printer.out.push_str(&format!(" in {first}..{last}")),
                RangeValues::Set(names) => {
                    printer.out.push_str(" in {");
                    printer.names(names);
                    printer.out.push('}');
                }
            }
        });
    }

    fn ty(&mut self, ty: &Type) {
        for key in &ty.keys {
            self.text(key.symbol);
            self.out.push_str(" -> ");
        }
        match &ty.result {
            ResultType::Name(name) => self.text(name.symbol),
            ResultType::Set(names) => {
                self.out.push('{');
                self.names(names);
                self.out.push('}');
            }
        }
    }

    fn declare(&mut self, name: Name, ty: &Type) {
        self.text(name.symbol);
        self.out.push_str(": ");
        self.ty(ty);
    }

    fn function(&mut self, function: &'a Function) {
        self.declare(function.name, &function.ty);
        for case in &function.cases {
            self.out.push('\n');
            self.text(function.name.symbol);
            let mut tasks = vec![Task::Text("(")];
            tasks.extend(separated(case.patterns.iter().map(|&pattern| Task::Pattern(pattern))));
            tasks.extend([Task::Text(") = "), Task::Expr(case.value, Tightness::Conditional)]);
            self.run(tasks);
        }
        self.out.push('\n');
    }

    fn variable(&mut self, variable: &Variable) {
        self.declare(variable.name, &variable.ty);
        if let Some(initial) = variable.initial {
            self.run(vec![Task::Text(" = "), Task::Expr(initial, Tightness::Conditional)]);
        }
        self.out.push('\n');
    }

    fn graph(&mut self, graph: &'a Graph) {
        self.out.push_str(if graph.reusable { "reusable graph " } else { "graph " });
        self.text(graph.name.symbol);
        self.out.push('(');
        self.list(&graph.parameters, ", ", |printer, (name, ty)| printer.declare(*name, ty));
        self.out.push_str(") ");
        self.run(block(&graph.body, 0));
        self.out.push('\n');
    }

    /// Writes what is to be written, in order. Nothing recurses, so that nesting does no harm.
    fn run(&mut self, mut tasks: Vec<Task<'a>>) {
        tasks.reverse();
        while let Some(task) = tasks.pop() {
            let mark = tasks.len();
            match task {
                Task::Text(text) => self.out.push_str(text),
                Task::Name(name) => self.text(name),
                Task::Ranges(ranges) => self.ranges(ranges),
                Task::Line(depth) => {
                    self.out.push('\n');
                    // Deep nesting is not shown by indentation: the text would grow quadratically.
                    self.out.extend(std::iter::repeat_n("  ", depth.min(40)));
                }
                Task::Expr(expr, wanted) if tightness(self.source.expr(expr)) < wanted => {
                    let tight = Task::Expr(expr, Tightness::Conditional);
                    tasks.extend([Task::Text("("), tight, Task::Text(")")]);
                }
                Task::Expr(expr, _) => self.expr(expr, &mut tasks),
                Task::Pattern(pattern) => match self.source.pattern(pattern) {
                    Pattern::Any => self.out.push('_'),
                    Pattern::Name(name) => self.text(name.symbol),
                    Pattern::Construct(name, patterns) => {
                        self.text(name.symbol);
                        tasks.push(Task::Text("("));
                        tasks.extend(separated(patterns.iter().map(|&pattern| Task::Pattern(pattern))));
                        tasks.push(Task::Text(")"));
                    }
                },
                Task::Statement(statement, depth) => self.statement(statement, depth, &mut tasks),
            }
            tasks.get_mut(mark..).unwrap_or_default().reverse();
        }
    }

    fn expr(&mut self, expr: ExprRef, tasks: &mut Vec<Task<'a>>) {
        use Tightness::{Callable, Conditional, Postfix};
        match self.source.expr(expr) {
            Expr::Name(name) => self.text(*name),
            Expr::Construct(name, arguments) => {
                tasks.push(Task::Name(*name));
                arguments_of(arguments, tasks);
            }
            Expr::Call(callee, arguments) => {
                // An upper-case name before `(` would be a constructor.
                let upper = matches!(self.source.expr(*callee), Expr::Name(name)
                    if crate::lexer::is_upper(self.source.symbols.name(*name)));
                match upper {
                    true => tasks.extend([Task::Text("("), Task::Expr(*callee, Conditional), Task::Text(")")]),
                    false => tasks.push(Task::Expr(*callee, Callable)),
                }
                arguments_of(arguments, tasks);
            }
            Expr::Index(map, key) => {
                let key = Task::Expr(*key, Conditional);
                tasks.extend([Task::Expr(*map, Postfix), Task::Text("["), key, Task::Text("]")]);
            }
            Expr::Binary(operator, a, b) => {
                let (text, left, right) = operator_of(*operator);
                tasks.extend([Task::Expr(*a, left), Task::Text(text), Task::Expr(*b, right)]);
            }
            Expr::If(condition, yes, no) => {
                let words = ["if ", " then ", " else "];
                let parts = words.into_iter().zip([condition, yes, no]);
                tasks.extend(parts.flat_map(|(word, &part)| [Task::Text(word), Task::Expr(part, Conditional)]));
            }
            Expr::Map(default, parts) => {
                tasks.push(Task::Text("{ "));
                if let Some(default) = default {
                    tasks.extend([Task::Text(":"), Task::Expr(*default, Conditional)]);
                }
                for (index, part) in parts.iter().enumerate() {
                    tasks.extend((index > 0 || default.is_some()).then_some(Task::Text("; ")));
                    let value = Task::Expr(part.value, Conditional);
                    tasks.extend([Task::Pattern(part.pattern), Task::Text(" = "), value]);
                    if !part.ranges.is_empty() {
                        tasks.extend([Task::Text(" where "), Task::Ranges(&part.ranges)]);
                    }
                }
                tasks.push(Task::Text(" }"));
            }
        }
    }

    fn statement(&mut self, statement: StatementRef, depth: usize, tasks: &mut Vec<Task<'a>>) {
        use Tightness::Conditional;
        match &self.source.statement(statement).kind {
            StatementKind::Assign(target, value) => {
                let value = Task::Expr(*value, Conditional);
                tasks.extend([Task::Expr(*target, Conditional), Task::Text(" = "), value]);
            }
            StatementKind::AssignAny(target, ty) => {
                self.run(vec![Task::Expr(*target, Conditional), Task::Text(" = ")]);
                self.ty(ty);
                self.out.push_str("(*)");
            }
            StatementKind::Call(name, arguments) => {
                tasks.push(Task::Name(name.symbol));
                arguments_of(arguments, tasks);
            }
            StatementKind::TagVariable(name) => tasks.extend([Task::Text("$$ "), Task::Name(name.symbol)]),
            StatementKind::Tag(artificial, names) => {
                self.out.push_str(if *artificial { "$_ (" } else { "$ (" });
                self.list(names, " ", |printer, name| printer.text(name.symbol));
                self.out.push(')');
            }
            StatementKind::Branch(arms) => {
                for (index, arm) in arms.iter().enumerate() {
                    tasks.push(Task::Text(if index == 0 { "branch " } else { " or " }));
                    tasks.extend(block(arm, depth));
                }
            }
            StatementKind::BranchIn(name, ty, body) | StatementKind::RepeatIn(name, ty, body) => {
                let branch = matches!(self.source.statement(statement).kind, StatementKind::BranchIn(..));
                self.out.push_str(if branch { "branch " } else { "repeat " });
                self.text(name.symbol);
                self.out.push_str(" in ");
                self.ty(ty);
                self.out.push(' ');
                tasks.extend(block(body, depth));
            }
            StatementKind::Repeat(count, body) => {
                self.out.push_str(&format!("repeat {count} "));
                tasks.extend(block(body, depth));
            }
            StatementKind::Loop(body) => {
                tasks.push(Task::Text("loop "));
                tasks.extend(block(body, depth));
            }
            StatementKind::While(condition, body) => {
                tasks.extend([Task::Text("while "), Task::Expr(*condition, Conditional), Task::Text(" ")]);
                tasks.extend(block(body, depth));
            }
            StatementKind::If(condition, yes, no) => {
                tasks.extend([Task::Text("if "), Task::Expr(*condition, Conditional), Task::Text(" ")]);
                tasks.extend(block(yes, depth));
                if let Some(no) = no {
                    tasks.push(Task::Text(" else "));
                    tasks.extend(self.otherwise(no, depth));
                }
            }
        }
    }

    /// What follows `else`: a block or, where it is one `if`, just that, so that chains do not nest.
    fn otherwise(&self, no: &'a Block, depth: usize) -> Vec<Task<'a>> {
        match no.as_slice() {
            [only] if matches!(self.source.statement(*only).kind, StatementKind::If(..)) => {
                vec![Task::Statement(*only, depth)]
            }
            _ => block(no, depth),
        }
    }
}

fn arguments_of(arguments: &[ExprRef], tasks: &mut Vec<Task<'_>>) {
    tasks.push(Task::Text("("));
    tasks.extend(separated(arguments.iter().map(|&argument| Task::Expr(argument, Tightness::Conditional))));
    tasks.push(Task::Text(")"));
}

/// Tasks with commas between them.
fn separated<'a>(tasks: impl Iterator<Item = Task<'a>>) -> impl Iterator<Item = Task<'a>> {
    tasks.enumerate().flat_map(|(index, task)| (index > 0).then_some(Task::Text(", ")).into_iter().chain([task]))
}

fn block<'a>(block: &'a Block, depth: usize) -> Vec<Task<'a>> {
    let mut tasks = vec![Task::Text("{")];
    for &statement in block {
        tasks.extend([Task::Line(depth + 1), Task::Statement(statement, depth + 1)]);
    }
    tasks.extend([Task::Line(depth), Task::Text("}")]);
    tasks
}

fn tightness(expr: &Expr) -> Tightness {
    match expr {
        Expr::If(..) => Tightness::Conditional,
        Expr::Binary(Operator::Or, ..) => Tightness::Or,
        Expr::Binary(Operator::And, ..) => Tightness::And,
        Expr::Binary(Operator::Add | Operator::Subtract | Operator::Modulo | Operator::In, ..) => Tightness::Sum,
        Expr::Binary(..) => Tightness::Comparison,
        _ => Tightness::Callable,
    }
}

/// The text of an operator, and how tight its operands must be.
fn operator_of(operator: Operator) -> (&'static str, Tightness, Tightness) {
    use Tightness::{And, Comparison, Or, Postfix, Sum};
    match operator {
        Operator::Or => (" || ", Or, And),
        Operator::And => (" && ", And, Comparison),
        Operator::Equal => (" == ", Sum, Sum),
        Operator::NotEqual => (" != ", Sum, Sum),
        Operator::Less => (" < ", Sum, Sum),
        Operator::LessEqual => (" <= ", Sum, Sum),
        Operator::Greater => (" > ", Sum, Sum),
        Operator::GreaterEqual => (" >= ", Sum, Sum),
        Operator::Add => (" + ", Sum, Postfix),
        Operator::Subtract => (" - ", Sum, Postfix),
        Operator::Modulo => (" % ", Sum, Postfix),
        Operator::In => (" in ", Sum, Postfix),
    }
}
