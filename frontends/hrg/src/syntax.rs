//! Parsing of expressions and statements (section 3 of the specification).

use crate::ast::*;
use crate::parse::{Parse, Parser};

/// Operators by spelling, with how tightly they bind.
const OPERATORS: [(&str, Operator, u8); 12] = [
    ("||", Operator::Or, 1),
    ("&&", Operator::And, 2),
    ("==", Operator::Equal, 3),
    ("!=", Operator::NotEqual, 3),
    ("<", Operator::Less, 3),
    ("<=", Operator::LessEqual, 3),
    (">", Operator::Greater, 3),
    (">=", Operator::GreaterEqual, 3),
    ("+", Operator::Add, 4),
    ("-", Operator::Subtract, 4),
    ("%", Operator::Modulo, 4),
    ("in", Operator::In, 4),
];

impl Parser<'_> {
    /// An expression.
    pub(crate) fn expr(&mut self) -> Parse<ExprRef> {
        self.nested(|p| p.operators(1))
    }

    /// Operands joined by operators that bind at least as tightly as `least`. Comparisons do not chain.
    fn operators(&mut self, least: u8) -> Parse<ExprRef> {
        let start = self.here();
        let mut left = self.postfix()?;
        let mut most = u8::MAX;
        loop {
            let found = OPERATORS.iter().find(|(spelling, _, _)| self.is(spelling));
            let Some(&(_, operator, level)) = found.filter(|(_, _, level)| *level >= least && *level <= most) else {
                return Ok(left);
            };
            self.advance();
            let right = self.operators(level + 1)?;
            left = self.add(Expr::Binary(operator, left, right), self.since(start))?;
            most = if level == 3 { 2 } else { level };
        }
    }

    fn postfix(&mut self) -> Parse<ExprRef> {
        let start = self.here();
        let mut expr = self.primary()?;
        loop {
            let next = if self.accept("[") {
                let key = self.expr()?;
                self.expect("]")?;
                Expr::Index(expr, key)
            } else if self.is("(") {
                Expr::Call(expr, self.arguments(Self::expr)?)
            } else {
                return Ok(expr);
            };
            expr = self.add(next, self.since(start))?;
        }
    }

    fn primary(&mut self) -> Parse<ExprRef> {
        let start = self.here();
        let expr = if self.accept("(") {
            let inner = self.expr()?;
            self.expect(")")?;
            return Ok(inner);
        } else if self.accept("if") {
            let condition = self.expr()?;
            self.expect("then")?;
            let yes = self.expr()?;
            self.expect("else")?;
            Expr::If(condition, yes, self.expr()?)
        } else if self.is("{") {
            self.map()?
        } else if self.is_upper_at(0) && self.peek_at(1).is("(") {
            let name = self.name("a constructor")?;
            Expr::Construct(name.symbol, self.arguments(Self::expr)?)
        } else {
            Expr::Name(self.name("an expression")?.symbol)
        };
        self.add(expr, self.since(start))
    }

    fn map(&mut self) -> Parse<Expr> {
        self.expect("{")?;
        let mut default = None;
        let mut parts = Vec::new();
        if self.accept(":") {
            default = Some(self.expr()?);
        } else {
            parts.push(self.part()?);
        }
        while self.accept(";") {
            parts.push(self.part()?);
        }
        self.expect("}")?;
        Ok(Expr::Map(default, parts))
    }

    fn part(&mut self) -> Parse<Part> {
        let start = self.here();
        let pattern = self.pattern()?;
        let span = self.since(start);
        self.expect("=")?;
        let value = self.expr()?;
        let ranges = if self.accept("where") { self.list(Self::range)? } else { Vec::new() };
        Ok(Part { pattern, value, ranges, span })
    }

    /// A block with its braces.
    pub(crate) fn block(&mut self) -> Parse<Vec<Statement>> {
        self.nested(|p| {
            p.expect("{")?;
            let mut statements = Vec::new();
            while !p.accept("}") {
                statements.push(p.statement()?);
            }
            Ok(statements)
        })
    }

    fn statement(&mut self) -> Parse<Statement> {
        let start = self.here();
        let (kind, span) = if self.accept("branch") {
            self.branch()?
        } else if self.accept("repeat") {
            self.repeat()?
        } else if self.accept("loop") {
            (StatementKind::Loop(self.block()?), start)
        } else if self.accept("while") {
            let condition = self.expr()?;
            let span = self.since(start);
            (StatementKind::While(condition, self.block()?), span)
        } else if self.is("if") {
            return self.nested(Self::conditional);
        } else if self.accept("$$") {
            let name = self.name("a variable")?;
            (StatementKind::TagVariable(name), self.since(start))
        } else if self.is("$") || self.is("$_") {
            let artificial = self.accept("$_") || !self.accept("$");
            let names = self.tag_names()?;
            (StatementKind::Tag(artificial, names), self.since(start))
        } else if self.is_name_at(0) && self.peek_at(1).is("(") {
            let name = self.name("a graph")?;
            let arguments = self.arguments(Self::expr)?;
            (StatementKind::Call(name, arguments), self.since(start))
        } else {
            let kind = self.assignment()?;
            (kind, self.since(start))
        };
        Ok(Statement { kind, span: start.to(span) })
    }

    fn tag_names(&mut self) -> Parse<Vec<Name>> {
        if !self.accept("(") {
            return Ok(vec![self.name("a tag")?]);
        }
        let mut names = vec![self.name("a tag")?];
        while !self.accept(")") {
            names.push(self.name("a tag or `)`")?);
        }
        Ok(names)
    }

    /// What follows `branch`.
    fn branch(&mut self) -> Parse<(StatementKind, rg_ir::Span)> {
        let start = self.here();
        if self.is("{") {
            let mut arms = vec![self.block()?];
            while self.accept("or") {
                arms.push(self.block()?);
            }
            return Ok((StatementKind::Branch(arms), start.to(start)));
        }
        let name = self.name("`{` or a variable")?;
        self.expect("in")?;
        let ty = self.ty()?;
        let span = self.since(start);
        Ok((StatementKind::BranchIn(name, ty, self.block()?), span))
    }

    fn repeat(&mut self) -> Parse<(StatementKind, rg_ir::Span)> {
        let start = self.here();
        if self.is_name_at(0) && self.peek_at(1).is("in") {
            let name = self.name("a variable")?;
            self.advance();
            let ty = self.ty()?;
            let span = self.since(start);
            return Ok((StatementKind::RepeatIn(name, ty, self.block()?), span));
        }
        let count = self.number()?;
        let span = self.since(start);
        Ok((StatementKind::Repeat(count, self.block()?), span))
    }

    fn conditional(&mut self) -> Parse<Statement> {
        let start = self.here();
        self.expect("if")?;
        let condition = self.expr()?;
        let span = self.since(start);
        let yes = self.block()?;
        let no = if !self.accept("else") {
            None
        } else if self.is("if") {
            Some(vec![self.nested(Self::conditional)?])
        } else {
            Some(self.block()?)
        };
        Ok(Statement { kind: StatementKind::If(condition, yes, no), span })
    }

    fn assignment(&mut self) -> Parse<StatementKind> {
        let start = self.here();
        let name = self.name("a statement or `}`")?;
        let mut target = self.add(Expr::Name(name.symbol), name.span)?;
        while self.accept("[") {
            let key = self.expr()?;
            self.expect("]")?;
            target = self.add(Expr::Index(target, key), self.since(start))?;
        }
        self.expect("=")?;
        if self.is_any() {
            let ty = self.ty()?;
            self.expect("(")?;
            self.expect("*")?;
            self.expect(")")?;
            return Ok(StatementKind::AssignAny(target, ty));
        }
        Ok(StatementKind::Assign(target, self.expr()?))
    }

    /// Whether `type ( * )` follows.
    fn is_any(&self) -> bool {
        let mut at = 0;
        loop {
            if self.peek_at(at).is("{") {
                while self.is_name_at(at + 1) && self.peek_at(at + 2).is(",") {
                    at += 2;
                }
                return self.is_name_at(at + 1)
                    && self.peek_at(at + 2).is("}")
                    && self.peek_at(at + 3).is("(")
                    && self.peek_at(at + 4).is("*");
            }
            if !self.is_name_at(at) {
                return false;
            }
            if !self.peek_at(at + 1).is("->") {
                return self.peek_at(at + 1).is("(") && self.peek_at(at + 2).is("*");
            }
            at += 2;
        }
    }
}
