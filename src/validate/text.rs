//! Classes of characters that a person cannot see, or that change how the others are shown.
//!
//! Tables follow Unicode 16. Each class names where its rule comes from.

/// A C0 control, DEL or a C1 control: Unicode's general category Cc (UAX #44).
#[must_use]
pub const fn is_control(c: char) -> bool {
    matches!(c, '\u{0}'..='\u{1F}' | '\u{7F}'..='\u{9F}')
}

/// LINE SEPARATOR or PARAGRAPH SEPARATOR: categories Zl and Zp (UAX #44). JavaScript and some terminals break lines there.
#[must_use]
pub const fn is_line_separator(c: char) -> bool {
    matches!(c, '\u{2028}' | '\u{2029}')
}

/// One of the twelve characters with the property `Bidi_Control` (UAX #9): marks, embeddings, overrides and isolates.
/// They make text show in another order than it is read (CVE-2021-42574).
#[must_use]
pub const fn is_bidi_control(c: char) -> bool {
    matches!(c, '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// Zero-width space, joiners, word joiner, the invisible operators, and the byte order mark.
#[must_use]
pub const fn is_zero_width(c: char) -> bool {
    matches!(c, '\u{200B}'..='\u{200D}' | '\u{2060}'..='\u{2064}' | '\u{FEFF}')
}

/// A tag character, U+E0000 to U+E007F: a hidden copy of ASCII that models read and people do not see.
#[must_use]
pub const fn is_tag(c: char) -> bool {
    matches!(c, '\u{E0000}'..='\u{E007F}')
}

/// One of the sixteen variation selectors that pick, for instance, an emoji's style. The 240 supplementary ones are
/// not in this class: as a set they can carry any byte.
#[must_use]
pub const fn is_variation_selector(c: char) -> bool {
    matches!(c, '\u{FE00}'..='\u{FE0F}')
}

/// A format character: general category Cf (UAX #44), `\p{Cf}` of a regular expression. Some of them are visible,
/// such as the Arabic number signs.
#[must_use]
pub const fn is_format(c: char) -> bool {
    matches!(
        c,
        '\u{AD}'
            | '\u{600}'..='\u{605}'
            | '\u{61C}'
            | '\u{6DD}'
            | '\u{70F}'
            | '\u{890}'..='\u{891}'
            | '\u{8E2}'
            | '\u{180E}'
            | '\u{200B}'..='\u{200F}'
            | '\u{202A}'..='\u{202E}'
            | '\u{2060}'..='\u{2064}'
            | '\u{2066}'..='\u{206F}'
            | '\u{FEFF}'
            | '\u{FFF9}'..='\u{FFFB}'
            | '\u{110BD}'
            | '\u{110CD}'
            | '\u{13430}'..='\u{1343F}'
            | '\u{1BCA0}'..='\u{1BCA3}'
            | '\u{1D173}'..='\u{1D17A}'
            | '\u{E0001}'
            | '\u{E0020}'..='\u{E007F}'
    )
}

/// A character that a renderer shows as nothing: the property `Default_Ignorable_Code_Point` (UAX #44). It covers the
/// bidi controls, the zero-width and tag characters, all variation selectors, the Hangul fillers and the soft hyphen.
#[must_use]
pub const fn is_default_ignorable(c: char) -> bool {
    matches!(
        c,
        '\u{AD}'
            | '\u{34F}'
            | '\u{61C}'
            | '\u{115F}'..='\u{1160}'
            | '\u{17B4}'..='\u{17B5}'
            | '\u{180B}'..='\u{180F}'
            | '\u{200B}'..='\u{200F}'
            | '\u{202A}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}'
            | '\u{3164}'
            | '\u{FE00}'..='\u{FE0F}'
            | '\u{FEFF}'
            | '\u{FFA0}'
            | '\u{FFF0}'..='\u{FFF8}'
            | '\u{1BCA0}'..='\u{1BCA3}'
            | '\u{1D173}'..='\u{1D17A}'
            | '\u{E0000}'..='\u{E0FFF}'
    )
}

/// Interlinear annotation marks: not default-ignorable, yet seldom drawn, and they turn what follows into a side note.
#[must_use]
pub const fn is_interlinear_annotation(c: char) -> bool {
    matches!(c, '\u{FFF9}'..='\u{FFFB}')
}

/// Whether `s` can show as something else than it is: it has a default-ignorable character or an interlinear
/// annotation mark.
///
/// A single variation selector after a visible character is ordinary in emoji and no reason. A run of them is a
/// channel for hidden text, and one at the start of a path segment selects nothing: both count.
#[must_use]
pub fn has_hidden_character(s: &str) -> bool {
    let mut after_visible = false;
    s.chars().any(|c| {
        let selects = is_variation_selector(c) && after_visible;
        let hidden = !selects && (is_default_ignorable(c) || is_interlinear_annotation(c));
        after_visible = !is_variation_selector(c) && !matches!(c, '/' | '\\');
        hidden
    })
}

#[cfg(test)]
mod tests {
    use regex::Regex;

    use super::*;

    fn every_char() -> impl Iterator<Item = char> {
        '\u{0}'..=char::MAX
    }

    fn category(name: &str) -> impl Fn(char) -> bool + use<> {
        let pattern = Regex::new(&format!(r"^\p{{{name}}}$")).unwrap();
        move |c| pattern.is_match(c.encode_utf8(&mut [0; 4]))
    }

    #[test]
    fn categories_agree_with_the_unicode_data_of_regex() {
        let (cc, cf, zl, zp) = (category("Cc"), category("Cf"), category("Zl"), category("Zp"));
        for c in every_char() {
            assert_eq!(is_control(c), cc(c), "{c:?}");
            assert_eq!(is_format(c), cf(c), "{c:?}");
            assert_eq!(is_line_separator(c), zl(c) || zp(c), "{c:?}");
        }
    }

    // UAX #44 derives the property from Cf, the variation selectors and a short list, less a few visible ones.
    #[test]
    fn default_ignorables_follow_their_derivation() {
        let cf = category("Cf");
        let selectors = |c| matches!(c, '\u{180B}'..='\u{180D}' | '\u{180F}' | '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}');
        let listed = |c| {
            matches!(
                c,
                '\u{34F}'
                    | '\u{115F}'
                    | '\u{1160}'
                    | '\u{17B4}'
                    | '\u{17B5}'
                    | '\u{2065}'
                    | '\u{3164}'
                    | '\u{FFA0}'
            ) || matches!(c, '\u{FFF0}'..='\u{FFF8}' | '\u{E0000}' | '\u{E0002}'..='\u{E001F}' | '\u{E0080}'..='\u{E00FF}' | '\u{E01F0}'..='\u{E0FFF}')
        };
        let visible = |c| {
            matches!(
                c,
                '\u{600}'
                    ..='\u{605}'
                        | '\u{6DD}'
                        | '\u{70F}'
                        | '\u{890}'
                        | '\u{891}'
                        | '\u{8E2}'
                        | '\u{110BD}'
                        | '\u{110CD}'
            ) || matches!(c, '\u{FFF9}'..='\u{FFFB}' | '\u{13430}'..='\u{1343F}')
        };
        for c in every_char() {
            assert_eq!(is_default_ignorable(c), (cf(c) && !visible(c)) || selectors(c) || listed(c), "{c:?}");
        }
    }

    #[test]
    fn the_small_classes_lie_within_the_ignorable_one() {
        let count = |class: fn(char) -> bool| {
            every_char().filter(|&c| class(c)).inspect(|&c| assert!(is_default_ignorable(c), "{c:?}")).count()
        };
        assert_eq!(count(is_bidi_control), 12);
        assert_eq!(count(is_zero_width), 9);
        assert_eq!(count(is_tag), 128);
        assert_eq!(count(is_variation_selector), 16);
    }

    #[test]
    fn one_variation_selector_after_something_visible_is_no_secret() {
        for s in ["❤\u{FE0F}", "1\u{FE0F}\u{20E3}.md", "☎\u{FE0E}/☎\u{FE0F}", "plain"] {
            assert!(!has_hidden_character(s), "{s:?}");
        }
        for s in
            ["\u{FE0F}", "a/\u{FE0F}", "a\\\u{FE0F}b", "a\u{FE0F}\u{FE00}", "a\u{E0100}", "a\u{FE0F}\u{200D}"]
        {
            assert!(has_hidden_character(s), "{s:?}");
        }
    }
}
