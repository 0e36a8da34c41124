//! Opening the page in the browser of the user.

use crate::token::nonce;
use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// Time after which a browser has read what it was told to open.
const READ: Duration = Duration::from_secs(60);

/// A file that leads a browser to the page. It is removed when this is dropped, or after a minute.
#[derive(Debug)]
pub struct Browsing {
    _redirect: Arc<Redirect>,
}

/// Opens an address in the browser of the user, and does not wait for it.
///
/// Every user of a machine can see with which arguments programs were started: the browser is told to open a file that only its user can
/// read, and that leads on to the address with its secret.
///
/// # Errors
/// The file cannot be written, there is no browser, or it cannot be started.
pub fn browse(address: &str) -> io::Result<Browsing> {
    let redirect = Arc::new(Redirect::new(&std::env::temp_dir(), address)?);
    open::that_detached(&redirect.file)?;
    let weak = Arc::downgrade(&redirect);
    thread::Builder::new().name("redirect".to_owned()).spawn(move || {
        thread::sleep(READ);
        weak.upgrade().iter().for_each(|redirect| redirect.remove());
    })?;
    Ok(Browsing { _redirect: redirect })
}

#[derive(Debug)]
struct Redirect {
    folder: PathBuf,
    file: PathBuf,
}

impl Redirect {
    fn new(place: &Path, address: &str) -> io::Result<Self> {
        let folder = place.join(format!("rgc-studio-{}", nonce()));
        let (mut builder, mut options) = (DirBuilder::new(), OpenOptions::new());
        options.write(true).create_new(true);
        #[cfg(unix)]
        {
            use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
            builder.mode(0o700);
            options.mode(0o600);
        }
        builder.create(&folder)?;
        let redirect = Self { file: folder.join("studio.html"), folder };
        let mut file = options.open(&redirect.file)?;
        write!(
            file,
            "<!doctype html><meta charset=\"utf-8\"><title>rgc studio</title><meta name=\"referrer\" content=\"no-referrer\">\
             <meta http-equiv=\"refresh\" content=\"0;url={address}\"><p><a href=\"{address}\">rgc studio</a>"
        )?;
        Ok(redirect)
    }

    fn remove(&self) {
        // It may be gone already.
        let _ = fs::remove_file(&self.file);
        let _ = fs::remove_dir(&self.folder);
    }
}

impl Drop for Redirect {
    fn drop(&mut self) {
        self.remove();
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn only_the_user_can_read_where_the_file_leads() {
        let address = "http://127.0.0.1:1/#t=00";
        let redirect = Redirect::new(&std::env::temp_dir(), address).unwrap();
        assert!(fs::read_to_string(&redirect.file).unwrap().contains(address));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
            assert_eq!((mode(&redirect.folder), mode(&redirect.file)), (0o700, 0o600));
        }
        let folder = redirect.folder.clone();
        drop(redirect);
        assert!(!folder.exists());
    }
}
