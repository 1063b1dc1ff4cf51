//! `hookbox report`, viewed in a browser.

use crate::support::project::Project;
use serde_json::json;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

const NAME: &str = "chromium-headless-shell";

/// Returns the browser, if there is one.
fn browser() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let named = std::env::var_os("HOOKBOX_CHROMIUM").map(PathBuf::from);
    let found = named.into_iter().chain(std::env::split_paths(&path)).map(|dir| dir.join(NAME)).find(|at| at.is_file());
    if found.is_none() {
        crate::support::skip(&format!("it needs {NAME}"));
    }
    found
}

/// Returns what the browser prints. `timeout` ends it, because it may hang forever.
fn browse(browser: &Path, args: &[&str], page: &Path, fragment: &str) -> (String, String) {
    let profile = tempfile::tempdir().unwrap();
    let output = Command::new("timeout")
        .arg("60")
        .arg(browser)
        .args(["--no-sandbox", "--disable-gpu", "--enable-logging=stderr"])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .args(args)
        .arg(format!("file://{}{fragment}", page.display()))
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}", text(&output.stderr));
    (text(&output.stdout), text(&output.stderr))
}

const HOSTILE: &str = "</script><script>document.title='taken'</script><img src=x onerror=alert(1)>\u{202e}";

/// Creates a project with a log of this many decisions, a third of them denied.
fn project_with(count: usize) -> Project {
    let project = Project::new().user("[log]\n");
    let mut log = String::new();
    for index in 0..count {
        let verdict = if index % 3 == 0 { "deny" } else { "allow" };
        let by = (verdict == "deny").then_some("guard <b>");
        let line = json!({
            "schema": 1, "id": format!("0198{index:08}"), "time": format!("2026-11-{:02}T{:02}:00:00.000Z", 1 + index % 20, index % 24),
            "us": 900, "host": {"version": "0.1.0", "pid": 1, "via": "hook"}, "agent": "claude", "event": "pre_tool",
            "tool": {"name": "Bash", "kind": "shell", "command": format!("echo {index}")}, "verdict": verdict, "codes": [],
            "reason": format!("{HOSTILE} {index}"),
            "hooks": [{"name": "guard <b>", "kind": "component", "source": "user", "decision": verdict, "us": index % 1000, "code": "E101"}],
        });
        let mut line = line;
        if let Some(by) = by {
            line["by"] = by.into();
        }
        writeln!(log, "{line}").unwrap();
    }
    project.write("home/.local/state/hookbox/decisions.jsonl", log);
    project
}

fn report(project: &Project) -> PathBuf {
    let page = project.home().join("report.html");
    let ran = project.run(&["report", "-o", page.to_str().unwrap()], "");
    assert_eq!(ran.status, 0, "{ran:?}");
    page
}

fn attribute(dom: &str, name: &str) -> Option<u64> {
    let (_, rest) = dom.split_once(&format!("data-{name}=\""))?;
    rest.split('"').next()?.parse().ok()
}

#[test]
fn a_report_of_ten_thousand_decisions_is_ready_and_can_be_searched() {
    let Some(browser) = browser() else { return };
    let project = project_with(10_000);
    let page = report(&project);
    let (dom, log) = browse(&browser, &["--dump-dom"], &page, "#search=echo%204242&open");
    assert!(!log.contains("CONSOLE"), "{log}");
    assert_eq!(attribute(&dom, "rows"), Some(10_000));
    assert_eq!(attribute(&dom, "shown"), Some(1), "one decision has this text");
    // A busy machine delays some loads; a page that is slow is always slow.
    let again = (0..10).map(|_| browse(&browser, &["--dump-dom"], &page, "").0);
    let mut ready = [dom.clone()].into_iter().chain(again).map(|dom| attribute(&dom, "ready").unwrap());
    assert!(ready.any(|ready| ready <= 2000), "it takes more than 2 s");
    assert!(dom.contains("<dialog id=\"detail\" aria-label=\"One decision\" open"), "the decision is open");
    assert!(dom.matches("role=\"row\"").count() < 100, "only rows in sight are in the page");
    assert!(dom.contains("<title>hookbox: decisions</title>"), "no text of the log became code");
    assert_eq!(dom.matches("<script").count(), 2);
    assert_eq!(dom.matches("<img").count(), 0);
    for title in ["Decisions over time", "Rules that deny most", "Slowest hooks", "Failures by code", "Agents", "E101"]
    {
        assert!(dom.contains(title), "{title}");
    }
    assert!(dom.contains("guard &lt;b&gt;") && dom.contains("<svg role=\"img\""));
}

