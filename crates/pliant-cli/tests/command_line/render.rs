//! `pliant render`, and plain `pliant` where there is no display.

use super::*;

/// Width and height that a PNG says it has.
fn png_size(path: &Path) -> (u32, u32) {
    let bytes = std::fs::read(path).unwrap();
    assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n"), "{} is no PNG", path.display());
    let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

#[test]
fn a_folder_gets_a_picture_a_frame() {
    let folder = folder("render-folder");
    let arguments =
        ["render", "duck-drop", "--frames", "4", "--every", "2", "--size", "64x40", "--out", "a/b"];
    assert_eq!(succeeds(&folder, &arguments), "written a/b\n");
    assert_eq!(names(&folder.join("a/b")), ["00000.png", "00002.png", "00004.png"]);
    assert_eq!(png_size(&folder.join("a/b/00004.png")), (64, 40));
    // A folder whose name looks like a file's is a folder.
    std::fs::create_dir(folder.join("take.2")).unwrap();
    succeeds(&folder, &["render", "duck-drop", "--frames", "0", "--size", "32x20", "--out", "take.2"]);
    assert_eq!(names(&folder.join("take.2")), ["00000.png"]);
}

#[test]
fn one_picture_or_a_gif() {
    let folder = folder("render-files");
    let size = ["--frames", "6", "--size", "80x50", "--quiet", "--out"];
    succeeds(&folder, &[&["render", "jelly-spheres"], &size[..], &["x.png"]].concat());
    assert_eq!(png_size(&folder.join("x.png")), (80, 50));
    succeeds(&folder, &[&["render", "jelly-spheres"], &size[..], &["x.gif"]].concat());
    let gif = std::fs::read(folder.join("x.gif")).unwrap();
    assert!(gif.starts_with(b"GIF89a\x50\x00\x32\x00") && gif.ends_with(b";"));
}

#[test]
fn bad_arguments_are_refused_before_anything_is_written() {
    let folder = folder("render-refused");
    std::fs::write(folder.join("file"), "").unwrap();
    let with = |more: &[&'static str], words: &[&str]| {
        refuses(&folder, &[&["render", "duck-drop"], more].concat(), words);
    };
    with(&["--size", "0x0", "--out", "x"], &["--size", "0x0", "1 to 16384"]);
    with(&["--size", "99999999x2", "--out", "x.png"], &["--size", "1 to 16384"]);
    with(&["--size", "abc", "--out", "x"], &["--size", "abc", "1280x720"]);
    with(&["--size", "640", "--out", "x"], &["--size", "640"]);
    with(&["--every", "0", "--out", "x"], &["--every"]);
    with(&[], &["--out"]);
    with(&["--out", "x.bmp"], &["x.bmp", ".png", ".gif", ".mp4"]);
    with(&["--out", "no/x.mp4"], &["no/x.mp4", "there is no folder no"]);
    with(&["--overlay", "cells,knots", "--out", "x"], &["--overlay", "knots", "regions, graph, clusters"]);
    with(&["--renderer", "pen", "--out", "x"], &["--renderer", "pen", "auto, gpu, cpu"]);
    with(&["--out", "no/x.gif"], &["no/x.gif", "there is no folder no"]);
    with(&["--out", "file"], &["file", "this is a file"]);
    refuses(&folder, &["render", "duk-drop", "--out", "x"], &["did you mean duck-drop?"]);
    assert_eq!(names(&folder), ["file"]);
}

#[test]
fn overlays_change_the_picture() {
    let folder = folder("render-overlays");
    let size =
        ["render", "hand-adaptive", "--frames", "2", "--size", "96x60", "--quiet", "--renderer", "cpu"];
    let mut pictures = Vec::new();
    for overlay in ["", "cells", "cells,strain"] {
        succeeds(&folder, &[&size[..], &["--overlay", overlay, "--out", "x.png"]].concat());
        let bytes = std::fs::read(folder.join("x.png")).unwrap();
        assert!(!pictures.contains(&bytes), "{overlay}");
        pictures.push(bytes);
    }
}

fn has_ffmpeg() -> bool {
    Command::new("ffmpeg").arg("-version").output().is_ok_and(|output| output.status.success())
}

#[test]
fn a_film_of_odd_size_plays_in_full() {
    if !has_ffmpeg() {
        return;
    }
    let folder = folder("render-film");
    let arguments = ["render", "jelly-cubes", "--frames", "6", "--size", "95x61", "--out", "x.mp4"];
    assert_eq!(succeeds(&folder, &arguments), "written x.mp4\n");
    let film = std::fs::read(folder.join("x.mp4")).unwrap();
    assert_eq!(&film[4..8], b"ftyp");
    // Raw frames come back out: seven, with even sides.
    let decode = ["-v", "error", "-i", "x.mp4", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"];
    let decoded = Command::new("ffmpeg").args(decode).current_dir(&folder).output().unwrap();
    assert!(decoded.status.success(), "{}", text(&decoded.stderr));
    assert_eq!(decoded.stdout.len(), 7 * 96 * 62 * 3);
}

/// A folder with something called `ffmpeg` in it, to be found before the real one.
#[cfg(unix)]
fn with_ffmpeg(folder: &Path, script: Option<&str>) -> Output {
    use std::os::unix::fs::PermissionsExt;
    let programs = folder.join("programs");
    std::fs::create_dir_all(&programs).unwrap();
    if let Some(script) = script {
        std::fs::write(programs.join("ffmpeg"), script).unwrap();
        let executable = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(programs.join("ffmpeg"), executable).unwrap();
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_pliant"));
    command.args(["render", "duck-drop", "--frames", "400", "--size", "320x200", "--out", "x.mp4"]);
    command.current_dir(folder).env("PATH", programs).stdin(Stdio::null()).output().unwrap()
}

#[test]
#[cfg(unix)]
fn without_ffmpeg_a_film_is_refused_at_once_and_the_remedy_named() {
    let folder = folder("render-no-ffmpeg");
    let output = with_ffmpeg(&folder, None);
    assert_eq!(output.status.code(), Some(2));
    let error = text(&output.stderr);
    for word in ["ffmpeg", "install", ".gif", "PNG"] {
        assert!(error.contains(word), "{word:?} expected in {error:?}");
    }
    assert!(!error.contains("frame 1"), "nothing is simulated: {error}");
}

#[test]
#[cfg(unix)]
fn when_ffmpeg_fails_its_last_words_are_told() {
    let folder = folder("render-bad-ffmpeg");
    let script = "#!/bin/sh\ncase \"$1\" in -version) exit 0;; esac\necho 'no such encoder' >&2\nexit 3\n";
    let output = with_ffmpeg(&folder, Some(script));
    assert_eq!(output.status.code(), Some(2));
    let error = text(&output.stderr);
    assert!(error.contains("x.mp4") && error.contains("no such encoder"), "{error}");
}

#[test]
fn plain_pliant_writes_what_it_says() {
    let folder = folder("plain");
    let out = succeeds(&folder, &[]);
    let path = PathBuf::from("out").join(format!("{}.gif", pliant_scenes::SCENES[0].name));
    assert!(out.contains(&path.display().to_string()) && out.contains("pliant --help"), "{out}");
    assert!(out.contains("no display") && out.contains(&format!("written {}", path.display())), "{out}");
    assert!(std::fs::read(folder.join(path)).unwrap().starts_with(b"GIF89a"));
}
