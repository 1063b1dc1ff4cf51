//! Reads the clock, and sleeps for as long as the tool's name says, in milliseconds.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

hookbox_test_guests::try_out!(|input: String| {
    let millis = input.split(r#""tool_name":""#).nth(1).and_then(|rest| rest.split('"').next());
    if let Some(millis) = millis.and_then(|text| text.parse().ok()) {
        std::thread::sleep(Duration::from_millis(millis));
    }
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    now.to_string()
});
