//! What `redact` finds, and what it leaves alone.
//!
//! No secret stands in this source: each is put together at run time, so that a scanner has nothing to report.

use std::time::{Duration, Instant};

use super::{MARKER, redact};

/// The first `n` characters of an endless repetition.
fn take(alphabet: &str, n: usize) -> String {
    alphabet.chars().cycle().take(n).collect()
}

fn alnum(n: usize) -> String {
    take("aB3dE5gH7jK9mN2pQ4sT6vW8xZ", n)
}

fn lower(n: usize) -> String {
    take("a3d5g7j9m2p4s6v8x", n)
}

fn upper(n: usize) -> String {
    take("Z7Q2M4K6H5", n)
}

fn hex(n: usize) -> String {
    take("0a1b2c3d4e5f6789", n)
}

fn digits(n: usize) -> String {
    take("7391046285", n)
}

fn uuid() -> String {
    [hex(8), hex(4), hex(4), hex(4), hex(12)].join("-")
}

/// A secret that is its own match.
struct Token {
    name: &'static str,
    text: String,
    /// Whether it ends by itself, so that text glued to its end stays.
    ends: Ends,
    /// Whether it is found with text glued to its front.
    glued: bool,
}

#[derive(PartialEq)]
enum Ends {
    /// At a length or a last character.
    Fixed,
    /// At a character that it cannot hold.
    Open,
}

fn fixed(name: &'static str, parts: &[&str]) -> Token {
    Token { name, text: parts.concat(), ends: Ends::Fixed, glued: true }
}

fn open(name: &'static str, parts: &[&str]) -> Token {
    Token { name, text: parts.concat(), ends: Ends::Open, glued: true }
}

fn apart(token: Token) -> Token {
    Token { glued: false, ..token }
}

