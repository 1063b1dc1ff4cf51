//! The names of GDAL and of programs with its library that lead to other machines: `/vsicurl/https://host/x`.

use super::{Target, Traffic, code, host, is_url};
use crate::{Command, UNKNOWN, Word};

/// The stores in which GDAL can write, and their hosts.
const STORES: &[(&str, &str)] = &[
    ("/vsis3/", "s3.amazonaws.com"),
    ("/vsigs/", "storage.googleapis.com"),
    ("/vsiaz/", "blob.core.windows.net"),
    ("/vsiadls/", "dfs.core.windows.net"),
    ("/vsioss/", "oss.aliyuncs.com"),
];
/// Endings of the names of settings that name a host, in lower case.
const ENDS: [&str; 3] = ["_proxy", "_endpoint", "_endpoint_url"];

/// Whether a program has the library of GDAL.
pub(super) fn is_program(name: &str) -> bool {
    let name = name.strip_suffix(".exe").unwrap_or(name);
    let name = name.strip_suffix(".py").unwrap_or(name);
    name.starts_with("gdal")
        || name.starts_with("ogr")
        || matches!(name, "rio" | "fio" | "pdal" | "qgis_process" | "nearblack" | "raster2pgsql" | "sozip")
}

/// Reads a command of such a program. URLs that are a word are read elsewhere.
pub(super) fn read(command: &Command, traffic: &mut Traffic) {
    let args = command.args();
    let mut before = "";
    for word in args {
        let text = word.text();
        let key = std::mem::replace(&mut before, text).to_ascii_lowercase();
        // `--config GDAL_HTTP_PROXY host:port`, `--config AWS_S3_ENDPOINT=host`
        let (key, value) = match text.split_once('=') {
            Some((key, value)) => (key.trim_start_matches('-').to_ascii_lowercase(), value),
            None => (key, text),
        };
        if ENDS.iter().any(|end| key.ends_with(end)) && !key.starts_with('-') && !value.is_empty() {
            traffic.url(&Word::new(value));
        } else if !is_url(text) {
            inside(word, traffic);
        }
    }
    // Programs such as `gdalinfo` only read. Others write to their last operand, but `ogr2ogr` reads it.
    let is_info =
        command.name.trim_end_matches(".py").ends_with("info") || args.iter().any(|word| word.text() == "info");
    let writes_last = command.name != "ogr2ogr";
    let writes = |word: &&Word| !is_info && (args.last() == Some(*word)) == writes_last;
    let stores = args.iter().filter(writes).filter_map(|word| {
        let (_, host) = STORES.iter().find(|(start, _)| word.text().contains(*start))?;
        Some((*host, word.raw()))
    });
    for (host, word) in stores {
        traffic.service(host, word, Some(format!("what is written to {word}")));
    }
}

/// Reads the hosts inside of a word: `/vsizip//vsicurl/https://host/x`, `WFS:https://host/x`, `PG:host=name`.
fn inside(word: &Word, traffic: &mut Traffic) {
    let text = word.text();
    // `/vsicurl?max_retry=3&url=https%3A%2F%2Fhost%2Fx`
    let decoded = text.contains("/vsi").then(|| text.replace("%3A", ":").replace("%3a", ":"));
    let decoded = decoded.map(|text| text.replace("%2F", "/").replace("%2f", "/"));
    let whole = decoded.as_deref().unwrap_or(text);
    let urls = code::urls(whole);
    urls.iter().filter(|url| host::is_of_network(url) && !url.starts_with("file:")).for_each(|url| {
        let end = url.find('&').unwrap_or(url.len());
        traffic.url(&Word::new(url.get(..end).unwrap_or(url)));
    });
    let is_fetched = text.contains("/vsicurl") || text.contains("/vsiwebhdfs") || text.contains("/vsiswift");
    if urls.is_empty() && is_fetched && text.contains(UNKNOWN) {
        traffic.reach(word, Target::Opaque);
    }
    if let Some((_, settings)) = text.split_once(':').filter(|(driver, _)| matches!(*driver, "PG" | "MYSQL" | "MSSQL"))
    {
        let pairs = settings.split([' ', ',', ';']).filter_map(|pair| pair.split_once('='));
        let hosts =
            pairs.filter(|(key, _)| matches!(key.to_ascii_lowercase().as_str(), "host" | "hostaddr" | "server"));
        for (_, name) in hosts.filter(|(_, name)| !name.is_empty() && !name.starts_with('/')) {
            traffic.host(&Word::new(name.trim_matches('\'')), None);
        }
    }
}
