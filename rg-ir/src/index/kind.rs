//! Kinds of names, of their uses, and of tokens.

/// What a name stands for. Languages use the kinds that they have.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum EntityKind {
    /// A set of values: a type or a domain.
    Type,
    /// A value: a symbol of a type, an element of a domain, an object constant.
    Value,
    /// A constant that is declared with a value.
    Constant,
    /// What states consist of.
    Variable,
    /// A node of an automaton.
    Node,
    /// What moves are made of, where it is no value.
    Tag,
    /// A function with arguments.
    Function,
    /// A part of the rules with parameters: a graph.
    Graph,
    /// A macro.
    Macro,
    /// What stands for an argument or for one of several values, within one declaration.
    Parameter,
    /// A player or role.
    Player,
    /// A piece.
    Piece,
    /// A direction of a board.
    Direction,
    /// A place of a board.
    Place,
    /// A relation.
    Relation,
    /// A part of a text with a title: `<BOARD>`.
    Section,
}

impl EntityKind {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            EntityKind::Type => "type",
            EntityKind::Value => "value",
            EntityKind::Constant => "constant",
            EntityKind::Variable => "variable",
            EntityKind::Node => "node",
            EntityKind::Tag => "tag",
            EntityKind::Function => "function",
            EntityKind::Graph => "graph",
            EntityKind::Macro => "macro",
            EntityKind::Parameter => "parameter",
            EntityKind::Player => "player",
            EntityKind::Piece => "piece",
            EntityKind::Direction => "direction",
            EntityKind::Place => "place",
            EntityKind::Relation => "relation",
            EntityKind::Section => "section",
        }
    }
}

/// What is done with a name at a place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Role {
    /// It is declared, or one of its rules or cases begins.
    Definition,
    /// Its value is asked for.
    Read,
    /// It gets a value.
    Write,
    /// It is called with arguments.
    Call,
    /// It is made there of parts that are spelt otherwise.
    Pasted,
}

/// What a token is, for colours.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Class {
    /// A reserved word.
    Keyword,
    /// A comment.
    Comment,
    /// A number.
    Number,
    /// A sign.
    Operator,
    /// A text of the author's, such as a title.
    Text,
    /// A name, and what is done with it.
    Name(EntityKind, Role),
}
