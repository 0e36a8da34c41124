//! The codes of everything this front end has to say; numbers refer to the table of section 5 of the specification.

macro_rules! codes {
    ($($(#[doc = $doc:literal])* $name:ident = $code:literal;)*) => {
        $($(#[doc = $doc])* pub const $name: &str = $code;)*

        /// All codes, in ascending order, with what each is about.
        pub const ALL: &[(&str, &str)] = &[$(($code, concat!($($doc),*))),*];
    };
}

codes! {
    /// A character that begins no token (finding 1).
    UNKNOWN_CHARACTER = "SBG501";
    /// A block comment without its end (finding 1).
    UNTERMINATED_COMMENT = "SBG502";
    /// A number too large to be read.
    NUMBER_TOO_LARGE = "SBG503";
    /// More tokens than are read.
    TOO_LARGE = "SBG504";
    /// A section is missing, there twice, or in the wrong place (finding 1).
    SECTIONS = "SBG505";
    /// The name is missing, empty, or has a foreign character (finding 1).
    BAD_NAME = "SBG506";
    /// Width or height is missing, 0, or too large (finding 2).
    BAD_SIZE = "SBG507";
    /// A row of the wrong width (finding 3).
    ROW_WIDTH = "SBG508";
    /// The wrong number of rows (finding 3).
    ROW_COUNT = "SBG509";
    /// A character in a row that is neither a letter nor `.` (finding 3).
    BAD_CELL = "SBG510";
    /// Two rules for one letter (finding 4).
    DUPLICATE_RULE = "SBG511";
    /// A rule for a lower-case letter (finding 4).
    LOWER_CASE_RULE = "SBG512";
    /// A rule or goal does not follow the grammar (findings 5, 14).
    SYNTAX = "SBG513";
    /// No `&` between two entries (finding 5).
    MISSING_AMPERSAND = "SBG514";
    /// Brackets nest too deeply.
    NESTING_TOO_DEEP = "SBG515";
    /// A step that leaves the board from every square (finding 6).
    STEP_TOO_LONG = "SBG516";
    /// A rule with too many steps, powers written out, or one whose automaton gets too large.
    RULE_TOO_LARGE = "SBG517";
    /// A goal square outside the board (finding 13).
    SQUARE_OUTSIDE = "SBG518";
    /// A `#` entry that is satisfied by a letter that is nowhere (finding 11).
    ABSENT_LETTER = "SBG519";
    /// The limit of half-moves is missing or not usable (finding 15).
    BAD_LIMIT = "SBG520";
    /// Text after the last goal, or something that is not a goal (finding 17).
    NO_GOAL = "SBG521";
    /// Too many different steps for a board of this size.
    TOO_MANY_STEPS = "SBG522";
    /// No `&` behind the last entry of a section (section 2).
    FINAL_AMPERSAND = "SBG530";
    /// A step to the square it starts from that needs it not to be the mover's (finding 7).
    STEP_IN_PLACE = "SBG531";
    /// A rule or alternative that no piece can ever follow (finding 8).
    DEAD_WORDS = "SBG532";
    /// A rule that allows passes (finding 9).
    PASSES = "SBG533";
    /// A rule for a letter that is nowhere on the board (finding 10).
    UNUSED_RULE = "SBG534";
    /// Pieces without a rule (finding 10).
    NO_RULE = "SBG535";
    /// An `@` entry for a letter that is nowhere (finding 11).
    ABSENT_GOAL_LETTER = "SBG536";
    /// A `#` entry that never applies, or applies at once (finding 12).
    COUNT_OUT_OF_REACH = "SBG537";
    /// The same square, entry, or letter of a `#` entry twice (finding 14).
    REPEATED = "SBG538";
    /// A limit too small for any goal (finding 15).
    SMALL_LIMIT = "SBG539";
    /// A side without pieces (finding 16).
    NO_PIECES = "SBG540";
    /// White has no move at the start (finding 16).
    NO_FIRST_MOVE = "SBG541";
    /// Nothing but the limit and blocking ends the game (finding 18).
    NO_GOALS = "SBG542";
}