/// Returns the share of pixels that are about this color.
fn share(pixels: &[[u8; 3]], color: [u8; 3]) -> f64 {
    let is_near = |pixel: &&[u8; 3]| pixel.iter().zip(color).all(|(a, b)| a.abs_diff(b) < 12);
    pixels.iter().filter(is_near).count() as f64 / pixels.len() as f64
}

fn screenshot(browser: &Path, page: &Path, args: &[&str]) -> Vec<[u8; 3]> {
    let file = page.with_extension("png");
    let target = format!("--screenshot={}", file.display());
    let args: Vec<&str> =
        [target.as_str(), "--window-size=1280,900"].iter().copied().chain(args.iter().copied()).collect();
    browse(browser, &args, page, "");
    let mut decoder = png::Decoder::new(std::io::BufReader::new(std::fs::File::open(&file).unwrap()));
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    let size = info.color_type.samples();
    bytes[..info.buffer_size()].chunks(size).map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect()
}

#[test]
fn a_report_is_light_or_dark_and_has_its_plot() {
    let Some(browser) = browser() else { return };
    let project = project_with(500);
    let page = report(&project);
    let light = screenshot(&browser, &page, &["--blink-settings=preferredColorScheme=1"]);
    let dark = screenshot(&browser, &page, &["--blink-settings=preferredColorScheme=0"]);
    assert!(share(&light, [0xff, 0xff, 0xff]) > 0.6, "{}", share(&light, [0xff, 0xff, 0xff]));
    assert!(share(&dark, [0x14, 0x18, 0x1f]) > 0.6, "{}", share(&dark, [0x14, 0x18, 0x1f]));
    for pixels in [&light, &dark] {
        // These are the lines of the allowed and of the denied events.
        assert!(share(pixels, [0x2e, 0x9e, 0x5b]) > 0.0005 && share(pixels, [0xd6, 0x45, 0x45]) > 0.0005);
    }
}

#[test]
fn a_page_loads_nothing() {
    let project = project_with(3);
    let page = report(&project);
    let text = std::fs::read_to_string(page).unwrap();
    assert!(text.contains("default-src 'none'"));
    for loads in ["src=\"http", "href=", "@import", "url(", "fetch(", "XMLHttpRequest"] {
        assert!(!text.contains(loads), "{loads}");
    }
}

#[test]
fn an_empty_log_has_no_report() {
    let project = project_with(0);
    let page = project.home().join("report.html");
    let ran = project.run(&["report", "-o", page.to_str().unwrap()], "");
    assert!(ran.status == 1 && ran.stderr.contains("nothing to report") && !page.exists(), "{ran:?}");
    let blocked = project_with(1).run(&["report", "-o", "/nowhere/report.html"], "");
    assert!(blocked.status == 1 && blocked.stderr.contains("/nowhere/report.html"), "{blocked:?}");
}

#[test]
fn any_number_of_lost_decisions_is_reported() {
    let project = project_with(2);
    let log = project.home().join(".local/state/hookbox/decisions.jsonl");
    let lines = std::fs::read_to_string(&log).unwrap();
    std::fs::write(&log, lines.replace("\"schema\":1,", &format!("\"schema\":1,\"lost\":{},", u64::MAX))).unwrap();
    let page = std::fs::read_to_string(report(&project)).unwrap();
    assert!(page.contains(&format!("{} decisions are missing", u64::MAX)), "{page:.2000}");
}
