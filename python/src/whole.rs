//! Whole numbers as arguments.

use pyo3::Borrowed;
use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;
use std::fmt;

/// A whole number that was given as an argument, of any size. Those that no argument can be, since they do not fit into 128 bits, are all the same one on either side of 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Whole(i128);

impl<'py> FromPyObject<'_, 'py> for Whole {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let is_large = |error: &PyErr| error.is_instance_of::<PyOverflowError>(object.py());
        // Nearly all are small, which is found out soonest.
        match object.extract::<i64>() {
            Ok(small) => return Ok(Self(small.into())),
            Err(error) if !is_large(&error) => return Err(error),
            Err(_) => {}
        }
        match object.extract::<i128>() {
            Ok(number) => Ok(Self(number)),
            Err(error) if !is_large(&error) => Err(error),
            Err(_) => Ok(Self(if object.lt(0)? { i128::MIN } else { i128::MAX })),
        }
    }
}

impl From<i64> for Whole {
    fn from(number: i64) -> Self {
        Self(number.into())
    }
}

impl fmt::Display for Whole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            i128::MIN => f.write_str("-2**127 or less"),
            i128::MAX => f.write_str("2**127 or more"),
            number => number.fmt(f),
        }
    }
}

impl Whole {
    /// The number as one of another type, if it is one.
    pub(crate) fn to<T: TryFrom<i128>>(self) -> Option<T> {
        T::try_from(self.0).ok()
    }

    /// The place in a list of so many elements; negative numbers count from the end.
    pub(crate) fn place(self, size: usize) -> Option<usize> {
        let from = if self.0 < 0 { size as i128 } else { 0 };
        usize::try_from(self.0.checked_add(from)?).ok().filter(|&place| place < size)
    }

    /// The number as an argument of this name. Others than those that it may be are an error, which names it.
    pub(crate) fn argument<T: TryFrom<i128>>(self, name: &str) -> PyResult<T> {
        self.to().ok_or_else(|| {
            let said = if self.0 < 0 { "is at least 0, not" } else { "is too large:" };
            PyValueError::new_err(format!("`{name}` {said} {self}"))
        })
    }

    /// As [`Whole::argument`], 1 at least.
    pub(crate) fn positive<T: TryFrom<i128>>(self, name: &str) -> PyResult<T> {
        match self.0 {
            ..1 => Err(PyValueError::new_err(format!("`{name}` is at least 1, not {self}"))),
            _ => self.argument(name),
        }
    }

    /// The number as a seed.
    pub(crate) fn seed(self) -> PyResult<u64> {
        let wrong = || PyValueError::new_err(format!("`seed` is an integer from 0 to 2**64 - 1, not {self}"));
        self.to().ok_or_else(wrong)
    }
}

/// The seed that was given; one of the system's entropy for `None`.
pub(crate) fn seed_of(py: Python<'_>, seed: Option<Whole>) -> PyResult<u64> {
    match seed {
        Some(seed) => seed.seed(),
        None => Ok(u64::from_le_bytes(py.import("os")?.call_method1("urandom", (8,))?.extract()?)),
    }
}
