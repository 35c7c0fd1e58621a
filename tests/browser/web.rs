//! The page that reads with WebAssembly: `web/build` makes it, and `SUDOKU_BATCH_WEB` names its folder.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use data_encoding::BASE64;
use fantoccini::key::Key;
use serde_json::{Value, json};
use sudoku_batch::grid::Puzzle;
use sudoku_batch::reader::{Reader, ReaderConfig};
use sudoku_batch::vision::{Photo, PhotoConfig};

use super::browser::Browser;
use super::sound::{check_contrast, problems};

/// A photo with one board.
const PHOTO: &str = "datasets/photos/000-newspaper";
/// The color of solution digits over pictures.
const DIGIT: [u8; 3] = [0x04, 0x78, 0x57];
const STATUS: &str = "document.querySelector('#status').textContent";

/// The folder of the page, if it is to be tested.
pub fn folder() -> Option<PathBuf> {
    std::env::var_os("SUDOKU_BATCH_WEB").map(PathBuf::from)
}

/// Serves a folder on a local port until it is stopped; then connections are refused.
pub struct Site {
    address: String,
    is_open: Arc<AtomicBool>,
}

/// The program that serves the page by `watch`, ended when this is dropped.
pub struct Program(Child);

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Lets the program serve its page.
pub fn watch(arguments: &[&str]) -> (Program, Site) {
    let mut program = Command::new(env!("CARGO_BIN_EXE_sudoku-batch"))
        .arg("watch")
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let stdout = program.stdout.take().unwrap();
    let program = Program(program);
    let mut address = String::new();
    BufReader::new(stdout).read_line(&mut address).unwrap();
    let site = Site {
        address: address.trim().to_owned(),
        is_open: Arc::default(),
    };
    (program, site)
}

impl Site {
    pub fn serve(folder: &Path) -> Site {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}/", listener.local_addr().unwrap());
        let is_open = Arc::new(AtomicBool::new(true));
        let (open, folder) = (is_open.clone(), folder.to_owned());
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                if !open.load(Ordering::Relaxed) {
                    return;
                }
                let folder = folder.clone();
                thread::spawn(move || answer(&stream, &folder));
            }
        });
        Site { address, is_open }
    }

    /// Closes the port.
    fn close(&self) {
        self.is_open.store(false, Ordering::Relaxed);
        // The listener checks the flag at its next connection.
        let host = self.address.trim_start_matches("http://");
        let _ = TcpStream::connect(host.trim_end_matches('/'));
    }
}

fn answer(mut stream: &TcpStream, folder: &Path) {
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    let Some(first) = lines.next() else { return };
    lines.take_while(|line| !line.is_empty()).for_each(drop);
    let path = first.split(' ').nth(1).unwrap().split('?').next().unwrap();
    let name = match path.trim_start_matches('/') {
        "" => "index.html",
        name => name,
    };
    let kind = match name.rsplit('.').next() {
        Some("html") => "text/html",
        Some("js") => "text/javascript",
        Some("css") => "text/css",
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("webmanifest") => "application/manifest+json",
        _ => "application/octet-stream",
    };
    let (status, body) = match fs::read(folder.join(name)) {
        Ok(body) => ("200 OK", body),
        Err(_) => ("404 Not Found", Vec::new()),
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    // A browser that disconnected does not matter.
    let _ = stream.write_all(head.as_bytes());
    let _ = stream.write_all(&body);
}

/// Opens the page and waits until its reader is loaded.
pub fn open(browser: &Browser, site: &Site) {
    browser.open_address(&site.address);
    browser.until(&format!("{STATUS} === 'Ready.'"));
}

pub fn photo() -> (Vec<u8>, String) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let bytes = fs::read(root.join(PHOTO).with_extension("jpg")).unwrap();
    let truth = fs::read_to_string(root.join(PHOTO).with_extension("txt")).unwrap();
    (bytes, truth.trim().to_owned())
}

