//! Dates and date-times as records write them, and what JavaScript's `Date` makes of them.

/// The greatest distance from 1970 that a JavaScript `Date` can have, in milliseconds.
const MAX_TIME_MS: i64 = 8_640_000_000_000_000;
const DAY_MS: i64 = 86_400_000;

/// A real calendar date (Gregorian, years 0 to 9999).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct CalendarDate {
    year: i64,
    month: i64,
    day: i64,
}

/// A moment: milliseconds since 1970, within the range of JavaScript's `Date`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Instant(i64);

/// Why an `--as-of` text is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AsOfError {
    /// It is a date and time without an offset from UTC.
    #[error("a date with a time needs a time zone: Z or an offset such as +01:00")]
    NoTimeZone,
    /// It is anything else.
    #[error("not a date: use YYYY-MM-DD, or an ISO 8601 date and time with a time zone")]
    Invalid,
}

/// Reads text from the left.
struct Reader<'t>(&'t str);

impl Reader<'_> {
    fn literal(&mut self, c: char) -> Option<()> {
        self.0 = self.0.strip_prefix(c)?;
        Some(())
    }

    /// Exactly `count` digits.
    fn digits(&mut self, count: usize) -> Option<i64> {
        let digits = self.0.get(..count).filter(|s| s.bytes().all(|b| b.is_ascii_digit()))?;
        self.0 = &self.0[count..];
        digits.parse().ok()
    }

    fn up_to(&mut self, count: usize, max: i64) -> Option<i64> {
        self.digits(count).filter(|n| *n <= max)
    }

    fn date(&mut self) -> Option<CalendarDate> {
        let year = self.digits(4)?;
        self.literal('-')?;
        let month = self.digits(2).filter(|m| (1..=12).contains(m))?;
        self.literal('-')?;
        let day = self.digits(2).filter(|d| (1..=days_in_month(year, month)).contains(d))?;
        Some(CalendarDate { year, month, day })
    }

    /// `.` and at least one digit, in milliseconds; further digits are cut.
    fn fraction(&mut self) -> Option<i64> {
        self.literal('.')?;
        let count = self.0.bytes().take_while(u8::is_ascii_digit).count();
        let digits = self.0.get(..count).filter(|s| !s.is_empty())?;
        self.0 = &self.0[count..];
        format!("{digits:0<3}").get(..3)?.parse().ok()
    }

    /// An offset from UTC in minutes; the colon may be left out where `compact`.
    fn offset(&mut self, compact: bool) -> Option<i64> {
        if self.literal('Z').is_some() {
            return Some(0);
        }
        let sign = if self.literal('+').is_some() { 1 } else { self.literal('-').map(|()| -1)? };
        let hours = self.up_to(2, 23)?;
        if self.literal(':').is_none() && !compact {
            return None;
        }
        Some(sign * (hours * 60 + self.up_to(2, 59)?))
    }

    fn end(&self) -> Option<()> {
        self.0.is_empty().then_some(())
    }
}

fn days_in_month(year: i64, month: i64) -> i64 {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days since 1970-01-01, counted in 400-year eras that begin in March.
fn days_from_date(date: CalendarDate) -> i64 {
    let year = if date.month <= 2 { date.year - 1 } else { date.year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((date.month + 9) % 12) + 2) / 5 + date.day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

fn date_from_days(days: i64) -> CalendarDate {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    CalendarDate { year, month, day }
}

/// The two forms of a date and time that differ in what they allow.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// A record's.
    Record,
    /// JavaScript's own: 24:00 is the next midnight, the offset may lack its colon.
    Script,
}

fn read_date_time(text: &str, form: Form) -> Option<Instant> {
    let mut reader = Reader(text);
    let date = reader.date()?;
    reader.literal('T')?;
    let hours = reader.up_to(2, if form == Form::Script { 24 } else { 23 })?;
    reader.literal(':')?;
    let minutes = reader.up_to(2, 59)?;
    let mut seconds = 0;
    let mut ms = 0;
    if reader.literal(':').is_some() {
        seconds = reader.up_to(2, 59)?;
        if reader.0.starts_with('.') {
            ms = reader.fraction()?;
        }
    }
    if hours == 24 && (minutes, seconds, ms) != (0, 0, 0) {
        return None;
    }
    let offset = reader.offset(form == Form::Script)?;
    reader.end()?;
    let time = (hours * 60 + minutes - offset) * 60_000 + seconds * 1_000 + ms;
    Some(Instant(days_from_date(date) * DAY_MS + time))
}

/// Is it `YYYY-MM-DD`, a real date?
#[must_use]
pub fn is_iso_date(text: &str) -> bool {
    let mut reader = Reader(text);
    reader.date().and_then(|_| reader.end()).is_some()
}

/// Is it an ISO date, `T`, a time of minutes, seconds or finer, and `Z` or an offset?
#[must_use]
pub fn is_iso_date_time(text: &str) -> bool {
    Instant::parse(text).is_some()
}

impl Instant {
    /// Reads a date-time as records write it. Digits finer than milliseconds are cut.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        read_date_time(text, Form::Record)
    }

    /// This many milliseconds since 1970; nothing beyond the range of JavaScript's `Date`.
    #[must_use]
    pub fn from_unix_ms(ms: i64) -> Option<Self> {
        (-MAX_TIME_MS..=MAX_TIME_MS).contains(&ms).then_some(Self(ms))
    }

    /// This many days later; nothing beyond the range of JavaScript's `Date`.
    #[must_use]
    pub fn add_days(self, days: i64) -> Option<Self> {
        Self::from_unix_ms(days.checked_mul(DAY_MS)?.checked_add(self.0)?)
    }

    /// The text of `toISOString()`: UTC with milliseconds. Years that do not have four digits get a sign and six.
    #[must_use]
    pub fn to_iso(self) -> String {
        let CalendarDate { year, month, day } = date_from_days(self.0.div_euclid(DAY_MS));
        let ms = self.0.rem_euclid(DAY_MS);
        let year = match year {
            0..=9999 => format!("{year:04}"),
            _ => format!("{}{:06}", if year < 0 { '-' } else { '+' }, year.abs()),
        };
        let (hours, minutes) = (ms / 3_600_000, ms / 60_000 % 60);
        let (seconds, ms) = (ms / 1_000 % 60, ms % 1_000);
        format!("{year}-{month:02}-{day:02}T{hours:02}:{minutes:02}:{seconds:02}.{ms:03}Z")
    }

    /// The UTC date as the command takes it: the first ten characters of [`Self::to_iso`]. Beyond the year 9999 that
    /// is a cut text such as `+010000-01`.
    #[must_use]
    pub fn utc_date(self) -> String {
        self.to_iso().chars().take(10).collect()
    }
}

