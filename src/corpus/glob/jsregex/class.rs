//! Character classes: `[…]`.

use super::SyntaxError;
use super::escape;
use super::parse::Parser;
use super::set::Set;

impl Parser<'_> {
    /// After `[`, to the closing bracket.
    pub fn class(&mut self) -> Result<Set, SyntaxError> {
        let negated = self.peek_byte(0) == Some(b'^');
        self.at += usize::from(negated);
        let mut set = Set::default();
        loop {
            if self.peek().ok_or(SyntaxError)? == u16::from(b']') {
                self.at += 1;
                return Ok(set.finish(negated));
            }
            let low = self.class_atom(&mut set)?;
            if self.peek_byte(0) != Some(b'-') {
                set.insert_all(low);
                continue;
            }
            self.at += 1;
            if self.peek().ok_or(SyntaxError)? == u16::from(b']') {
                set.insert_all(low.into_iter().chain([u16::from(b'-')]));
                continue;
            }
            let high = self.class_atom(&mut set)?;
            match (low, high) {
                (Some(low), Some(high)) if low > high => return Err(SyntaxError),
                (Some(low), Some(high)) => set.insert(low, high),
                // A class escape on either side makes the dash a dash.
                (low, high) => {
                    set.insert_all(low.into_iter().chain(high).chain([u16::from(b'-')]));
                }
            }
        }
    }

    /// One unit of a class, or nothing where it was a class escape, which is added.
    fn class_atom(&mut self, set: &mut Set) -> Result<Option<u16>, SyntaxError> {
        let unit = self.peek().ok_or(SyntaxError)?;
        self.at += 1;
        if unit != u16::from(b'\\') {
            return Ok(Some(unit));
        }
        if let Some(b @ (b'd' | b'D' | b's' | b'S' | b'w' | b'W')) = self.peek_byte(0) {
            self.at += 1;
            set.insert_class_escape(b);
            return Ok(None);
        }
        let named = self.peek_byte(0) == Some(b'k') && self.census().1;
        let (unit, next) = escape::unit(self.units, self.at, true, named)?;
        self.at = next;
        Ok(Some(unit))
    }
}
