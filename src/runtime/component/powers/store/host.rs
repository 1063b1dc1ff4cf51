//! The functions of `wasi:keyvalue`, under both of its names.
#![allow(unreachable_pub, reason = "the generated code exports what it is given")]

use super::super::super::state::State;
use hookbox_store::{Bucket, Error, Read, Swapped, Version};
use wasmtime::component::{HasData, Linker, Resource, ResourceTable};

/// The name under which a component opens its store. The empty name means the same store.
const DEFAULT: &str = "default";

/// A key, with the version of its value when a component looked at it.
pub struct Noted {
    bucket: Bucket,
    key: String,
    version: Version,
}

/// The reason why an operation failed, in the terms of the interface.
pub enum Refused {
    NoSuchStore,
    Failed(Error),
    /// The host's own tables are full, or a handle is wrong: the call ends.
    Trap(wasmtime::Error),
}

impl From<Error> for Refused {
    fn from(error: Error) -> Self {
        Refused::Failed(error)
    }
}

impl From<wasmtime::component::ResourceTableError> for Refused {
    fn from(error: wasmtime::component::ResourceTableError) -> Self {
        Refused::Trap(error.into())
    }
}

/// The state that the functions work on.
pub(in super::super::super) struct View<'a> {
    pub(in super::super::super) table: &'a mut ResourceTable,
    pub(in super::super::super) bucket: Option<&'a Bucket>,
}

struct Keyvalue;

impl HasData for Keyvalue {
    type Data<'a> = View<'a>;
}

/// The operations that are the same under both names.
impl View<'_> {
    fn open(&mut self, name: &str) -> Result<Resource<Bucket>, Refused> {
        let bucket = self.bucket.filter(|_| name.is_empty() || name == DEFAULT).ok_or(Refused::NoSuchStore)?;
        Ok(self.table.push(bucket.clone())?)
    }

    fn bucket(&self, bucket: &Resource<Bucket>) -> Result<Bucket, Refused> {
        Ok(self.table.get(bucket)?.clone())
    }

    async fn note(
        &mut self,
        bucket: &Resource<Bucket>,
        key: String,
    ) -> Result<(Resource<Noted>, Option<Vec<u8>>), Refused> {
        let bucket = self.bucket(bucket)?;
        let Read { value, version } = bucket.read(&key).await?;
        Ok((self.table.push(Noted { bucket, key, version })?, value))
    }

    /// Swaps the value. If the value has changed since it was noted, returns a new note and the current value instead.
    async fn swap(
        &mut self,
        noted: Resource<Noted>,
        value: Vec<u8>,
    ) -> Result<Option<(Resource<Noted>, Option<Vec<u8>>)>, Refused> {
        let Noted { bucket, key, version } = self.table.delete(noted)?;
        match bucket.swap(&key, &version, &value).await? {
            Swapped::Done => Ok(None),
            Swapped::Changed(Read { value, version }) => {
                Ok(Some((self.table.push(Noted { bucket, key, version })?, value)))
            }
        }
    }
}

