//! Characters that look like other characters.

/// Returns the lower-case letter that a Latin character or a lookalike stands for. Returns other characters in lower
/// case, and `None` for combining marks.
pub(crate) fn fold(c: char) -> Option<char> {
    let code = u32::from(c);
    Some(match code {
        0x0300..=0x036F => return None,
        // The common alphabets come first, because the standard library's tables are slow.
        0x0410..=0x042F => char::from_u32(code + 0x20).unwrap_or(c),
        0x0400..=0x040F => char::from_u32(code + 0x50).unwrap_or(c),
        0x0430..=0x045F | 0x0590..=0x0DFF => c,
        0x00C0..=0x017F => latin(code).unwrap_or(c),
        0x01A0 | 0x01A1 => 'o',
        0x01AF | 0x01B0 => 'u',
        0x1EA0..=0x1EB7 => 'a',
        0x1EB8..=0x1EC7 => 'e',
        0x1EC8..=0x1ECB => 'i',
        0x1ECC..=0x1EE3 => 'o',
        0x1EE4..=0x1EF1 => 'u',
        0x1EF2..=0x1EF9 => 'y',
        _ => disguised(c).unwrap_or_else(|| c.to_lowercase().next().unwrap_or(c)),
    })
}

/// The base letters of U+00C0 to U+017F. A dot stands for any other character.
const LATIN: &str = "aaaaaaaceeeeiiiidnooooo.ouuuuytsaaaaaaaceeeeiiiidnooooo.ouuuuytyaaaaaaccccccccddddeeeeeeeeeegggg\
                     gggghhhhiiiiiiiiiiiijjkkkllllllllllnnnnnnnnnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";

fn latin(code: u32) -> Option<char> {
    let at = usize::try_from(code.checked_sub(0xC0)?).ok()?;
    LATIN.as_bytes().get(at).filter(|byte| **byte != b'.').map(|byte| char::from(*byte))
}

/// Small capitals, raised letters and letters of formulas, from a to z in each style. A dot stands for a letter that a
/// style does not have.
const STYLED: &str = "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡ.ʏᴢᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖ.ʳˢᵗᵘᵛʷˣʸᶻᴬᴮ.ᴰᴱ.ᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾ.ᴿ.ᵀᵁⱽᵂ...\
                      .ℬℭ.ℰℱℊℋℐ..ℒℳℕℴℙℚℛ.......ℤ..ℂ.ℯ..ℌℑ..ℓ.....ℜ.......ℨ.......ℍ.........ℝ........";

/// Returns the letter or digit that a styled character stands for: full width, mathematical, circled or a small capital.
pub(crate) fn disguised(c: char) -> Option<char> {
    let letter = |at: u32| char::from_digit(at % 26 + 10, 36);
    let code = u32::from(c);
    match code {
        0xFF21..=0xFF3A => letter(code - 0xFF21),
        0xFF41..=0xFF5A => letter(code - 0xFF41),
        // In these styles, a few letters are in another block.
        0x1D400..=0x1D6A3 => letter((code - 0x1D400) % 52),
        0x24B6..=0x24CF => letter(code - 0x24B6),
        0x24D0..=0x24E9 => letter(code - 0x24D0),
        0x1F110..=0x1F129 => letter(code - 0x1F110),
        0x1F130..=0x1F149 => letter(code - 0x1F130),
        0x1F150..=0x1F169 => letter(code - 0x1F150),
        0x1F170..=0x1F189 => letter(code - 0x1F170),
        0x249C..=0x24B5 => letter(code - 0x249C),
        0x210E => Some('h'),
        0x0250..=0x02FF | 0x1D00..=0x1DBF | 0x2070..=0x2139 | 0x2C7D | 0xA730..=0xA7AF => {
            let at = STYLED.chars().position(|styled| styled == c)?;
            u32::try_from(at).ok().and_then(letter)
        }
        _ => None,
    }
}

/// Returns the Latin letter that a digit or a letter of another alphabet looks like.
pub(crate) fn look_alike(c: char) -> Option<char> {
    Some(match c {
        'а' | 'α' | '4' | '@' => 'a',
        'в' | 'β' => 'b',
        'с' | 'ϲ' => 'c',
        'ԁ' => 'd',
        'е' | 'є' | 'ε' | '3' => 'e',
        'ɡ' | '9' => 'g',
        'һ' | 'н' => 'h',
        'і' | 'ι' | 'ı' | '1' => 'i',
        'ј' => 'j',
        'κ' | 'к' => 'k',
        'ӏ' => 'l',
        'м' => 'm',
        'ո' | 'п' | 'η' => 'n',
        'о' | 'ο' | 'օ' | '0' => 'o',
        'р' | 'ρ' => 'p',
        'ԛ' => 'q',
        'г' => 'r',
        'ѕ' | '5' => 's',
        'т' | 'τ' | '7' => 't',
        'υ' | 'ս' => 'u',
        'ѵ' | 'ν' => 'v',
        'ԝ' | 'ω' => 'w',
        'х' | 'χ' => 'x',
        'у' | 'γ' => 'y',
        _ => return None,
    })
}

/// Whether the character's script has no spaces between words, or has inflections that word lists miss.
pub(crate) fn is_of_pieces(c: char) -> bool {
    matches!(u32::from(c), 0x0E00..=0x0E7F | 0x1100..=0x11FF | 0x3040..=0x30FF | 0x3400..=0x9FFF | 0xAC00..=0xD7AF | 0xF900..=0xFAFF)
}

/// Whether a character belongs to a word.
pub(crate) fn is_of_word(c: char) -> bool {
    match u32::from(c) {
        0x00D7 | 0x00F7 => false,
        0x00C0..=0x024F | 0x0300..=0x0373 | 0x0388..=0x0481 | 0x05D0..=0x05EA | 0x0620..=0x0669 | 0x066E..=0x06D3 => {
            true
        }
        0x0900..=0x0963 | 0x0966..=0x0DFF => true,
        _ => c.is_alphanumeric(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_what_they_look_like() {
        let text = |text: &str| text.chars().filter_map(fold).collect::<String>();
        assert_eq!(text("ÀÉîõÜçñŠžłđİ"), "aeioucnszldi");
        assert_eq!(text("précédentes"), "precedentes");
        assert_eq!(text("ｉｇｎｏｒｅ"), "ignore");
        assert_eq!(text("𝐢𝐠𝐧𝐨𝐫𝐞"), "ignore");
        assert_eq!(text("Ⓘⓖⓝⓞⓡⓔ"), "ignore");
        assert_eq!(text("bỏ trước"), "bo truoc");
        assert_eq!(text("İGNORE"), "ignore");
        assert_eq!(text("игНорируй"), "игнорируй");
        assert_eq!(LATIN.len(), 192);
        assert_eq!(text("ɪɢɴᴏʀᴇ ᴀʟʟ ⁱᵍⁿᵒʳᵉ ℐℊ𝓃ℴ𝓇ℯ ⒤⒢⒩⒪⒭⒠"), "ignore all ignore ignore ignore");
        assert_eq!(text("™ℵ№²"), "™ℵ№²");
        assert_eq!(STYLED.chars().count() % 26, 0);
    }
}
