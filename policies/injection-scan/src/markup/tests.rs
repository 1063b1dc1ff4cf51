use super::*;

fn at(text: &str) -> Option<Hidden> {
    hidden(text, text.find("HERE").unwrap_or_default())
}

#[test]
fn hidden_elements() {
    assert_eq!(at("<div style=\"display: none\">HERE</div>"), Some(Hidden::Style));
    assert_eq!(at("<div style='color:#FFF; background:#fff'><b>HERE"), Some(Hidden::Style));
    assert_eq!(at("<span style=\"font-size:0px\"><i>a</i> HERE"), Some(Hidden::Style));
    assert_eq!(at("<p hidden>HERE</p>"), Some(Hidden::Style));
    assert_eq!(at("<img alt=\"x HERE\">"), Some(Hidden::Attribute));
    assert_eq!(at("<div style=\"display:none\">a</div><p>HERE</p>"), None);
    assert_eq!(at("<div style=\"color:#fff;background:#000\">HERE</div>"), None);
    assert_eq!(at("<p>HERE</p>"), None);
    assert_eq!(at("a < b and HERE"), None);
    assert_eq!(at("<div style=\"opacity:0.5\">HERE</div>"), None);
    assert_eq!(at("<body bgcolor=white><font size=1 color=white>HERE"), Some(Hidden::Style));
    assert_eq!(at("<font color='#FFFFFF'>HERE"), Some(Hidden::Style));
    assert_eq!(at("<font color=white style=\"background:#000\">HERE"), None);
    assert_eq!(at("<font bgcolor=\"#eee\">HERE"), None);
    assert_eq!(at("<p style=\"background: #eee; color: #eee\">HERE"), Some(Hidden::Style));
    assert_eq!(at("<p style=\"background-color:#222;color:#eee\">HERE"), None);
    assert_eq!(at("<p style=\"background-color:#fff\">HERE"), None);
    assert_eq!(at("<p style=\"background-color:#fff;color:#fff\">HERE"), Some(Hidden::Style));
    assert_eq!(at("<svg viewBox=\"0 0 1 1\"><desc>HERE</desc></svg>"), Some(Hidden::Style));
    assert_eq!(at("<svg><title id=\"a\">HERE</title></svg>"), Some(Hidden::Style));
    assert_eq!(at("<svg><metadata>HERE</metadata></svg>"), Some(Hidden::Style));
    assert_eq!(at("<svg><text>HERE</text></svg>"), None);
    assert_eq!(at("<svg></svg><title>HERE</title>"), None);
}
