//! The files that programs write by an option, a flag or a subcommand.

use crate::files::have;
use crate::{commands, facts, shown};

#[test]
fn copies_become_files_of_the_same_name() {
    have(&[
        ("cp a/b .", "read a/b, write ., write ./b"),
        ("cp a/b c/", "read a/b, write c/, write c/b"),
        ("cp $A/b c/", "read <$A>/b, write c/, write c/b"),
        ("cp a/$B c/", "read a/<$B>, write c/, write c/<$B>"),
        ("cp a/*.c c/", "read a/*.c, write c/, write c/*.c"),
        ("cp a $D/", "read a, write <$D>/, write <$D>/a"),
        ("cp -r a/. .", "read a/., write ."),
        ("mv a/b ..", "delete a/b, write .., write ../b"),
        ("install a/b c d/", "read a/b, read c, write d/, write d/b, write d/c"),
        ("ln -s ../a b/", "read ../a, create b/, create b/a"),
        ("scp h:x/.a .", "write ., write ./.a"),
        ("rsync -a a/ b/", "read a/, write b/"),
        ("rsync -a x/a b/", "read x/a, write b/, write b/a"),
        ("rsync --remove-source-files a b", "delete a, write b"),
        ("rsync -n a b", "read a, list b"),
        ("docker cp c:/x/.a .", "write ., write ./.a"),
        ("kubectl cp p:/x b -c web", "write b"),
        ("aws s3 cp s3://b/x .a", "write .a"),
        ("docker ps", ""),
    ]);
}

#[test]
fn options_that_write() {
    have(&[
        ("gcc -Wno-error -o a b.c", "write a, read b.c"),
        ("go build -o a ./...", "write a"),
        ("terraform plan -out=a", "write a"),
        ("objcopy a", "write a"),
        ("objcopy -S a b", "read a, write b"),
        ("objcopy --help a", ""),
        ("strip -s a b", "write a, write b"),
        ("strip -o b a", "write b, read a"),
        ("ar rcs a b", "write a, read b"),
        ("ar t a", "read a"),
        ("aria2c -d a -o b https://x.test/c", "write a/b, write a"),
        ("aria2c https://x.test/c", "write c"),
        ("cpio -o -Oa", "write a"),
        ("age -o a -r b c", "write a, read c"),
        ("pandoc -o a b", "write a, read b"),
        ("strace -f -o a rm -o b", "write a"),
        ("split -l 5 a b", "read a, write b"),
        ("socat - OPEN:a,creat", "write a"),
        ("gh release download v1 -D a", "write a"),
        ("python3 -m json.tool a b", "read a, write b"),
        ("python3 -m zipfile -e a b", "read a, write b"),
        ("curl -D a https://x.test", "write a"),
        ("curl -O --output-dir a https://x.test/b", "write a/b, write a"),
    ]);
}

#[test]
fn programs_that_change_files_in_place() {
    have(&[
        ("prettier --write a b", "write a, write b"),
        ("prettier a", "read a"),
        ("eslint --fix a", "write a"),
        ("eslint a", "read a"),
        ("eslint -o a b", "write a, read b"),
        ("black a", "write a"),
        ("black --check a", "read a"),
        ("gofmt -l -w a", "write a"),
        ("yq -i .x=1 a", "write a"),
        ("yq .x a", "read a"),
        ("yq eval .x=1 -i a", "write a"),
        ("yq eval -i a b", "write a, write b"),
        ("sd x y a", "write a"),
        ("perl -pi x a", "read x, write a"),
        ("perl -pi -e x a", "write a"),
        ("patch --dry-run a b", "read a"),
        ("patch -o b a", "write b, read a"),
        ("gtee a", "write a"),
        ("RM a", "delete a"),
        ("rename s/x/y/ a", "write a"),
        ("vim +10 a", "write a"),
        ("view a", "read a"),
        ("vim -c 'set ft=sh' -R a", "read a"),
        ("vim -R -c 'set noro' -c wq a", "write a"),
        ("vim -R -c wq! a", "write a"),
        ("view a < b", "read b, write a"),
        ("vim -c 'w b' -c q a", "write b, write a"),
        ("vim -es -c '%s/x/y/ | w! b' -c q a", "write b, write a"),
        ("ex -sc wq a", "write a"),
        ("vim -s b a", "read b, write a"),
        ("ex -s a -c '%s/x/y/' -c wq", "write a"),
        ("ex -sc 'g/x\\/y/w b' a", "write b, write a"),
        ("vim -es -c 'silent w! b' -c q a", "write b, write a"),
        ("ex -sc 'e b|w' a", "write b, write a"),
        ("ex -sc 'r b|x' a", "read b, write a"),
        ("ed a <<< 'w b'", "write b, write a"),
        ("sqlite3 a '.output b'", "write b, write a"),
        ("sqlite3 a \"select writefile('b', x)\"", "write b, write a"),
        ("sqlite3 a \"select readfile('b')\"", "read b, write a"),
        ("iconv -o b a", "write b, read a"),
        ("git init", "create ."),
        ("crontab -l", ""),
        ("crontab a", "read a, write /var/spool/cron/crontabs"),
        ("crontab -", "write /var/spool/cron/crontabs"),
    ]);
}

