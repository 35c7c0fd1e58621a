//! A browser without a window, driven by WebDriver.

use std::fmt::Display;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use fantoccini::actions::{InputSource, KeyAction, KeyActions, MouseActions, PointerAction};
use fantoccini::error::{CmdError, ErrorStatus};
use fantoccini::key::Key;
use fantoccini::wd::{Capabilities, WebDriverCompatibleCommand};
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};
use url::Url;

/// How long a page may take to react.
const TIMEOUT: Duration = Duration::from_secs(10);
/// How often its state is polled.
const PERIOD: Duration = Duration::from_millis(20);

/// A browser with one window. Dropping it ends all of its processes, also in a panic.
pub struct Browser {
    runtime: Runtime,
    client: Client,
    /// Kept alive until the end, like the folder with the profile and the downloads.
    _driver: Driver,
    folder: tempfile::TempDir,
}

/// The WebDriver process.
struct Driver(Child);

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Drop for Browser {
    /// Asks the driver to end the browser; killing the driver would leave the browser running.
    fn drop(&mut self) {
        let close = self.client.clone().close();
        let _ = self
            .runtime
            .block_on(async { tokio::time::timeout(TIMEOUT, close).await });
    }
}

impl Browser {
    /// Whether the Debian packages `chromium` and `chromium-driver` are installed.
    pub fn is_installed() -> bool {
        ["chromium", "chromedriver"].iter().all(|program| {
            let said = Command::new(program).arg("--version").output();
            said.is_ok_and(|said| said.status.success())
        })
    }

    pub fn start() -> Browser {
        Browser::start_with(&[])
    }

    /// Like [`Browser::start`], with additional arguments for the browser.
    pub fn start_with(arguments: &[&str]) -> Browser {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let (driver, address) = Driver::start();
        let mut builder = ClientBuilder::new(HttpConnector::new());
        builder.capabilities(capabilities(folder.path(), arguments));
        let client = runtime.block_on(builder.connect(&address)).unwrap();
        let browser = Browser {
            runtime,
            client,
            _driver: driver,
            folder,
        };
        let downloads = browser.downloads();
        let allow = json!({ "behavior": "allow", "downloadPath": downloads });
        browser.devtools("Browser.setDownloadBehavior", allow);
        // Neither phones nor paper have scrollbars that take up space.
        browser.devtools("Emulation.setScrollbarsHidden", json!({ "hidden": true }));
        browser
    }

    /// Where downloads go.
    pub fn downloads(&self) -> PathBuf {
        self.folder.path().join("downloads")
    }

    /// Opens a file on a wide screen in light mode, and clears the log.
    pub fn open(&self, file: &Path) {
        self.open_address(Url::from_file_path(file).unwrap().as_str());
    }

    /// Like [`Browser::open`], for any address.
    pub fn open_address(&self, address: &str) {
        self.devtools("Emulation.setEmulatedMedia", json!({}));
        self.devtools("Emulation.clearDeviceMetricsOverride", json!({}));
        self.colours("light");
        // Leave the page first, so that it is loaded again and its log starts here.
        self.go("about:blank");
        for kind in ["browser", "performance"] {
            self.log(kind);
        }
        self.go(address);
        // As on a first visit.
        if self.value("(n => { localStorage.clear(); return n > 0; })(localStorage.length)") {
            self.go("about:blank");
            self.go(address);
        }
    }

    /// Reloads the page with everything that the browser has stored for it.
    pub fn reload(&self) {
        self.wait_for(self.client.refresh());
    }

    /// Opens a file with everything that the browser has stored.
    pub fn open_again(&self, file: &Path) {
        self.go(Url::from_file_path(file).unwrap().as_str());
    }

    fn go(&self, url: &str) {
        self.wait_for(self.client.goto(url));
    }

    /// The value of an expression in the page.
    pub fn value<T: DeserializeOwned>(&self, expression: &str) -> T {
        let value = self.run(&format!("return ({expression});"));
        serde_json::from_value(value).unwrap_or_else(|error| panic!("{expression}: {error}"))
    }

    /// The texts of all visible elements of this selector.
    pub fn texts(&self, selector: &str) -> Vec<String> {
        let all = format!("[...document.querySelectorAll({})]", json!(selector));
        self.value(&format!(
            "{all}.filter((it) => it.checkVisibility()).map((it) => it.textContent)"
        ))
    }

    /// The text of the first element of this selector.
    pub fn text(&self, selector: &str) -> String {
        let first = format!("document.querySelector({})", json!(selector));
        self.value(&format!("{first}.textContent"))
    }

