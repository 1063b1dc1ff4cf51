//! Reads and writes files wherever it can.

use std::fs;

hookbox_test_guests::try_out!(|_| {
    let show = |result: std::io::Result<String>| result.unwrap_or_else(|error| format!("({})", error.kind()));
    [
        ("read", show(fs::read_to_string("/project/note.txt"))),
        ("outside", show(fs::read_to_string("/project/../secret.txt"))),
        ("absolute", show(fs::read_to_string("/etc/passwd"))),
        ("link", show(fs::read_to_string("/project/link.txt"))),
        ("write", show(fs::write("/project/new.txt", "mine").map(|()| "done".to_owned()))),
        ("delete", show(fs::remove_file("/project/old.txt").map(|()| "done".to_owned()))),
        ("truncate", show(fs::File::create("/project/note.txt").map(|_| "done".to_owned()))),
        ("rename", show(fs::rename("/project/moved.txt", "/project/gone.txt").map(|()| "done".to_owned()))),
    ]
    .map(|(what, saw)| format!("{what}: {saw}"))
    .join("; ")
});
