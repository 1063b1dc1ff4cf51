//! `wasi:filesystem/types`. Operations that add to a directory are charged; all others are passed on to WASI unchanged.

use super::stream::Charged;
use super::{NEW_ENTRY, View};
use std::sync::Arc;
use wasmtime::component::Resource;
use wasmtime_wasi::filesystem::Descriptor;
use wasmtime_wasi::p2::bindings::filesystem::types::{
    Advice, DescriptorFlags, DescriptorStat, DescriptorType, DirectoryEntry, DirectoryEntryStream, ErrorCode, Filesize,
    Host, HostDescriptor, HostDirectoryEntryStream, MetadataHashValue, NewTimestamp, OpenFlags, PathFlags,
};
use wasmtime_wasi::p2::{DynInputStream, DynOutputStream, FsError, FsResult};

type File = Resource<Descriptor>;

/// Defines functions that pass their arguments on.
macro_rules! pass_on {
    ($(fn $name:ident($($arg:ident: $ty:ty),*) -> $returned:ty;)+) => {
        $(async fn $name(&mut self, $($arg: $ty),*) -> $returned {
            self.wasi.$name($($arg),*).await
        })+
    };
}

impl View<'_> {
    /// Charges bytes that are to be added through this handle.
    ///
    /// # Errors
    /// Returns an error if this many bytes may not be added through this handle.
    fn charge(&self, file: &File, bytes: u64) -> FsResult<()> {
        if self.quotas.take(file, bytes) { Ok(()) } else { Err(ErrorCode::Quota.into()) }
    }

    /// Checks that two handles belong to the same granted directory. The limit of the other directory was not charged
    /// for a file that moves there, so granted directories behave like different file systems.
    ///
    /// # Errors
    /// Returns an error if the handles belong to different directories.
    fn check_same_limit(&self, from: &File, to: &File) -> FsResult<()> {
        match (self.quotas.of(from), self.quotas.of(to)) {
            (Some(from), Some(to)) if !Arc::ptr_eq(&from, &to) => Err(ErrorCode::CrossDevice.into()),
            _ => Ok(()),
        }
    }

    /// Returns the number of bytes between the end of a file and an offset beyond it, or 0 for a directory, which
    /// cannot be written to.
    fn hole(&self, file: &File, offset: Filesize) -> FsResult<u64> {
        match self.wasi.table.get(file)? {
            Descriptor::File(file) => Ok(offset.saturating_sub(file.file.metadata()?.len())),
            Descriptor::Dir(_) => Ok(0),
        }
    }

    fn charged(&mut self, file: DynOutputStream, of: &File, hole: u64) -> FsResult<Resource<DynOutputStream>> {
        let charged: DynOutputStream = Box::new(Charged { file, quota: self.quotas.of(of), hole });
        Ok(self.wasi.table.push(charged)?)
    }
}

impl Host for View<'_> {
    fn convert_error_code(&mut self, error: FsError) -> wasmtime::Result<ErrorCode> {
        self.wasi.convert_error_code(error)
    }

    fn filesystem_error_code(&mut self, error: Resource<wasmtime::Error>) -> wasmtime::Result<Option<ErrorCode>> {
        self.wasi.filesystem_error_code(error)
    }
}

