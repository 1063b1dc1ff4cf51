//! The files that commands name.

use crate::{commands, facts, shown};

/// Checks the files of the first command of each text, as `access path`, separated by commas.
pub(crate) fn have(cases: &[(&str, &str)]) {
    let mut failures = String::new();
    for (text, expected) in cases {
        let answer = facts(text);
        let files = commands(&answer)[0]["files"].as_array().cloned().unwrap_or_default();
        let files: Vec<String> =
            files.iter().map(|file| format!("{} {}", file["access"].as_str().unwrap(), shown(&file["path"]))).collect();
        let found = files.join(", ");
        if found != *expected {
            failures += &format!("\n{text}\n    wanted {expected}\n    found  {found}");
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

#[test]
fn redirections() {
    have(&[
        ("x > a >> b >| c &> d < e 2> f", "write a, write b, write c, write d, read e, write f"),
        ("x <> a", "read a, write a"),
        ("x > $A/b", "write <$A>/b"),
        ("x > ~/a", "write /home/u/a"),
        ("x 2>&1 >&-", ""),
        ("x > >(y)", ""),
        ("x a b c", ""),
        ("> a", "write a"),
    ]);
}

#[test]
fn programs_that_read() {
    have(&[
        ("cat a - b", "read a, read b"),
        ("cat -n -- -a", "read -a"),
        ("cat *.txt \"$A\"", "read *.txt, read <$A>"),
        ("head -n 5 a", "read a"),
        ("head -n5 a -c 3", "read a"),
        ("tail -f --lines 5 a", "read a"),
        ("tail --lines=5 a", "read a"),
        ("less +F a", "read a"),
        ("more a", "read a"),
        ("grep -r x a b", "read a, read b"),
        ("grep -e x a", "read a"),
        ("grep -rn --include '*.c' x a", "read a"),
        ("grep -f p a", "read p, read a"),
        ("grep -A 3 -B3 x a", "read a"),
        ("rg x a", "read a"),
        ("rg -tpy -g '!x' -e y a", "read a"),
        ("sort -k 2 -o b a", "write b, read a"),
        ("sort --output=b a", "write b, read a"),
        ("uniq -c a b", "read a, write b"),
        ("wc -l a b", "read a, read b"),
        ("diff -u a b", "read a, read b"),
        ("cmp a b", "read a, read b"),
        ("od -A x -t x1 a", "read a"),
        ("xxd a b", "read a, write b"),
        ("xxd -r -p a", "read a"),
        ("strings -n 5 a", "read a"),
        ("base64 -w 0 a", "read a"),
        ("nl a; tac b", "read a"),
        ("tac a", "read a"),
        ("cut -d : -f 1 a", "read a"),
        ("paste -d , a b", "read a, read b"),
        ("awk -F : '{print $1}' a", "read a"),
        ("awk -f p a", "read p, read a"),
        ("jq -r .x a", "read a"),
        ("md5sum a; sha256sum b", "read a"),
        ("source a b", "read a"),
        (". a", "read a"),
        ("python3 -u a b", "read a"),
        ("python3 -c x a", ""),
        ("python3 -m x a", ""),
        ("node -r b a", "read b, read a"),
        ("node -e x a", ""),
        ("bash -x a b", "read a"),
        ("bash -c x a", ""),
        ("perl -pi -e x a", "write a"),
        ("perl -ne x a", "read a"),
        ("ruby a", "read a"),
        ("file -b a", "read a"),
    ]);
}

#[test]
fn programs_that_write_and_move() {
    have(&[
        ("cp a b", "read a, write b"),
        ("cp -r a b c", "read a, read b, write c, write c/a, write c/b"),
        ("cp -t d a b", "write d, write d/a, write d/b, read a, read b"),
        ("cp --target-directory=d a", "write d, write d/a, read a"),
        ("cp --target d a", "write d, write d/a, read a"),
        ("cp -T a b", "read a, write b"),
        ("cp -S .x a b", "read a, write b"),
        ("mv a b", "delete a, write b"),
        ("mv -t d a b", "write d, write d/a, write d/b, delete a, delete b"),
        ("mv a b c/", "delete a, delete b, write c/, write c/a, write c/b"),
        ("ln -s a b", "read a, create b"),
        ("ln a b", "read a, create b"),
        ("install -m 755 a b", "read a, write b"),
        ("install -d a b", "create a, create b"),
        ("install -t d a", "read a, write d, write d/a"),
        ("rsync -av a b", "read a, write b"),
        ("rsync --backup a b", "read a, write b"),
        ("rsync --backup-dir c a b", "write c, read a, write b"),
        ("uniq --group a b", "read a, write b"),
        ("tee --output-error a", "write a"),
        ("rsync -a --delete a/ h:b", "read a/"),
        ("scp -P 22 a h:b", "read a"),
        ("scp h:a b", "write b"),
        ("tee a b", "write a, write b"),
        ("tee -a a", "write a"),
        ("dd if=a of=b bs=1", "read a, write b"),
        ("touch a b", "create a, create b"),
        ("touch -r c a", "read c, create a"),
        ("mkdir -p -m 700 a", "create a"),
        ("truncate -s 0 a", "write a"),
        ("chmod 755 a b", "write a, write b"),
        ("chmod -R u+x a", "write a"),
        ("chmod --reference=c a", "read c, write a"),
        ("chown -R u:g a", "write a"),
        ("chgrp g a", "write a"),
        ("sed -i s/x/y/ a b", "write a, write b"),
        ("sed -i.bak -e x -e y a", "write a"),
        ("sed --in-place=.b s/x/y/ a", "write a"),
        ("sed -n p a", "read a"),
        ("sed -n 'w b' a", "write b, read a"),
        ("sed 's/x/y/w b' a", "write b, read a"),
        ("sed -f p a", "read p, read a"),
        ("patch -p1 -i a", "read a"),
        ("patch a b", "write a"),
        ("vim a", "write a"),
        ("nano -w a", "write a"),
        ("gzip a", "write a"),
        ("gzip -c a", "read a"),
        ("gunzip -k a", "write a"),
        ("xz -d -T 4 a", "write a"),
    ]);
}

#[test]
fn programs_that_delete_and_list() {
    have(&[
        ("rm -rf a b", "delete a, delete b"),
        ("rm -- -a", "delete -a"),
        ("rm -rf / ~ *", "delete /, delete /home/u, delete *"),
        ("rm a -f", "delete a"),
        ("rmdir a", "delete a"),
        ("unlink a", "delete a"),
        ("shred -n 3 -u a", "delete a"),
        ("shred a", "write a"),
        ("find a b -name c", "list a, list b"),
        ("find -name c", "list ."),
        ("find a -delete", "list a, delete a"),
        ("find a -fprintf b x", "list a, write b"),
        ("find -L a -newer b", "list a, list b"),
        ("ls -la a b", "list a, list b"),
        ("ls --ignore x a", "list a"),
        ("tree -L 2 a", "list a"),
        ("du -sh -d 1 a", "list a"),
        ("stat -c %s a", "list a"),
        ("fd x a", "list a"),
    ]);
}

#[test]
fn archives_and_downloads() {
    have(&[
        ("tar -cf a b c", "write a, read b, read c"),
        ("tar czf a b", "write a, read b"),
        ("tar --create --file=a b", "write a, read b"),
        ("tar -xf a -C b", "read a, write b"),
        ("tar xzf a", "read a, write ."),
        ("tar -tf a", "read a"),
        ("tar -xf a --directory=b", "read a, write b"),
        ("tar -xf a b", "read a, write ., write b"),
        ("zip -r a b c", "write a, read b, read c"),
        ("zip -m a b", "write a, delete b"),
        ("unzip a -d b", "read a, write b"),
        ("unzip a", "read a, write ."),
        ("unzip -l a", "read a"),
        ("curl -o a https://x.test", "write a"),
        ("curl -sSLo a https://x.test", "write a"),
        ("curl --output a https://x.test", "write a"),
        ("curl -O https://x.test/a", "write a"),
        ("curl -T a https://x.test", "read a"),
        ("curl -d @a https://x.test", "read a"),
        ("curl -d a https://x.test", ""),
        ("curl --data-binary=@a https://x.test", "read a"),
        ("curl --data-raw @a https://x.test", ""),
        ("curl -F f=@a https://x.test", "read a"),
        ("curl -F 'f=<a;type=x' https://x.test", "read a"),
        ("curl -K a", "read a"),
        ("curl file:///a", "read /a"),
        ("wget -O a https://x.test", "write a"),
        ("wget --post-file=a https://x.test", "write ., read a"),
        ("wget -P a https://x.test/b", "write a/b, write a"),
        ("wget https://x.test/a", "write a"),
    ]);
}

#[test]
fn git() {
    have(&[
        ("git checkout -- a b", "write a, write b"),
        ("git checkout HEAD -- a", "write a"),
        ("git checkout main", ""),
        ("git restore a", "write a"),
        ("git restore --source=x --staged --worktree a", "write a"),
        ("git rm -rf a", "delete a"),
        ("git mv a b", "delete a, write b"),
        ("git apply a", "read a"),
        ("git diff --output=a", "write a"),
        ("git diff --no-index a b", "read a, read b"),
        ("git diff -- a", "read a"),
        ("git diff HEAD .a", "read .a"),
        ("git log -S .a -p", ""),
        ("git blame a", "read a"),
        ("git grep .a d/.b", "read d/.b"),
        ("git archive HEAD a", "read a"),
        ("git -C d rm a", "delete a"),
        ("git clean -fdx a", "delete a"),
        ("git clean -fdx", "delete ."),
        ("git add a", "read a"),
        ("git commit -m a", ""),
        ("git push -f origin main", ""),
        ("git worktree add a b", "create a"),
    ]);
}
