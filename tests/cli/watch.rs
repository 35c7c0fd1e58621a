//! `watch` over HTTP: its answers, and the requests it refuses.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

const PHOTO: &str = "datasets/photos/000-newspaper";

/// The program, ended when this is dropped.
struct Watch {
    program: Child,
    port: u16,
    token: String,
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

impl Watch {
    fn start(arguments: &[&str]) -> Watch {
        let mut program = Command::new(env!("CARGO_BIN_EXE_sudoku-batch"))
            .arg("watch")
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut address = String::new();
        let stdout = program.stdout.take().unwrap();
        BufReader::new(stdout).read_line(&mut address).unwrap();
        let rest = address.trim().strip_prefix("http://127.0.0.1:").unwrap();
        let (port, token) = rest.split_once("/?token=").unwrap();
        Watch {
            program,
            port: port.parse().unwrap(),
            token: token.to_owned(),
        }
    }

    /// Status, headers and body of the response to a request with these header lines.
    fn ask(&self, first: &str, lines: &[String], body: &[u8]) -> (u16, String, Vec<u8>) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let head = format!(
            "{first} HTTP/1.1\r\nConnection: close\r\n{}\r\n",
            lines.concat()
        );
        stream.write_all(head.as_bytes()).unwrap();
        // The server may have refused and closed before receiving everything.
        let _ = stream.write_all(body);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let end = answer.windows(4).position(|it| it == b"\r\n\r\n").unwrap();
        let head = String::from_utf8(answer[..end].to_vec()).unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, head, answer[end + 4..].to_vec())
    }

    fn host(&self) -> String {
        format!("Host: 127.0.0.1:{}\r\n", self.port)
    }

    /// A request as sent by the page.
    fn post(&self, path: &str, more: &str, body: &[u8]) -> (u16, Vec<u8>) {
        let lines = [
            self.host(),
            format!("Origin: http://127.0.0.1:{}\r\n", self.port),
            format!("X-Token: {}\r\nX-Page: 1\r\n{more}", self.token),
            format!("Content-Length: {}\r\n", body.len()),
        ];
        let (status, _, body) = self.ask(&format!("POST /api/{path}"), &lines, body);
        (status, body)
    }

    fn json(&self, path: &str, body: &[u8]) -> Value {
        let (status, body) = self.post(path, "", body);
        assert_eq!(status, 200, "{}", String::from_utf8_lossy(&body));
        serde_json::from_slice(&body).unwrap()
    }
}

fn photo() -> (Vec<u8>, String) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let bytes = fs::read(root.join(PHOTO).with_extension("jpg")).unwrap();
    let truth = fs::read_to_string(root.join(PHOTO).with_extension("txt")).unwrap();
    (bytes, truth.trim().to_owned())
}

#[test]
fn the_page_is_served_its_files_and_answers() {
    let folder = tempfile::tempdir().unwrap();
    let watch = Watch::start(&["--save", folder.path().to_str().unwrap()]);
    let (status, head, page) = watch.ask("GET /?token=any", &[watch.host()], b"");
    assert_eq!(status, 200);
    assert!(head.contains("Content-Security-Policy: default-src 'self'"));
    let page = String::from_utf8(page).unwrap();
    assert!(page.contains("<meta name=\"engine\" content=\"server\">"));
    assert_eq!(watch.ask("GET /page.js", &[watch.host()], b"").0, 200);
    assert_eq!(watch.ask("GET /../Cargo.toml", &[watch.host()], b"").0, 404);

    let (bytes, truth) = photo();
    assert_eq!(watch.json("photo", &bytes)["boards"][0]["decoded"], truth);
    let solved = watch.json("solve", truth.as_bytes());
    assert_eq!(solved["status"], "solved");
    assert!(watch.json("hint", truth.as_bytes())["step"].is_object());
    assert_eq!(watch.json("explain", truth.as_bytes())["is_complete"], true);
    // A camera at rest.
    let mut frames = (0..20).map(|_| watch.json("frame", &bytes)["boards"][0].clone());
    let sure = frames.find(|board| board["is_sure"] == true).unwrap();
    assert_eq!(sure["decoded"], truth);

    let (status, name) = watch.post("save", &format!("X-Truth: {truth}\r\n"), &bytes);
    assert_eq!(status, 200);
    let name: String = serde_json::from_slice(&name).unwrap();
    let saved = folder.path().join(&name);
    assert_eq!(fs::read(&saved).unwrap(), bytes);
    let sidecar = fs::read_to_string(saved.with_extension("txt")).unwrap();
    assert_eq!(sidecar, format!("{truth}\n"));
}

