//! The codes of everything this front end has to say.

macro_rules! codes {
    ($($(#[doc = $doc:literal])* $name:ident = $code:literal;)*) => {
        $($(#[doc = $doc])* pub const $name: &str = $code;)*

        /// All codes, in ascending order, with what each is about.
        pub const ALL: &[(&str, &str)] = &[$(($code, concat!($($doc),*))),*];
    };
}

codes! {
    /// A character that cannot begin any word of an SBG file.
    UNKNOWN_CHARACTER = "SBG501";
    /// A block comment (`/* … */`) is not closed.
    UNTERMINATED_COMMENT = "SBG502";
    /// A number that is too large to be read.
    NUMBER_TOO_LARGE = "SBG503";
    /// The file has more words and signs than are read.
    TOO_LARGE = "SBG504";
    /// A section is missing, occurs twice, or is in the wrong place. The order is the name, `<BOARD>`, `<PIECES>`, `<GOALS>`.
    SECTIONS = "SBG505";
    /// The name of the game is missing or empty, or contains a character that names cannot have.
    BAD_NAME = "SBG506";
    /// The width or height of the board is missing, 0, or too large.
    BAD_SIZE = "SBG507";
    /// A row of the board has more or fewer squares than the width says.
    ROW_WIDTH = "SBG508";
    /// The board has more or fewer rows than the height says.
    ROW_COUNT = "SBG509";
    /// A square of the board holds something other than a letter (a piece) or `.` (nothing).
    BAD_CELL = "SBG510";
    /// Two rules for the same letter.
    DUPLICATE_RULE = "SBG511";
    /// A rule for a lower-case letter. Rules are written for white's pieces, in capitals; black's pieces move by the same rules, seen from the other side.
    LOWER_CASE_RULE = "SBG512";
    /// A rule or goal does not follow the grammar.
    SYNTAX = "SBG513";
    /// Two rules or two goals without `&` between them.
    MISSING_AMPERSAND = "SBG514";
    /// Brackets are nested too deeply.
    NESTING_TOO_DEEP = "SBG515";
    /// A step that leaves the board wherever it begins.
    STEP_TOO_LONG = "SBG516";
    /// A rule that is too large: it has too many steps once powers are written out, or its automaton has too many states.
    RULE_TOO_LARGE = "SBG517";
    /// A goal names a square outside the board.
    SQUARE_OUTSIDE = "SBG518";
    /// A `#` goal that holds from the start, since no piece with its letter is on the board.
    ABSENT_LETTER = "SBG519";
    /// The maximum number of half-moves is missing, or is not a number that can be used.
    BAD_LIMIT = "SBG520";
    /// Something that is not a goal, such as text after the last goal.
    NO_GOAL = "SBG521";
    /// The rules have too many different steps for a board of this size.
    TOO_MANY_STEPS = "SBG522";
    /// There is no `&` after the last rule or goal of a section.
    FINAL_AMPERSAND = "SBG530";
    /// A step that stays on its square, `(0,0,e)` or `(0,0,p)`, requires the square to be empty or to hold a piece of the opponent, but the mover's own piece is there.
    STEP_IN_PLACE = "SBG531";
    /// A rule, or one of its alternatives, that no piece can ever follow.
    DEAD_WORDS = "SBG532";
    /// A rule that lets a piece move to the square where it already is, so that the player can pass.
    PASSES = "SBG533";
    /// A rule for a letter that is not on the board.
    UNUSED_RULE = "SBG534";
    /// A letter on the board has no rule, so its pieces never move.
    NO_RULE = "SBG535";
    /// An `@` goal for a letter that is not on the board, so that it is never reached.
    ABSENT_GOAL_LETTER = "SBG536";
    /// A `#` goal that can never be reached, or is reached at the start.
    COUNT_OUT_OF_REACH = "SBG537";
    /// The same square or the same goal is given twice, or two `#` goals are for one letter.
    REPEATED = "SBG538";
    /// The maximum number of half-moves is so small that no goal can be reached before.
    SMALL_LIMIT = "SBG539";
    /// A player has no pieces.
    NO_PIECES = "SBG540";
    /// White has no legal move at the start.
    NO_FIRST_MOVE = "SBG541";
    /// There are no goals, so a game ends only at the maximum number of half-moves, or when a player cannot move.
    NO_GOALS = "SBG542";
}
