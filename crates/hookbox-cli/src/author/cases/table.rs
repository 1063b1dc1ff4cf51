//! Cases in TOML.

use super::Rows;
use super::reader::{Member, Row};
use hookbox::config::{ConfigFile, Problem};
use hookbox::internal::{suggest, toml_to_json};
use hookbox::{Code, Json};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The keys allowed at the top level: the settings and the tables of cases.
const KEYS: [&str; 2] = ["settings", "case"];

pub(super) fn rows(file: &ConfigFile) -> Rows {
    let mut problems = Vec::new();
    let document = match DeTable::parse(&file.text) {
        Ok(document) => document,
        Err(error) => {
            let at = error.span().unwrap_or(0..0);
            problems.push(file.problem(Code::ConfigSyntax, None, &at, error.message(), None));
            return (Vec::new(), None, problems);
        }
    };
    let (mut rows, mut settings) = (Vec::new(), None);
    for (key, value) in document.get_ref() {
        let name: &str = key.get_ref();
        let result = match (name, value.get_ref()) {
            ("settings", DeValue::Table(_)) => json_at(file, value).map(|json| settings = Some(json)),
            ("settings", _) => {
                let help = Some("such as { branches = [\"main\"] }".to_owned());
                let message = "`settings` must be a table";
                Err(Box::new(file.problem(Code::ConfigValue, None, &value.span(), message, help)))
            }
            ("case", DeValue::Array(items)) => {
                for item in items {
                    match row(file, item) {
                        Ok(row) => rows.push(row),
                        Err(problem) => problems.push(*problem),
                    }
                }
                Ok(())
            }
            ("case", _) => {
                let help = Some("write [[case]], with two brackets".to_owned());
                Err(Box::new(file.problem(
                    Code::ConfigValue,
                    None,
                    &key.span(),
                    "`case` must be an array of tables",
                    help,
                )))
            }
            (unknown, _) => {
                let message = format!("unknown key `{unknown}`");
                Err(Box::new(file.problem(Code::ConfigKey, None, &key.span(), message, Some(suggest(unknown, &KEYS)))))
            }
        };
        problems.extend(result.err().map(|problem| *problem));
    }
    (rows, settings, problems)
}

fn row(file: &ConfigFile, item: &Spanned<DeValue<'_>>) -> Result<Row, Box<Problem>> {
    let Some(table) = item.get_ref().as_table() else {
        return Err(Box::new(file.problem(Code::ConfigValue, None, &item.span(), "a case must be a table", None)));
    };
    let members = table.iter().map(|(key, value)| {
        let (key, key_at): (String, Range<usize>) = (key.get_ref().to_string(), key.span());
        Ok(Member { key, key_at, value: json_at(file, value)?, at: value.span() })
    });
    Ok(Row { at: item.span(), members: members.collect::<Result<_, Box<Problem>>>()? })
}

fn json_at(file: &ConfigFile, value: &Spanned<DeValue<'_>>) -> Result<Json, Box<Problem>> {
    let json = toml_to_json(value.get_ref()).and_then(|text| Json::parse(&text).map_err(|error| error.message));
    json.map_err(|message| {
        let message = format!("this has no JSON form: {message}");
        Box::new(file.problem(Code::ConfigValue, None, &value.span(), message, None))
    })
}
