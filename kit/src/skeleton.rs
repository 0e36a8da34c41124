//! Small games to begin with, one for each language: each can be played to the end, and its comments say what to change.

/// The text of a small game called `name` in a language (its name, such as `rbg`); `None` for languages that are not written by hand.
pub fn skeleton(language: &str, name: &str) -> Option<String> {
    let text = SKELETONS.iter().find(|(known, _)| *known == language)?.1;
    // Names of games in SBG have letters, digits and spaces.
    let name = if language == "sbg" { name.replace(['-', '_'], " ") } else { name.to_owned() };
    Some(text.replace("NAME", &name))
}

/// Whether all languages can use a text as the name of a game.
pub fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
}

/// The languages that have one.
pub fn languages() -> impl Iterator<Item = &'static str> {
    SKELETONS.iter().map(|(language, _)| *language)
}

const SKELETONS: [(&str, &str); 5] = [
    ("rbg", include_str!("skeleton/skeleton.rbg")),
    ("hrg", include_str!("skeleton/skeleton.hrg")),
    ("sbg", include_str!("skeleton/skeleton.sbg")),
    ("gdl", include_str!("skeleton/skeleton.gdl")),
    ("rg", include_str!("skeleton/skeleton.rg")),
];