#[test]
fn strangers_and_bad_requests_are_refused() {
    let watch = Watch::start(&[]);
    let (bytes, truth) = photo();
    let length = format!("Content-Length: {}\r\n", truth.len());
    let token = format!("X-Token: {}\r\n", watch.token);
    let ask = |lines: &[String]| watch.ask("POST /api/solve", lines, truth.as_bytes()).0;
    assert_eq!(ask(&[watch.host(), length.clone(), token.clone()]), 200);
    let lines = [watch.host(), length.clone()];
    let (status, head, _) = watch.ask("POST /api/solve", &lines, truth.as_bytes());
    assert_eq!(status, 403, "no token");
    assert!(head.contains("X-Content-Type-Options: nosniff"), "{head}");
    let wrong = "X-Token: 0123\r\n".to_owned();
    assert_eq!(ask(&[watch.host(), length.clone(), wrong]), 403);
    let host = format!("Host: sudoku.example:{}\r\n", watch.port);
    assert_eq!(ask(&[host, length.clone(), token.clone()]), 403, "host");
    let origin = "Origin: https://sudoku.example\r\n".to_owned();
    assert_eq!(ask(&[watch.host(), length, token.clone(), origin]), 403);
    assert_eq!(ask(&[watch.host(), token.clone()]), 411);
    let long = "Content-Length: 100000000\r\n".to_owned();
    assert_eq!(
        watch
            .ask("POST /api/frame", &[watch.host(), token, long], b"")
            .0,
        413
    );

    assert_eq!(watch.post("solve", "", b"too short").0, 400);
    assert_eq!(watch.post("photo", "", b"no picture").0, 400);
    assert_eq!(watch.post("frame", "", &bytes[..100]).0, 400);
    assert_eq!(watch.post("nothing", "", b"").0, 404);
    assert_eq!(
        watch.post("save", "", &bytes).0,
        404,
        "no folder to save into"
    );
    assert_eq!(watch.ask("GET /video?token=0", &[watch.host()], b"").0, 403);
    assert_eq!(watch.ask("DELETE /", &[watch.host()], b"").0, 405);
}

#[test]
fn a_video_is_served_by_ranges() {
    let folder = tempfile::tempdir().unwrap();
    let video = folder.path().join("clip.webm");
    let content: Vec<u8> = (0..=255).cycle().take(10_000).collect();
    fs::write(&video, &content).unwrap();
    let watch = Watch::start(&[video.to_str().unwrap()]);
    let part = |range: &str| {
        let lines = [watch.host(), format!("Range: bytes={range}\r\n")];
        watch.ask(&format!("GET /video?token={}", watch.token), &lines, b"")
    };
    let (status, head, body) = part("100-199");
    assert_eq!((status, &body[..]), (206, &content[100..200]));
    assert!(
        head.contains("Content-Range: bytes 100-199/10000"),
        "{head}"
    );
    assert_eq!(part("9000-").2, content[9000..]);
    assert_eq!(part("10000-").0, 416);
}

#[test]
fn a_picture_is_saved_before_its_truth() {
    let folder = tempfile::tempdir().unwrap();
    let watch = Watch::start(&["--save", folder.path().to_str().unwrap()]);
    let (bytes, truth) = photo();
    let save = || {
        watch
            .post("save", &format!("X-Truth: {truth}\r\n"), &bytes)
            .0
    };
    let files = || fs::read_dir(folder.path()).unwrap().count();
    let name = format!("sudoku-{}", &blake3::hash(&bytes).to_hex()[..16]);
    // A folder has the name of the picture.
    let picture = folder.path().join(format!("{name}.jpg"));
    fs::create_dir(&picture).unwrap();
    assert_eq!((save(), files()), (400, 1), "no truth without a picture");
    fs::remove_dir(&picture).unwrap();
    let truth = folder.path().join(format!("{name}.txt"));
    fs::create_dir(&truth).unwrap();
    assert_eq!((save(), files()), (400, 2));
    assert_eq!(fs::read(&picture).unwrap(), bytes);
}

#[test]
fn the_page_starts_with_a_hint_if_requested() {
    for (arguments, is_hint) in [(&["--hint"][..], true), (&[], false)] {
        let watch = Watch::start(arguments);
        let (_, _, page) = watch.ask("GET /", &[watch.host()], b"");
        let page = String::from_utf8(page).unwrap();
        assert_eq!(
            page.contains("<meta name=\"show\" content=\"hint\">"),
            is_hint
        );
    }
}

#[test]
fn unplayable_videos_are_refused_with_advice() {
    let folder = tempfile::tempdir().unwrap();
    for (name, why, hint) in [
        ("photo.jpg", "is not a video", "drop photos on the page"),
        ("clip.avi", "browsers do not play", "ffmpeg -i"),
        ("missing.mp4", "there is no video", "give a video"),
    ] {
        let path = folder.path().join(name);
        if !name.starts_with("missing") {
            fs::write(&path, b"something").unwrap();
        }
        let output = Command::new(env!("CARGO_BIN_EXE_sudoku-batch"))
            .arg("watch")
            .arg(&path)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2));
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains(why) && error.contains(hint), "{error}");
    }
}

#[test]
fn a_port_in_use_is_reported() {
    let watch = Watch::start(&[]);
    let output = Command::new(env!("CARGO_BIN_EXE_sudoku-batch"))
        .args(["watch", "--port", &watch.port.to_string()])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("cannot listen"), "{error}");
    assert!(error.contains("hint: give another port"), "{error}");
}
