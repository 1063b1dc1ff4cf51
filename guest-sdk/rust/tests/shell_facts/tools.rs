//! The files that programs write by an option, a flag or a subcommand.

use crate::files::have;

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
        ("gcc -Wno-error -o a b.c", "write a"),
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
        ("sd x y a", "write a"),
        ("perl -pi x a", "read x, write a"),
        ("perl -pi -e x a", "write a"),
        ("patch --dry-run a b", "read a"),
        ("patch -o b a", "write b, read a"),
        ("gtee a", "write a"),
        ("RM a", "delete a"),
        ("rename s/x/y/ a", "write a"),
        ("vim +10 a", "write a"),
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
        ("unzip -p a b", "read a"),
        ("git checkout main~1 a b", "write a, write b"),
        ("git checkout .a", "write .a"),
        ("git checkout feature/x", ""),
        ("git checkout -b x main", ""),
        ("git checkout -b x -- a", "write a"),
        ("git config -f a user.name x", "write a"),
        ("git config -f a user.name", "read a"),
        ("git submodule add https://x.test/a b", "create b"),
        ("git worktree move a b", "delete a, create b"),
        ("patch -p1 <<< '+++ b/x'", "write x"),
        ("git apply <<< '+++ b/.a'", "write .a"),
        ("git apply --check <<< '+++ b/.a'", ""),
        ("git apply --directory=d <<< '+++ b/.a'", "write d/.a"),
        ("git apply -p2 <<< '+++ b/d/.a'", "write .a"),
        ("patch -d d -p1 <<< '+++ b/.a'", "write d/.a, write d"),
        (r#"git apply <<< '+++ "b/.\141"'"#, "write .a"),
    ]);
}
