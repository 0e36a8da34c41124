//! The codes of everything the translation to HRG has to say.

macro_rules! codes {
    ($($(#[doc = $doc:literal])* $name:ident = $code:literal;)*) => {
        $($(#[doc = $doc])* pub const $name: &str = $code;)*

        /// All codes, in ascending order, with what each is about.
        pub const ALL: &[(&str, &str)] = &[$(($code, concat!($($doc),*))),*];
    };
}

codes! {
    /// A check that comes back to itself. Checks are graphs in HRG, and graphs do not call themselves.
    RECURSIVE = "THR701";
    /// A cast between types without common symbols. HRG has no casts, and without it the values could not be compared or assigned.
    CAST = "THR702";
    /// A game whose program in HRG would be too long, or nest too deeply, to be read.
    TOO_LARGE = "THR703";
    /// Something that the checker of RG finds errors in, or a program that HRG does not accept.
    INVALID = "THR704";
    /// A symbol that HRG cannot spell, such as a reserved word. It has another name in the program, and so in moves.
    RENAMED = "THR705";
}