    /// Runs statements in the page.
    pub fn run(&self, script: &str) -> Value {
        let result = self
            .runtime
            .block_on(self.client.execute(script, Vec::new()));
        result.unwrap_or_else(|error| panic!("{script}: {error}"))
    }

    /// Waits until an expression is true.
    pub fn until(&self, expression: &str) {
        let start = Instant::now();
        while !self.value::<bool>(&format!("Boolean({expression})")) {
            let waited = start.elapsed();
            assert!(waited < TIMEOUT, "never came true: {expression}");
            thread::sleep(PERIOD);
        }
    }

    /// Waits until a download is complete: until then it has another name, and a file with its own name is empty.
    pub fn wait_for_file(&self, file: &Path) {
        let start = Instant::now();
        while !fs::metadata(file).is_ok_and(|file| file.len() > 0) {
            assert!(start.elapsed() < TIMEOUT, "{} never came", file.display());
            thread::sleep(PERIOD);
        }
    }

    /// Clicks the center of the first element of this selector, once it does not move
    /// and nothing covers it.
    pub fn click(&self, selector: &str) {
        self.bring_into_view(selector);
        let start = Instant::now();
        loop {
            let click = async {
                self.client
                    .find(Locator::Css(selector))
                    .await?
                    .click()
                    .await
            };
            match self.runtime.block_on(click) {
                Ok(()) => return,
                Err(CmdError::Standard(error))
                    if error.error == ErrorStatus::ElementClickIntercepted
                        && start.elapsed() < TIMEOUT =>
                {
                    thread::sleep(PERIOD);
                }
                Err(error) => panic!("a click on {selector}: {error}"),
            }
        }
    }

    /// Scrolls to an element and waits until it stops moving: content that comes into view may grow.
    fn bring_into_view(&self, selector: &str) {
        let place = format!(
            "(it => {{ it.scrollIntoView({{ block: 'center' }}); return it.getBoundingClientRect().top; }})(document.querySelector({}))",
            json!(selector)
        );
        let start = Instant::now();
        let mut before: f64 = self.value(&place);
        loop {
            thread::sleep(PERIOD);
            let now = self.value(&place);
            if now == before {
                return;
            }
            assert!(start.elapsed() < TIMEOUT, "{selector} never rests");
            before = now;
        }
    }

    /// Moves the pointer to the center of the first element of this selector.
    pub fn point_at(&self, selector: &str) {
        let selected = format!("document.querySelector({})", json!(selector));
        self.bring_into_view(selector);
        let (x, y) = self.value(&format!(
            "(({{ x, y, width, height }}) => [x + width / 2, y + height / 2])({selected}.getBoundingClientRect())"
        ));
        let duration = Some(Duration::ZERO);
        let mouse = MouseActions::new("mouse".to_owned());
        self.wait_for(
            self.client
                .perform_actions(mouse.then(PointerAction::MoveTo { duration, x, y })),
        );
    }

    /// Presses and releases keys one after the other on the focused element. Special keys are
    /// [`fantoccini::key::Key`].
    pub fn press(&self, keys: impl Display) {
        let mut actions = KeyActions::new("keyboard".to_owned());
        for value in keys.to_string().chars() {
            actions = actions.then(KeyAction::Down { value });
            actions = actions.then(KeyAction::Up { value });
        }
        self.wait_for(self.client.perform_actions(actions));
    }

    /// Presses a key while the control key is held.
    pub fn press_with_control(&self, value: char) {
        let control = char::from(Key::Control);
        let mut actions = KeyActions::new("keyboard".to_owned());
        actions = actions.then(KeyAction::Down { value: control });
        actions = actions.then(KeyAction::Down { value });
        actions = actions.then(KeyAction::Up { value });
        actions = actions.then(KeyAction::Up { value: control });
        self.wait_for(self.client.perform_actions(actions));
    }

    /// Presses the mouse button at the first of these positions of the window, moves to the others, and
    /// releases it.
    pub fn drag(&self, places: &[(f64, f64)]) {
        let duration = Some(Duration::ZERO);
        let to = |&(x, y): &(f64, f64)| PointerAction::MoveTo { duration, x, y };
        let button = 0;
        let mut mouse = MouseActions::new("mouse".to_owned()).then(to(&places[0]));
        mouse = mouse.then(PointerAction::Down { button });
        for place in &places[1..] {
            mouse = mouse.then(to(place));
        }
        let mouse = mouse.then(PointerAction::Up { button });
        self.wait_for(self.client.perform_actions(mouse));
    }

