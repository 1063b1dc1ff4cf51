//! Secrets without a recognizable shape, identified by the name they are assigned to.

use super::{Rule, unworded};

/// The pattern of a value assigned to a name, in any common notation: settings file, code, command line, JSON text
/// within a JSON string.
macro_rules! value {
    ($name:expr, $value:literal) => {
        concat!(
            "(?i-u:",
            $name,
            r#")(?:\\{0,3}["'`])?[ \t]{0,4}(?:=>|:=|=|:|>|,)[ \t]{0,4}(?:\\{0,3}["'`])?(?P<secret>"#,
            $value,
            ")"
        )
    };
}

/// The pattern of a value assigned to a name that begins with the owner's name and says that it holds a secret.
macro_rules! owned {
    ($owner:literal, $value:literal) => {
        value!(concat!($owner, "[A-Za-z0-9_. -]{0,25}(?:key|token|secret|pass|pwd)[A-Za-z0-9_.-]{0,12}"), $value)
    };
}

pub(super) const CLOUD: &[Rule] = &[
    unworded(
        "aws-secret-access-key",
        &["aws", "amazon", "secretaccesskey", "secret_access_key"],
        value!(
            "(?:aws|amazon)[A-Za-z0-9_. -]{0,20}secret[A-Za-z0-9_.-]{0,20}|secret_access_key|secretaccesskey",
            "[A-Za-z0-9/+]{40}"
        ),
    ),
    unworded(
        "aws-session-token",
        &["session_token", "sessiontoken"],
        value!("session_token|sessiontoken", "[A-Za-z0-9/+]{100,}={0,2}"),
    ),
    unworded("alibaba-secret", &["alibaba", "aliyun", "alicloud"], owned!("ali(?:baba|yun|cloud)", "[A-Za-z0-9]{30}")),
    unworded("tencent-secret-key", &["tencent", "qcloud"], owned!("(?:tencent|qcloud)", "[A-Za-z0-9]{32}")),
    unworded("ibm-cloud-key", &["ibm"], owned!("ibm", "[A-Za-z0-9_-]{44}")),
    unworded("azure-openai-key", &["azure"], owned!("azure", "(?:[A-Za-z0-9]{84}|[a-f0-9]{32})")),
    unworded(
        "cloudflare-token",
        &["cloudflare", "cf_api"],
        owned!("(?:cloudflare|cf_api)", "(?:[A-Za-z0-9_-]{40}|[a-f0-9]{37})"),
    ),
    unworded("heroku-uuid-key", &["heroku"], owned!("heroku", "[A-Fa-f0-9]{8}(?:-[A-Fa-f0-9]{4}){3}-[A-Fa-f0-9]{12}")),
    unworded("linode-token", &["linode"], owned!("linode", "[a-f0-9]{64}")),
    unworded("hetzner-token", &["hetzner", "hcloud"], owned!("(?:hetzner|hcloud)", "[A-Za-z0-9]{64}")),
    unworded(
        "scaleway-secret-key",
        &["scaleway", "scw_"],
        owned!("(?:scaleway|scw_)", "[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}"),
    ),
    unworded("railway-token", &["railway"], owned!("railway", "[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}")),
    unworded("vercel-old-token", &["vercel"], owned!("vercel", "[A-Za-z0-9]{24}")),
    unworded("vault-old-token", &["vault"], owned!("vault", r"s\.[A-Za-z0-9]{24}")),
    unworded("confluent-secret", &["confluent"], owned!("confluent", "[A-Za-z0-9+/]{64}")),
    unworded("ngrok-token", &["ngrok"], owned!("ngrok", "[A-Za-z0-9]{20,30}_[A-Za-z0-9]{18,24}")),
    unworded("datadog-key", &["datadog", "dd_"], owned!("(?:datadog|dd_)", "(?:[a-f0-9]{40}|[a-f0-9]{32})")),
    unworded("sumo-logic-key", &["sumo"], owned!("sumo", "[A-Za-z0-9]{64}")),
    unworded("rollbar-token", &["rollbar"], owned!("rollbar", "[a-f0-9]{32}")),
    unworded("sentry-old-token", &["sentry"], owned!("sentry", "[a-f0-9]{64}")),
    unworded("pagerduty-key", &["pagerduty", "pager_duty"], owned!("pager_?duty", "[A-Za-z0-9_+-]{20}")),
    unworded("opsgenie-key", &["opsgenie"], owned!("opsgenie", "[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}")),
];

