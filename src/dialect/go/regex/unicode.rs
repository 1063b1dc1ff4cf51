//! Unicode properties: `\pL`, `\p{Greek}`.

use super::{refused, split_first};

/// The short and long names of the general categories.
const CATEGORIES: &str = "
    c cc cf cn co l lc ll lm lo lt lu m mc me mn n nd nl no p pc pd pe pf pi po ps s sc sk sm so z zl zp zs
    casedletter closepunctuation cntrl combiningmark connectorpunctuation control currencysymbol dashpunctuation
    decimalnumber digit enclosingmark finalpunctuation format initialpunctuation letter letternumber lineseparator
    lowercaseletter mark mathsymbol modifierletter modifiersymbol nonspacingmark number openpunctuation other
    otherletter othernumber otherpunctuation othersymbol paragraphseparator privateuse punct punctuation separator
    spaceseparator spacingmark symbol titlecaseletter unassigned uppercaseletter
";

/// The names of the scripts. Go has no short names for them.
const SCRIPTS: &str = "
    adlam ahom anatolianhieroglyphs arabic armenian avestan balinese bamum bassavah batak bengali beriaerfe
    bhaiksuki bopomofo brahmi braille buginese buhid canadianaboriginal carian caucasianalbanian chakma cham
    cherokee chorasmian common coptic cuneiform cypriot cyprominoan cyrillic deseret devanagari divesakuru dogra
    duployan egyptianhieroglyphs elbasan elymaic ethiopic garay georgian glagolitic gothic grantha greek gujarati
    gunjalagondi gurmukhi gurungkhema han hangul hanifirohingya hanunoo hatran hebrew hiragana imperialaramaic
    inherited inscriptionalpahlavi inscriptionalparthian javanese kaithi kannada katakana kawi kayahli kharoshthi
    khitansmallscript khmer khojki khudawadi kiratrai lao latin lepcha limbu lineara linearb lisu lycian lydian
    mahajani makasar malayalam mandaic manichaean marchen masaramgondi medefaidrin meeteimayek mendekikakui
    meroiticcursive meroitichieroglyphs miao modi mongolian mro multani myanmar nabataean nagmundari nandinagari
    newa newtailue nko nushu nyiakengpuachuehmong ogham olchiki oldhungarian olditalic oldnortharabian oldpermic
    oldpersian oldsogdian oldsoutharabian oldturkic olduyghur olonal oriya osage osmanya pahawhhmong palmyrene
    paucinhau phagspa phoenician psalterpahlavi rejang runic samaritan saurashtra sharada shavian siddham sidetic
    signwriting sinhala sogdian sorasompeng soyombo sundanese sunuwar sylotinagri syriac tagalog tagbanwa taile
    taitham taiviet taiyo takri tamil tangsa tangut telugu thaana thai tibetan tifinagh tirhuta todhri tolongsiki
    toto tulutigalari ugaritic vai vithkuqi wancho warangciti yezidi yi zanabazarsquare
";

/// Reads a property at the start of the text, and returns it with the rest.
pub(super) fn property(text: &str) -> Result<Option<(String, &str)>, String> {
    let (is_upper, operand) = match (text.strip_prefix(r"\p"), text.strip_prefix(r"\P")) {
        (Some(operand), _) => (false, operand),
        (_, Some(operand)) => (true, operand),
        _ => return Ok(None),
    };
    let unknown = |after| refused("invalid character class range", text, after);
    let (name, after) = if let Some(braced) = operand.strip_prefix('{') {
        braced.split_once('}').ok_or_else(|| unknown(""))?
    } else {
        let after = split_first(operand).map_or("", |(_, after)| after);
        (operand.strip_suffix(after).unwrap_or(operand), after)
    };
    let (is_negated, name) = name.strip_prefix('^').map_or((is_upper, name), |name| (!is_upper, name));
    let set = set(name, is_negated).ok_or_else(|| unknown(after))?;
    Ok(Some((set, after)))
}

/// Returns the set of a property. The `regex` crate has more properties and names than Go, hence the lists.
fn set(name: &str, is_negated: bool) -> Option<String> {
    let name = name.replace(['_', '-', ' '], "").to_ascii_lowercase();
    let is_in = |names: &str| names.split_ascii_whitespace().any(|known| known == name);
    let (bracket, escape) = if is_negated { ("[^", r"\P") } else { ("[", r"\p") };
    match name.as_str() {
        "any" => Some(format!(r"{bracket}\x00-\x{{10FFFF}}]")),
        "ascii" => Some(format!(r"{bracket}\x00-\x7F]")),
        "assigned" => Some(format!("{escape}{{assigned}}")),
        // No text contains surrogates.
        "cs" | "surrogate" => Some(format!(r"{bracket}[^\x00-\x{{10FFFF}}]]")),
        _ if is_in(CATEGORIES) => Some(format!("{escape}{{gc={name}}}")),
        _ if is_in(SCRIPTS) => Some(format!("{escape}{{sc={name}}}")),
        _ => None,
    }
}
