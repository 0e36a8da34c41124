//! Peak memory of this process, as the system counts it.

/// Watches the peak of resident memory. Only Linux tells it without a library of its own; elsewhere nothing is known.
#[derive(Debug)]
pub struct Peak {
    /// Whether the count began anew.
    fresh: bool,
    /// Bytes in memory at the beginning, if the system tells.
    before: Option<u64>,
}

impl Peak {
    /// Starts to count anew.
    pub fn begin() -> Self {
        Self { fresh: reset(), before: figure(&status().unwrap_or_default(), "VmRSS:") }
    }

    /// The greatest number of bytes in memory since the beginning; `None` if the system does not tell.
    pub fn bytes(&self) -> Option<u64> {
        if self.fresh { figure(&status()?, "VmHWM:") } else { None }
    }

    /// How many bytes more than at the beginning have been in memory since then, whatever in this program they were for; `None` if the system does
    /// not tell.
    pub fn grown(&self) -> Option<u64> {
        Some(self.bytes()?.saturating_sub(self.before?))
    }
}

/// Makes the present size the peak (`5` in `/proc/self/clear_refs`); whether that worked.
fn reset() -> bool {
    cfg!(target_os = "linux") && std::fs::write("/proc/self/clear_refs", "5").is_ok()
}

fn status() -> Option<String> {
    std::fs::read_to_string("/proc/self/status").ok()
}

/// A size, in bytes, in the text of `/proc/self/status`, which has lines such as `VmHWM:  1900 kB`.
fn figure(status: &str, name: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_counts() {
        let peak = Peak::begin();
        let kept = vec![1_u8; 64 << 20];
        // Where the system tells.
        if let Some(grown) = peak.grown() {
            assert!(grown >= 32 << 20, "{grown} of {}", kept.len());
        }
    }

    #[test]
    fn the_line_is_read() {
        let status = "Name:\trgc\nVmHWM:\t    1900 kB\nVmRSS:\t 1 kB\n";
        assert_eq!((figure(status, "VmHWM:"), figure(status, "VmRSS:")), (Some(1900 * 1024), Some(1024)));
        for other in ["", "VmHWM:\n", "VmHWM: many kB", "VmHWM: 3 MB", "VmHWM: 99999999999999999999 kB"] {
            assert_eq!(figure(other, "VmHWM:"), None, "{other}");
        }
    }
}
