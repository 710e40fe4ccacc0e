//! stand-in until the room is furnished

/// Is it a record id?
#[must_use]
pub fn is_record_id(text: &str) -> bool {
    let b = text.as_bytes();
    (b.len() >= 4 && b.iter().all(u8::is_ascii_digit))
        || (b.len() == 26 && b.iter().all(|c| c.is_ascii_alphanumeric() && !b"ILOUilou".contains(c)))
}
