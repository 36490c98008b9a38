//! Where and when rows were measured.

use std::time::{SystemTime, UNIX_EPOCH};

/// The processor, its cores and the platform.
pub(super) fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let platform = format!("{} {}", std::env::consts::OS, std::env::consts::ARCH);
    // Only Linux says it in a file.
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    let model = model.map_or("unknown processor", |(_, model)| model.trim());
    format!("{model}, {cores} cores, {platform}")
}

/// Today in UTC, such as 2026-05-31.
pub(super) fn today() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let [year, month, day] = civil(since.as_secs() / 86_400);
    format!("{year:04}-{month:02}-{day:02}")
}

/// Year, month and day of a number of days since 1 January 1970.
///
/// Years are counted from March, so that a leap day is the last of its year: 400 of them have 146,097 days, and five months
/// from March or August on have 153.
fn civil(days: u64) -> [u64; 3] {
    let days = days + 719_468; // since 1 March 0000
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    [400 * era + year_of_era + u64::from(month <= 2), month, day]
}

#[cfg(test)]
mod tests {
    use super::civil;

    #[test]
    fn days_have_their_dates() {
        assert_eq!(civil(0), [1970, 1, 1]);
        assert_eq!(civil(58), [1970, 2, 28]);
        assert_eq!(civil(59), [1970, 3, 1]);
        assert_eq!(civil(11_016), [2000, 2, 29]);
        assert_eq!(civil(20_453), [2025, 12, 31]);
        assert_eq!(civil(20_454), [2026, 1, 1]);
        assert_eq!(civil(47_541), [2100, 3, 1]);
    }
}
