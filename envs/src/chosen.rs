//! What was chosen of a move that is made in steps, as bytes.

use backend::Tag;
use rustc_hash::FxHashMap;

/// Where the tags of a move that is being made are written. Where a tag has a byte, that is the number of the step in which it was chosen last, from 1 on (255 stands for all
/// further ones, too); the other tags share channels, in which the last of them that was chosen is told by its number, from 1 on.
#[derive(Debug)]
pub(crate) struct Chosen {
    bytes: FxHashMap<Tag, usize>,
    others: Option<Others>,
}

/// The tags without a byte of their own.
#[derive(Debug)]
struct Others {
    /// The channel with the lowest digit of a number to the base 256; those of higher digits follow.
    first: usize,
    digits: usize,
    numbers: FxHashMap<Tag, usize>,
}

impl Chosen {
    /// Adds channels for the tags, in planes of `size` bytes: one for those which are a place in a plane; and for the others one for each if there is room for
    /// so many, or else one for all.
    pub(crate) fn new(
        tags: &[(Tag, &str)],
        place: impl Fn(&str) -> Option<usize>,
        (size, room): (usize, usize),
        channels: &mut Vec<String>,
    ) -> Self {
        let mut bytes = FxHashMap::default();
        let (mut others, first) = (Vec::new(), channels.len());
        for &(tag, name) in tags {
            match place(name) {
                Some(at) => _ = bytes.insert(tag, first * size + at),
                None => others.push((tag, name)),
            }
        }
        if !bytes.is_empty() {
            channels.push("chosen".to_owned());
        }
        let each = others.len() <= room;
        let mut numbers = FxHashMap::default();
        for (number, &(tag, name)) in others.iter().enumerate() {
            if each {
                bytes.insert(tag, channels.len() * size);
                channels.push(format!("chosen = {name}"));
            } else {
                numbers.insert(tag, number + 1);
            }
        }
        let others = (!numbers.is_empty()).then(|| {
            let (first, digits) = (channels.len(), digits(numbers.len()));
            channels.extend((0..digits).map(|digit| digit_name("chosen last, no place", digit)));
            Others { first, digits, numbers }
        });
        Self { bytes, others }
    }

    /// What is written for each tag, as text, in the order of the tags: what a version has to change with.
    pub(crate) fn encoding(&self, tags: &[(Tag, &str)]) -> Vec<String> {
        let of = |&(tag, name): &(Tag, &str)| {
            let number = self.others.as_ref().and_then(|others| others.numbers.get(&tag));
            format!("{name} {:?} {number:?}", self.bytes.get(&tag))
        };
        tags.iter().map(of).collect()
    }

    /// Writes what was chosen to bytes that are 0, in planes of `size` bytes.
    pub(crate) fn write(&self, chosen: &[Tag], size: usize, out: &mut [u8]) {
        let mut last = None;
        for (step, tag) in (1usize..).zip(chosen) {
            if let Some(&at) = self.bytes.get(tag) {
                if let Some(byte) = out.get_mut(at) {
                    *byte = u8::try_from(step).unwrap_or(u8::MAX);
                }
            } else if let Some(others) = &self.others
                && let Some(&number) = others.numbers.get(tag)
            {
                last = Some((others, number));
            }
        }
        if let Some((others, number)) = last {
            let planes = out.chunks_exact_mut(size).skip(others.first).take(others.digits);
            planes.zip(number.to_le_bytes()).for_each(|(plane, digit)| plane.fill(digit));
        }
    }
}

/// How many digits to the base 256 the numbers up to this one have.
pub(crate) fn digits(most: usize) -> usize {
    (usize::BITS - most.leading_zeros()).div_ceil(u8::BITS).max(1) as usize
}

/// The name of the channel with a digit of a number: the lowest one is called as the number.
pub(crate) fn digit_name(name: &str, digit: usize) -> String {
    match digit {
        0 => name.to_owned(),
        _ => format!("{name} / {}", 256u64.saturating_pow(u32::try_from(digit).unwrap_or(u32::MAX))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tags that are no places have numbers of their own, however many there are.
    #[test]
    fn tags_do_not_share_a_number() {
        for count in [1u32, 254, 255, 256, 700, 70_000] {
            let names: Vec<String> = (0..count).map(|number| format!("t{number}")).collect();
            let tags: Vec<(Tag, &str)> = (0..).map(Tag).zip(names.iter().map(String::as_str)).collect();
            let mut channels = vec!["board".to_owned()];
            let chosen = Chosen::new(&tags, |_| None, (2, 0), &mut channels);
            let written = tags.iter().map(|&(tag, _)| {
                let mut out = vec![0; 2 * channels.len()];
                chosen.write(&[tag], 2, &mut out);
                out
            });
            let different: std::collections::HashSet<Vec<u8>> = written.collect();
            assert_eq!(different.len(), count as usize, "{channels:?}");
            assert!(different.iter().all(|out| out[..2] == [0, 0] && out[2..].iter().any(|&byte| byte > 0)));
        }
        assert_eq!((digits(0), digits(255), digits(256), digits(65_536)), (1, 1, 2, 3));
        assert_eq!(digit_name("x", 2), "x / 65536");
    }
}
