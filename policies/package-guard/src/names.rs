//! Names of packages: popular names, and names that are one typo away from a popular one.

/// The registry that a name belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Registry {
    Npm,
    PyPi,
    Cargo,
    Gem,
    Go,
    Composer,
    /// The packages of the JVM, with group and artifact: `org.jacoco:jacoco-maven-plugin`.
    Maven,
    /// A registry without a list of popular names, such as those of operating systems.
    Other,
}

/// The minimum length of a name for which a typo means anything.
const SHORTEST: usize = 4;

impl Registry {
    fn text(self) -> &'static str {
        match self {
            Registry::Npm => include_str!("popular/npm.txt"),
            Registry::PyPi => include_str!("popular/pypi.txt"),
            Registry::Cargo => include_str!("popular/cargo.txt"),
            Registry::Gem => include_str!("popular/gem.txt"),
            Registry::Go => include_str!("popular/go.txt"),
            Registry::Composer => include_str!("popular/composer.txt"),
            Registry::Maven => include_str!("popular/maven.txt"),
            Registry::Other => "",
        }
    }

    fn popular(self) -> impl Iterator<Item = &'static str> {
        self.text().lines().filter(|line| !line.starts_with('#')).flat_map(str::split_whitespace)
    }

    /// Returns a letter in the registry's canonical spelling.
    fn letter(self, letter: char) -> char {
        match (self, letter) {
            (Registry::PyPi, '_' | '.') | (Registry::Cargo, '_') => '-',
            _ => letter.to_ascii_lowercase(),
        }
    }

    /// Returns a name in the registry's canonical spelling.
    fn normal(self, name: &str) -> String {
        let lower: String = name.to_lowercase().chars().map(|letter| self.letter(letter)).collect();
        match self {
            // `github.com/a/b/v2/cmd/x` is part of `github.com/a/b`.
            Registry::Go => {
                let count = if lower.starts_with("github.com/") || lower.starts_with("golang.org/") { 3 } else { 9 };
                let parts: Vec<&str> = lower.split('/').take(count).collect();
                let is_version = |part: &&str| part.starts_with('v') && part.len() < 4;
                let kept: Vec<&str> = parts.into_iter().filter(|part| !is_version(part)).collect();
                kept.join("/")
            }
            _ => lower,
        }
    }

    /// Whether many projects use this package.
    pub(crate) fn is_popular(self, name: &str) -> bool {
        let name = self.normal(name);
        let is_same = |known: &str| {
            let mut letters = name.chars();
            let is_start = known.chars().all(|letter| letters.next() == Some(self.letter(letter)));
            // A Go module contains the programs below its path.
            is_start && letters.next().is_none_or(|next| self == Registry::Go && next == '/')
        };
        self.popular().any(is_same)
    }

    /// Returns the popular name that this one may be a typo of.
    pub(crate) fn resembles(self, name: &str) -> Option<&'static str> {
        let name = self.normal(name);
        if name.len() < SHORTEST || name.starts_with('@') || self.is_popular(&name) {
            return None;
        }
        let letters: Vec<char> = name.chars().collect();
        let mut known_letters: Vec<char> = Vec::new();
        self.popular().filter(|known| known.len() >= SHORTEST && known.len().abs_diff(letters.len()) < 2).find(
            |known| {
                known_letters.clear();
                known_letters.extend(known.chars().map(|letter| self.letter(letter)));
                is_slip(&letters, &known_letters)
            },
        )
    }
}