/// Drops a photo on the page, and waits until its board is shown.
pub fn drop_photo(browser: &Browser, bytes: &[u8]) {
    let data = json!(BASE64.encode(bytes));
    browser.run(&format!(
        "const bytes = Uint8Array.from(atob({data}), (it) => it.charCodeAt(0));
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([bytes], 'photo.jpg', {{ type: 'image/jpeg' }}));
        document.body.dispatchEvent(new DragEvent('drop', {{ dataTransfer, bubbles: true, cancelable: true }}));"
    ));
    browser.until("!document.querySelector('#puzzle').hidden");
    browser.until("document.querySelectorAll('#grid .solved:not(:empty)').length");
}

/// The 81 characters that the grid shows, a dot for an empty cell.
pub fn cells(browser: &Browser) -> String {
    browser.value(
        "[...document.querySelectorAll('#grid [role=gridcell]')].map((it) => it.textContent || '.').join('')",
    )
}

pub fn solution_of(puzzle: &str) -> String {
    let answer = sudoku_batch::live::solve(puzzle).unwrap();
    answer.solution.unwrap()
}

/// The cells with digits drawn over the picture, as 81 flags: those whose center, where the library finds it in
/// this picture, has pixels of their colour.
pub fn drawn(browser: &Browser, picture: &[u8]) -> Vec<bool> {
    let photo = Photo::from_bytes(picture, &PhotoConfig::default()).unwrap();
    let reader = Reader::new(ReaderConfig::default()).unwrap();
    let boards = reader.read(&photo);
    let place = &boards[0].place;
    let size = [photo.width(), photo.height()].map(|side| side as f32 * photo.scale());
    let boxes: Vec<[f32; 4]> = (0..81)
        .map(|cell| {
            let (column, row) = ((cell % 9) as f32, (cell / 9) as f32);
            let corners = [(0.3, 0.3), (0.7, 0.7)].map(|(x, y)| place.point(column + x, row + y));
            let [a, b] = corners.map(|point| [point.x / size[0], point.y / size[1]]);
            [
                a[0].min(b[0]),
                a[1].min(b[1]),
                a[0].max(b[0]),
                a[1].max(b[1]),
            ]
        })
        .collect();
    let (boxes, digit) = (json!(boxes), json!(DIGIT));
    let flags = browser.run(&format!(
        "const overlay = document.querySelector('#overlay');
        const context = overlay.getContext('2d');
        return {boxes}.map(([left, top, right, bottom]) => {{
            const [x, y] = [Math.round(left * overlay.width), Math.round(top * overlay.height)];
            const width = Math.max(1, Math.round(right * overlay.width) - x);
            const height = Math.max(1, Math.round(bottom * overlay.height) - y);
            const {{ data }} = context.getImageData(x, y, width, height);
            let count = 0;
            for (let at = 0; at < data.length; at += 4) {{
                const near = {digit}.every((value, channel) => Math.abs(value - data[at + channel]) < 24);
                if (near && data[at + 3] > 200) count++;
            }}
            return count >= 3;
        }});"
    ));
    serde_json::from_value(flags).unwrap()
}

pub fn blanks(puzzle: &str) -> Vec<bool> {
    puzzle.chars().map(|cell| cell == '.').collect()
}

pub fn is_sound(browser: &Browser, site: &Site) {
    open(browser, site);
    let (bytes, _) = photo();
    drop_photo(browser, &bytes);
    for call in [
        "headingsOutOfOrder()",
        "idsTwice()",
        "controlsWithoutName()",
        "picturesWithoutWords()",
    ] {
        assert_eq!(problems(browser, call), [""; 0], "{call}");
    }
    check_contrast(browser);
    browser.screen(400, "screen");
    for call in ["tooWide()", "outOfReach()"] {
        assert_eq!(problems(browser, call), [""; 0], "{call}");
    }
    let mut console = browser.log("browser");
    console.retain(|entry| entry["level"] == "SEVERE" || entry["level"] == "WARNING");
    assert!(console.is_empty(), "on the console: {console:#?}");
}

