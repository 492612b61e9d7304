//! Numbers, dates and sizes as each language writes them.

use fixed_decimal::Decimal;
use icu_calendar::Date;
use icu_datetime::DateTimeFormatter;
use icu_datetime::fieldsets::YMD;
use icu_decimal::DecimalFormatter;
use icu_locale_core::Locale;
use jiff::tz::TimeZone;

use super::SiteLocale;
use crate::domain::Timestamp;

impl SiteLocale {
    fn icu(self) -> Locale {
        self.tag().parse().unwrap_or(Locale::UNKNOWN)
    }

    /// A whole number with the language's grouping: `1,204`.
    #[must_use]
    pub fn number(self, number: u64) -> String {
        self.decimal(&Decimal::from(number))
    }

    fn decimal(self, number: &Decimal) -> String {
        DecimalFormatter::try_new(self.icu().into(), icu_decimal::options::DecimalFormatterOptions::default())
            .map_or_else(|_| number.to_string(), |formatter| formatter.format(number).to_string())
    }

    /// A day in UTC: `Jan 5, 2026`, `2026年1月5日`.
    #[must_use]
    pub fn date(self, time: Timestamp) -> String {
        self.try_date(time).unwrap_or_else(|| time.to_string())
    }

    fn try_date(self, time: Timestamp) -> Option<String> {
        let day = TimeZone::UTC.to_datetime(jiff::Timestamp::from_second(time.unix_seconds()).ok()?).date();
        let unsigned = |n: i8| u8::try_from(n).ok();
        let day = Date::try_new_iso(day.year().into(), unsigned(day.month())?, unsigned(day.day())?).ok()?;
        let formatter = DateTimeFormatter::try_new(self.icu().into(), YMD::medium()).ok()?;
        Some(formatter.format(&day).to_string())
    }

    /// A size in decimal units, to two or three significant digits: `950 B`, `4.8 KB`, `48 KB`, `1.2 MB`.
    #[must_use]
    pub fn size(self, bytes: u64) -> String {
        let (unit, id) = match bytes {
            0..1_000 => (1, "size-bytes"),
            // From here on the next unit's one is nearer than this unit's thousand.
            1_000..999_500 => (1_000, "size-kilobytes"),
            999_500..999_500_000 => (1_000_000, "size-megabytes"),
            _ => (1_000_000_000, "size-gigabytes"),
        };
        let tenths = (u128::from(bytes) * 10 + unit / 2) / unit;
        let rounded = if unit > 1 && tenths < 100 {
            let mut number = Decimal::from(tenths);
            number.multiply_pow10(-1);
            number
        } else {
            Decimal::from((u128::from(bytes) + unit / 2) / unit)
        };
        self.text_with(id, [("n", self.decimal(&rounded).into())])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(SiteLocale::En.number(1_234_567), "1,234,567");
        assert_eq!(SiteLocale::ZhCn.number(1204), "1,204");
    }

    #[test]
    fn dates_are_written_as_the_language_does() {
        let time = Timestamp::from_unix_seconds(1_767_614_400);
        assert_eq!(SiteLocale::En.date(time), "Jan 5, 2026");
        assert_eq!(SiteLocale::ZhCn.date(time), "2026年1月5日");
    }

    #[test]
    fn sizes_have_a_unit_that_keeps_them_short() {
        for (bytes, expected) in [
            (0, "0 B"),
            (999, "999 B"),
            (1_000, "1.0 KB"),
            (4_849, "4.8 KB"),
            (9_960, "10 KB"),
            (48_213, "48 KB"),
            (999_499, "999 KB"),
            (999_500, "1.0 MB"),
            (52_428_800, "52 MB"),
            (u64::MAX, "18,446,744,074 GB"),
        ] {
            assert_eq!(SiteLocale::En.size(bytes), expected);
        }
    }
}