/// The shapes that other hook engines detect.
fn known_tokens() -> Vec<Token> {
    let middle = ["T3Blbk", "FJ"].concat();
    let header = ["ey", "J"].concat();
    vec![
        fixed("GitHub personal token", &["gh", "p_", &alnum(36)]),
        fixed("Docker personal token", &["dckr", "_pat_", &alnum(27)]),
        fixed("Docker personal token of one letter", &["dckr", "_pat_", &take("A", 27)]),
        fixed("Docker organisation token", &["dckr", "_oat_", &alnum(27)]),
        open("OpenAI project key", &["sk-", "proj-", &alnum(74), &middle, &alnum(74)]),
        open("OpenAI project key, short", &["sk-", "proj-", &alnum(20), &middle, &alnum(20)]),
        fixed("OpenAI key", &["sk", "-", &alnum(20), &middle, &alnum(20)]),
        fixed("Anthropic key", &["sk-", "ant-api03-", &alnum(93), "AA"]),
        fixed("Google API key", &["AI", "za", &alnum(35)]),
        fixed("Google client secret", &["GOC", "SPX-", &alnum(28)]),
        fixed("DigitalOcean personal token", &["dop", "_v1_", &hex(64)]),
        fixed("DigitalOcean OAuth token", &["doo", "_v1_", &hex(64)]),
        fixed("DigitalOcean refresh token", &["dor", "_v1_", &hex(64)]),
        open("webhook signing secret", &["whs", "ec_", &alnum(32)]),
        open("webhook signing secret, long", &["whs", "ec_", &alnum(48)]),
        open("Artifactory key", &["AK", "Cp", &alnum(69)]),
        fixed("Artifactory key, long", &["AK", "Cp", &alnum(73)]),
        fixed("Tencent id", &["AK", "ID", &alnum(32)]),
        open("Sentry organisation token", &["sntrys", "_", &header, &alnum(60)]),
        open("Stripe restricted key", &["rk_", "test_", &alnum(10)]),
        fixed("Stripe restricted key, longest old form", &["rk_", "live_", &alnum(32)]),
        fixed("Stripe restricted key of today", &["rk_", "live_", &alnum(99)]),
        fixed("Notion token", &["nt", "n_", &alnum(46)]),
        fixed("GitLab trigger token", &["glp", "tt-", &hex(40)]),
        open("Vault service token", &["hv", "s.", &alnum(95)]),
        open("Vault batch token", &["hv", "b.", &alnum(138)]),
        open("Vault recovery token", &["hv", "r.", &alnum(90)]),
        open("Slack refresh token", &["xo", "xe-", &alnum(40)]),
        fixed("Slack refresh token, longest", &["xo", "xe-", &alnum(300)]),
        open("Slack wrapped user token", &["xoxe.", "xoxp-", "1-", &alnum(60)]),
        open("Slack wrapped bot token", &["xoxe.", "xoxb-", "1-", &alnum(60)]),
        fixed("Replicate token", &["r", "8_", &alnum(37)]),
        apart(fixed("Square token", &["EA", "AA", &alnum(60)])),
        open("Atlassian token", &["ATATT3", "xFfGF0", &alnum(180)]),
        fixed("Atlassian token, longest", &["ATATT3", "xFfGF0", &alnum(250)]),
        fixed("Telegram bot token", &[&digits(10), ":A", "A", &alnum(33)]),
        fixed("Telegram bot token, short id", &[&digits(8), ":A", "A", &alnum(33)]),
        open("Fly token", &["Fly", "V1 ", "fm2_", &alnum(120)]),
        fixed("Groq key", &["gs", "k_", &alnum(52)]),
        open("Perplexity key", &["pp", "lx-", &alnum(48)]),
        fixed("Perplexity key, longest", &["pp", "lx-", &alnum(56)]),
        fixed("xAI key", &["xa", "i-", &alnum(80)]),
        fixed("Cohere key", &["co", "_", &alnum(40)]),
        fixed("Buildkite token", &["bk", "ua_", &hex(40)]),
        open("CircleCI project token", &["CCI", "PRJ_", "org_", &hex(40)]),
        fixed("Mapbox secret token", &["sk", ".", &alnum(60), ".", &alnum(22)]),
        fixed("Netlify token", &["nf", "p_", &alnum(40)]),
        fixed("Asana token, short id", &["1", "/", &digits(14), ":", &hex(32)]),
        fixed("Asana token", &["1", "/", &digits(16), ":", &hex(32)]),
        fixed("Cloudflare origin key", &["v1", ".0-", &hex(32), "-", &hex(146)]),
        open("1Password service token", &["ops", "_", &header, &alnum(300)]),
        fixed("OpenRouter key", &["sk-", "or-v1-", &hex(64)]),
        fixed("Sonar user token", &["sq", "u_", &hex(40)]),
        fixed("Sonar project token", &["sq", "p_", &hex(40)]),
        fixed("Sonar analysis token", &["sq", "a_", &hex(40)]),
        open("Pinecone key", &["pc", "key_", "label_", &alnum(24)]),
        fixed("Pinecone key, longest", &["pc", "key_", "label_", &alnum(80)]),
        open("Supabase secret key", &["sb", "_secret_", &alnum(40)]),
        open("Tailscale auth key", &["ts", "key-auth-", "kD3aFg", "CNTRL-", &alnum(32)]),
        open("Tailscale API key", &["ts", "key-api-", "kD3aFg", "CNTRL-", &alnum(32)]),
        open("Vercel personal token", &["vc", "p_", &alnum(24)]),
        open("Vercel key", &["vc", "k_", &alnum(60)]),
        open("Vercel integration token", &["vc", "i_", &alnum(24)]),
        fixed("Razorpay test key", &["rzp", "_test_", &alnum(14)]),
        fixed("Razorpay live key", &["rzp", "_live_", &alnum(14)]),
        apart(open("Adyen key", &["A", "QE", &alnum(150)])),
        fixed("Plaid sandbox token", &["access", "-sandbox-", &uuid()]),
        fixed("Plaid development token", &["access", "-development-", &uuid()]),
        fixed("Plaid production token", &["access", "-production-", &uuid()]),
        fixed("PostHog key", &["ph", "x_", &alnum(43)]),
        open("Render key", &["rn", "d_", &alnum(32)]),
        fixed("Honeycomb ingest key", &["hc", "aik_", &lower(58)]),
        fixed("Honeycomb configuration key", &["hc", "aic_", &lower(58)]),
        fixed("Akamai token", &["ak", "ab-", &lower(16), "-", &lower(16)]),
        fixed("Adafruit key", &["ai", "o_", &alnum(28)]),
        fixed("npm token", &["np", "m_", &alnum(36)]),
        fixed("Dynatrace token", &["dt0", "c01.", &upper(24), ".", &upper(64)]),
        open("Doppler token", &["dp", ".pt.", &alnum(43)]),
        fixed("EasyPost live key", &["EZ", "AK", &alnum(54)]),
        fixed("EasyPost test key", &["EZ", "TK", &alnum(54)]),
        open("Terraform Cloud token", &[&alnum(14), ".atlas", "v1.", &alnum(67)]),
        fixed("New Relic user key", &["NR", "AK-", &upper(27)]),
        fixed("New Relic browser key", &["NR", "JS-", &hex(19)]),
    ]
    .into_iter()
    .chain(
        ["MT", "Mz", "ND", "NT", "Nz", "OD"]
            .map(|first| open("Discord bot token", &[first, &alnum(22), ".", &alnum(6), ".", &alnum(27)])),
    )
    .collect()
}

