//! Payment, messaging, mail, shop and other web services.

use super::{Rule, rule, unglued};

pub(super) const RULES: &[Rule] = &[
    // A current key has 99 characters after the prefix, an old one at most 32.
    rule("stripe-secret-key", &["sk_live_", "sk_test_", "sk_prod_"], r"sk_(?:live|test|prod)_[A-Za-z0-9]{10,99}"),
    rule(
        "stripe-restricted-key",
        &["rk_live_", "rk_test_"],
        r"rk_(?:live|test)_(?:[A-Za-z0-9]{99}|[A-Za-z0-9]{10,32})",
    ),
    rule("webhook-signing-secret", &["whsec_"], r"whsec_[A-Za-z0-9+/=]{32,64}"),
    rule("square-token", &["eaaa"], unglued!("EAAA[A-Za-z0-9_-]{60}")),
    rule("square-old-token", &["sq0"], r"sq0(?:atp-[A-Za-z0-9_-]{22}|csp-[A-Za-z0-9_-]{43})"),
    rule("adyen-key", &["aqe"], unglued!("AQE[A-Za-z0-9+/=_-]{100,400}")),
    rule("razorpay-key", &["rzp_"], r"rzp_(?:test|live)_[A-Za-z0-9]{14}"),
    rule(
        "plaid-access-token",
        &["access-"],
        r"access-(?:sandbox|development|production)-[A-Fa-f0-9]{8}(?:-[A-Fa-f0-9]{4}){3}-[A-Fa-f0-9]{12}",
    ),
    rule("braintree-token", &["access_token$"], r"access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32}"),
    rule("flutterwave-key", &["flwseck"], r"FLWSECK(?:_TEST)?-[A-Za-z0-9]{12,40}(?:-X)?"),
    rule("duffel-token", &["duffel_"], r"duffel_(?:test|live)_[A-Za-z0-9_=-]{43}"),
    rule("easypost-key", &["ezak", "eztk"], r"EZ[AT]K[A-Za-z0-9]{54}"),
    rule("shippo-token", &["shippo_"], r"shippo_(?:live|test)_[a-f0-9]{40}"),
    rule("shopify-token", &["shpat_", "shpca_", "shppa_", "shpss_"], r"shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}"),
    rule("slack-refresh-wrapped-token", &["xoxe.xox"], r"xoxe\.xox[bp]-[A-Za-z0-9-]{20,300}"),
    rule("slack-refresh-token", &["xoxe-"], r"xoxe-[A-Za-z0-9-]{40,300}"),
    rule(
        "slack-token",
        &["xoxb-", "xoxp-", "xoxa-", "xoxo-", "xoxr-", "xoxs-", "xoxc-", "xoxd-"],
        r"xox[bpaorscd]-[A-Za-z0-9%-]{10,300}",
    ),
    rule("slack-app-token", &["xapp-"], r"xapp-[0-9]-[A-Z0-9]{5,20}-[0-9]{5,20}-[A-Za-z0-9]{20,100}"),
    rule(
        "slack-webhook",
        &["hooks.slack.com"],
        r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<secret>[A-Za-z0-9+/_-]{20,120})",
    ),
    rule(
        "teams-webhook",
        &["webhook.office.com"],
        r"webhook\.office\.com/webhookb2/(?P<secret>[a-f0-9@-]{36,80}/[A-Za-z]{8,20}/[A-Za-z0-9/_-]{60,160})",
    ),
    rule(
        "zapier-webhook",
        &["hooks.zapier.com"],
        r"hooks\.zapier\.com/hooks/catch/(?P<secret>[0-9]{3,12}/[A-Za-z0-9]{5,12})",
    ),
    rule(
        "discord-webhook",
        &["discord.com/api", "discordapp.com/api"],
        r"discord(?:app)?\.com/api/(?:v[0-9]{1,2}/)?webhooks/(?P<secret>[0-9]{17,20}/[A-Za-z0-9_-]{60,80})",
    ),
    // The first part is a number in base64, so it begins with one of these pairs.
    rule(
        "discord-bot-token",
        &["MD", "MT", "Mj", "Mz", "ND", "NT", "Nj", "Nz", "OD", "OT"],
        r"(?:M[DTjz]|N[DTjz]|O[DT])[A-Za-z0-9_-]{21,26}\.[A-Za-z0-9_-]{6,7}\.[A-Za-z0-9_-]{27,38}",
    ),
    rule("telegram-bot-token", &[":aa"], r"[0-9]{8,10}:AA[A-Za-z0-9_-]{33}"),
    rule("twilio-key-id", &["SK"], r"SK[a-f0-9]{32}"),
    rule("sendgrid-key", &["sg."], r"SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}"),
    rule("mailgun-key", &["key-"], unglued!("key-[a-f0-9]{32}")),
    rule("mailchimp-key", &["-us"], r"[a-f0-9]{32}-us[0-9]{1,2}"),
    rule("brevo-key", &["xkeysib-", "xsmtpsib-"], r"x(?:key|smtp)sib-[a-f0-9]{64}-[A-Za-z0-9]{16}"),
    rule("resend-key", &["re_"], r"re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}"),
    rule("klaviyo-key", &["pk_"], r"pk_[a-f0-9]{34}"),
    rule("hubspot-token", &["pat-"], r"pat-(?:na|eu|ap)[0-9]-[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}"),
    rule("mapbox-token", &["sk."], r"sk\.[A-Za-z0-9_-]{60,120}\.[A-Za-z0-9_-]{22}"),
    rule("dropbox-token", &["sl."], r"sl\.(?:u\.)?[A-Za-z0-9_-]{130,1200}"),
    rule("typeform-token", &["tfp_"], r"tfp_[A-Za-z0-9_.=-]{59}"),
    rule("frameio-token", &["fio-u-"], r"fio-u-[A-Za-z0-9_-]{64}"),
    rule(
        "twitter-bearer-token",
        &["aaaaaaaaaaaaaaaaaaaaa"],
        r"AAAAAAAAAAAAAAAAAAAAA[A-Za-z0-9]{5,40}%[A-Za-z0-9%]{30,100}",
    ),
    rule("instagram-token", &["igq"], unglued!("IGQ[A-Za-z0-9_-]{100,250}")),
    rule("twitch-token", &["oauth:"], r"oauth:(?P<secret>[a-z0-9]{30})"),
    rule("maxmind-key", &["_mmk"], r"[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk"),
    rule("okta-token", &["ssws"], r"SSWS[ ]{1,2}(?P<secret>00[A-Za-z0-9_-]{40})"),
];
