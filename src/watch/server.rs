//! Answers the page: its files, and what it asks. Listens on this computer only, and refuses whoever does not know the
//! token in the address, so that no other page in the browser and no other person on the network gets an answer.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use serde::Serialize;
use thiserror::Error;
use tiny_http::{Header, Method, Request, Response, Server, StatusCode};

use super::files::{FILES, page};
use super::pages::Pages;
use crate::files::write_bytes;
use crate::grid::Puzzle;
use crate::live::{self, Frame};
use crate::reader::{Reader, ReaderConfig, ReaderError};
use crate::truth::sidecar_text;

/// Requests that are answered at the same time: a frame, and what a person asks meanwhile.
const THREADS: usize = 3;
/// How often the flag that ends the server is looked at.
const PERIOD: Duration = Duration::from_millis(100);
/// Most bytes of a photo, or of a picture to save.
const MOST_PHOTO: usize = 40_000_000;
/// Most bytes of a frame.
const MOST_FRAME: usize = 8_000_000;
/// Most bytes of a puzzle.
const MOST_TEXT: usize = 1_000;
/// Most bytes of a video that are sent at once.
const MOST_RANGE: u64 = 4_000_000;

/// What the page may load and do, as in its own head.
const POLICY: &str =
    "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/// What every answer says of itself, a refusal too.
const HEADERS: [(&str, &str); 5] = [
    ("Content-Security-Policy", POLICY),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cache-Control", "no-store"),
];

/// Settings of a [`WatchServer`].
#[derive(Clone, Debug, Default)]
pub struct WatchConfig {
    /// The port; any that is free where it is 0.
    pub port: u16,
    /// Folder that photos are saved into, with their truth; the page downloads them where there is none.
    pub save: Option<PathBuf>,
    /// A video that the page plays in place of a camera, in a format of the browser.
    pub video: Option<PathBuf>,
    /// Whether the page begins with one hint in place of the solution.
    pub hint: bool,
    /// How boards are read.
    pub reader: ReaderConfig,
}

/// Extensions and media types of videos that browsers play.
const PLAYED: [(&str, &str); 6] = [
    ("mp4", "video/mp4"),
    ("m4v", "video/mp4"),
    ("mov", "video/quicktime"),
    ("webm", "video/webm"),
    ("mkv", "video/x-matroska"),
    ("ogv", "video/ogg"),
];

/// Whether a file is a video, by its name, of a kind that browsers play.
pub fn is_played(path: &Path) -> bool {
    media_type(path).is_some()
}

fn media_type(path: &Path) -> Option<&'static str> {
    let extension = path.extension()?;
    let mut played = PLAYED.iter();
    let found = played.find(|(known, _)| extension.eq_ignore_ascii_case(known));
    found.map(|(_, media_type)| *media_type)
}