    /// The rectangle of the first element of this selector in the window: left, top, right, bottom.
    pub fn rectangle(&self, selector: &str) -> [f64; 4] {
        let selected = format!("document.querySelector({})", json!(selector));
        self.value(&format!(
            "(it => [it.left, it.top, it.right, it.bottom])({selected}.getBoundingClientRect())"
        ))
    }

    /// Chooses a file in an input for files.
    pub fn choose_file(&self, selector: &str, file: &Path) {
        let choose = async {
            let input = self.client.find(Locator::Css(selector)).await?;
            input.send_keys(&file.display().to_string()).await
        };
        self.wait_for(choose);
    }

    /// Presses Tab until an element of this selector has the focus.
    pub fn tab_to(&self, selector: &str) {
        let is_there = format!("document.activeElement.matches({})", json!(selector));
        let reached = (0..150).any(|_| {
            self.press(Key::Tab);
            self.value(&is_there)
        });
        assert!(reached, "{selector} is not reached by Tab");
    }

    /// Chooses an option of a list by its value.
    pub fn choose(&self, selector: &str, value: &str) {
        let choose = async {
            let list = self.client.find(Locator::Css(selector)).await?;
            list.select_by_value(value).await
        };
        self.wait_for(choose);
    }

    /// Sets the preferred color scheme, `dark` or `light`.
    pub fn colours(&self, scheme: &str) {
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.devtools(
            "Emulation.setEmulatedMedia",
            json!({ "features": features }),
        );
    }

    /// Shows the page as a phone does, or as paper of this width.
    pub fn screen(&self, width: u32, medium: &str) {
        let mobile = medium == "screen";
        let metrics =
            json!({ "width": width, "height": 800, "deviceScaleFactor": 1, "mobile": mobile });
        self.devtools("Emulation.setDeviceMetricsOverride", metrics);
        self.devtools("Emulation.setEmulatedMedia", json!({ "media": medium }));
        let wide = "document.documentElement.clientWidth";
        self.until(&format!("{wide} === {width}"));
    }

    /// Whether an `alert` or similar dialog is open.
    pub fn has_alert(&self) -> bool {
        self.runtime.block_on(self.client.get_alert_text()).is_ok()
    }

    /// New entries of a log of the driver.
    pub fn log(&self, kind: &str) -> Vec<Value> {
        let entries = self.command("se/log", json!({ "type": kind }));
        serde_json::from_value(entries).unwrap()
    }

    /// Sends a command of the Chrome DevTools protocol.
    pub fn devtools(&self, method: &str, params: Value) -> Value {
        self.command(
            "goog/cdp/execute",
            json!({ "cmd": method, "params": params }),
        )
    }

    fn command(&self, path: &'static str, body: Value) -> Value {
        self.wait_for(self.client.issue_cmd(Post { path, body }))
    }

    fn wait_for<T>(&self, step: impl Future<Output = Result<T, CmdError>>) -> T {
        self.runtime.block_on(step).unwrap()
    }
}

impl Driver {
    /// Starts the driver on a port of its choice; also returns its address.
    fn start() -> (Driver, String) {
        let mut child = Command::new("chromedriver")
            .arg("--port=0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let driver = Driver(child);
        let port = lines.by_ref().map_while(Result::ok).find_map(|line| {
            let port = line.split_once("successfully on port ")?.1;
            Some(port.trim_end_matches('.').to_owned())
        });
        let port = port.expect("the driver names its port");
        // An unread pipe would eventually block the driver.
        thread::spawn(move || lines.for_each(drop));
        (driver, format!("http://127.0.0.1:{port}"))
    }
}

/// A headless browser with its own profile; it also works for root.
fn capabilities(folder: &Path, more: &[&str]) -> Capabilities {
    let profile = format!("--user-data-dir={}", folder.join("profile").display());
    let arguments = [
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-background-networking",
        "--window-size=1280,900",
        &profile,
    ];
    let arguments = [&arguments[..], more].concat();
    let all = json!({
        "browserName": "chrome",
        "unhandledPromptBehavior": "ignore",
        "goog:chromeOptions": { "args": arguments },
        "goog:loggingPrefs": { "browser": "ALL", "performance": "ALL" },
    });
    all.as_object().unwrap().clone()
}

/// A command of the driver that is not in the standard.
#[derive(Debug)]
struct Post {
    path: &'static str,
    body: Value,
}

impl WebDriverCompatibleCommand for Post {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, url::ParseError> {
        base.join(&format!("session/{}/{}", session.unwrap(), self.path))
    }

    fn method_and_body(&self, _: &Url) -> (http::Method, Option<String>) {
        (http::Method::POST, Some(self.body.to_string()))
    }
}
