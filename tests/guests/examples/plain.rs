//! What a stock Rust program does without further thought: it prints, hashes, and reads a variable.

use std::collections::HashMap;

hookbox_test_guests::try_out!(|_| {
    println!("hello");
    eprintln!("world");
    let hashed: HashMap<&str, u32> = HashMap::from([("a", 1), ("b", 2)]);
    let order: Vec<&&str> = hashed.keys().collect();
    let seen = std::env::vars().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(",");
    let args = std::env::args().count();
    let stdin = std::io::read_to_string(std::io::stdin()).map_or(0, |text| text.len());
    format!("vars [{seen}], {args} arguments, {stdin} bytes of stdin, order {order:?}")
});
