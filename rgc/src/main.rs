//! The command `rgc`.

use std::process::ExitCode;

/// Passes build and drop many small objects: a third of the time in which a game is prepared goes to the allocator of glibc.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    ExitCode::from(rgc::run(std::env::args_os()))
}