impl HostDescriptor for View<'_> {
    async fn set_size(&mut self, file: File, size: Filesize) -> FsResult<()> {
        let more = self.hole(&file, size)?;
        self.charge(&file, more)?;
        self.wasi.set_size(file, size).await
    }

    async fn write(&mut self, file: File, bytes: Vec<u8>, offset: Filesize) -> FsResult<Filesize> {
        let hole = self.hole(&file, offset)?;
        self.charge(&file, hole.saturating_add(bytes.len() as u64))?;
        self.wasi.write(file, bytes, offset).await
    }

    fn write_via_stream(&mut self, file: File, offset: Filesize) -> FsResult<Resource<DynOutputStream>> {
        let hole = self.hole(&file, offset)?;
        let stream = self.wasi.write_via_stream(Resource::new_borrow(file.rep()), offset)?;
        let stream = self.wasi.table.delete(stream)?;
        self.charged(stream, &file, hole)
    }

    fn append_via_stream(&mut self, file: File) -> FsResult<Resource<DynOutputStream>> {
        let stream = self.wasi.append_via_stream(Resource::new_borrow(file.rep()))?;
        let stream = self.wasi.table.delete(stream)?;
        self.charged(stream, &file, 0)
    }

    async fn open_at(
        &mut self,
        dir: File,
        path_flags: PathFlags,
        path: String,
        open_flags: OpenFlags,
        flags: DescriptorFlags,
    ) -> FsResult<File> {
        if open_flags.contains(OpenFlags::CREATE) {
            self.charge(&dir, NEW_ENTRY)?;
        }
        let quota = self.quotas.of(&dir);
        let file = self.wasi.open_at(dir, path_flags, path, open_flags, flags).await?;
        if let Some(quota) = quota {
            self.quotas.of.insert(file.rep(), quota);
        }
        Ok(file)
    }

    async fn create_directory_at(&mut self, dir: File, path: String) -> FsResult<()> {
        self.charge(&dir, NEW_ENTRY)?;
        self.wasi.create_directory_at(dir, path).await
    }

    async fn symlink_at(&mut self, dir: File, from: String, to: String) -> FsResult<()> {
        self.charge(&dir, NEW_ENTRY)?;
        self.wasi.symlink_at(dir, from, to).await
    }

    async fn link_at(&mut self, from: File, flags: PathFlags, old: String, to: File, new: String) -> FsResult<()> {
        self.check_same_limit(&from, &to)?;
        self.charge(&to, NEW_ENTRY)?;
        self.wasi.link_at(from, flags, old, to, new).await
    }

    async fn rename_at(&mut self, from: File, old: String, to: File, new: String) -> FsResult<()> {
        self.check_same_limit(&from, &to)?;
        self.wasi.rename_at(from, old, to, new).await
    }

    fn drop(&mut self, file: File) -> wasmtime::Result<()> {
        self.quotas.of.remove(&file.rep());
        HostDescriptor::drop(&mut self.wasi, file)
    }

    fn read_via_stream(&mut self, file: File, offset: Filesize) -> FsResult<Resource<DynInputStream>> {
        self.wasi.read_via_stream(file, offset)
    }

    pass_on! {
        fn advise(file: File, offset: Filesize, length: Filesize, advice: Advice) -> FsResult<()>;
        fn sync_data(file: File) -> FsResult<()>;
        fn get_flags(file: File) -> FsResult<DescriptorFlags>;
        fn get_type(file: File) -> FsResult<DescriptorType>;
        fn set_times(file: File, accessed: NewTimestamp, modified: NewTimestamp) -> FsResult<()>;
        fn read(file: File, length: Filesize, offset: Filesize) -> FsResult<(Vec<u8>, bool)>;
        fn read_directory(dir: File) -> FsResult<Resource<DirectoryEntryStream>>;
        fn sync(file: File) -> FsResult<()>;
        fn stat(file: File) -> FsResult<DescriptorStat>;
        fn stat_at(dir: File, flags: PathFlags, path: String) -> FsResult<DescriptorStat>;
        fn set_times_at(
            dir: File, flags: PathFlags, path: String, accessed: NewTimestamp, modified: NewTimestamp
        ) -> FsResult<()>;
        fn readlink_at(dir: File, path: String) -> FsResult<String>;
        fn remove_directory_at(dir: File, path: String) -> FsResult<()>;
        fn unlink_file_at(dir: File, path: String) -> FsResult<()>;
        fn is_same_object(one: File, other: File) -> wasmtime::Result<bool>;
        fn metadata_hash(file: File) -> FsResult<MetadataHashValue>;
        fn metadata_hash_at(dir: File, flags: PathFlags, path: String) -> FsResult<MetadataHashValue>;
    }
}

impl HostDirectoryEntryStream for View<'_> {
    async fn read_directory_entry(
        &mut self,
        stream: Resource<DirectoryEntryStream>,
    ) -> FsResult<Option<DirectoryEntry>> {
        self.wasi.read_directory_entry(stream).await
    }

    fn drop(&mut self, stream: Resource<DirectoryEntryStream>) -> wasmtime::Result<()> {
        HostDirectoryEntryStream::drop(&mut self.wasi, stream)
    }
}