/// Defines the interfaces under one of their names.
macro_rules! keyvalue {
    ($module:ident, $path:literal, $package:ident :: $name:ident, $bucket:literal, $cas:literal, $error:literal) => {
        mod $module {
            use super::super::open::warn;
            use super::{Noted, Refused, View};
            use hookbox_store::Bucket;
            use wasmtime::component::Resource;

            wasmtime::component::bindgen!({
                path: $path,
                world: "imports",
                imports: { default: async | trappable },
                with: { $bucket: hookbox_store::Bucket, $cas: crate::runtime::component::powers::store::host::Noted },
                trappable_error_type: { $error => crate::runtime::component::powers::store::host::Refused },
            });

            use self::$package::$name::{atomics, batch, store};
            pub(super) use {atomics::add_to_linker as link_atomics, batch::add_to_linker as link_batch, store::add_to_linker as link_store};

            impl store::Host for View<'_> {
                async fn open(&mut self, identifier: String) -> Result<Resource<Bucket>, Refused> {
                    View::open(self, &identifier)
                }

                fn convert_error(&mut self, refused: Refused) -> wasmtime::Result<store::Error> {
                    match refused {
                        Refused::NoSuchStore => Ok(store::Error::NoSuchStore),
                        Refused::Failed(error) => {
                            warn(&error);
                            Ok(store::Error::Other(error.for_guest().to_owned()))
                        },
                        Refused::Trap(error) => Err(error),
                    }
                }
            }

            impl store::HostBucket for View<'_> {
                async fn get(&mut self, bucket: Resource<Bucket>, key: String) -> Result<Option<Vec<u8>>, Refused> {
                    Ok(self.bucket(&bucket)?.get(&key).await?)
                }

                async fn set(&mut self, bucket: Resource<Bucket>, key: String, value: Vec<u8>) -> Result<(), Refused> {
                    Ok(self.bucket(&bucket)?.set(&key, &value).await?)
                }

                async fn delete(&mut self, bucket: Resource<Bucket>, key: String) -> Result<(), Refused> {
                    self.bucket(&bucket)?.delete(&key).await?;
                    Ok(())
                }

                async fn exists(&mut self, bucket: Resource<Bucket>, key: String) -> Result<bool, Refused> {
                    Ok(self.bucket(&bucket)?.exists(&key).await?)
                }

                async fn list_keys(
                    &mut self,
                    bucket: Resource<Bucket>,
                    cursor: Option<String>,
                ) -> Result<store::KeyResponse, Refused> {
                    let page = self.bucket(&bucket)?.list_keys(cursor.as_deref()).await?;
                    Ok(store::KeyResponse { keys: page.keys, cursor: page.cursor })
                }

                async fn drop(&mut self, bucket: Resource<Bucket>) -> wasmtime::Result<()> {
                    self.table.delete(bucket)?;
                    Ok(())
                }
            }

            impl atomics::Host for View<'_> {
                async fn increment(&mut self, bucket: Resource<Bucket>, key: String, delta: i64) -> Result<i64, Refused> {
                    Ok(self.bucket(&bucket)?.increment(&key, delta).await?)
                }

                async fn swap(
                    &mut self,
                    cas: Resource<Noted>,
                    value: Vec<u8>,
                ) -> wasmtime::Result<Result<(), atomics::CasError>> {
                    match View::swap(self, cas, value).await {
                        Ok(None) => Ok(Ok(())),
                        Ok(Some(changed)) => Ok(Err(atomics::CasError::CasFailed(changed))),
                        Err(refused) => {
                            let error = store::Host::convert_error(self, refused)?;
                            Ok(Err(atomics::CasError::StoreError(error)))
                        }
                    }
                }
            }

            impl atomics::HostCas for View<'_> {
                async fn new(&mut self, bucket: Resource<Bucket>, key: String) -> Result<Resource<Noted>, Refused> {
                    Ok(self.note(&bucket, key).await?.0)
                }

                async fn new_with_read(
                    &mut self,
                    bucket: Resource<Bucket>,
                    key: String,
                ) -> Result<(Resource<Noted>, Option<Vec<u8>>), Refused> {
                    self.note(&bucket, key).await
                }

                async fn drop(&mut self, cas: Resource<Noted>) -> wasmtime::Result<()> {
                    self.table.delete(cas)?;
                    Ok(())
                }
            }

            impl batch::Host for View<'_> {
                async fn get_many(
                    &mut self,
                    bucket: Resource<Bucket>,
                    keys: Vec<String>,
                ) -> Result<Vec<Option<(String, Vec<u8>)>>, Refused> {
                    let values = self.bucket(&bucket)?.get_many(&keys).await?;
                    Ok(keys.into_iter().zip(values).map(|(key, value)| Some((key, value?))).collect())
                }

                async fn set_many(
                    &mut self,
                    bucket: Resource<Bucket>,
                    pairs: Vec<(String, Vec<u8>)>,
                ) -> Result<(), Refused> {
                    Ok(self.bucket(&bucket)?.set_many(&pairs).await?)
                }

                async fn delete_many(&mut self, bucket: Resource<Bucket>, keys: Vec<String>) -> Result<(), Refused> {
                    self.bucket(&bucket)?.delete_many(&keys).await?;
                    Ok(())
                }
            }
        }
    };
}

keyvalue!(
    standard,
    "wit/deps/wasi-keyvalue",
    wasi::keyvalue,
    "wasi:keyvalue/store.bucket",
    "wasi:keyvalue/atomics.cas",
    "wasi:keyvalue/store.error"
);
keyvalue!(
    own,
    "wit/deps/hookbox-store",
    hookbox::store,
    "hookbox:store/store.bucket",
    "hookbox:store/atomics.cas",
    "hookbox:store/store.error"
);

type Link = fn(&mut Linker<State>) -> wasmtime::Result<()>;

/// The functions that link an interface, under the standard name and under hookbox's own name.
pub(in super::super::super) const STORE: [Link; 2] = [
    |linker| standard::link_store::<_, Keyvalue>(linker, State::keyvalue),
    |linker| own::link_store::<_, Keyvalue>(linker, State::keyvalue),
];
pub(in super::super::super) const ATOMICS: [Link; 2] = [
    |linker| standard::link_atomics::<_, Keyvalue>(linker, State::keyvalue),
    |linker| own::link_atomics::<_, Keyvalue>(linker, State::keyvalue),
];
pub(in super::super::super) const BATCH: [Link; 2] = [
    |linker| standard::link_batch::<_, Keyvalue>(linker, State::keyvalue),
    |linker| own::link_batch::<_, Keyvalue>(linker, State::keyvalue),
];