/// Shapes beyond those.
fn more_tokens() -> Vec<Token> {
    let header = ["ey", "J"].concat();
    vec![
        fixed("GitHub OAuth token", &["gh", "o_", &alnum(36)]),
        fixed("GitHub user token", &["gh", "u_", &alnum(36)]),
        fixed("GitHub server token", &["gh", "s_", &alnum(36)]),
        open("GitHub refresh token", &["gh", "r_", &alnum(76)]),
        fixed("GitHub fine-grained token", &["github", "_pat_", &alnum(22), "_", &alnum(59)]),
        fixed("GitLab token", &["gl", "pat-", &alnum(20)]),
        fixed("GitLab routable token", &["gl", "pat-", &alnum(27), ".0", "1", &lower(7)]),
        fixed("AWS access key id", &["AK", "IA", &upper(16)]),
        apart(fixed("AWS temporary access key id", &["AS", "IA", &upper(16)])),
        open("Slack bot token", &["xo", "xb-", &digits(12), "-", &digits(12), "-", &alnum(24)]),
        open("Slack user token", &["xo", "xp-", &digits(12), "-", &digits(12), "-", &hex(32)]),
        open("Slack app token", &["xa", "pp-1-", &upper(11), "-", &digits(13), "-", &hex(64)]),
        open("Stripe live key", &["sk_", "live_", &alnum(24)]),
        fixed("Stripe test key", &["sk_", "test_", &alnum(99)]),
        fixed("Twilio key id", &["S", "K", &hex(32)]),
        fixed("SendGrid key", &["S", "G.", &alnum(22), ".", &alnum(43)]),
        apart(fixed("Mailgun key", &["ke", "y-", &hex(32)])),
        open("Mailchimp key", &[&hex(32), "-u", "s12"]),
        open("PyPI token", &["py", "pi-AgEIcHlwaS5vcmc", &alnum(150)]),
        open("JSON web token", &[&header, &alnum(33), ".", &header, &alnum(60), ".", &alnum(43)]),
        open("Google access token", &["ya", "29.", &alnum(120)]),
        apart(fixed("old OpenAI key", &["s", "k-", &alnum(48)])),
        open("Azure client secret", &["abc", "8", "Q~", &alnum(34)]),
        open("Hugging Face token", &["h", "f_", &alnum(34)]),
        open("Databricks token", &["da", "pi", &hex(32), "-2"]),
        fixed("Shopify token", &["shp", "at_", &hex(32)]),
        fixed("Linear key", &["lin", "_api_", &alnum(40)]),
        fixed("Grafana service token", &["gl", "sa_", &alnum(32), "_", &hex(8)]),
        fixed("age secret key", &["AGE-", "SECRET-KEY-1", &upper(58)]),
        fixed("Pulumi token", &["pu", "l-", &hex(40)]),
        fixed("Heroku key", &["HR", "KU-", &uuid()]),
        fixed("Postman key", &["PM", "AK-", &hex(24), "-", &hex(34)]),
        fixed("Figma token", &["fi", "gd_", &alnum(40)]),
        fixed("Airtable token", &["pa", "t", &alnum(14), ".", &hex(64)]),
        fixed("HubSpot token", &["pa", "t-na1-", &uuid()]),
        fixed("Brevo key", &["xkey", "sib-", &hex(64), "-", &alnum(16)]),
        fixed("NVIDIA key", &["nv", "api-", &alnum(70)]),
        apart(fixed("crates.io token", &["ci", "o", &alnum(32)])),
        apart(fixed("NuGet key", &["oy", "2", &lower(43)])),
    ]
}

/// A secret told by what stands around it, which stays.
struct Embedded {
    name: &'static str,
    before: String,
    secret: String,
    after: &'static str,
}

