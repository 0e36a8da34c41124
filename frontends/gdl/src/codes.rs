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
    /// S1: an opening bracket without a name behind it.
    S1_NAME = "GDL601";
    /// S2: a rule without a head.
    S2_HEAD = "GDL602";
    /// S3: an operator with a wrong number of operands.
    S3_OPERANDS = "GDL603";
    /// S4: an operator where none may stand.
    S4_OPERATOR = "GDL604";
    /// S5: brackets around an atom without arguments.
    S5_BRACKETS = "GDL605";
    /// S6: a rule without a body.
    S6_NO_BODY = "GDL606";
    /// S7: a negation that is not a negation of an atom.
    S7_NEGATION = "GDL607";
    /// S8: a variable in a fact.
    S8_FACT = "GDL608";
    /// `and`, which is not an operator of GDL (section 2.2).
    AND = "GDL609";
    /// Brackets nest too deeply.
    NESTING = "GDL610";
    /// L1: a bracket without its partner.
    L1_UNBALANCED = "GDL611";
    /// L2: a character that does not belong into code.
    L2_CHARACTER = "GDL612";
    /// L3: spellings of one word that differ in case.
    L3_CASE = "GDL613";
    /// L4: unusual characters in a name.
    L4_UNUSUAL = "GDL614";
    /// More words than are read.
    TOO_LARGE = "GDL615";
    /// A whole description in brackets, or inside a START message of a game server.
    WRAPPED = "GDL616";
    /// L5: a name that stands once, and is spelt almost like one that stands several times.
    L5_NEAR = "GDL617";
    /// L6: a variable that stands once in a rule, and is spelt almost like another of that rule.
    L6_VARIABLE = "GDL618";
    /// U8: a fluent that no condition is about.
    U8_UNREAD = "GDL620";
    /// A1: a relation of two arities.
    A1_RELATION = "GDL621";
    /// A2: a function of two arities.
    A2_FUNCTION = "GDL622";
    /// A3: one word for a relation and a function.
    A3_BOTH = "GDL623";
    /// U1: a relation without rules. It is never true.
    U1_UNDEFINED = "GDL624";
    /// U2: a relation that no condition uses. Its rules have no effect on the game, which GDL allows, so this is always a warning. One that occurs once and is a reserved word
    /// but for a slip is an error, `GDL649`, as it leaves out what the game needs.
    U2_UNUSED = "GDL625";
    /// U3: a goal value that is not an integer from 0 to 100.
    U3_VALUE = "GDL626";
    /// U4: a condition about a fluent that no rule makes true.
    U4_FLUENT = "GDL627";
    /// U5: a condition about a move that is never legal.
    U5_MOVE = "GDL628";
    /// U7: a condition about a fluent or a move that is declared, and that no rule makes.
    U7_ONLY_DECLARED = "GDL629";
    /// K1: a reserved word with a wrong number of arguments.
    K1_ARITY = "GDL631";
    /// K2: a reserved word as a term.
    K2_TERM = "GDL632";
    /// K3: a definition of what the game is given.
    K3_INPUT = "GDL633";
    /// K4: roles that are not facts.
    K4_ROLE = "GDL634";
    /// K5: a dependency that is not allowed.
    K5_DEPENDENCY = "GDL635";
    /// K5w: a result of the rules as a condition.
    K5_OUTPUT = "GDL636";
    /// K6: a player that is not a role.
    K6_PLAYER = "GDL637";
    /// K7: a relation is missing that every game has.
    K7_MISSING = "GDL638";
    /// K8: no initial fluents.
    K8_EMPTY = "GDL639";
    /// K9: no `base` or `input`.
    K9_DOMAINS = "GDL640";
    /// R1: a variable that nothing binds.
    R1_UNSAFE = "GDL641";
    /// R2: a negation in a cycle.
    R2_NEGATION = "GDL642";
    /// R3: a recursion that can build terms without bound.
    R3_RECURSION = "GDL643";
    /// A variable for a role that no condition binds; it is read as every role in turn.
    ROLE_VARIABLE = "GDL644";
    /// An unsafe rule that is read into the rules that ask for its relation, since these bind its variables.
    BOUND_BY_CALLERS = "GDL645";
    /// An unsafe rule that is ignored, since nothing in the game depends on its relation.
    UNUSED_RULE = "GDL646";
    /// An unsafe rule for `base` or `input`, which is ignored: they are not needed to play.
    DOMAIN_RULE = "GDL647";
    /// U6: a name in `base` or `input` that stands nowhere else and is spelt almost like one that does. It declares what the game does not have.
    U6_DECLARED = "GDL648";
    /// A reserved word that is probably misspelt: a relation that occurs only once in the description, has as many arguments as the reserved word, and
    /// differs from it by a missing, doubled or transposed letter. A relation that is spelt like a reserved word but occurs several times is taken for
    /// one of its own.
    MISSPELT = "GDL649";
    /// I1: a token that does not fit (infix).
    I1_SYNTAX = "GDL651";
    /// I2: a token that begins no clause (infix).
    I2_CLAUSE = "GDL652";
    /// I3: a variable in the place of a name (infix).
    I3_VARIABLE = "GDL653";
    /// A word that has no spelling of its own in the infix syntax.
    NO_INFIX_SPELLING = "GDL654";
    /// T2: the ground program would be too large, or takes too long to find.
    T2_GROUNDING = "GDL661";
    /// A rule stands for too many rules without disjunctions.
    ALTERNATIVES = "GDL662";
    /// D1: a role without a legal move in a state that is not terminal. No joint move can be made there, so the game stops
    /// without a result.
    D1_STUCK = "GDL671";
    /// D2: a role with several goal values in a terminal state. The greatest one counts.
    D2_SEVERAL = "GDL672";
    /// D2: a role without a goal value in a terminal state. It counts as 0.
    D2_NONE = "GDL673";
    /// D5: a fluent that can be reached is not in `base`, or a legal move not in `input`, where the sheet has these relations.
    D5_UNDECLARED = "GDL674";
    /// D2: a role whose goal value in a terminal state is not a natural number. It counts as 0.
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
