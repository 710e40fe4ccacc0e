//! Numbers as JavaScript writes them.

/// The text of `String(n)`: `0.1`, `1e+21`, `NaN`, and `0` for -0.
#[must_use]
pub fn to_text(n: f64) -> String {
    ryu_js::Buffer::new().format(n).to_owned()
}

/// The text of `JSON.stringify(n)`: like [`to_text`], and `null` where there is no such JSON number.
#[must_use]
pub fn to_json(n: f64) -> String {
    if n.is_finite() { to_text(n) } else { "null".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_look_as_in_javascript() {
        let cases = [
            (0.0, "0"),
            (-0.0, "0"),
            (5.0, "5"),
            (0.1, "0.1"),
            (-1.5, "-1.5"),
            (1e21, "1e+21"),
            (1e20, "100000000000000000000"),
            (1e-7, "1e-7"),
            (1e-6, "0.000001"),
            (f64::NAN, "NaN"),
            (f64::NEG_INFINITY, "-Infinity"),
        ];
        for (n, text) in cases {
            assert_eq!(to_text(n), text);
        }
        assert_eq!(to_json(f64::INFINITY), "null");
        assert_eq!(to_json(2.0), "2");
    }
}