fn embedded(name: &'static str, before: &[&str], secret: impl Into<String>, after: &'static str) -> Embedded {
    Embedded { name, before: before.concat(), secret: secret.into(), after }
}

fn connections() -> Vec<Embedded> {
    let account = "DefaultEndpointsProtocol=https;AccountName=store;Account";
    let password = ["hunter", "2"].concat();
    let password = password.as_str();
    vec![
        embedded("MongoDB", &["mongodb", "://app:"], password, "@db.example.com:27017/main?tls=true"),
        embedded("MongoDB by service record", &["mongodb+srv", "://app:"], password, "@cluster.example.net/main"),
        embedded("PostgreSQL", &["postgres", "://app:"], password, "@db.example.com:5432/main"),
        embedded("PostgreSQL, long scheme", &["postgresql", "://app:"], password, "@db.example.com/main"),
        embedded("PostgreSQL, escaped password", &["postgres", "://app:"], "%40b%2Fc", "@db.example.com/main"),
        embedded("PostgreSQL, at sign in the password", &["postgres", "://app:"], "p@ss", "@db.example.com/main"),
        embedded("MySQL with a driver", &["mysql+pymysql", "://app:"], password, "@db.example.com/main"),
        embedded("Redis without a user", &["rediss", "://:"], password, "@cache.example.com:6379/0"),
        embedded("AMQP", &["amqps", "://app:"], password, "@mq.example.com/vhost"),
        embedded("web", &["https", "://app:"], password, "@example.com/path"),
        embedded("Cloudinary", &["cloudinary", "://", &digits(15), ":"], alnum(27), "@cloud"),
        embedded(
            "Azure storage account",
            &[account, "Key="],
            [alnum(86).as_str(), "=="].concat(),
            ";EndpointSuffix=core.windows.net",
        ),
        embedded(
            "Azure shared access",
            &["Endpoint=sb://bus.example.net/;SharedAccessKeyName=all;SharedAccess", "Key="],
            [alnum(43).as_str(), "="].concat(),
            ";EntityPath=queue",
        ),
        embedded("ADO", &["Server=db.example.com;Database=main;User Id=app;Pass", "word="], password, ";Encrypt=yes"),
        embedded("JDBC", &["jdbc:postgresql://db.example.com/main?user=app&pass", "word="], password, "&ssl=true"),
        embedded("netrc", &["machine example.com login app pass", "word "], password, "\n"),
    ]
}

fn assignments() -> Vec<Embedded> {
    let webhook = [&digits(18), "/", &alnum(68)].map(str::to_owned).concat();
    vec![
        embedded("Discord webhook", &["https://discord", ".com/api/webhooks/"], webhook.clone(), "\n"),
        embedded("Discord webhook, old host", &["https://discordapp", ".com/api/webhooks/"], webhook, "\n"),
        embedded(
            "Slack webhook",
            &["https://hooks.slack", ".com/services/"],
            ["T", &upper(8), "/B", &upper(8), "/", &alnum(24)].concat(),
            "\n",
        ),
        embedded("AWS secret in a shell", &["export AWS_SECRET_ACCESS", "_KEY="], alnum(40), "\n"),
        embedded("AWS secret in a settings file", &["aws_secret_access", "_key = "], alnum(40), "\n"),
        embedded("AWS secret in JSON", &["{\"SecretAccess", "Key\": \""], alnum(40), "\"}"),
        embedded("AWS secret in JSON text in JSON", &["{\\\"SecretAccess", "Key\\\": \\\""], alnum(40), "\\\"}"),
        embedded("Heroku key", &["HEROKU_API", "_KEY: "], uuid(), "\n"),
        embedded("Datadog key", &["DD_API", "_KEY=\""], hex(32), "\""),
        embedded("Twilio auth token", &["twilio.auth", "_token => '"], hex(32), "'"),
        embedded("Snyk token", &["--set snyk-tok", "en="], uuid(), " --debug"),
        embedded("npm login", &["//registry.example.com/:_auth", "Token="], uuid(), "\n"),
        embedded(
            "registry login",
            &["{\"auths\": {\"registry.example.com\": {\"auth", "\": \""],
            [alnum(22).as_str(), "=="].concat(),
            "\"}}}",
        ),
    ]
}

fn all_embedded() -> Vec<Embedded> {
    let mut all = connections();
    all.extend(assignments());
    all
}

