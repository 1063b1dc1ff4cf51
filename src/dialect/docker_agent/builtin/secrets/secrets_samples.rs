//! Secrets of every shape. None appears in this source: each is assembled at run time, so a scanner has nothing to
//! report.

/// Returns the first `n` characters of an endless repetition of `alphabet`.
pub(super) fn take(alphabet: &str, n: usize) -> String {
    alphabet.chars().cycle().take(n).collect()
}

pub(super) fn alnum(n: usize) -> String {
    take("aB3dE5gH7jK9mN2pQ4sT6vW8xZ", n)
}

pub(super) fn lower(n: usize) -> String {
    take("a3d5g7j9m2p4s6v8x", n)
}

pub(super) fn upper(n: usize) -> String {
    take("Z7Q2M4K6H5", n)
}

pub(super) fn hex(n: usize) -> String {
    take("0a1b2c3d4e5f6789", n)
}

pub(super) fn digits(n: usize) -> String {
    take("7391046285", n)
}

pub(super) fn uuid() -> String {
    [hex(8), hex(4), hex(4), hex(4), hex(12)].join("-")
}

/// A secret that is matched as a whole.
pub(super) struct Token {
    pub(super) name: &'static str,
    pub(super) text: String,
    /// Where the token ends. Text glued to a fixed end stays.
    pub(super) ends: Ends,
    /// Whether the token is found with text glued to its front.
    pub(super) glued: bool,
}

#[derive(PartialEq)]
pub(super) enum Ends {
    /// At a fixed length or last character.
    Fixed,
    /// At a character that it cannot contain.
    Open,
}

pub(super) fn fixed(name: &'static str, parts: &[&str]) -> Token {
    Token { name, text: parts.concat(), ends: Ends::Fixed, glued: true }
}

pub(super) fn open(name: &'static str, parts: &[&str]) -> Token {
    Token { name, text: parts.concat(), ends: Ends::Open, glued: true }
}

pub(super) fn apart(token: Token) -> Token {
    Token { glued: false, ..token }
}

/// Returns tokens of the shapes that other hook engines detect.
pub(super) fn known_tokens() -> Vec<Token> {
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

/// Returns tokens of further shapes.
pub(super) fn more_tokens() -> Vec<Token> {
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

/// A secret recognized by its surroundings, which stay.
pub(super) struct Embedded {
    pub(super) name: &'static str,
    pub(super) before: String,
    pub(super) secret: String,
    pub(super) after: &'static str,
}

pub(super) fn embedded(
    name: &'static str,
    before: &[&str],
    secret: impl Into<String>,
    after: &'static str,
) -> Embedded {
    Embedded { name, before: before.concat(), secret: secret.into(), after }
}

pub(super) fn connections() -> Vec<Embedded> {
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

pub(super) fn assignments() -> Vec<Embedded> {
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

pub(super) fn all_embedded() -> Vec<Embedded> {
    let mut all = connections();
    all.extend(assignments());
    all
}

pub(super) fn all_tokens() -> Vec<Token> {
    let mut all = known_tokens();
    all.extend(more_tokens());
    all
}

pub(super) fn github_token() -> String {
    ["gh", "p_", &alnum(36)].concat()
}

pub(super) fn aws_id() -> String {
    ["AK", "IA", &upper(16)].concat()
}

pub(super) fn docker_token() -> String {
    ["dckr", "_pat_", &take("A", 27)].concat()
}

pub(super) fn key_block(kind: &str, lines: usize, line_break: &str) -> (String, String, String) {
    let edge = |word: &str| {
        ["-----", word, " ", kind, "PRIVATE ", "KEY", if kind == "PGP " { " BLOCK-----" } else { "-----" }].concat()
    };
    let body: Vec<String> = (0..lines).map(|_| alnum(64)).chain([["abc", "="].concat()]).collect();
    (edge("BEGIN"), body.join(line_break), edge("END"))
}
