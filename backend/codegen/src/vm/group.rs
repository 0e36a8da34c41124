//! Instructions as they are executed: up to three operations at once, the last of which may be a jump.
//!
//! What takes time in bytecode is to find out what comes next, over and over again. So each sequence of two frequent
//! operations has a function of its own, and each of three very frequent ones, and each pair of an operation and a jump.

use super::code::{Code, Slot};
use super::jump::{JUMPS, STRAIGHT_ON, condition, jump};
use super::step::{Frame, IN_PAIRS, IN_THREES, KINDS, Memory, Step, kind, step};

/// Executes an instruction and those after it, up to where a jump is taken or no more are given; returns the number of the
/// one that is next, or [`STRAIGHT_ON`].
pub(super) type Handler = fn(&mut Frame, &mut Memory<'_>, &Group, &[Group]) -> usize;

/// An instruction.
#[derive(Clone, Copy)]
pub(super) struct Group {
    pub(super) run: Handler,
    steps: [Step; 3],
}

/// Goes on with the next instruction. The compiler makes a jump of it, so each instruction has its own, which the processor
/// foresees well. Where it makes a call, these nest no deeper than there are instructions given.
#[inline(always)]
fn go_on(frame: &mut Frame, memory: &mut Memory<'_>, rest: &[Group]) -> usize {
    match rest {
        [next, rest @ ..] => (next.run)(frame, memory, next, rest),
        [] => STRAIGHT_ON,
    }
}

fn one<const A: usize>(frame: &mut Frame, memory: &mut Memory<'_>, group: &Group, rest: &[Group]) -> usize {
    let [a, ..] = &group.steps;
    step::<A>(frame, memory, a);
    go_on(frame, memory, rest)
}

fn two<const A: usize, const B: usize>(
    frame: &mut Frame,
    memory: &mut Memory<'_>,
    group: &Group,
    rest: &[Group],
) -> usize {
    let [a, b, _] = &group.steps;
    step::<A>(frame, memory, a);
    step::<B>(frame, memory, b);
    go_on(frame, memory, rest)
}

fn three<const A: usize, const B: usize, const C: usize>(
    frame: &mut Frame,
    memory: &mut Memory<'_>,
    group: &Group,
    rest: &[Group],
) -> usize {
    let [a, b, c] = &group.steps;
    step::<A>(frame, memory, a);
    step::<B>(frame, memory, b);
    step::<C>(frame, memory, c);
    go_on(frame, memory, rest)
}

fn jumps<const J: usize>(frame: &mut Frame, memory: &mut Memory<'_>, group: &Group, rest: &[Group]) -> usize {
    let [a, ..] = &group.steps;
    match jump::<J>(frame, memory, a) {
        Some(next) => next,
        None => go_on(frame, memory, rest),
    }
}

fn then_jumps<const A: usize, const J: usize>(
    frame: &mut Frame,
    memory: &mut Memory<'_>,
    group: &Group,
    rest: &[Group],
) -> usize {
    let [a, b, _] = &group.steps;
    step::<A>(frame, memory, a);
    match jump::<J>(frame, memory, b) {
        Some(next) => next,
        None => go_on(frame, memory, rest),
    }
}

/// An array of what a macro makes of each of the first numbers.
#[rustfmt::skip]
macro_rules! numbered {
    (12 $make:ident) => {
        [
            $make!(0), $make!(1), $make!(2), $make!(3), $make!(4), $make!(5), $make!(6), $make!(7), $make!(8),
            $make!(9), $make!(10), $make!(11)
        ]
    };
    (16 $make:ident) => {
        [
            $make!(0), $make!(1), $make!(2), $make!(3), $make!(4), $make!(5), $make!(6), $make!(7), $make!(8),
            $make!(9), $make!(10), $make!(11), $make!(12), $make!(13), $make!(14), $make!(15)
        ]
    };
    (50 $make:ident) => {
        [
            $make!(0), $make!(1), $make!(2), $make!(3), $make!(4), $make!(5), $make!(6), $make!(7), $make!(8),
            $make!(9), $make!(10), $make!(11), $make!(12), $make!(13), $make!(14), $make!(15), $make!(16), $make!(17),
            $make!(18), $make!(19), $make!(20), $make!(21), $make!(22), $make!(23), $make!(24), $make!(25), $make!(26),
            $make!(27), $make!(28), $make!(29), $make!(30), $make!(31), $make!(32), $make!(33), $make!(34), $make!(35),
            $make!(36), $make!(37), $make!(38), $make!(39), $make!(40), $make!(41), $make!(42), $make!(43), $make!(44),
            $make!(45), $make!(46), $make!(47), $make!(48), $make!(49)
        ]
    };
    (61 $make:ident) => {
        [
            $make!(0), $make!(1), $make!(2), $make!(3), $make!(4), $make!(5), $make!(6), $make!(7), $make!(8),
            $make!(9), $make!(10), $make!(11), $make!(12), $make!(13), $make!(14), $make!(15), $make!(16), $make!(17),
            $make!(18), $make!(19), $make!(20), $make!(21), $make!(22), $make!(23), $make!(24), $make!(25), $make!(26),
            $make!(27), $make!(28), $make!(29), $make!(30), $make!(31), $make!(32), $make!(33), $make!(34), $make!(35),
            $make!(36), $make!(37), $make!(38), $make!(39), $make!(40), $make!(41), $make!(42), $make!(43), $make!(44),
            $make!(45), $make!(46), $make!(47), $make!(48), $make!(49), $make!(50), $make!(51), $make!(52), $make!(53),
            $make!(54), $make!(55), $make!(56), $make!(57), $make!(58), $make!(59), $make!(60)
        ]
    };
}

const fn twos<const A: usize>() -> [Handler; IN_PAIRS] {
    macro_rules! make {
        ($b:literal) => {
            two::<A, $b>
        };
    }
    numbered!(50 make)
}

const fn threes<const A: usize, const B: usize>() -> [Handler; IN_THREES] {
    macro_rules! make {
        ($c:literal) => {
            three::<A, B, $c>
        };
    }
    numbered!(12 make)
}

const fn planes<const A: usize>() -> [[Handler; IN_THREES]; IN_THREES] {
    macro_rules! make {
        ($b:literal) => {
            threes::<A, $b>()
        };
    }
    numbered!(12 make)
}

const fn ends<const A: usize>() -> [Handler; JUMPS] {
    macro_rules! make {
        ($j:literal) => {
            then_jumps::<A, $j>
        };
    }
    numbered!(16 make)
}

static ONE: [Handler; KINDS] = {
    macro_rules! make {
        ($a:literal) => {
            one::<$a>
        };
    }
    numbered!(61 make)
};

static TWO: [[Handler; IN_PAIRS]; IN_PAIRS] = {
    macro_rules! make {
        ($a:literal) => {
            twos::<$a>()
        };
    }
    numbered!(50 make)
};

static THREE: [[[Handler; IN_THREES]; IN_THREES]; IN_THREES] = {
    macro_rules! make {
        ($a:literal) => {
            planes::<$a>()
        };
    }
    numbered!(12 make)
};

static JUMP: [Handler; JUMPS] = {
    macro_rules! make {
        ($j:literal) => {
            jumps::<$j>
        };
    }
    numbered!(16 make)
};

static THEN_JUMP: [[Handler; JUMPS]; IN_PAIRS] = {
    macro_rules! make {
        ($a:literal) => {
            ends::<$a>()
        };
    }
    numbered!(50 make)
};

/// A part of an instruction, by the number of its operation or of its jump.
#[derive(Clone, Copy)]
enum Part {
    Step(usize, Step),
    Jump(usize, Step),
}

/// The longest instruction for the first of some parts, and how many that are.
fn first(parts: &[Part]) -> Option<(Group, usize)> {
    let three = || {
        let &[Part::Step(a, x), Part::Step(b, y), Part::Step(c, z), ..] = parts else { return None };
        Some((*THREE.get(a)?.get(b)?.get(c)?, [x, y, z], 3))
    };
    let two = || match *parts {
        [Part::Step(a, x), Part::Step(b, y), ..] => Some((*TWO.get(a)?.get(b)?, [x, y, Step::default()], 2)),
        [Part::Step(a, x), Part::Jump(j, y), ..] => Some((*THEN_JUMP.get(a)?.get(j)?, [x, y, Step::default()], 2)),
        _ => None,
    };
    let one = || {
        let (run, x) = match *parts.first()? {
            Part::Step(a, x) => (*ONE.get(a)?, x),
            Part::Jump(j, x) => (*JUMP.get(j)?, x),
        };
        Some((run, [x, Step::default(), Step::default()], 1))
    };
    let (run, steps, count) = three().or_else(two).or_else(one)?;
    Some((Group { run, steps }, count))
}

/// Puts instructions together. Targets become those of the result; `targets` are those of switches.
pub(super) fn grouped(code: &[Code<Slot>], targets: &mut [u32]) -> Option<Vec<Group>> {
    let mut begins = vec![false; code.len()];
    for target in code.iter().filter_map(|code| code.target()).chain(targets.iter().copied()) {
        *begins.get_mut(target as usize)? = true;
    }
    let part = |&code: &Code<Slot>| {
        kind(code).map(|(kind, step)| Part::Step(kind, step)).or_else(|| condition(code).map(|(j, x)| Part::Jump(j, x)))
    };
    let parts: Vec<Part> = code.iter().map(part).collect::<Option<_>>()?;
    let mut places = vec![0; code.len()];
    let mut groups = Vec::with_capacity(code.len());
    let (mut from, mut jumps) = (0, Vec::new());
    while let Some(rest) = parts.get(from..).filter(|rest| !rest.is_empty()) {
        let more = begins.iter().skip(from + 1).take(2).take_while(|&&begins| !begins).count();
        let (group, count) = first(rest.get(..rest.len().min(1 + more))?)?;
        *places.get_mut(from)? = groups.len() as u32;
        if code.get(from + count - 1).is_some_and(|code| code.target().is_some()) {
            jumps.push((groups.len(), count - 1, code.get(from + count - 1)?.target()?));
        }
        groups.push(group);
        from += count;
    }
    let place = |target: u32| places.get(target as usize).copied();
    for (group, at, target) in jumps {
        let step = groups.get_mut(group)?.steps.get_mut(at)?;
        *step = step.with_number(place(target)?);
    }
    for target in targets {
        *target = place(*target)?;
    }
    Some(groups)
}
