//! The codes of everything the translation to GDL has to say.

macro_rules! codes {
    ($($(#[doc = $doc:literal])* $name:ident = $code:literal;)*) => {
        $($(#[doc = $doc])* pub const $name: &str = $code;)*

        /// All codes, in ascending order, with what each is about.
        pub const ALL: &[(&str, &str)] = &[$(($code, concat!($($doc),*))),*];
    };
}

codes! {
    /// A score that GDL does not have: scores there are whole numbers from 0 to 100.
    SCORE = "TGD701";
    /// A game that hides moves from players, or is drawn from joint moves: `visible` is assigned, or not 1 for all at the beginning.
    HIDDEN = "TGD702";
    /// Tags are passed in a loop of a walk, so moves have no greatest length. Terms of GDL do not grow along rules.
    TAGS = "TGD703";
    /// A map is written in a loop of a walk. Rules of GDL carry the changed entries of a walk along one by one, and here there is no greatest
    /// number of them.
    WRITES = "TGD704";
    /// A map that is assigned, compared or chosen as a whole.
    WHOLE_MAP = "TGD705";
    /// A game for which more relations would be needed than the translation makes.
    TOO_LARGE = "TGD706";
    /// An expression or a value that the checker of RG finds errors in.
    INVALID = "TGD707";
    /// Who is the first to move depends on what the keeper finds out at the beginning.
    FIRST = "TGD708";
}