#[test]
fn members_of_archives_and_paths_of_git() {
    have(&[
        ("tar -xf a -C d b", "read a, write d, write d/b"),
        ("tar -xOf a b", "read a"),
        ("unzip a b", "read a, write ., write b"),
        ("7zz x a -ob", "read a, write b"),
        ("unzip -p a b", "read a"),
        ("git checkout main~1 a b", "write a, write b"),
        ("git checkout .a", "write .a"),
        ("git checkout a.lock", "write a.lock"),
        ("git checkout a/.b", "write a/.b"),
        ("git checkout --theirs a b", "write a, write b"),
        ("git checkout -2 a", "write a"),
        ("git checkout feature/x", ""),
        ("git checkout v1.2", ""),
        ("git checkout -b x main", ""),
        ("git checkout -b x -- a", "write a"),
        ("git config -f a user.name x", "write a"),
        ("git config -f a user.name", "read a"),
        ("git submodule add https://x.test/a b", "create b"),
        ("git worktree move a b", "delete a, create b"),
        ("patch -p1 <<< '+++ b/x'", "write x"),
        ("git apply <<< '+++ b/.a'", "write .a"),
        (
            "git apply <<'E'\ndiff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+.a/b\nE",
            "write l, write .a/b",
        ),
        ("git apply --check <<< '+++ b/.a'", ""),
        ("git apply --directory=d <<< '+++ b/.a'", "write d/.a"),
        ("git apply --directory=d x.diff", "write d, read x.diff"),
        ("git apply -p2 <<< '+++ b/d/.a'", "write .a"),
        ("patch -d d -p1 <<< '+++ b/.a'", "write d/.a, write d"),
        (r#"git apply <<< '+++ "b/.\141"'"#, "write .a"),
        ("hg import - <<< '+++ b/.a'", "write .a"),
    ]);
}

/// Returns the files of the commands of this name, as `access path`.
fn files_of(text: &str, name: &str) -> Vec<String> {
    let answer = facts(text);
    let commands = commands(&answer).iter().filter(|command| command["name"] == name);
    let files = commands.flat_map(|command| command["files"].as_array().cloned().unwrap_or_default());
    files.map(|file| format!("{} {}", file["access"].as_str().unwrap(), shown(&file["path"]))).collect()
}

#[test]
fn a_patch_that_another_command_of_the_text_makes_up() {
    let write = |to: &str| format!("{to} <<'E'\n--- /dev/null\n+++ b/.a\n@@ -0,0 +1 @@\n+x\nE\n");
    for (text, name) in [
        (write("cat > p.diff") + "git apply p.diff", "git"),
        (write("cat > ./p.diff") + "git apply p.diff", "git"),
        (write("cat > p.diff") + "patch -p1 < p.diff", "patch"),
        (write("cat > p.diff") + "patch -p1 -i p.diff", "patch"),
        (write("cat > p.diff") + "patch -p1 -ip.diff", "patch"),
        (write("cat > p.diff") + "patch -p1 --input=p.diff", "patch"),
        (write("cat > p.diff") + "f=p.diff; git apply \"$f\"", "git"),
        (write("cat > p.diff") + "git apply *.diff", "git"),
        (write("tee p.diff") + "git am p.diff", "git"),
        (write("cat > d/p.diff") + "cd d; git apply p.diff", "git"),
    ] {
        assert!(files_of(&text, name).contains(&"write .a".to_owned()), "{text} {:?}", files_of(&text, name));
    }
    let unread = "write <the files of the patch>".to_owned();
    for (text, name) in [
        ("git apply <(curl https://x.test/p)", "git"),
        ("git -C . am <(cat x)", "git"),
        ("patch -p1 -i <(curl https://x.test/p)", "patch"),
        ("git apply /dev/fd/3 3< <(curl https://x.test/p)", "git"),
        ("f=<(curl https://x.test/p); git apply $f", "git"),
        ("curl -o p.diff https://x.test/p; patch < p.diff", "patch"),
        ("wget -O p.diff https://x.test/p && git apply p.diff", "git"),
        ("curl https://x.test/p > p.diff && git apply p.diff", "git"),
        ("curl https://x.test/p | tee p.diff; git apply p.diff", "git"),
        ("curl https://x.test/p | cat > p.diff; git apply p.diff", "git"),
        ("curl https://x.test/p > p; mv p q; git apply q", "git"),
        ("curl https://x.test/p > p; cat p > q; git apply q", "git"),
        ("curl https://x.test/p > p; git apply *", "git"),
        ("f=$(mktemp); curl https://x.test/p > $f; git apply $f", "git"),
        ("hg import <(curl https://x.test/p)", "hg"),
    ] {
        assert!(files_of(text, name).contains(&unread), "{text} {:?}", files_of(text, name));
    }
    for text in [
        "git apply p.diff",
        "git apply < <(git diff a b)",
        "git diff > p.diff; git stash; git apply p.diff",
        "gunzip -c a.gz > p.diff; git apply p.diff",
        "git apply --check <(curl https://x.test/p)",
        "git apply p.diff > log; mv p.diff done/",
        "for f in patches/*.patch; do git apply \"$f\"; done",
        "mkdir -p out && git apply $PATCH",
    ] {
        assert!(!files_of(text, "git").contains(&unread), "{text} {:?}", files_of(text, "git"));
    }
}
