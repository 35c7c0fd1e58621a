//! The files of the page, as they were when the program was built.

/// A file of the page: its name, its media type, its content.
pub(super) struct PageFile {
    pub(super) name: &'static str,
    pub(super) media_type: &'static str,
    pub(super) content: &'static [u8],
}

macro_rules! page_files {
    ($($name:literal: $media_type:literal,)*) => {
        &[$(PageFile {
            name: $name,
            media_type: $media_type,
            content: include_bytes!(concat!("../../web/page/", $name)),
        }),*]
    };
}

/// All but the page itself, and but for what only WebAssembly needs.
pub(super) const FILES: &[PageFile] = page_files! {
    "style.css": "text/css",
    "page.js": "text/javascript",
    "engine-server.js": "text/javascript",
    "engine-wasm.js": "text/javascript",
    "grid.js": "text/javascript",
    "overlay.js": "text/javascript",
    "icon.svg": "image/svg+xml",
    "icon.png": "image/png",
};

/// The page itself, which asks the server that it comes from and finds these settings in its head.
pub(super) fn page(settings: &[(&str, &str)]) -> String {
    let page = include_str!("../../web/page/index.html");
    let settings = [("engine", "server")].iter().chain(settings);
    let settings: String = settings
        .map(|(name, value)| format!("<meta name=\"{name}\" content=\"{value}\">\n"))
        .collect();
    // What is installed has no server behind it.
    let page = page.replace(
        "<link rel=\"manifest\" href=\"manifest.webmanifest\">\n",
        "",
    );
    page.replacen("<title>", &format!("{settings}<title>"), 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_uses_its_server_and_every_file_it_names_exists() {
        let page = page(&[("saves", "server"), ("video", "video")]);
        assert!(page.contains("<meta name=\"engine\" content=\"server\">"));
        assert!(page.contains("<meta name=\"saves\" content=\"server\">"));
        for attribute in page.split(['"', '\'']).filter(|text| text.ends_with(".js")) {
            assert!(
                FILES.iter().any(|file| file.name == attribute),
                "{attribute}"
            );
        }
        for file in FILES
            .iter()
            .filter(|file| file.media_type == "text/javascript")
        {
            let text = std::str::from_utf8(file.content).unwrap();
            for import in text.lines().filter(|line| line.starts_with("import ")) {
                let name = import.split("\"./").nth(1).unwrap().trim_end_matches("\";");
                assert!(FILES.iter().any(|file| file.name == name), "{import}");
            }
        }
    }
}
