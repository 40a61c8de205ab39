//! Reading files that others chose: regular ones only, and not more of them than a model can be.
//!
//! A model names the files that it includes, and a model may come from anywhere. A device never
//! ends, a FIFO never begins, and files below `/proc` tell what is nobody's business.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// A file may have so many bytes.
pub const MAX_FILE: u64 = isospin_source::MAX_SOURCE_BYTES as u64;

/// The bytes of a regular file.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    // Looked at before it is opened: opening a FIFO waits for whoever writes.
    regular(&fs::metadata(path)?)?;
    let mut file = File::open(path)?;
    let metadata = file.metadata()?;
    regular(&metadata)?;
    if metadata.len() > MAX_FILE {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    if metadata.len() == 0 {
        // An empty file, or one that is made while it is read and has no length: those of a
        // running system are no models.
        let mut one = [0];
        return match file.read(&mut one)? {
            0 => Ok(bytes),
            _ => Err(irregular()),
        };
    }
    file.take(MAX_FILE + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_FILE {
        return Err(too_large());
    }
    Ok(bytes)
}

/// The text of a regular file.
pub fn read_text(path: &Path) -> io::Result<String> {
    let not_text = |_| io::Error::new(io::ErrorKind::InvalidData, "it is not text in UTF-8");
    String::from_utf8(read(path)?).map_err(not_text)
}

fn regular(metadata: &fs::Metadata) -> io::Result<()> {
    if metadata.is_file() {
        Ok(())
    } else if metadata.is_dir() {
        Err(io::Error::other("it is a directory"))
    } else {
        Err(irregular())
    }
}

fn irregular() -> io::Error {
    io::Error::other("it is no regular file")
}

fn too_large() -> io::Error {
    io::Error::other(format!("it is larger than {} MB", MAX_FILE >> 20))
}

/// Where the files of a model that is not trusted may be.
pub struct Fence {
    folder: PathBuf,
}

impl Fence {
    /// The folder of the model itself.
    pub fn around(model: &Path) -> io::Result<Fence> {
        let model = fs::canonicalize(model)?;
        let folder = model.parent().map_or_else(|| PathBuf::from("/"), Path::to_owned);
        Ok(Fence { folder })
    }

    /// The bytes of a file, if it is inside; symbolic links are followed first. What is outside is
    /// not even said to be there or not.
    pub fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let outside = || io::Error::other("it is outside the model's folder (--untrusted)");
        match fs::canonicalize(path) {
            Ok(real) if real.starts_with(&self.folder) => read(&real),
            Ok(_) => Err(outside()),
            Err(error) => {
                let inside = path.parent().and_then(|p| fs::canonicalize(p).ok());
                match inside {
                    Some(folder) if folder.starts_with(&self.folder) => Err(error),
                    _ => Err(outside()),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder that is gone when the test is over.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Folder {
            let name = format!("isospin-files-{name}-{}", std::process::id());
            let path = std::env::temp_dir().join(name);
            fs::create_dir_all(&path).expect("a folder");
            Folder(path)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn only_regular_files_are_read() {
        let folder = Folder::new("regular");
        let file = folder.0.join("a.pml");
        fs::write(&file, "byte x;").expect("a file");
        assert_eq!(read(&file).expect("a regular file"), b"byte x;");
        fs::write(&file, "").expect("a file");
        assert_eq!(read(&file).expect("an empty file"), b"");
        for path in ["/dev/zero", "/proc/self/environ", "/dev/stdin"].map(Path::new) {
            if path.exists() {
                let error = read(path).expect_err("no model").to_string();
                assert_eq!(error, "it is no regular file", "{}", path.display());
            }
        }
        assert_eq!(read(&folder.0).expect_err("no model").to_string(), "it is a directory");
    }

    #[cfg(unix)]
    #[test]
    fn an_untrusted_model_reads_nothing_outside_its_folder() {
        let folder = Folder::new("fence");
        let inside = folder.0.join("inside");
        fs::create_dir_all(inside.join("deeper")).expect("a folder");
        for file in ["secret", "inside/m.pml", "inside/deeper/ok.h"] {
            fs::write(folder.0.join(file), "x").expect("a file");
        }
        std::os::unix::fs::symlink(folder.0.join("secret"), inside.join("link")).expect("a link");
        let fence = Fence::around(&inside.join("m.pml")).expect("a model");
        assert!(fence.read(&inside.join("deeper/ok.h")).is_ok());
        assert!(fence.read(&inside.join("deeper/../m.pml")).is_ok());
        for path in ["../secret", "link", "../nothing", "../nowhere/nothing"] {
            let error = fence.read(&inside.join(path)).expect_err("outside").to_string();
            assert_eq!(error, "it is outside the model's folder (--untrusted)", "{path}");
        }
        let missing = fence.read(&inside.join("missing")).expect_err("nothing there");
        assert_eq!(missing.kind(), io::ErrorKind::NotFound);
    }
}
