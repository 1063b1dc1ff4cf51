//! Adds as much as it can to a directory, in the way that the tool's name says.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};

hookbox_test_guests::try_out!(|input: String| {
    let input: serde_json::Value = serde_json::from_str(&input).unwrap_or_default();
    let grown = match input["tool_name"].as_str().unwrap_or_default() {
        "text" => fs::write("/project/text", [b'x'; 4000]),
        "long text" => fs::write("/project/long", [b'x'; 100_000]),
        "appended" => (0..1000).try_for_each(|_| append("/project/appended", &[b'x'; 100])),
        "hole" => behind_a_hole(),
        "size" => File::create("/project/size").and_then(|file| file.set_len(1 << 40)),
        "sizes" => {
            File::create("/project/sizes").and_then(|file| (0..100).try_for_each(|nth| file.set_len(nth * 1000)))
        }
        "shrunk" => OpenOptions::new().write(true).open("/project/note.txt").and_then(|file| file.set_len(2)),
        "files" => (0..1000).try_for_each(|nth| File::create(format!("/project/{nth}")).map(drop)),
        "directories" => (0..1000).try_for_each(|nth| fs::create_dir(format!("/project/{nth}"))),
        "links" => (0..1000).try_for_each(|nth| fs::hard_link("/project/note.txt", format!("/project/{nth}"))),
        "moved" => fs::write("/other/big", [b'x'; 100_000]).and_then(|()| fs::rename("/other/big", "/project/big")),
        "linked" => fs::write("/other/big", [b'x'; 100_000]).and_then(|()| fs::hard_link("/other/big", "/project/big")),
        _ => Ok(()),
    };
    match grown {
        Ok(()) => "done".to_owned(),
        Err(error) => format!("failed: {error}"),
    }
});

fn append(path: &str, bytes: &[u8]) -> io::Result<()> {
    OpenOptions::new().append(true).create(true).open(path)?.write_all(bytes)
}

fn behind_a_hole() -> io::Result<()> {
    let mut file = File::create("/project/hole")?;
    file.seek(SeekFrom::Start(1 << 40))?;
    file.write_all(b"x")
}
