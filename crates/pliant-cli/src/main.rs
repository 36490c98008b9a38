//! The `pliant` command: reads its arguments and calls a function of the library.

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    match pliant_cli::run_command(pliant_cli::Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("pliant: {failure}");
            ExitCode::from(failure.exit_code())
        }
    }
}