pub(super) const SERVICES: &[Rule] = &[
    unworded("mistral-key", &["mistral"], owned!("mistral", "[A-Za-z0-9]{32}")),
    unworded("deepseek-key", &["deepseek"], owned!("deepseek", "sk-[a-f0-9]{32}")),
    unworded("firecrawl-key", &["firecrawl"], owned!("firecrawl", "fc-[a-f0-9]{32}")),
    unworded("fireworks-key", &["fireworks"], owned!("fireworks", "fw_[A-Za-z0-9]{22,24}")),
    unworded("cohere-old-key", &["cohere", "co_api"], owned!("(?:cohere|co_api)", "[A-Za-z0-9]{40}")),
    unworded("wandb-old-key", &["wandb"], owned!("wandb", "[a-f0-9]{40}")),
    unworded("assemblyai-key", &["assemblyai"], owned!("assemblyai", "[a-f0-9]{32}")),
    unworded("infracost-key", &["infracost"], owned!("infracost", "ico-[A-Za-z0-9]{32}")),
    unworded("lob-key", &["lob_"], owned!("lob_", "(?:live|test)_[a-f0-9]{35}")),
    unworded("snyk-token", &["snyk"], owned!("snyk", "[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}")),
    unworded(
        "codecov-token",
        &["codecov"],
        owned!("codecov", "(?:[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}|[a-f0-9]{32})"),
    ),
    unworded("travis-token", &["travis"], owned!("travis", "[A-Za-z0-9_-]{22}")),
    unworded("circleci-old-token", &["circle"], owned!("circle", "[a-f0-9]{40}")),
    unworded("jenkins-token", &["jenkins"], owned!("jenkins", "(?:11[a-f0-9]{32}|[a-f0-9]{32})")),
    unworded("sonar-old-token", &["sonar"], owned!("sonar", "[a-f0-9]{40}")),
    unworded("bitbucket-secret", &["bitbucket"], owned!("bitbucket", "[A-Za-z0-9_=-]{32,64}")),
    unworded(
        "jira-old-token",
        &["jira", "atlassian", "confluence"],
        owned!("(?:jira|atlassian|confluence)", "[A-Za-z0-9]{24}"),
    ),
    unworded(
        "launchdarkly-key",
        &["launchdarkly", "launch_darkly"],
        owned!("launch_?darkly", "(?:api|sdk|mob)-[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}"),
    ),
    unworded("algolia-key", &["algolia"], owned!("algolia", "[a-f0-9]{32}")),
    unworded("twilio-auth-token", &["twilio"], owned!("twilio", "[a-f0-9]{32}")),
    unworded(
        "mailgun-signing-key",
        &["mailgun", "mg_api"],
        owned!("(?:mailgun|mg_api)", "(?:key-)?[a-f0-9]{32}(?:-[a-f0-9]{8}-[a-f0-9]{8})?"),
    ),
    unworded("postmark-token", &["postmark"], owned!("postmark", "[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}")),
    unworded("discord-client-secret", &["discord"], owned!("discord", "[A-Za-z0-9_-]{32}")),
    unworded("twitch-secret", &["twitch"], owned!("twitch", "[a-z0-9]{30}")),
    unworded("spotify-secret", &["spotify"], owned!("spotify", "[a-f0-9]{32}")),
    unworded("facebook-secret", &["facebook", "fb_app"], owned!("(?:facebook|fb_app)", "[a-f0-9]{32}")),
    unworded("twitter-secret", &["twitter"], owned!("twitter", "(?:[0-9]{15,20}-[A-Za-z0-9]{40}|[A-Za-z0-9]{45,50})")),
    unworded("zendesk-token", &["zendesk"], owned!("zendesk", "[A-Za-z0-9]{40}")),
    unworded("okta-old-token", &["okta"], owned!("okta", "00[A-Za-z0-9_-]{40}")),
    unworded("auth0-secret", &["auth0"], owned!("auth0", "[A-Za-z0-9_-]{64}")),
];