pub fn a_dropped_photo_gets_its_solution_on_the_board(browser: &Browser, site: &Site) {
    open(browser, site);
    let (bytes, truth) = photo();
    drop_photo(browser, &bytes);
    assert_eq!(cells(browser), solution_of(&truth));
    assert_eq!(drawn(browser, &bytes), blanks(&truth));
    browser.click("input[value=givens]");
    assert_eq!(cells(browser), truth);
    assert_eq!(drawn(browser, &bytes), [false; 81]);
    browser.click("input[value=hint]");
    let hint = sudoku_batch::live::hint(&truth).unwrap().step.unwrap();
    let place = hint.place.unwrap();
    let only: Vec<bool> = (0..81).map(|cell| cell == place.cell).collect();
    assert_eq!(drawn(browser, &bytes), only);
    assert_eq!(
        browser.text("#note"),
        format!("{}. {}", hint.notation, hint.text)
    );
}

pub fn every_step_is_explained(browser: &Browser, site: &Site) {
    open(browser, site);
    let (bytes, truth) = photo();
    drop_photo(browser, &bytes);
    browser.click("#explain");
    browser.until("document.querySelector('#explanation').open");
    let steps = sudoku_batch::live::explain(&truth).unwrap().steps;
    let expected = steps
        .iter()
        .map(|step| format!("{}{}", step.notation, step.text));
    assert_eq!(browser.texts("#steps li"), expected.collect::<Vec<_>>());
}

pub fn a_cell_is_corrected_by_hand(browser: &Browser, site: &Site) {
    open(browser, site);
    let (bytes, truth) = photo();
    drop_photo(browser, &bytes);
    let puzzle: Puzzle = truth.parse().unwrap();
    let (given, digit) = puzzle.givens().next().unwrap();
    let beside = (0..9).find(|&cell| truth.as_bytes()[cell] == b'.').unwrap();
    assert!(given.index() < 9, "the first row has a given");
    let cell = format!("#grid > div:first-child > :nth-child({})", beside + 1);
    browser.click(&cell);
    browser.press(digit.to_string());
    browser.until("document.querySelector('#note').textContent.startsWith('No solution')");
    assert_eq!(browser.texts("#grid .clash").len(), 2);
    browser.press(Key::Backspace);
    browser.until("document.querySelector('#note').textContent === ''");
    assert_eq!(cells(browser), solution_of(&truth));
    // The digit of the solution, with the buttons for phones.
    let digit = &solution_of(&truth)[beside..=beside];
    browser.click(&format!("#pad :nth-child({digit})"));
    browser.until(&format!(
        "document.querySelector('{cell}').matches('.edited')"
    ));
    assert_eq!(cells(browser), solution_of(&truth));
}

pub fn a_photo_is_saved_with_its_ground_truth(browser: &Browser, site: &Site) {
    open(browser, site);
    let (bytes, truth) = photo();
    drop_photo(browser, &bytes);
    browser.click("#save");
    browser.until(&format!("{STATUS}.startsWith('Saved as ')"));
    let said = browser.text("#status");
    let names: Vec<&str> = said
        .split([' ', ','])
        .map(|word| word.trim_end_matches('.'))
        .filter(|word| word.starts_with("sudoku-"))
        .collect();
    let files = [0, 1].map(|at| browser.downloads().join(names[at]));
    files.iter().for_each(|file| browser.wait_for_file(file));
    assert_eq!(fs::read(&files[0]).unwrap(), bytes);
    assert_eq!(fs::read_to_string(&files[1]).unwrap(), format!("{truth}\n"));
}

pub fn without_a_camera_the_page_asks_for_photos(browser: &Browser, site: &Site) {
    browser.devtools(
        "Browser.setPermission",
        json!({ "permission": { "name": "camera" }, "setting": "denied" }),
    );
    open(browser, site);
    browser.click("#start");
    browser.until(&format!("{STATUS}.includes('choose a photo instead')"));
    let (bytes, truth) = photo();
    drop_photo(browser, &bytes);
    assert_eq!(cells(browser), solution_of(&truth));
}