fn all_tokens() -> Vec<Token> {
    let mut all = known_tokens();
    all.extend(more_tokens());
    all
}

fn github_token() -> String {
    ["gh", "p_", &alnum(36)].concat()
}

fn aws_id() -> String {
    ["AK", "IA", &upper(16)].concat()
}

fn docker_token() -> String {
    ["dckr", "_pat_", &take("A", 27)].concat()
}

fn key_block(kind: &str, lines: usize, line_break: &str) -> (String, String, String) {
    let edge = |word: &str| {
        ["-----", word, " ", kind, "PRIVATE ", "KEY", if kind == "PGP " { " BLOCK-----" } else { "-----" }].concat()
    };
    let body: Vec<String> = (0..lines).map(|_| alnum(64)).chain([["abc", "="].concat()]).collect();
    (edge("BEGIN"), body.join(line_break), edge("END"))
}

/// `TestRedactDetectsBareUnquotedSecrets`, for every shape: bare, quoted, assigned, in a sentence.
#[test]
fn every_token_is_found() {
    for Token { name, text, .. } in all_tokens() {
        for (before, after) in [
            ("", ""),
            ("\"", "\""),
            ("'", "'"),
            ("`", "`"),
            ("KEY=", "\n"),
            ("{\"key\": \"", "\"}"),
            ("{\\\"key\\\": \\\"", "\\\"}"),
            ("Use ", " to log in."),
            ("first line\n", "\nlast line"),
            ("first line\\n", "\\nlast line"),
            ("<key>", "</key>"),
        ] {
            let expected = format!("{before}{MARKER}{after}");
            assert_eq!(redact(&format!("{before}{text}{after}")), Some(expected), "{name} within {before:?} {after:?}");
        }
    }
}

/// `TestConnectionStringContextPreservation`, and the same for assignments.
#[test]
fn what_is_around_a_secret_stays() {
    for Embedded { name, before, secret, after } in all_embedded() {
        for (first, last) in [("", ""), ("DSN=", "\n"), ("\"", "\""), ("Connect to ", " now.")] {
            let expected = format!("{first}{before}{MARKER}{after}{last}");
            assert_eq!(redact(&format!("{first}{before}{secret}{after}{last}")), Some(expected), "{name}");
        }
    }
}

/// `TestRedactDetectsSecretsAcrossWordBoundaries`.
#[test]
fn glued_secrets_are_found() {
    for secret in [github_token(), aws_id(), docker_token()] {
        for (before, after) in [("", ""), ("BEFORE", "AFTER"), ("BEFORE", ""), ("", "AFTER"), ("KEY=", "")] {
            assert_eq!(redact(&format!("{before}{secret}{after}")), Some(format!("{before}{MARKER}{after}")));
        }
    }
}

#[test]
fn tokens_are_found_with_text_glued_to_their_front() {
    for Token { name, text, .. } in all_tokens().into_iter().filter(|token| token.glued) {
        // Digits or hex digits at the front belong to this text as well as to `BEFORE`.
        let redacted = redact(&format!("BEFORE{text}")).unwrap_or_default();
        assert_eq!(redacted, format!("BEFORE{MARKER}"), "{name}");
    }
}

/// `TestRedactDoesNotSwallowAdjacentText`.
#[test]
fn text_after_a_token_stays() {
    for Token { name, text, .. } in all_tokens().into_iter().filter(|token| token.ends == Ends::Fixed) {
        let redacted = redact(&format!("{text}GHIJKL and more")).unwrap_or_default();
        assert_eq!(redacted, format!("{MARKER}GHIJKL and more"), "{name}");
    }
    for Token { name, text, .. } in all_tokens() {
        for after in [" and more", "\nand more", ", and more", "; echo done", ")", "\\nand more"] {
            assert_eq!(redact(&format!("{text}{after}")), Some(format!("{MARKER}{after}")), "{name} before {after:?}");
        }
    }
}

/// `TestRedactReplacesSecretSpan`, `PreservesNonMatchingText`.
#[test]
fn the_rest_of_the_text_stays() {
    let text = |secret: &str| format!("Zwölf ☃ lines\r\n\tcurl -H 'Authorization: {secret}' | tee log\u{0}\u{7f}");
    assert_eq!(redact(&text(&github_token())), Some(text(MARKER)));
}

