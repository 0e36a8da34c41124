//! The codes of everything the generators have to say.

macro_rules! codes {
    ($($(#[doc = $doc:literal])* $name:ident = $code:literal;)*) => {
        $($(#[doc = $doc])* pub const $name: &str = $code;)*

        /// All codes, in ascending order, with what each is about.
        pub const ALL: &[(&str, &str)] = &[$(($code, concat!($($doc),*))),*];
    };
}

codes! {
    /// A line of a description that is neither `key: value`, nor a comment (`#`), nor indented below a key that takes several lines.
    NOT_A_LINE = "GEN701";
    /// A key that descriptions do not have.
    UNKNOWN_KEY = "GEN702";
    /// A key that is there twice.
    REPEATED_KEY = "GEN703";
    /// A value that the key does not have; the message lists what would be accepted.
    BAD_VALUE = "GEN704";
    /// The description has no board.
    NO_BOARD = "GEN705";
    /// A character that drawings of boards do not have.
    BAD_CHARACTER = "GEN706";
    /// A line of a drawing that does not lead from a point to a point. Lines are straight, without gaps, and go in eight directions.
    LOOSE_END = "GEN707";
    /// A point that no line leads to, or a part of the board that no line joins to the rest.
    UNREACHABLE = "GEN708";
    /// A board with too many points, or a number that is too large.
    TOO_LARGE = "GEN709";
    /// The first position does not fit the board: it has more or fewer points, or the pieces are set up twice.
    BAD_SETUP = "GEN710";
    /// A player has no pieces.
    NO_PIECES = "GEN711";
    /// Rules that cannot go together, or that the board does not allow.
    CONTRADICTION = "GEN712";
    /// A board that its parts do not make, such as a triangle on a side that has no middle point.
    BAD_BOARD = "GEN713";
}