/// Why there is no server.
#[derive(Debug, Error)]
pub enum WatchError {
    /// The port is taken, or not allowed.
    #[error("cannot listen on 127.0.0.1:{port}: {reason}")]
    Listen {
        /// The port.
        port: u16,
        /// What the system says.
        reason: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The system gives no random numbers for the token.
    #[error("the system gives no random numbers: {0}")]
    Random(getrandom::Error),
    /// There is no reader with these settings.
    #[error(transparent)]
    Reader(#[from] ReaderError),
}

/// Serves the page to this computer.
pub struct WatchServer {
    http: Server,
    port: u16,
    token: String,
    save: Option<PathBuf>,
    video: Option<PathBuf>,
    hint: bool,
    pages: Pages,
}

/// What a request is answered with.
struct Content {
    media_type: &'static str,
    body: Vec<u8>,
    /// Which part of a file the body is, as the header `Content-Range` has it.
    range: Option<String>,
}

/// Why a request is refused: the status and a sentence.
type Refused = (u16, String);

impl WatchServer {
    /// Loads the reader and opens the port.
    ///
    /// # Errors
    /// [`WatchError`] where either fails.
    pub fn new(config: WatchConfig) -> Result<WatchServer, WatchError> {
        let reader = Arc::new(Reader::new(config.reader)?);
        let port = config.port;
        let listen = |reason| WatchError::Listen { port, reason };
        let http = Server::http(("127.0.0.1", port)).map_err(listen)?;
        let port = http
            .server_addr()
            .to_ip()
            .map_or(port, |address| address.port());
        let mut random = [0; 16];
        getrandom::fill(&mut random).map_err(WatchError::Random)?;
        Ok(WatchServer {
            http,
            port,
            token: random.iter().map(|byte| format!("{byte:02x}")).collect(),
            save: config.save,
            video: config.video,
            hint: config.hint,
            pages: Pages::new(reader),
        })
    }

    /// Returns the address of the page. Whoever has it can use the server.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/?token={}", self.port, self.token)
    }

    /// Answers until the flag is set.
    pub fn run(&self, stop: &AtomicBool) {
        let work = || {
            while !stop.load(Ordering::Relaxed) {
                // A connection that breaks is the browser's business.
                if let Ok(Some(request)) = self.http.recv_timeout(PERIOD) {
                    self.answer(request);
                }
            }
        };
        thread::scope(|scope| {
            for _ in 0..THREADS {
                scope.spawn(work);
            }
        });
    }

    fn answer(&self, mut request: Request) {
        let content = match self.content(&mut request) {
            Ok(content) => content,
            Err((status, sentence)) => {
                // Its body may not have been read, and is waited for once the answer is on its way.
                let mut response = Response::from_string(sentence).with_status_code(status);
                let headers = HEADERS.map(|(name, value)| Header::from_bytes(name, value));
                headers
                    .into_iter()
                    .flatten()
                    .for_each(|it| response.add_header(it));
                let _ = request.respond(response);
                return;
            }
        };
        let status = if content.range.is_some() { 206 } else { 200 };
        let length = content.body.len().to_string();
        let range = content.range.as_deref();
        let headers = range.map(|it| ("Content-Range", it)).into_iter().chain([
            ("Content-Length", length.as_str()),
            ("Content-Type", content.media_type),
            // A browser keeps six connections open. tiny_http may queue a new one behind them though it could start a
            // thread for it, and would itself drop this header.
            ("Connection", "close"),
        ]);
        let reason = StatusCode(status).default_reason_phrase();
        let mut response = format!("HTTP/1.1 {status} {reason}\r\n");
        for (name, value) in headers.chain(HEADERS) {
            response += &format!("{name}: {value}\r\n");
        }
        response += "\r\n";
        let mut writer = request.into_writer();
        // A connection that breaks is the browser's business.
        let _ = writer
            .write_all(response.as_bytes())
            .and_then(|()| writer.write_all(&content.body))
            .and_then(|()| writer.flush());
    }

    fn content(&self, request: &mut Request) -> Result<Content, Refused> {
        self.check_origin(request)?;
        let url = request.url().to_owned();
        let (path, query) = url.split_once('?').unwrap_or((&url, ""));
        let path = path.trim_start_matches('/');
        match (request.method(), path.strip_prefix("api/")) {
            (Method::Get, None) if path.is_empty() => {
                let settings = [
                    self.save.as_ref().map(|_| ("saves", "server")),
                    self.video.as_ref().map(|_| ("video", "video")),
                    self.hint.then_some(("show", "hint")),
                ];
                let settings: Vec<_> = settings.into_iter().flatten().collect();
                Ok(whole("text/html; charset=utf-8", page(&settings)))
            }
            (Method::Get, None) if path == "video" => {
                self.check_token(query.strip_prefix("token="))?;
                let missing = || (404, "start the program with a video".to_owned());
                part(
                    self.video.as_deref().ok_or_else(missing)?,
                    header(request, "Range"),
                )
            }
            (Method::Get, None) => {
                let file = FILES.iter().find(|file| file.name == path);
                let file = file.ok_or_else(|| (404, format!("there is no {path}")))?;
                Ok(whole(file.media_type, file.content))
            }
            (Method::Post, Some(ask)) => {
                self.check_token(header(request, "X-Token").as_deref())?;
                Ok(whole("application/json", self.answered(ask, request)?))
            }
            _ => Err((405, "not allowed".to_owned())),
        }
    }

    fn check_token(&self, token: Option<&str>) -> Result<(), Refused> {
        if token == Some(&self.token) {
            return Ok(());
        }
        Err((403, "open the address that the program printed".to_owned()))
    }

    /// Refuses names that lead here by way of a foreign name server, and requests that other pages send.
    fn check_origin(&self, request: &Request) -> Result<(), Refused> {
        let hosts = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{}", self.port));
        let host = header(request, "Host").unwrap_or_default();
        if !hosts.contains(&host) {
            return Err((403, format!("this server is not {host}")));
        }
        match header(request, "Origin") {
            Some(origin) if origin != format!("http://{host}") => {
                Err((403, format!("requests from {origin} are refused")))
            }
            _ => Ok(()),
        }
    }

    fn answered(&self, ask: &str, request: &mut Request) -> Result<Vec<u8>, Refused> {
        match ask {
            "photo" => {
                let bytes = body(request, MOST_PHOTO)?;
                // A photo needs nothing of the frames, and does not wait for them.
                json(self.pages.with("photos", |session| session.photo(&bytes)))
            }
            "frame" => {
                let name = header(request, "X-Page").unwrap_or_default();
                let bytes = body(request, MOST_FRAME)?;
                json(
                    self.pages
                        .with(&name, |session| session.frame(Frame::File(&bytes))),
                )
            }
            "solve" => json(live::solve(&text(request)?)),
            "hint" => json(live::hint(&text(request)?)),
            "explain" => json(live::explain(&text(request)?)),
            "save" => match &self.save {
                Some(folder) => {
                    let truth = header(request, "X-Truth").unwrap_or_default();
                    json(save(folder, &body(request, MOST_PHOTO)?, &truth))
                }
                None => Err((404, "start the program with --save DIR".to_owned())),
            },
            _ => Err((404, format!("there is no {ask}"))),
        }
    }
}

fn whole(media_type: &'static str, body: impl Into<Vec<u8>>) -> Content {
    Content {
        media_type,
        body: body.into(),
        range: None,
    }
}

/// A part of a video, as browsers ask for it: from a byte on, or from one to another.
fn part(path: &Path, range: Option<String>) -> Result<Content, Refused> {
    let missing = |error: io::Error| (404, format!("cannot read {}: {error}", path.display()));
    let mut file = File::open(path).map_err(missing)?;
    let length = file.metadata().map_err(missing)?.len();
    let asked = range
        .as_deref()
        .and_then(|range| range.strip_prefix("bytes="));
    let (start, end) = asked
        .and_then(|range| range.split_once('-'))
        .unwrap_or(("0", ""));
    let last = length.saturating_sub(1);
    let start: u64 = start.parse().unwrap_or(length);
    let end = end.parse().unwrap_or(last).min(last);
    if start > end {
        return Err((416, format!("the video has {length} bytes")));
    }
    let end = end.min(start.saturating_add(MOST_RANGE - 1));
    let mut body = Vec::new();
    file.seek(SeekFrom::Start(start)).map_err(missing)?;
    file.take(end - start + 1)
        .read_to_end(&mut body)
        .map_err(missing)?;
    Ok(Content {
        media_type: media_type(path).unwrap_or("video/mp4"),
        range: Some(format!(
            "bytes {start}-{}/{length}",
            start + body.len() as u64 - 1
        )),
        body,
    })
}

/// Writes a picture and its boards side by side, under a name made of the picture's content: the picture first, since
/// boards without one are truth of nothing.
fn save(folder: &Path, picture: &[u8], truth: &str) -> Result<String, io::Error> {
    let invalid =
        |error: &dyn ToString| io::Error::new(io::ErrorKind::InvalidInput, error.to_string());
    let boards: Vec<Puzzle> = truth
        .split(',')
        .filter(|board| !board.is_empty())
        .map(|board| board.parse().map_err(|error| invalid(&error)))
        .collect::<Result<_, _>>()?;
    let format = image::guess_format(picture).map_err(|error| invalid(&error))?;
    let end = format.extensions_str().first().unwrap_or(&"jpg");
    let hash = blake3::hash(picture).to_hex();
    let name = format!("sudoku-{}", &hash[..16]);
    write_bytes(&folder.join(format!("{name}.{end}")), picture)?;
    write_bytes(
        &folder.join(format!("{name}.txt")),
        sidecar_text(&boards).as_bytes(),
    )?;
    Ok(format!("{name}.{end}"))
}

fn header(request: &Request, name: &'static str) -> Option<String> {
    let mut headers = request.headers().iter();
    let header = headers.find(|header| header.field.equiv(name))?;
    Some(header.value.as_str().to_owned())
}

/// The body of a request, if it says how long it is and that is not too long.
fn body(request: &mut Request, most: usize) -> Result<Vec<u8>, Refused> {
    let length = request
        .body_length()
        .ok_or_else(|| (411, "the request does not say how long it is".to_owned()))?;
    if length > most {
        return Err((
            413,
            format!("{length} bytes are more than the limit of {most}"),
        ));
    }
    let mut bytes = Vec::with_capacity(length);
    let read = request
        .as_reader()
        .take(most as u64)
        .read_to_end(&mut bytes);
    read.map_err(|error| (400, error.to_string()))?;
    Ok(bytes)
}

fn text(request: &mut Request) -> Result<String, Refused> {
    String::from_utf8(body(request, MOST_TEXT)?).map_err(|error| (400, error.to_string()))
}

fn json<T: Serialize, E: ToString>(answer: Result<T, E>) -> Result<Vec<u8>, Refused> {
    let answer = answer.map_err(|error| (400, error.to_string()))?;
    serde_json::to_vec(&answer).map_err(|error| (500, error.to_string()))
}
