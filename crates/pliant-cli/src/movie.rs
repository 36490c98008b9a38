//! Pictures into an MP4 file, by a pipe to `ffmpeg`. No picture is kept.

use crate::Failure;
use pliant_studio::Picture;
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::JoinHandle;

/// A film that is being written.
pub struct Movie {
    ffmpeg: Child,
    /// Collects what `ffmpeg` says: nobody reading would stop it.
    words: Option<JoinHandle<String>>,
    path: PathBuf,
    done: bool,
}

/// Fails, with the remedy, if there is no `ffmpeg` to write films with.
pub fn check_ffmpeg() -> Result<(), Failure> {
    let asked = Command::new("ffmpeg")
        .arg("-version")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    match asked {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => {
            Err(Failure::input(format!("ffmpeg does not work here: `ffmpeg -version` ended with {status}")))
        }
        Err(error) => Err(Failure::input(format!(
            "an .mp4 needs ffmpeg, which cannot be started ({error}): install it (https://ffmpeg.org, or ffmpeg in your \
             system's packages), or let --out be a .gif or a folder for PNG files"
        ))),
    }
}

impl Movie {
    /// Begins a film of pictures of this size.
    pub fn start(path: &Path, width: usize, height: usize, per_second: f32) -> Result<Self, Failure> {
        // The colours of most players; and both sides even, as halved colour needs: a row or column is added if not.
        const FILTER: &str = "pad=ceil(iw/2)*2:ceil(ih/2)*2,scale=out_color_matrix=bt709:out_range=tv";
        let mut file = std::ffi::OsString::from("file:");
        file.push(path);
        let mut ffmpeg = Command::new("ffmpeg")
            .args(["-hide_banner", "-loglevel", "error", "-y", "-f", "rawvideo", "-pixel_format", "rgb24"])
            .args(["-video_size", &format!("{width}x{height}"), "-framerate", &format!("{per_second:.3}")])
            .args(["-i", "-", "-an", "-vf", FILTER, "-c:v", "libx264", "-crf", "18", "-pix_fmt", "yuv420p"])
            .args(["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"])
            .args(["-movflags", "+faststart"])
            .arg(file)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| Failure::input(format!("ffmpeg cannot be started: {error}")))?;
        let words = ffmpeg.stderr.take().map(|mut stderr| {
            std::thread::spawn(move || {
                let mut said = Vec::new();
                // What was said until it broke off is all there is to tell.
                let _ = stderr.read_to_end(&mut said);
                String::from_utf8_lossy(&said).into_owned()
            })
        });
        Ok(Self { ffmpeg, words, path: path.into(), done: false })
    }

    /// Adds a picture.
    pub fn add(&mut self, picture: &Picture) -> Result<(), Failure> {
        let written = self.ffmpeg.stdin.as_mut().map_or(Ok(()), |stdin| stdin.write_all(&picture.rgb));
        match written {
            Ok(()) => Ok(()),
            // It has given up: why, it says at its end.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => self.end(),
            Err(error) => Err(Failure::ours(format!("cannot write to ffmpeg: {error}"))),
        }
    }

    /// Ends the film.
    pub fn finish(mut self) -> Result<(), Failure> {
        self.end()
    }

    fn end(&mut self) -> Result<(), Failure> {
        drop(self.ffmpeg.stdin.take());
        let status = self.ffmpeg.wait().map_err(|error| Failure::ours(format!("ffmpeg is lost: {error}")))?;
        self.done = true;
        if status.success() {
            return Ok(());
        }
        let said = self.words.take().and_then(|words| words.join().ok()).unwrap_or_default();
        let lines: Vec<&str> = said.lines().filter(|line| !line.trim().is_empty()).collect();
        let last = lines[lines.len().saturating_sub(4)..].join("\n  ");
        Err(Failure::input(format!("{}: ffmpeg ended with {status}\n  {last}", self.path.display())))
    }
}

impl Drop for Movie {
    /// A film that is not to be finished leaves no process behind.
    fn drop(&mut self) {
        if !self.done {
            // It may have ended by itself, which is as good.
            let _ = self.ffmpeg.kill();
            let _ = self.ffmpeg.wait();
        }
    }
}
