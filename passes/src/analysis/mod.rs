//! The data-flow problems.
