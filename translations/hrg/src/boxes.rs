//! Lists of terms as products of ranges: `P(X, Y) where X in 0..2, Y in 0..1`.

/// Arguments of terms of one constructor: for each argument its values.
pub(crate) type Product = Vec<Vec<String>>;

/// Products which, written out one after the other with the last argument fastest, are the list. Linear for each argument.
pub(crate) fn products<S: AsRef<str>>(list: &[Vec<S>]) -> Vec<Product> {
    let single = |arguments: &Vec<S>| arguments.iter().map(|argument| vec![argument.as_ref().to_owned()]).collect();
    let mut products: Vec<Product> = list.iter().map(single).collect();
    let arity = list.iter().map(Vec::len).max().unwrap_or(0);
    for argument in (0..arity).rev() {
        let mut joined: Vec<Product> = Vec::new();
        for product in products {
            match joined.last_mut() {
                Some(last) if can_join(last, &product, argument) => {
                    if let (Some(values), Some(more)) = (last.get_mut(argument), product.get(argument)) {
                        values.extend(more.iter().cloned());
                    }
                }
                _ => joined.push(product),
            }
        }
        products = joined;
    }
    products
}

/// Whether two products differ in one argument only, in which they have no value in common, and what is left of it has one value each.
fn can_join(a: &Product, b: &Product, argument: usize) -> bool {
    let others = |product: &Product| -> Vec<Vec<String>> {
        product.iter().enumerate().filter(|(index, _)| *index != argument).map(|(_, values)| values.clone()).collect()
    };
    let fixed = |product: &Product| product.iter().take(argument).all(|values| values.len() == 1);
    let (Some(first), Some(second)) = (a.get(argument), b.get(argument)) else { return false };
    a.len() == b.len()
        && fixed(a)
        && fixed(b)
        && !second.iter().any(|value| first.contains(value))
        && others(a) == others(b)
}

/// A product as a term, and the ranges of its variables; `names` are as many names as it has arguments.
pub(crate) fn written(constructor: &str, product: &Product, names: &[String]) -> (String, Vec<String>) {
    let mut ranges = Vec::new();
    let mut arguments = Vec::new();
    for (values, name) in product.iter().zip(names) {
        match values.as_slice() {
            [only] if !only.chars().next().is_some_and(char::is_uppercase) => arguments.push(only.clone()),
            _ => {
                arguments.push(name.clone());
                ranges.push(format!("{name} in {}", range(values)));
            }
        }
    }
    (format!("{constructor}({})", arguments.join(", ")), ranges)
}

/// Values as the range of a variable.
fn range(values: &[String]) -> String {
    let numbers: Option<Vec<u64>> = values.iter().map(|value| number(value)).collect();
    if let Some(&[first, .., last]) = numbers.as_deref()
        && numbers.iter().flatten().copied().eq(first..=last)
    {
        return format!("{first}..{last}");
    }
    format!("{{{}}}", values.join(", "))
}

/// The number that a word is, if it is written in the usual way.
pub(crate) fn number(word: &str) -> Option<u64> {
    word.parse().ok().filter(|number: &u64| number.to_string() == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(list: &[&[&str]]) -> Vec<String> {
        let list: Vec<Vec<&str>> = list.iter().map(|arguments| arguments.to_vec()).collect();
        let names: Vec<String> = ["X", "Y", "Z"].map(str::to_owned).to_vec();
        let written = |product: &Product| {
            let (term, ranges) = written("P", product, &names);
            format!("{term} where {}", ranges.join(", "))
        };
        products(&list).iter().map(written).collect()
    }

    #[test]
    fn rectangles_are_products() {
        assert_eq!(
            shown(&[&["0", "0"], &["0", "1"], &["1", "0"], &["1", "1"]]),
            ["P(X, Y) where X in 0..1, Y in 0..1"]
        );
        assert_eq!(shown(&[&["2", "a"], &["3", "a"]]), ["P(X, a) where X in 2..3"]);
        assert_eq!(shown(&[&["A"], &["07"]]), ["P(X) where X in {A, 07}"]);
    }

    #[test]
    fn the_order_is_kept() {
        // With `Y` fastest, the other order is another list.
        let columns = shown(&[&["0", "0"], &["1", "0"], &["0", "1"], &["1", "1"]]);
        assert_eq!(columns, ["P(X, 0) where X in 0..1", "P(X, 1) where X in 0..1"]);
        assert_eq!(shown(&[&["1"], &["0"]]), ["P(X) where X in {1, 0}"]);
        assert_eq!(shown(&[&["0"], &["0"]]), ["P(0) where ", "P(0) where "]);
    }
}