/// The date that an `--as-of` text means: itself, or the UTC date of a date and time.
///
/// # Errors
/// Where the command refuses the text.
pub fn as_of(text: &str) -> Result<String, AsOfError> {
    if is_iso_date(text) {
        return Ok(text.to_owned());
    }
    let (date, time) = text.split_once('T').ok_or(AsOfError::Invalid)?;
    if !ends_in_zone(time) {
        return Err(AsOfError::NoTimeZone);
    }
    if !is_iso_date(date) {
        return Err(AsOfError::Invalid);
    }
    let date = read_date_time(text, Form::Script).ok_or(AsOfError::Invalid)?.utc_date();
    if is_iso_date(&date) { Ok(date) } else { Err(AsOfError::Invalid) }
}

/// Does it end in `Z` or `±dd:dd`, with or without the colon?
fn ends_in_zone(text: &str) -> bool {
    let is_offset = |len: usize| {
        let tail = text.len().checked_sub(len).and_then(|at| text.get(at..)).unwrap_or_default();
        let mut reader = Reader(tail);
        let signed = reader.literal('+').or_else(|| reader.literal('-'));
        signed.and_then(|()| reader.digits(2)).is_some_and(|_| {
            let _ = reader.literal(':');
            reader.digits(2).and_then(|_| reader.end()).is_some()
        })
    };
    text.ends_with('Z') || is_offset(5) || is_offset(6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_real_calendar_dates() {
        for good in ["2026-01-31", "0000-02-29", "2000-02-29", "9999-12-31"] {
            assert!(is_iso_date(good), "{good}");
        }
        for bad in
            ["2026-02-29", "1900-02-29", "2026-00-01", "2026-1-01", "2026-01-32", "2026-01-01 ", "", "é"]
        {
            assert!(!is_iso_date(bad), "{bad}");
        }
    }

    #[test]
    fn date_times_need_an_offset() {
        for good in ["2026-01-01T00:00Z", "2026-01-01T23:59:59.123456+23:59", "2026-01-01T00:00:00-00:00"] {
            assert!(is_iso_date_time(good), "{good}");
        }
        for bad in [
            "2026-01-01T00:00",
            "2026-01-01T24:00Z",
            "2026-01-01T00:00:60Z",
            "2026-01-01T00:00:00.Z",
            "2026-01-01T00:00+0100",
            "2026-01-01T00:00+24:00",
            "2026-01-01t00:00Z",
            "2026-01-01T00:00z",
            "2026-01-01T00:00Zx",
        ] {
            assert!(!is_iso_date_time(bad), "{bad}");
        }
    }

    #[test]
    fn instants_print_as_in_javascript() {
        let iso = |text| Instant::parse(text).map(Instant::to_iso);
        assert_eq!(iso("2026-01-08T00:00Z").as_deref(), Some("2026-01-08T00:00:00.000Z"));
        assert_eq!(iso("2026-01-08T01:02:03.45678+01:30").as_deref(), Some("2026-01-07T23:32:03.456Z"));
        assert_eq!(iso("1969-12-31T23:59:59.999Z").as_deref(), Some("1969-12-31T23:59:59.999Z"));
        assert_eq!(iso("0000-01-01T00:00+00:01").as_deref(), Some("-000001-12-31T23:59:00.000Z"));
        assert_eq!(iso("9999-12-31T23:59-00:01").as_deref(), Some("+010000-01-01T00:00:00.000Z"));
    }

    #[test]
    fn days_are_added_within_the_range_of_date() {
        let start = Instant::parse("2026-02-27T12:00Z").unwrap();
        assert_eq!(start.add_days(2).map(Instant::utc_date).as_deref(), Some("2026-03-01"));
        assert_eq!(start.add_days(3_000_000).map(Instant::utc_date).as_deref(), Some("+010239-11"));
        assert_eq!(start.add_days(100_000_000), None);
        assert_eq!(start.add_days(i64::MAX), None);
        let epoch = Instant::parse("1970-01-01T00:00Z").unwrap();
        let last = epoch.add_days(100_000_000).unwrap();
        assert_eq!(last.to_iso(), "+275760-09-13T00:00:00.000Z");
        assert_eq!(last.add_days(1), None);
    }

    #[test]
    fn civil_dates_and_day_numbers_agree() {
        for days in (-800_000..4_000_000).step_by(997) {
            assert_eq!(days_from_date(date_from_days(days)), days);
        }
    }
}
