//! What symbols stand for.

/// What a symbol stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Term {
    /// How people write it: `C(3,1)`.
    pub text: String,
    /// The function it is a term of; empty if it is none.
    pub function: String,
    /// Its arguments, if all are numbers.
    pub numbers: Vec<i64>,
}

impl Term {
    /// A symbol that stands for itself.
    pub fn constant(name: &str) -> Self {
        Self { text: name.to_owned(), function: String::new(), numbers: Vec::new() }
    }

    /// A letter and a number, such as `e2`: the column and the row of a square. It has no function.
    pub fn square(name: &str) -> Option<Self> {
        let mut letters = name.chars();
        let letter = letters.next().filter(char::is_ascii_lowercase)?;
        let number = letters.as_str().parse::<u8>().ok()?;
        Some(Self { numbers: vec![i64::from(u32::from(letter)), i64::from(number)], ..Self::constant(name) })
    }

    /// What a symbol of RG stands for, as far as its name tells: the parts that are not digits are the function, and what is between them are
    /// its arguments. In `e2` the letter is a number, too.
    pub fn of_name(name: &str) -> Self {
        let constant = || Self::constant(name);
        if let Some(square) = Self::square(name) {
            return square;
        }
        let mut numbers = Vec::new();
        let mut function = String::new();
        let mut rest = name;
        while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
            let (before, digits) = rest.split_at(start);
            let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
            let (number, after) = digits.split_at(end);
            let Ok(number) = number.parse() else { return constant() };
            numbers.push(number);
            function.push_str(before);
            function.push('#');
            rest = after;
        }
        if numbers.is_empty() || numbers.len() == 1 && function == "#" {
            return constant();
        }
        Self { text: name.to_owned(), function: function + rest, numbers }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_terms() {
        let of = |name: &str| {
            let Term { function, numbers, .. } = Term::of_name(name);
            (function, numbers)
        };
        assert_eq!(of("v_3_12"), ("v_#_#".to_owned(), vec![3, 12]));
        assert_eq!(of("rx0y7"), ("rx#y#".to_owned(), vec![0, 7]));
        assert_eq!(of("e2"), (String::new(), vec![101, 2]));
        assert_eq!(of("42"), (String::new(), vec![]), "a number is none");
        assert_eq!(of("pawn"), (String::new(), vec![]));
    }
}
