//! The codes of everything this front end has to say. Constants begin with the name of the check in section 5 of the
//! specification; the first two digits of a number tell the group: syntax (60), text (61), vocabulary (62), reserved
//! words (63), rules (64), infix syntax (65), translation (66), states that are reached (67).

macro_rules! codes {
    ($($(#[doc = $doc:literal])* $name:ident = $code:literal;)*) => {
        $($(#[doc = $doc])* pub const $name: &str = $code;)*

        /// All codes, in ascending order, with what each is about.
        pub const ALL: &[(&str, &str)] = &[$(($code, concat!($($doc),*))),*];
    };
}

codes! {
    /// An opening bracket without a name after it.
    S1_NAME = "GDL601";
    /// `<=` without the head of a rule after it, which is what follows from the conditions.
    S2_HEAD = "GDL602";
    /// `not`, `or`, `distinct` or `<=` with too many or too few arguments.
    S3_OPERANDS = "GDL603";
    /// An operator, such as `not` or `<=`, in a place where it cannot be.
    S4_OPERATOR = "GDL604";
    /// Brackets around a name without arguments: `(p)` instead of `p`.
    S5_BRACKETS = "GDL605";
    /// A rule without conditions. It can be written as a fact.
    S6_NO_BODY = "GDL606";
    /// `not` before `or` or another operator, rather than before a single condition. It is rewritten, and the message says how.
    S7_NEGATION = "GDL607";
    /// A fact with a variable. Only rules can have variables.
    S8_FACT = "GDL608";
    /// `and`, which is not an operator of GDL: the conditions of a rule follow one another without it.
    AND = "GDL609";
    /// Brackets are nested too deeply.
    NESTING = "GDL610";
    /// A bracket that is not closed, or closes nothing.
    L1_UNBALANCED = "GDL611";
    /// A character that cannot be part of GDL, outside a comment.
    L2_CHARACTER = "GDL612";
    /// One name in two spellings that differ only in case. GDL ignores case.
    L3_CASE = "GDL613";
    /// A name with unusual characters.
    L4_UNUSUAL = "GDL614";
    /// The file has more words than are read.
    TOO_LARGE = "GDL615";
    /// The whole description is in brackets, or is part of a START message of a game server.
    WRAPPED = "GDL616";
    /// A name that occurs once, and is spelt almost like one that occurs several times: probably a misspelling.
    L5_NEAR = "GDL617";
    /// A variable that occurs once in a rule, and is spelt almost like another variable of that rule: probably a misspelling.
    L6_VARIABLE = "GDL618";
    /// A fluent (something that is true in some positions) that no condition asks about.
    U8_UNREAD = "GDL620";
    /// A relation is used with different numbers of arguments.
    A1_RELATION = "GDL621";
    /// A function is used with different numbers of arguments.
    A2_FUNCTION = "GDL622";
    /// One name is used both for a relation and for a function.
    A3_BOTH = "GDL623";
    /// A relation without rules or facts, so that it is never true.
    U1_UNDEFINED = "GDL624";
    /// A relation that no condition asks for. Its rules have no effect on the game, which GDL allows, so this is always a warning. A relation that
    /// occurs once and is probably a misspelt reserved word is an error instead, `GDL649`, since the game needs what it leaves out.
    U2_UNUSED = "GDL625";
    /// A goal value that is not an integer from 0 to 100.
    U3_VALUE = "GDL626";
    /// A condition about a fluent that no rule makes true.
    U4_FLUENT = "GDL627";
    /// A condition about a move that is never legal.
    U5_MOVE = "GDL628";
    /// A condition about a fluent or a move that `base` or `input` declares, but no rule makes true or legal.
    U7_ONLY_DECLARED = "GDL629";
    /// A reserved word, such as `legal` or `next`, with too many or too few arguments.
    K1_ARITY = "GDL631";
    /// A reserved word, such as `legal` or `next`, as an argument.
    K2_TERM = "GDL632";
    /// A rule for `true` or `does`. The position and the moves decide what these hold; rules can only ask.
    K3_INPUT = "GDL633";
    /// A role is defined by a rule with conditions. Roles are facts: `(role white)`.
    K4_ROLE = "GDL634";
    /// A relation depends on one on which it must not depend: `init`, for example, cannot depend on `true` or `does`, nor `legal` on `does`.
    K5_DEPENDENCY = "GDL635";
    /// `init`, `next`, `base`, `input` or `sees` as a condition. The rules say when they hold, and should not ask for it.
    K5_OUTPUT = "GDL636";
    /// `legal`, `does`, `goal`, `sees` or `input` for something that is not a role.
    K6_PLAYER = "GDL637";
    /// A relation is missing that every game needs, such as `terminal`.
    K7_MISSING = "GDL638";
    /// No fluent is true at the start, since there is no `init`.
    K8_EMPTY = "GDL639";
    /// There is no `base` or `input`, which list all fluents and all moves. They are not needed to play.
    K9_DOMAINS = "GDL640";
    /// A variable of a rule that no condition binds: it must occur in a condition without `not`.
    R1_UNSAFE = "GDL641";
    /// A relation depends on its own negation, directly or by way of others.
    R2_NEGATION = "GDL642";
    /// A recursive rule that can build larger and larger terms without end.
    R3_RECURSION = "GDL643";
    /// A variable for a role occurs in no condition that gives it values. It stands for every role in turn.
    ROLE_VARIABLE = "GDL644";
    /// A rule with a variable that none of its conditions binds. It is accepted, since every rule that asks for the relation binds this variable.
    BOUND_BY_CALLERS = "GDL645";
    /// A rule with a variable that no condition binds. It is ignored, since nothing in the game depends on its relation.
    UNUSED_RULE = "GDL646";
    /// A rule for `base` or `input` with a variable that no condition binds. It is ignored, since these relations are not needed to play.
    DOMAIN_RULE = "GDL647";
    /// A name in `base` or `input` that occurs nowhere else and is spelt almost like one that does: what it declares is not in the game.
    U6_DECLARED = "GDL648";
    /// A reserved word that is probably misspelt: a relation that occurs only once in the description, has as many arguments as the reserved word, and
    /// differs from it by a missing, doubled or transposed letter. A relation that is spelt like a reserved word but occurs several times is taken for
    /// one of its own.
    MISSPELT = "GDL649";
    /// A role that no rule for `goal` is about. Its score is 0 however the game ends.
    K10_NO_GOAL = "GDL650";
    /// A word or sign that cannot be where it is (infix syntax).
    I1_SYNTAX = "GDL651";
    /// A word or sign that cannot begin a rule or fact (infix syntax).
    I2_CLAUSE = "GDL652";
    /// A variable where a name is expected (infix syntax).
    I3_VARIABLE = "GDL653";
    /// A name that cannot be written in the infix syntax.
    NO_INFIX_SPELLING = "GDL654";
    /// Written out without variables, the rules would be too many, or it would take too long to find them.
    T2_GROUNDING = "GDL661";
    /// A rule with so many alternatives (`or`) that it would become too many rules without any.
    ALTERNATIVES = "GDL662";
    /// A role has no legal move in a position that is not terminal. Nobody can move there, so the game stops without a result.
    D1_STUCK = "GDL671";
    /// A role has several goal values in a terminal position. The greatest one counts.
    D2_SEVERAL = "GDL672";
    /// A role has no goal value in a terminal position. It counts as 0.
    D2_NONE = "GDL673";
    /// `base` lacks a fluent that can become true, or `input` a move that can be legal.
    D5_UNDECLARED = "GDL674";
    /// A role has a goal value in a terminal position that is not a natural number. It counts as 0.
    D2_VALUE = "GDL675";
}

/// The codes of warnings about texts that are not GDL by the letter, and are read all the same: under `--strict` they are
/// errors.
pub const LENIENT: &[&str] = &[
    S5_BRACKETS,
    S6_NO_BODY,
    S7_NEGATION,
    U3_VALUE,
    U4_FLUENT,
    U5_MOVE,
    AND,
    WRAPPED,
    ROLE_VARIABLE,
    BOUND_BY_CALLERS,
    UNUSED_RULE,
    DOMAIN_RULE,
];
