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

/// How long a page may take to do what it was asked.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often it is asked whether it has.
const PERIOD: Duration = Duration::from_millis(20);

/// A browser with one window. All of it is gone when this is dropped, also by a panic.
pub struct Browser {
    runtime: Runtime,
    client: Client,
    /// Held for its end, as is the folder: the profile, and what is downloaded.
    _driver: Driver,
    folder: tempfile::TempDir,
}

/// The process that speaks WebDriver.
struct Driver(Child);

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Drop for Browser {
    /// Lets the driver end the browser; killed, it would leave it behind.
    fn drop(&mut self) {
        let close = self.client.clone().close();
        let _ = self
            .runtime
            .block_on(async { tokio::time::timeout(PATIENCE, close).await });
    }
}

impl Browser {
    /// Whether both Debian packages are there, `chromium` and `chromium-driver`.
    pub fn is_installed() -> bool {
        ["chromium", "chromedriver"].iter().all(|program| {
            let said = Command::new(program).arg("--version").output();
            said.is_ok_and(|said| said.status.success())
        })
    }

    pub fn start() -> Browser {
        Browser::start_with(&[])
    }

    /// As [`Browser::start`], with more arguments for the browser.
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
        // Neither a phone nor paper has any that take room.
        browser.devtools("Emulation.setScrollbarsHidden", json!({ "hidden": true }));
        browser
    }

    /// Where downloads go.
    pub fn downloads(&self) -> PathBuf {
        self.folder.path().join("downloads")
    }

    /// Opens a file on a wide screen, in light; what the log held before is forgotten.
    pub fn open(&self, file: &Path) {
        self.open_address(Url::from_file_path(file).unwrap().as_str());
    }

    /// As [`Browser::open`], of any address.
    pub fn open_address(&self, address: &str) {
        self.devtools("Emulation.setEmulatedMedia", json!({}));
        self.devtools("Emulation.clearDeviceMetricsOverride", json!({}));
        self.colours("light");
        // Away first: a page that is opened twice is read anew, and its log begins here.
        self.go("about:blank");
        for kind in ["browser", "performance"] {
            self.log(kind);
        }
        self.go(address);
        // As for somebody who opens it for the first time.
        if self.value("(n => { localStorage.clear(); return n > 0; })(localStorage.length)") {
            self.go("about:blank");
            self.go(address);
        }
    }

    /// Opens the page that is open once more, with what the browser has kept of it.
    pub fn reload(&self) {
        self.wait_for(self.client.refresh());
    }

    /// Opens a file with what the browser has kept.
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

    /// The texts of all elements of this selector that are shown.
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

    /// Waits until an expression holds.
    pub fn until(&self, expression: &str) {
        let start = Instant::now();
        while !self.value::<bool>(&format!("Boolean({expression})")) {
            let waited = start.elapsed();
            assert!(waited < PATIENCE, "never came true: {expression}");
            thread::sleep(PERIOD);
        }
    }

    /// Waits until a download is there as a whole: until then it has another name, and its own is empty.
    pub fn wait_for_file(&self, file: &Path) {
        let start = Instant::now();
        while !fs::metadata(file).is_ok_and(|file| file.len() > 0) {
            assert!(start.elapsed() < PATIENCE, "{} never came", file.display());
            thread::sleep(PERIOD);
        }
    }

    /// Clicks in the middle of the first element of this selector, as a person would: when it rests,
    /// and nothing else is in the way.
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
                        && start.elapsed() < PATIENCE =>
                {
                    thread::sleep(PERIOD);
                }
                Err(error) => panic!("a click on {selector}: {error}"),
            }
        }
    }

    /// Scrolls to an element, and waits until it rests: what comes into view may take more room then.
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
            assert!(start.elapsed() < PATIENCE, "{selector} never rests");
            before = now;
        }
    }

    /// Moves the pointer to the middle of the first element of this selector.
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

    /// Presses and releases keys, one after the other, on what has the focus. Special keys are
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

    /// Presses the button of the mouse at the first of these places of the window, moves it to the others, and
    /// lets go.
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

    /// Presses Tab until what this selector means has the focus.
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

    /// Shows pages as a person wants them who likes `dark` or `light`.
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

    /// Whether a box of `alert` or its like is open.
    pub fn has_alert(&self) -> bool {
        self.runtime.block_on(self.client.get_alert_text()).is_ok()
    }

    /// New entries of a log of the driver.
    pub fn log(&self, kind: &str) -> Vec<Value> {
        let entries = self.command("se/log", json!({ "type": kind }));
        serde_json::from_value(entries).unwrap()
    }

    /// A command of the protocol behind the developer tools.
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
    /// Starts the driver on a port of its choice; gives its address too.
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
        // A pipe that nobody reads would stop the driver in the end.
        thread::spawn(move || lines.for_each(drop));
        (driver, format!("http://127.0.0.1:{port}"))
    }
}

/// A browser without a window and with a profile of its own; it works for root too.
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

/// A command that the driver knows and the standard does not.
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
