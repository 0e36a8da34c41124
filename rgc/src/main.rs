//! The command `rgc`.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(rgc::run(std::env::args_os()))
}
