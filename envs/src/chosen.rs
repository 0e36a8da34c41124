//! What was chosen of a move that is made in steps, as bytes.

use backend::Tag;
use rustc_hash::FxHashMap;

/// Where the tags of a move that is being made are written. Where a tag has a byte, that is the number of the step in which it was chosen last, from 1 on; the other tags
/// share a channel, in which the last of them that was chosen is told by its number.
#[derive(Debug)]
pub(crate) struct Chosen {
    bytes: FxHashMap<Tag, usize>,
    others: Option<(usize, FxHashMap<Tag, u8>)>,
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
                numbers.insert(tag, u8::try_from(number + 1).unwrap_or(u8::MAX));
            }
        }
        let others = (!numbers.is_empty()).then(|| {
            channels.push("chosen last, no place".to_owned());
            (channels.len() - 1, numbers)
        });
        Self { bytes, others }
    }

    /// Writes what was chosen to bytes that are 0, in planes of `size` bytes.
    pub(crate) fn write(&self, chosen: &[Tag], size: usize, out: &mut [u8]) {
        let mut last = None;
        for (step, tag) in (1usize..).zip(chosen) {
            if let Some(&at) = self.bytes.get(tag) {
                if let Some(byte) = out.get_mut(at) {
                    *byte = u8::try_from(step).unwrap_or(u8::MAX);
                }
            } else if let Some((channel, numbers)) = &self.others
                && let Some(&number) = numbers.get(tag)
            {
                last = Some((channel, number));
            }
        }
        if let Some((channel, number)) = last
            && let Some(plane) = out.chunks_exact_mut(size).nth(*channel)
        {
            plane.fill(number);
        }
    }
}
