//! The real window on a virtual display: it shows a body that deforms, and answers to mouse and keys.
//!
//! Where there is no Xvfb or xdotool, or no way to draw without a GPU, this says so and passes.
#![cfg(target_os = "linux")]

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const SIZE: [usize; 2] = [1280, 720];
/// The part of the window in which the world is seen: left, top, width, height.
const VIEW: [usize; 4] = [330, 70, 600, 380];
/// A window that has not come by then never will: software drivers on busy machines are slow.
const PATIENCE: Duration = Duration::from_secs(120);

/// A process that ends with the test.
struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

struct Screen {
    _server: Killed,
    name: String,
    /// The server's memory, as an XWD file.
    memory: PathBuf,
}

impl Screen {
    fn open(folder: &Path) -> Result<Self, String> {
        let missing = |program, error| format!("{program} cannot be started: {error}");
        let tool =
            Command::new("xdotool").arg("version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        tool.map_err(|error| missing("xdotool", error))?;
        let size = format!("{}x{}x24", SIZE[0], SIZE[1]);
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", &size, "-nolisten", "tcp", "-fbdir"])
            .arg(folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| missing("Xvfb", error))?;
        let mut number = String::new();
        let output = server.stdout.take().ok_or("Xvfb has no output")?;
        let server = Killed(server);
        BufReader::new(output).read_line(&mut number).map_err(|error| error.to_string())?;
        let name = format!(":{}", number.trim());
        Ok(Self { _server: server, name, memory: folder.join("Xvfb_screen0") })
    }

    /// The pixels of a part of the screen, four bytes each.
    fn pixels(&self, [x, y, w, h]: [usize; 4]) -> Vec<u8> {
        let file = std::fs::read(&self.memory).expect("the memory of the screen");
        let field =
            |i: usize| u32::from_be_bytes(file[4 * i..4 * i + 4].try_into().expect("four bytes")) as usize;
        let (header, line, colours) = (field(0), field(12), field(19));
        let start = header + 12 * colours;
        let row = |y: usize| file[start + y * line + 4 * x..][..4 * w].iter().copied();
        (y..y + h).flat_map(row).collect()
    }

    /// Moves the mouse, presses buttons and keys.
    fn act(&self, what: &str) {
        let status = Command::new("xdotool").args(what.split(' ')).env("DISPLAY", &self.name).status();
        assert!(status.is_ok_and(|status| status.success()), "xdotool {what}");
    }
}

/// How many pixels differ clearly.
fn changed(a: &[u8], b: &[u8]) -> usize {
    let differs = |(p, q): (&[u8], &[u8])| p[..3].iter().zip(&q[..3]).any(|(p, q)| p.abs_diff(*q) > 12);
    a.chunks(4).zip(b.chunks(4)).filter(|pair| differs(*pair)).count()
}

/// Looks again until something is so.
fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(start.elapsed() < PATIENCE, "{what} did not come");
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn the_window_shows_a_deforming_body_and_answers() {
    let home = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("window");
    std::fs::create_dir_all(&home).unwrap();
    let screen = match Screen::open(&home) {
        Ok(screen) => screen,
        Err(why) => return println!("skipped: {why}"),
    };
    let program = Command::new(env!("CARGO_BIN_EXE_pliant"))
        .args(["studio", "hand-stiffness"])
        .current_dir(&home)
        .env("DISPLAY", &screen.name)
        .env("XDG_DATA_HOME", &home)
        .env_remove("WAYLAND_DISPLAY")
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut program = Killed(program);

    // Sky, floor and a body: a window that has only just opened is of one colour.
    let many_colours = |pixels: &[u8]| {
        let mut colours: Vec<&[u8]> = pixels.chunks(4).collect();
        colours.sort_unstable();
        colours.dedup();
        colours.len() > 500
    };
    let first = until("a picture", || {
        if let Some(status) = program.0.try_wait().unwrap() {
            let mut said = String::new();
            let _ = program.0.stderr.take().map(|mut stderr| stderr.read_to_string(&mut said));
            assert!(said.contains("no window could be opened"), "it ended with {status}: {said}");
            println!("skipped: {said}");
            return Some(None);
        }
        let pixels = screen.pixels(VIEW);
        many_colours(&pixels).then_some(Some(pixels))
    });
    let Some(first) = first else { return };

    until("motion", || (changed(&first, &screen.pixels(VIEW)) > 300).then_some(()));

    // Paused, nothing moves.
    screen.act("search --name Pliant windowfocus");
    screen.act("key space");
    let still = until("a pause", || {
        let before = screen.pixels(VIEW);
        std::thread::sleep(Duration::from_millis(400));
        (changed(&before, &screen.pixels(VIEW)) == 0).then_some(before)
    });

    // A drag in the sky turns the view. One that is over between two pictures of a slow machine may be missed.
    let [x, y] = [VIEW[0] + 20, VIEW[1] + 20];
    until("a turn of the view", || {
        screen.act(&format!("mousemove {x} {y} mousedown 1"));
        for i in 1..=20 {
            screen.act(&format!("mousemove {} {y}", x + 8 * i));
            std::thread::sleep(Duration::from_millis(40));
        }
        screen.act("mouseup 1");
        (changed(&still, &screen.pixels(VIEW)) > 3000).then_some(())
    });

    // And it plays again.
    let turned = screen.pixels(VIEW);
    screen.act("key space");
    until("motion after the pause", || (changed(&turned, &screen.pixels(VIEW)) > 300).then_some(()));
    assert!(program.0.try_wait().unwrap().is_none(), "it is still running");
}
