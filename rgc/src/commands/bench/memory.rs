//! Peak memory of this process, as the system counts it.

/// Watches the peak of resident memory. Only Linux tells it without a library of its own; elsewhere nothing is known.
pub(super) struct Peak {
    /// Whether the count began anew.
    fresh: bool,
}

impl Peak {
    /// Starts to count anew.
    pub(super) fn begin() -> Self {
        Self { fresh: reset() }
    }

    /// The greatest number of bytes in memory since the beginning; `None` if the system does not tell.
    pub(super) fn bytes(&self) -> Option<u64> {
        let text = if self.fresh { std::fs::read_to_string("/proc/self/status").ok()? } else { return None };
        high_water(&text)
    }
}

/// Makes the present size the peak (`5` in `/proc/self/clear_refs`); whether that worked.
fn reset() -> bool {
    cfg!(target_os = "linux") && std::fs::write("/proc/self/clear_refs", "5").is_ok()
}

/// The peak, in bytes, in the text of `/proc/self/status`, which has a line `VmHWM:  1900 kB`.
fn high_water(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_is_read() {
        assert_eq!(high_water("Name:\trgc\nVmHWM:\t    1900 kB\nVmRSS:\t 1 kB\n"), Some(1900 * 1024));
        for other in ["", "VmHWM:\n", "VmHWM: many kB", "VmHWM: 3 MB", "VmHWM: 99999999999999999999 kB"] {
            assert_eq!(high_water(other), None, "{other}");
        }
    }
}