/// `HandlesMultipleSecretsInOneInput`.
#[test]
fn each_secret_gets_its_marker() {
    let both = redact(&format!("a={} b={}", github_token(), aws_id()));
    assert_eq!(both, Some(format!("a={MARKER} b={MARKER}")));
    let glued = redact(&[github_token(), github_token(), docker_token()].concat());
    assert_eq!(glued, Some(MARKER.repeat(3)));
    let fly = ["fm", "2_", &alnum(100)].concat();
    assert_eq!(redact(&format!("FlyV1 {fly},{fly}")), Some(format!("{MARKER},{MARKER}")));
    let squares = [["EA", "AA"].concat(), alnum(60)].concat();
    assert_eq!(redact(&format!("{squares}\n{squares}")), Some(format!("{MARKER}\n{MARKER}")));
}

#[test]
fn all_shapes_in_one_text() {
    let tokens: Vec<String> = all_tokens().into_iter().map(|token| token.text).collect();
    let expected = vec![MARKER; tokens.len()].join("\n");
    assert_eq!(redact(&tokens.join("\n")), Some(expected));
}

#[test]
fn an_aws_id_and_its_secret_are_found() {
    for between in [",", ":", "\",\"", "\t"] {
        let redacted = redact(&format!("user,\"{}{between}{}\"", aws_id(), alnum(40)));
        assert_eq!(redacted, Some(format!("user,\"{MARKER}{between}{MARKER}\"")));
    }
}

/// `TestRedactIsIdempotent`.
#[test]
fn a_second_pass_finds_nothing() {
    let tokens = all_tokens().into_iter().map(|token| token.text);
    let embedded = all_embedded().into_iter().map(|case| [&case.before, &case.secret, case.after].concat());
    for text in tokens.chain(embedded) {
        for text in [text.clone(), format!("BEFORE{text}AFTER"), format!("{text}{text}")] {
            if let Some(redacted) = redact(&text) {
                assert_eq!(redact(&redacted), None, "{redacted}");
            }
        }
    }
}

/// `TestRedactionMarkerIsNotASecret`.
#[test]
fn the_marker_is_no_secret() {
    assert_eq!(redact(MARKER), None);
    assert_eq!(redact(&MARKER.repeat(50)), None);
    for Embedded { name, before, after, .. } in all_embedded() {
        assert_eq!(redact(&format!("{before}{MARKER}{after}")), None, "{name}");
    }
    assert_eq!(redact(&format!("key=\"{MARKER}\" token: {MARKER} ghp_{MARKER} sk-{MARKER}")), None);
}

#[test]
fn a_private_key_is_found() {
    for kind in ["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED ", "PGP "] {
        for line_break in ["\n", "\r\n", "\\n", "\n    ", "\n\t", "\n   12→", "\",\n\""] {
            let (begin, body, end) = key_block(kind, 12, line_break);
            let redacted = redact(&format!("a\n{begin}{line_break}{body}{line_break}{end}\nb")).unwrap_or_default();
            assert_eq!(redacted, format!("a\n{begin}{MARKER}{end}\nb"), "{kind} {line_break:?}");
            assert_eq!(redact(&redacted), None);
        }
    }
}

#[test]
fn a_private_key_with_headers_is_found() {
    let (begin, body, end) = key_block("RSA ", 12, "\n");
    let headers = "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0011\nComment: (a) <b>; {c}";
    let redacted = redact(&format!("{begin}\n{headers}\n\n{body}\n{end}\n"));
    assert_eq!(redacted, Some(format!("{begin}{MARKER}{end}\n")));
}

#[test]
fn a_private_key_without_its_end_is_found() {
    let (begin, body, _) = key_block("RSA ", 4, "\n");
    let body = body.lines().take(4).collect::<Vec<_>>().join("\n");
    assert_eq!(redact(&format!("{begin}\n{body}\nand so on")), Some(format!("{begin}\n{MARKER}\nand so on")));
}

#[test]
fn the_lines_of_a_private_key_alone_are_none() {
    let (begin, _, end) = key_block("RSA ", 0, "\n");
    assert_eq!(redact(&format!("const BEGIN = \"{begin}\"; const END = \"{end}\";")), None);
    assert_eq!(redact(&format!("EDGES = ('{begin}',\n                   '{end}')")), None);
    assert_eq!(redact(&format!("the lines \"{begin}\" and \"{end}\" are around it")), None);
    assert_eq!(redact(&format!("looks for {begin} in each file")), None);
}