/// Must run last: it stops the server.
pub fn works_offline(browser: &Browser, site: &Site) {
    open(browser, site);
    browser.run("navigator.serviceWorker.ready.then(() => { window.isKept = true; })");
    browser.until("window.isKept && navigator.serviceWorker.controller");
    site.close();
    open(browser, site);
    let (bytes, truth) = photo();
    drop_photo(browser, &bytes);
    assert_eq!(cells(browser), solution_of(&truth));
}

/// Writes a video of the photo's board as an uncompressed file, which Chromium plays as a camera: 640 x 480 pixels, a
/// second long, with the small up and down motion of a hand-held camera.
pub fn video(folder: &Path) -> PathBuf {
    let (bytes, _) = photo();
    let photo = Photo::from_bytes(&bytes, &PhotoConfig::default()).unwrap();
    let luma = photo.luma();
    let (width, height) = (640, 480);
    let pixel = |x: f32, y: f32| {
        let x = x.clamp(0.0, (luma.width() - 1) as f32) as u32;
        let y = y.clamp(0.0, (luma.height() - 1) as f32) as u32;
        u32::from(luma.get_pixel(x, y).0[0])
    };
    let mut video = format!("YUV4MPEG2 W{width} H{height} F30:1 Ip A1:1 C420jpeg\n").into_bytes();
    for frame in 0..30 {
        let moved = 8.0 * (frame as f32 / 30.0 * std::f32::consts::TAU).sin();
        video.extend(b"FRAME\n");
        for y in 0..height {
            for x in 0..width {
                // The board is in the middle, three pixels of the photo in two.
                let (x, y) = (
                    1.5 * x as f32 - 24.0 + moved,
                    1.5 * y as f32 + 226.0 + moved,
                );
                let sum: u32 = [(0.0, 0.0), (0.75, 0.0), (0.0, 0.75), (0.75, 0.75)]
                    .into_iter()
                    .map(|(right, down)| pixel(x + right, y + down))
                    .sum();
                video.push((sum / 4) as u8);
            }
        }
        video.extend(vec![128; width / 2 * height / 2 * 2]);
    }
    let path = folder.join("camera.y4m");
    fs::write(&path, video).unwrap();
    path
}

/// Waits until the page follows a board and shows its solution; prints how long it took.
pub fn until_read(browser: &Browser) {
    browser.until("!document.querySelector('#puzzle').hidden");
    let rate = "document.querySelector('#rate').textContent";
    browser.until(&format!(
        "/^\\d+ frames\\/s · \\d+ ms from camera to overlay$/.test({rate})"
    ));
    browser.until("document.querySelectorAll('#grid .solved:not(:empty)').length");
}

/// In a browser whose camera plays [`video`].
pub fn a_board_before_the_camera_is_solved(browser: &Browser, site: &Site) {
    open(browser, site);
    let (_, truth) = photo();
    browser.click("#start");
    until_read(browser);
    assert_eq!(cells(browser), solution_of(&truth));
    let delays = "document.querySelector('#rate').title";
    browser.until(&format!(
        "/^95 % of 100 frames within \\d+ ms$/.test({delays})"
    ));
    let within: String = browser.value(delays);
    println!("camera: {}; {within}", browser.text("#rate"));
    browser.click("#freeze");
    browser.until(&format!("{STATUS} === 'Board read.'"));
    let frame: String =
        browser.value("document.querySelector('#still').toDataURL('image/png').split(',')[1]");
    let frame = BASE64.decode(frame.as_bytes()).unwrap();
    assert_eq!(drawn(browser, &frame), blanks(&truth));
    browser.click("#freeze");
    browser.until("document.querySelector('#freeze').textContent === 'Freeze'");
    browser.click("#camera");
    let cameras: Value = browser.value("document.querySelector('#video').srcObject");
    assert_eq!(cameras, Value::Null);
}
