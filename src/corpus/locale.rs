//! stand-in
/// x
#[must_use]
pub fn locale_cmp(a: &str, b: &str) -> std::cmp::Ordering {
    a.cmp(b)
}
