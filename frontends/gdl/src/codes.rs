//! The codes of everything this front end has to say. Constants begin with the name of the check in section 5 of the
//! specification; the first two digits of a number tell the group: syntax (60), text (61), vocabulary (62), reserved
//! words (63), rules (64), infix syntax (65), translation (66).

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
    /// S7: a negation that is no negation of an atom.
    S7_NEGATION = "GDL607";
    /// S8: a variable in a fact.
    S8_FACT = "GDL608";
    /// `and`, which is no operator of GDL (section 2.2).
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
    /// A1: a relation of two arities.
    A1_RELATION = "GDL621";
    /// A2: a function of two arities.
    A2_FUNCTION = "GDL622";
    /// A3: one word for a relation and a function.
    A3_BOTH = "GDL623";
    /// U1: a relation without rules.
    U1_UNDEFINED = "GDL624";
    /// U2: a relation that is not used.
    U2_UNUSED = "GDL625";
    /// U3: a goal value that is no integer from 0 to 100.
    U3_VALUE = "GDL626";
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
    /// K6: a player that is no role.
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
}
