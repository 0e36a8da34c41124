//! The codes of everything this front end has to say; numbers refer to the checks of section 10 of the specification.

macro_rules! codes {
    ($($(#[doc = $doc:literal])* $name:ident = $code:literal;)*) => {
        $($(#[doc = $doc])* pub const $name: &str = $code;)*

        /// All codes, in ascending order, with what each is about.
        pub const ALL: &[(&str, &str)] = &[$(($code, concat!($($doc),*))),*];
    };
}

codes! {
    /// A character that begins no token (check 1).
    UNKNOWN_CHARACTER = "RBG101";
    /// A block comment without its end (check 1).
    UNTERMINATED_COMMENT = "RBG102";
    /// A number above 2^31-1 (check 1).
    NUMBER_TOO_LARGE = "RBG103";
    /// More tokens than are read.
    TOO_LARGE = "RBG104";
    /// A directive that is neither a section nor a macro definition (check 2).
    BAD_DIRECTIVE = "RBG105";
    /// A section is missing or empty (check 2).
    MISSING_SECTION = "RBG106";
    /// A section is there twice (check 3).
    DUPLICATE_SECTION = "RBG107";
    /// A macro is defined twice (check 3).
    MACRO_REDEFINED = "RBG108";
    /// A parameter is named twice (check 3).
    DUPLICATE_PARAMETER = "RBG109";
    /// A macro exists with and without parameters (check 4).
    MIXED_MACRO = "RBG110";
    /// A macro call with a number of arguments that no definition has (check 4).
    WRONG_ARGUMENT_COUNT = "RBG111";
    /// A macro that needs arguments is written without them (check 4).
    MISSING_ARGUMENTS = "RBG112";
    /// The arguments of a macro call are not closed (check 4).
    UNBALANCED_ARGUMENTS = "RBG113";
    /// Two tokens that cannot be pasted (check 5).
    BAD_PASTE = "RBG114";
    /// A `~` in a section, or without an operand (check 5).
    MISPLACED_PASTE = "RBG115";
    /// Expansion or power makes too much (check 6).
    EXPANSION_TOO_LARGE = "RBG116";
    /// Brackets or operators nest too deeply.
    NESTING_TOO_DEEP = "RBG117";
    /// A section does not follow the grammar, or goes on after its end (check 7).
    SYNTAX = "RBG118";
    /// An alternative, a pair of brackets, or a row without content (checks 9, 12).
    EMPTY = "RBG119";
    /// The power `^0`, which repeats nothing (check 12).
    ZERO_POWER = "RBG120";
    /// Two suffixes in a row (check 12).
    DOUBLE_SUFFIX = "RBG121";
    /// A name declared twice in one section (check 8).
    DUPLICATE_NAME = "RBG122";
    /// A name with two kinds of meaning (check 8).
    OVERLAPPING_NAME = "RBG123";
    /// A generator with a wrong number of edge labels (check 9).
    WRONG_LABEL_COUNT = "RBG124";
    /// Rows or layers that do not fit together (check 9).
    BOARD_SHAPE = "RBG125";
    /// A board without any vertex (check 9).
    EMPTY_BOARD = "RBG126";
    /// An unknown piece on the board (check 10).
    UNKNOWN_PIECE = "RBG127";
    /// An edge to an unknown vertex (check 10).
    UNKNOWN_VERTEX = "RBG128";
    /// A vertex declared twice (check 10).
    DUPLICATE_VERTEX = "RBG129";
    /// Two edges with one label at one vertex (check 10).
    DUPLICATE_EDGE = "RBG130";
    /// An undeclared name in the rules (check 11).
    UNKNOWN_NAME = "RBG131";
    /// A name of the wrong kind in the rules (check 11).
    WRONG_KIND = "RBG132";
    /// Division by the number zero (check 12).
    DIVISION_BY_ZERO = "RBG133";
    /// A switch inside a check (check 13).
    SWITCH_IN_CHECK = "RBG134";
    /// A modifier on a cycle that nothing can stop (check 15).
    ENDLESS_MODIFIERS = "RBG135";
    /// A bound of 0: the value can only be 0 (warning, section 4).
    ZERO_BOUND = "RBG150";
    /// A constant assigned outside the target's bound (check 14).
    ASSIGNMENT_OUT_OF_BOUND = "RBG151";
    /// A comparison of constants (check 14).
    CONSTANT_COMPARISON = "RBG152";
    /// A modifier on a cycle (check 15, warning).
    CYCLIC_MODIFIER = "RBG153";
    /// Rules without any switch (check 16).
    NO_SWITCH = "RBG154";
    /// A player who never gets control (check 16).
    IDLE_PLAYER = "RBG155";
    /// A place from which no switch can be reached (check 16).
    DEAD_END = "RBG156";
    /// Rules by which no game ends (check 16).
    NO_END = "RBG157";
    /// Rules by which no player ever has a move (check 16).
    NO_MOVE = "RBG158";
    /// Rules that nothing reaches: they stand behind a test that never holds, such as `{}`, which often ends the game.
    UNREACHABLE = "RBG159";
    /// A move of a player that the keeper may make: no switch hands over to the player before it, and `{}` does not end the game, either (check 18).
    KEEPER_MOVE = "RBG160";
    /// `{…}` with all pieces is always true (check 17).
    FULL_ON = "RBG170";
    /// A name twice in one list (check 17).
    REPEATED_IN_LIST = "RBG171";
    /// A declaration that is not used (check 17).
    UNUSED = "RBG172";
    /// A label without edges (check 17).
    LABEL_WITHOUT_EDGES = "RBG173";
    /// A vertex that cannot be reached from the first one (check 17).
    UNREACHABLE_VERTEX = "RBG174";
    /// A choice of the keeper that may matter (check 18).
    KEEPER_CHOICE = "RBG175";
    /// A macro without a body.
    EMPTY_MACRO = "RBG176";
    /// A parameter that the body of its macro does not use: each call has an argument for nothing.
    UNUSED_PARAMETER = "RBG177";
    /// A name in the body of a macro that occurs nowhere else and is spelt almost like a parameter that the body does not use.
    MISSPELT_PARAMETER = "RBG178";
    /// Arithmetic that would need too large a table (lowering).
    TABLE_TOO_LARGE = "RBG180";
    /// A bound too large for a type (lowering).
    BOUND_TOO_LARGE = "RBG181";
    /// A shift by a label that is not declared (lowering; only in descriptions not made by the parser).
    UNKNOWN_LABEL = "RBG182";
    /// A sum of too many different values (lowering).
    SUM_TOO_LONG = "RBG183";
}
