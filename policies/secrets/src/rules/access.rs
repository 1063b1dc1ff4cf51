//! Web tokens, and keys of secret managers and encryption tools.

use super::{Check, Rule, checked, rule};
use crate::set::{ALNUM, ANY64, DOTTED, HEX_ANY, Set, UPPER, URL64};
use crate::shape::{Part, Part::Maybe, Part::One, Part::Run, Part::Text, min, n};

const TOKEN68: Set = DOTTED.and(Set::of("~+/"));

#[rustfmt::skip] // A table reads better with one row per line.
pub(super) const RULES: &[Rule] = &[
    rule("json-web-token", "eyJ", &[min(URL64, 10), Text(".e"), One(&["yJ", "wog"]), min(URL64, 10), Text("."), min(URL64, 8)]),
    rule("json-web-token", "eyJ", &[min(URL64, 10), Text(".eyJ"), min(URL64, 16)]),
    // These are the parts of an encrypted web token: header, key (may be empty), vector, text, tag.
    rule("json-web-token", "eyJ", &[min(URL64, 16), Text("."), Run(URL64, 0, 1024), Text("."), min(URL64, 12), Text("."), min(URL64, 16), Text("."), min(URL64, 16)]),
    // This is a whole web token in base64.
    rule("json-web-token", "ZXlK", &[min(ANY64, 60)]),
    // This is a private key in base64, as in the settings of kubectl.
    rule("private-key", "LS0tLS1CRUdJTiB", &[One(&["QUklWQVRF", "SU0EgUFJJ", "FQyBQUklW", "PUEVOU1NI", "FTkNSWVBU", "EU0EgUFJJ"]), min(ANY64, 40)]),
    rule("age-key", "AGE-SECRET-KEY-1", &[n(UPPER, 58)]),
    rule("1password-token", "ops_eyJ", &[min(ANY64, 60)]),
    rule("1password-secret-key", "A3-", &[n(UPPER, 6), Text("-"), Run(UPPER, 6, 11), Text("-"), n(UPPER, 5), Text("-"), n(UPPER, 5), Text("-"), n(UPPER, 5), Maybe("-"), Run(UPPER, 0, 5)]),
    rule("vault-token", "hvs.", &[min(URL64, 90)]),
    rule("vault-token", "hvs.", &[n(ALNUM, 24)]),
    rule("vault-token", "hvb.", &[min(URL64, 90)]),
    rule("vault-token", "hvr.", &[min(URL64, 90)]),
    checked("vault-token", "s.", &[n(ALNUM, 24)], Check::Random),
    checked("vault-token", "b.", &[Text("AAAAAQ"), min(URL64, 80)], Check::Alone),
    rule("doppler-token", "dp.pt.", &[Run(ALNUM, 40, 44)]),
    rule("doppler-token", "dp.ct.", &[Run(ALNUM, 40, 44)]),
    rule("doppler-token", "dp.sa.", &[Run(ALNUM, 40, 44)]),
    rule("doppler-token", "dp.scim.", &[Run(ALNUM, 40, 44)]),
    rule("doppler-token", "dp.audit.", &[Run(ALNUM, 40, 44)]),
    rule("doppler-token", "dp.st.", &[Run(ALNUM, 40, 44)]),
    rule("doppler-token", "dp.st.", &[Run(URL64, 2, 35), Text("."), Run(ALNUM, 40, 44)]),
    rule("infisical-token", "st.", &[n(HEX_ANY, 24), Text("."), n(HEX_ANY, 32), Text("."), n(HEX_ANY, 32)]),
    rule("akeyless-key", "p-", &[n(ALNUM, 12), Text("."), n(ALNUM, 32)]),
    rule("openshift-token", "sha256~", &[n(URL64, 43)]),
    rule("authress-key", "sc_", &[Run(ALNUM, 5, 30), Text("."), Run(ALNUM, 4, 6), Text("."), AUTHRESS, min(TOKEN68, 30)]),
    rule("authress-key", "ext_", &[Run(ALNUM, 5, 30), Text("."), Run(ALNUM, 4, 6), Text("."), AUTHRESS, min(TOKEN68, 30)]),
    rule("authress-key", "scauth_", &[Run(ALNUM, 5, 30), Text("."), Run(ALNUM, 4, 6), Text("."), AUTHRESS, min(TOKEN68, 30)]),
    rule("authress-key", "authress_", &[Run(ALNUM, 5, 30), Text("."), Run(ALNUM, 4, 6), Text("."), AUTHRESS, min(TOKEN68, 30)]),
    rule("endor-labs-key", "endr+", &[Run(URL64, 16, 80)]),
    rule("trufflehog-key", "thog-key-", &[min(HEX_ANY, 16)]),
    rule("trufflehog-key", "thog-secret-", &[min(HEX_ANY, 32)]),
    rule("nightfall-key", "NF-", &[n(ALNUM, 32)]),
    rule("defined-networking-key", "dnkey-", &[n(DNKEY, 26), Text("-"), n(DNKEY, 52)]),
    rule("snyk-token", "snyk_uat.", &[n(ALNUM, 8), Text("."), min(TOKEN68, 20)]),
    rule("duo-secret-key", "DS", &[n(UPPER, 18), Text(":"), n(ALNUM, 40)]),
    checked("nkey-seed", "SU", &[Run(UPPER, 56, 56)], Check::Random),
    checked("nkey-seed", "SA", &[Run(UPPER, 56, 56)], Check::Random),
    rule("aws-cognito-token", "eyJjdHki", &[min(DOTTED, 60)]),
    rule("smallstep-key", "sst_", &[min(URL64, 40)]),
    checked("wallet-key", "xprv", &[n(ALNUM, 107)], Check::Digit),
];

const AUTHRESS: Part = One(&["acc-", "acc_"]);
const DNKEY: Set = ALNUM.and(Set::of("=_-"));