/// Whether adding, removing, replacing or moving one letter turns one text into the other.
fn is_slip(a: &[char], b: &[char]) -> bool {
    if a.len().abs_diff(b.len()) > 1 || a == b {
        return false;
    }
    let same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (rest_a, rest_b) = (a.get(same..).unwrap_or_default(), b.get(same..).unwrap_or_default());
    let after = |rest: &'_ [char], count: usize| -> Vec<char> { rest.get(count..).unwrap_or_default().to_vec() };
    let is_swap = || matches!((rest_a, rest_b), ([a, b, ..], [c, d, ..]) if a == d && b == c);
    // With a digit at the end, a name means a different package, as in `mysql2` and `h2`.
    let is_version = |rest: &[char]| matches!(rest, [digit] if digit.is_ascii_digit());
    match rest_a.len().cmp(&rest_b.len()) {
        std::cmp::Ordering::Greater => after(rest_a, 1) == rest_b && !is_version(rest_a),
        std::cmp::Ordering::Less => after(rest_b, 1) == rest_a && !is_version(rest_b),
        std::cmp::Ordering::Equal => {
            let is_number = matches!((rest_a, rest_b), ([a], [b]) if a.is_ascii_digit() && b.is_ascii_digit());
            (after(rest_a, 1) == after(rest_b, 1) && !is_number) || (is_swap() && after(rest_a, 2) == after(rest_b, 2))
        }
    }
}

/// Whether a name matches a pattern in which `*` matches any characters.
pub(crate) fn matches(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = name.strip_prefix(first) else {
        return false;
    };
    let mut last = None;
    for part in parts {
        if let Some(before) = last.replace(part) {
            match rest.find(before) {
                Some(at) => rest = rest.get(at + before.len()..).unwrap_or_default(),
                None => return false,
            }
        }
    }
    last.map_or(rest.is_empty(), |last| rest.ends_with(last))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Registry; 6] =
        [Registry::Npm, Registry::PyPi, Registry::Cargo, Registry::Gem, Registry::Go, Registry::Composer];

    fn is_slip(a: &str, b: &str) -> bool {
        super::is_slip(&a.chars().collect::<Vec<_>>(), &b.chars().collect::<Vec<_>>())
    }

    #[test]
    fn slips() {
        for (a, b) in [
            ("lodahs", "lodash"),
            ("lodas", "lodash"),
            ("lodashh", "lodash"),
            ("lodesh", "lodash"),
            ("crossenv", "cross-env"),
            ("xlodash", "lodash"),
            ("requsets", "requests"),
        ] {
            assert!(is_slip(a, b), "{a} {b}");
            assert!(is_slip(b, a), "{b} {a}");
        }
        for (a, b) in
            [("lodash", "lodash"), ("lodash-es", "lodash"), ("mysql3", "mysql2"), ("mysql", "mysql2"), ("ab", "ba c")]
        {
            assert!(!is_slip(a, b), "{a} {b}");
        }
    }

    #[test]
    fn no_popular_name_resembles_another() {
        for registry in ALL {
            assert!(registry.popular().count() >= 90, "{registry:?}");
            for name in registry.popular() {
                assert_eq!(registry.resembles(name), None, "{registry:?} {name}");
            }
        }
    }

    #[test]
    fn names() {
        assert_eq!(Registry::PyPi.resembles("reqeusts"), Some("requests"));
        assert_eq!(Registry::PyPi.resembles("Python_DateUtil"), None);
        assert!(Registry::PyPi.is_popular("Typing_Extensions"));
        assert_eq!(Registry::Cargo.resembles("serde-json"), None);
        assert_eq!(Registry::Cargo.resembles("serde_jsom"), Some("serde_json"));
        assert_eq!(Registry::Npm.resembles("@types/lodahs"), None);
        assert_eq!(Registry::Go.resembles("github.com/sirupsem/logrus"), Some("github.com/sirupsen/logrus"));
        assert!(Registry::Go.is_popular("github.com/labstack/echo/v4"));
    }

    #[test]
    fn patterns() {
        assert!(matches("@acme/*", "@acme/x"));
        assert!(!matches("@acme/*", "@evil/x"));
        assert!(!matches("lodash", "@evil/lodash"));
        assert!(matches("a*b*c", "a1b2c"));
        assert!(!matches("a*b*c", "a1c2b"));
        assert!(!matches("ab*ba", "aba"));
        assert!(matches("*", ""));
    }
}
