//! Graphs as text. Lines and spaces are put in order by the formatter of HRG.

use crate::code::{Block, Cond, Graph, Stmt};

/// Writes a graph.
pub(crate) fn graph(graph: &Graph) -> String {
    let mut text = format!("graph {}() ", graph.name);
    block(&graph.body, &mut text);
    text.push('\n');
    text
}

fn block(stmts: &Block, text: &mut String) {
    text.push('{');
    if stmts.is_empty() {
        text.push('}');
        return;
    }
    for each in stmts {
        text.push('\n');
        stmt(each, text);
    }
    text.push_str("\n}");
}

fn stmt(stmt: &Stmt, text: &mut String) {
    match stmt {
        Stmt::Assign(target, value) => text.push_str(&format!("{target} = {value}")),
        Stmt::AssignAny(target, domain) => text.push_str(&format!("{target} = {domain}(*)")),
        Stmt::Tag(tag, false) => text.push_str(&format!("$ {tag}")),
        Stmt::Tag(tag, true) => text.push_str(&format!("$_ {tag}")),
        Stmt::TagVar(variable) => text.push_str(&format!("$$ {variable}")),
        Stmt::Check(condition) => text.push_str(&format!("check({})", cond(condition))),
        Stmt::If(condition, yes, no) => {
            text.push_str(&format!("if {} ", cond(condition)));
            block(yes, text);
            match no.as_slice() {
                [] => {}
                [only @ Stmt::If(..)] => {
                    text.push_str(" else ");
                    self::stmt(only, text);
                }
                _ => {
                    text.push_str(" else ");
                    block(no, text);
                }
            }
        }
        Stmt::Branch(arms) => {
            for (index, arm) in arms.iter().enumerate() {
                text.push_str(if index == 0 { "branch " } else { " or " });
                block(arm, text);
            }
        }
        Stmt::BranchIn(name, names, body) => {
            text.push_str(&format!("branch {name} in {{{}}} ", names.join(", ")));
            block(body, text);
        }
        Stmt::Loop(body) => {
            text.push_str("loop ");
            block(body, text);
        }
        Stmt::While(condition, body) => {
            text.push_str(&format!("while {} ", cond(condition)));
            block(body, text);
        }
        Stmt::Break => text.push_str("break()"),
        Stmt::Continue => text.push_str("continue()"),
        Stmt::Return => text.push_str("return()"),
        Stmt::End => text.push_str("end()"),
        Stmt::Call(graph) => text.push_str(&format!("{graph}()")),
        Stmt::Shared(_, rest) => {
            for (index, each) in rest.iter().enumerate() {
                text.push_str(if index == 0 { "" } else { "\n" });
                self::stmt(each, text);
            }
        }
    }
}

fn cond(condition: &Cond) -> String {
    let inner = |condition: &Cond| match condition {
        Cond::All(list) | Cond::Some(list) if list.len() > 1 => format!("({})", cond(condition)),
        _ => cond(condition),
    };
    let list = |conds: &[Cond], sign: &str| conds.iter().map(inner).collect::<Vec<_>>().join(sign);
    match condition {
        Cond::Equal(a, b, true) => format!("{a} == {b}"),
        Cond::Equal(a, b, false) => format!("{a} != {b}"),
        Cond::Reachable(graph, true) => format!("reachable({graph}())"),
        Cond::Reachable(graph, false) => format!("not(reachable({graph}()))"),
        Cond::All(conds) => list(conds, " && "),
        Cond::Some(conds) => list(conds, " || "),
        Cond::Fixed(true) => "true()".to_owned(),
        Cond::Fixed(false) => "false()".to_owned(),
    }
}
