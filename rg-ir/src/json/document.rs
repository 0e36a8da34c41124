//! The shape of the JSON format. Each type here is one kind of JSON object; field names are in camel case.

use schemars::JsonSchema;
use serde::Deserialize;

/// A game in Regular Games.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Document {
    /// Version of the format: 1.
    pub version: u64,
    /// Claims about the game, in order.
    #[serde(default)]
    pub pragmas: Vec<Pragma>,
    /// Type declarations, in order; built-in ones may be left out where the language allows it.
    pub types: Vec<TypeDecl>,
    /// Constants, in order.
    #[serde(default)]
    pub constants: Vec<ConstDecl>,
    /// Variables, in order; built-in ones may be left out.
    #[serde(default)]
    pub variables: Vec<VarDecl>,
    /// Edges of the automaton, in order. Nodes are named here and need no declaration.
    pub edges: Vec<Edge>,
}

/// `type name = definition;`
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct TypeDecl {
    /// Its name.
    pub name: String,
    /// The right-hand side.
    pub definition: Type,
}

/// `const name: type = value;`
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ConstDecl {
    /// Its name.
    pub name: String,
    /// Declared type.
    #[serde(rename = "type")]
    pub ty: Type,
    /// Its value.
    pub value: Value,
}

/// `var name: type = initial;`
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct VarDecl {
    /// Its name.
    pub name: String,
    /// Declared type.
    #[serde(rename = "type")]
    pub ty: Type,
    /// Initial value.
    pub initial: Value,
}

/// A type expression.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Type {
    /// A declared type.
    Name(String),
    /// `{a, b}`: the symbols in order.
    Set(Vec<String>),
    /// `K1 -> K2 -> V`: key types, outermost first, and the value type last; at least two types.
    Arrow(Vec<Type>),
}

/// An initial value or the value of a constant.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Value {
    /// A symbol.
    Symbol(String),
    /// The value of a constant.
    Constant(String),
    /// A map; exactly one entry has no key.
    Map(Vec<Entry>),
}

/// An entry of a map value.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Entry {
    /// A symbol; none for the default entry.
    #[serde(default)]
    pub key: Option<String>,
    /// The value of that key.
    pub value: Value,
}

/// An expression.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Expr {
    /// A constant.
    Constant(String),
    /// A variable.
    Variable(String),
    /// A symbol.
    Symbol(String),
    /// `map[key][key]`: the map, then the keys, outermost first; at least two expressions.
    Access(Vec<Expr>),
    /// `T(e)`.
    Cast(Box<Cast>),
}

/// `type(operand)`
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Cast {
    /// The type.
    #[serde(rename = "type")]
    pub ty: Type,
    /// The expression.
    pub operand: Expr,
}

/// `source, target: label;`
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Edge {
    /// The node where the step starts.
    pub source: String,
    /// The node where it leads.
    pub target: String,
    /// What it does.
    pub label: Label,
}

/// What an edge does.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Label {
    /// Nothing.
    Skip,
    /// `lhs == rhs`, negated `lhs != rhs`.
    Compare(Compare),
    /// `lhs = rhs`.
    Assign(Sides),
    /// `lhs = type(*)`.
    AssignAny(AssignAny),
    /// `$ tag`.
    Tag(String),
    /// `$$ variable`.
    TagVariable(String),
    /// `? from -> to`, negated `! from -> to`.
    Reachability(Reachability),
}

/// A comparison.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Compare {
    /// Left side.
    pub lhs: Expr,
    /// Right side.
    pub rhs: Expr,
    /// Whether the sides must differ.
    #[serde(default)]
    pub negated: bool,
}

/// An assignment.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Sides {
    /// What is assigned.
    pub lhs: Expr,
    /// The new value.
    pub rhs: Expr,
}

/// An assignment of any symbol of a type.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct AssignAny {
    /// What is assigned.
    pub lhs: Expr,
    /// The set type to choose from.
    #[serde(rename = "type")]
    pub ty: Type,
}

/// A reachability check.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Reachability {
    /// The node where the checked walk starts.
    pub from: String,
    /// The node where it has to arrive.
    pub to: String,
    /// Whether there must be no such walk.
    #[serde(default)]
    pub negated: bool,
}

/// A claim about the game.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Pragma {
    /// Tags that never matter for telling moves apart.
    ArtificialTag(Vec<String>),
    /// At most one (exhaustive: exactly one) of the edges from `node` to `targets` can be taken.
    Disjoint(Disjoint),
    /// The symbols stand for consecutive integers.
    Integer(Integer),
    /// `@iterator p q r : v`
    Iterator(Iterator),
    /// `@repeat p .. : v ..`
    Repeat(Repeat),
    /// `@unique p ..`
    Unique(Vec<String>),
    /// How to apply a legal move without search.
    SimpleApply(SimpleApply),
    /// Exactly that many tags were emitted at the nodes.
    TagIndex(TagIndex),
    /// At most that many tags were emitted at the nodes.
    TagMaxIndex(TagIndex),
    /// The automaton comes from RBG.
    TranslatedFromRbg,
    /// Any other pragma: its text between `@` and `;`.
    Unknown(String),
}

/// `@disjoint node : targets`
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Disjoint {
    /// Exactly one instead of at most one.
    #[serde(default)]
    pub exhaustive: bool,
    /// The node.
    pub node: String,
    /// Targets of the edges, one entry per edge.
    pub targets: Vec<String>,
}

/// `@integer first : symbols`
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Integer {
    /// The number of the first symbol.
    pub first: u64,
    /// The symbols.
    pub symbols: Vec<String>,
}

/// `@iterator nodes : variable`
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Iterator {
    /// The three nodes.
    pub nodes: [String; 3],
    /// The iterated variable.
    pub variable: String,
}

/// `@repeat nodes : variables`
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Repeat {
    /// The nodes.
    pub nodes: Vec<String>,
    /// The variables that tell arrivals apart.
    pub variables: Vec<String>,
}

/// `@tagIndex nodes : index`
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct TagIndex {
    /// The nodes.
    pub nodes: Vec<String>,
    /// Number of tags.
    pub index: u64,
}

/// `@simpleApply from to [tags] assignments`
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct SimpleApply {
    /// No other continuation exists at `from`.
    #[serde(default)]
    pub exhaustive: bool,
    /// Where the walk is.
    pub from: String,
    /// Where it can be continued.
    pub to: String,
    /// Tags consumed, in order.
    pub tags: Vec<ApplyTag>,
    /// Assignments to execute, in order.
    pub assignments: Vec<Sides>,
}

/// A tag of `@simpleApply`.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ApplyTag {
    /// The tag, or the name that is bound to it.
    pub name: String,
    /// For a bound name: the type of the tag.
    #[serde(default, rename = "type")]
    pub ty: Option<Type>,
}