/// `TestContainsSecretsIgnoresHarmlessText`, `TestNoisyKeywordsFalsePositives`.
#[test]
fn harmless_text_stays() {
    let commit = hex(40);
    let uuid = uuid();
    for text in [
        "",
        " ",
        "1234567890",
        "12345678901234567890123456789012345678901234567890",
        "hello world",
        "The quick brown fox jumps over the lazy dog.",
        "the api key is documented in README",
        "12:00 AA",
        "at 12345678:AA we stop",
        "ask.",
        "disk.",
        "the disk.is.full",
        "1/2 cup",
        "1/1/2024",
        "v1.0-beta",
        "v1.0-rc.1",
        "npm_config_registry=https://registry.npmjs.org/",
        "npm_lifecycle_event",
        "sk-learn and scikit-learn",
        "task-runner-configuration-for-the-whole-monorepository-of-projects",
        "co_await std::suspend_always{};",
        "aio_read(&control_block)",
        "git@github.com:owner/repository.git",
        "https://example.com:8443/@scope/package?contact=me@example.com",
        "http://localhost:4873/@scope%2fname",
        "http://user:password@example.com",
        "machine {host} login {user} password {password}",
        "postgres://localhost:5432/main",
        "postgres://app@localhost/main",
        "postgres://app:$PASSWORD@localhost/main",
        "postgres://app:${PASSWORD}@localhost/main",
        "postgres://app:$(cat password)@localhost/main",
        "postgres://{user}:{password}@{host}/main",
        "postgres://%s:%s@%s/main",
        "postgres://<user>:<password>@<host>/main",
        "AWS_SECRET_ACCESS_KEY=$SECRET",
        "password = os.environ[\"PASSWORD\"]",
        "Password must be changed; user = none;",
        "//registry.npmjs.org/:_authToken=${NPM_TOKEN}",
        "\"auth\": \"authenticatedUsersOnlyPlease\"",
        "vercelToken: readTheTokenFromTheEnvironment()",
        "jira_token = retrieveTheTokenFromTheStorage(name)",
        "refund and refuse: cmVmdW5kIGFuZCByZWZ1c2UgdG8gZ28gb24gYW5kIG9uIGFuZCBvbiBhbmQgb24gYW5kIG9u",
        "use actions/checkout and codecov/codecov-action",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "-----BEGIN CERTIFICATE-----",
        "The machine needs a login and a password each time",
    ] {
        assert_eq!(redact(text), None, "{text}");
    }
    assert_eq!(redact(&format!("commit {commit}\nid {uuid}\nuses: codecov/action@{commit}")), None);
    assert_eq!(redact(&format!("task-{commit}{commit} disk_{commit}{commit} test_{commit} cache-key-{commit}")), None);
    assert_eq!(redact(&format!("heroku release: {uuid}, key {uuid} aws {commit}")), None);
}

/// Public keys and binary data in base64 hold the short prefixes by chance.
#[test]
fn encoded_binary_data_stays() {
    let ssh = "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQEbase64";
    assert_eq!(redact(&format!("{ssh}{} me@host", alnum(300))), None);
    let module = format!("AGFzbQEAAAAB{}AQE{}EAAA{}", alnum(100), alnum(200), take("A", 100));
    assert_eq!(redact(&format!("\"data:application/wasm;base64,{module}\"")), None);
}

/// `TestRedactScalesLinearly`. The inputs are what costs most: secrets throughout, prefixes without a token, and runs
/// that many rules take for a beginning.
#[test]
fn time_grows_with_the_length_only() {
    let secrets = format!("key = {} and {} ", github_token(), aws_id());
    let all: String = all_tokens().iter().map(|token| format!("{}\n", token.text)).collect();
    let url = ["postgres", "://u:p"].concat();
    let begin = key_block("RSA ", 0, "\n").0;
    let pieces = [&secrets, &all, &url, &begin, "sk-proj-", "xoxe-xoxb-", "MTaaaa", "AAAA", "eyJ.", "server=a;", "1/"];
    for piece in pieces {
        let run = |length: usize| {
            let text = take(piece, length);
            let best = |_| {
                let start = Instant::now();
                let _ = redact(&text);
                start.elapsed()
            };
            (0..2).map(best).min().unwrap_or_default()
        };
        let (small, large) = (run(4 << 10), run(64 << 10));
        assert!(large < small.max(Duration::from_micros(200)) * 128, "{piece}: {small:?} to {large:?}");
    }
}
