//! The codes of everything this front end has to say; section numbers refer to the specification of HRG.

macro_rules! codes {
    ($($(#[doc = $doc:literal])* $name:ident = $code:literal;)*) => {
        $($(#[doc = $doc])* pub const $name: &str = $code;)*

        /// All codes, in ascending order, with what each is about.
        pub const ALL: &[(&str, &str)] = &[$(($code, concat!($($doc),*))),*];
    };
}

codes! {
    /// A character that begins no token.
    UNKNOWN_CHARACTER = "HRG401";
    /// A token where another is expected.
    SYNTAX = "HRG402";
    /// Brackets or blocks are nested too deeply.
    NESTING = "HRG403";
    /// More tokens than are read.
    TOO_LARGE = "HRG404";
    /// A name is declared twice.
    DUPLICATE = "HRG405";
    /// A domain that is not declared.
    UNKNOWN_DOMAIN = "HRG406";
    /// A domain or graph that contains itself.
    RECURSIVE = "HRG407";
    /// A pattern variable without values.
    MISSING_RANGE = "HRG408";
    /// A domain, table or unrolled graph exceeds its limit.
    LIMIT = "HRG409";
    /// There is no graph `rules`, or a required domain is missing.
    MISSING = "HRG410";
    /// `rules` has parameters.
    RULES_PARAMETERS = "HRG411";
    /// Cases of different numbers of patterns, or more than the type has arrows.
    ARITY = "HRG412";
    /// The values of a key type cannot be listed.
    KEY_TYPE = "HRG413";
    /// No case of a function matches some arguments.
    UNCOVERED = "HRG414";
    /// An operand that is not an integer, a modulus by zero, an overflow.
    ARITHMETIC = "HRG415";
    /// Evaluation is nested too deeply or takes too long.
    RECURSION_LIMIT = "HRG416";
    /// A key occurs twice in a map.
    DUPLICATE_KEY = "HRG417";
    /// An upper-case name that is neither bound nor a symbol of a domain.
    UNBOUND = "HRG418";
    /// A wildcard beside other parts of a map.
    WILDCARD = "HRG419";
    /// A graph that is not declared.
    UNKNOWN_GRAPH = "HRG420";
    /// A wrong number of arguments.
    ARGUMENTS = "HRG421";
    /// Something that is not a condition where one is needed.
    CONDITION = "HRG422";
    /// `reachable` of something that is not a call of a graph.
    REACHABLE = "HRG423";
    /// A statement behind a jump.
    DEAD_STATEMENT = "HRG424";
    /// `break` or `continue` outside a loop.
    OUTSIDE_LOOP = "HRG425";
    /// An assignment to something that cannot be assigned.
    READ_ONLY = "HRG426";
    /// An argument of a constructor that is not a compile-time value.
    NOT_CONSTANT = "HRG427";
    /// Two values are written equally in RG.
    COLLISION = "HRG428";
    /// A value that its type does not have.
    TYPE = "HRG429";
    /// A function that is not declared.
    UNKNOWN_FUNCTION = "HRG430";
    /// An expression that only exists at compile time.
    COMPILE_TIME = "HRG431";
    /// Keys that a map does not list, or lists in vain.
    MAP_KEYS = "HRG450";
    /// A variable is bound twice in a pattern.
    REPEATED_VARIABLE = "HRG451";
    /// A declaration that is never used, a parameter that is never read.
    UNUSED = "HRG452";
    /// A game can reach the end of `rules`.
    RULES_EXIT = "HRG453";
    /// A tag is both artificial and ordinary.
    MIXED_TAG = "HRG454";
    /// Symbols that are not numbers are ordered.
    ORDERING = "HRG455";
    /// A variable or parameter with the name of a symbol.
    HIDDEN = "HRG456";
    /// A check in which `player` is assigned.
    PLAYER_IN_CHECK = "HRG457";
    /// A statement that can never be reached.
    UNREACHABLE = "HRG458";
    /// A case of a function that gives no result.
    UNUSED_CASE = "HRG459";
    /// A constructor that no domain has, spelt almost like one that a domain has: no value of a type is made with it.
    UNKNOWN_CONSTRUCTOR = "HRG460";
    /// A key, or the argument of a function, that may be a value which the type of the keys does not have: a map gives its default there, and a function its most common result.
    OUTSIDE_KEYS = "HRG461";
    /// A domain or variable has the name of a built-in one, and other values.
    BUILT_IN = "HRG462";
    /// A tag with the name of a variable: it is the word, and not what the variable holds.
    TAG_OF_VARIABLE = "HRG463";
}
