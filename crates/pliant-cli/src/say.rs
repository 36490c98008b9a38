//! What goes to stdout.

use crate::Failure;
use std::io::{ErrorKind, Write};

/// Writes lines to stdout. Nobody reading them any more, as in `pliant scenes | head -1`, is no failure.
pub fn say(lines: &str) -> Result<(), Failure> {
    let mut stdout = std::io::stdout().lock();
    match writeln!(stdout, "{}", lines.trim_end()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::Ours(format!("cannot write to stdout: {error}")))
        }
        _ => Ok(()),
    }
}
