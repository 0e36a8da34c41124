//! Which of the two syntaxes a text has.

use crate::ast::Syntax;

impl Syntax {
    /// The syntax of a text: prefix unless a name with a bracket directly behind it, `:-` or a name in quotes comes before
    /// any other bracket; where there is none of these, comments decide. Files of either syntax are called `.kif`. Linear, mostly constant.
    pub fn of(text: &str) -> Syntax {
        let bytes = text.as_bytes();
        let mut at = 0;
        let mut before = b' ';
        let mut undecided = Syntax::Prefix;
        while let Some(&byte) = bytes.get(at) {
            match byte {
                b';' | b'%' if byte == b';' || before.is_ascii_whitespace() => {
                    if byte == b'%' {
                        undecided = Syntax::Infix;
                    }
                    let rest = bytes.get(at..).unwrap_or_default();
                    at += rest.iter().position(|b| matches!(b, b'\n' | b'\r')).unwrap_or(rest.len());
                    before = b'\n';
                    continue;
                }
                b'(' if before.is_ascii_whitespace() => return Syntax::Prefix,
                b'(' => return Syntax::Infix,
                b'\'' if before.is_ascii_whitespace() => return Syntax::Infix,
                b':' if bytes.get(at + 1) == Some(&b'-') => return Syntax::Infix,
                _ => {}
            }
            before = byte;
            at += 1;
        }
        undecided
    }
}
