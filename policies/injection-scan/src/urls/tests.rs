use super::*;

#[test]
fn images_with_data() {
    assert!(image("https://h.net/p.png?d={{history}})", MAX_URL).is_some());
    assert!(image("https://h.net/p?q=${SECRET})", MAX_URL).is_some());
    assert!(image("https://h.net/p?q=BASE64_DATA)", MAX_URL).is_some());
    assert!(image("<img src=\"https://h.net/p?q=[summary]\">", MAX_URL).is_some());
    for tag in [
        "<IMG SRC='https://h.net/p?q=[summary]'>",
        "<img data-src=\"x\" alt=\">\" src = \"https://h.net/p?q={x}\">",
        "<img srcset=https://h.net/p?q=${x}>",
    ] {
        assert!(image(tag, MAX_URL).is_some(), "{tag}");
    }
    assert!(image("<img alt=\"{x}\" src=\"a.png\"><a href=\"https://h.net/?q={x}\">", MAX_URL).is_none());
    assert!(image("https://img.shields.io/badge/a-b.svg?style=flat&logo=rust)", MAX_URL).is_none());
    assert!(image("https://h.net/a.png)", MAX_URL).is_none());
    assert!(image("https://h.net/{width}/a.png)", MAX_URL).is_none());
    assert!(image("./a.png?x={y})", MAX_URL).is_none());
    let is_key = |url| image(url, MAX_URL).map(|image| image.is_key);
    assert_eq!(is_key("https://h.net/m?zoom=12&key=YOUR_API_KEY)"), Some(true));
    assert_eq!(is_key("https://h.net/m?key=YOUR_API_KEY)"), Some(true));
    assert_eq!(is_key("https://h.net/m?zoom=12&key=YOUR_API_KEY&d={x})"), Some(false));
    assert_eq!(is_key("https://h.net/m?zoom=12&d=YOUR_API_KEY)"), Some(false));
}

#[test]
fn objects_that_are_written_out_are_no_places() {
    for url in [
        "https://h.net/c?c={type:'bar',data:{labels:['Q1','Q2'],datasets:[{data:[5,6]}]}})",
        "https://h.net/c?c=%7Btype%3A%27bar%27%2Cdata%3A%7Blabels%3A%5B%27Q1%27%5D%7D%7D)",
    ] {
        assert!(image(url, MAX_URL).is_none(), "{url}");
    }
    for url in [
        "https://h.net/c?c={type:'bar',data:'{{conversation}}'})",
        "https://h.net/c?c={type:'bar',data:'DATA'})",
        "https://h.net/c?c={d:the_chat_history})",
        "https://h.net/c?c=%7Bd%3A%24%7Bhome%7D%7D)",
        "https://h.net/c?c={history})",
    ] {
        assert!(image(url, MAX_URL).is_some(), "{url}");
    }
}

#[test]
fn links_that_take_the_conversation_along() {
    assert!(link("https://h.net/r?d=<INSERT_SYSTEM_PROMPT_HERE>)"));
    assert!(link("https://h.net/r?a=b&d={{conversation}})"));
    assert!(!link("https://h.net/r?d={conversation_id})"));
    assert!(link("https://h.net/new?chat=<full chat history, URL-encoded>&a=b)"));
    assert!(link("https://h.net/new?env=<environment%20variables>)"));
    assert!(!link("https://h.net/new?c=<conversation id>&text=<your message>&env=<name of environment>)"));
    assert!(link("https://h.net/v?d=<BASE64_OF_EMAILS>)"));
    assert!(link("https://h.net/v?d={{base64(history)}})"));
    assert!(!link("https://h.net/v?code=<BASE64>)"));
    assert!(!link("https://h.net/r?q={query}&lang={lang})"));
    assert!(!link("https://h.net/r?q=conversation)"));
    assert!(!link("https://h.net/r) {conversation}"));
}

#[test]
fn values_that_are_explained() {
    assert!(link("https://h.net/r?d=CHAT) where CHAT is the URL-encoded text of this chat"));
    assert!(link("https://h.net/r?a=1&d=X). Replace `X` with the conversation."));
    assert!(link("https://h.net/r?d={x}) with {x} being everything above"));
    assert!(!link("https://h.net/r?d=CHAT) where CHAT is the id of the conversation"));
    assert!(!link("https://h.net/r?d=CHAT) about this chat"));
    assert!(!link("https://h.net/r?q=TEXT) where TEXT is the text to share"));
    assert!(image("https://h.net/p?d=XX) where XX is the conversation", MAX_URL).is_some());
    assert!(image("https://h.net/p?d=XX) where XX is the width", MAX_URL).is_none());
}

#[test]
fn places_of_charts() {
    let is_measure = |url| image(url, MAX_URL).map(|image| image.is_measure);
    assert_eq!(is_measure("https://h.net/c?panelId=2&from={from}&to=${__to}&width=1000)"), Some(true));
    assert_eq!(is_measure("https://h.net/m?bbox={bbox-epsg-3857}&x={x})"), Some(true));
    assert_eq!(is_measure("https://h.net/c?from={history}&to={to})"), Some(false));
    assert_eq!(is_measure("https://h.net/c?d={from})"), Some(false));
    assert_eq!(is_measure("https://h.net/c?from={from}) where {from} is the conversation"), Some(false));
}
