//! The appending of data to the memory of a core module.

use anyhow::{Context, Result};
use wasm_encoder::reencode::{Error, Reencode};
use wasm_encoder::{ConstExpr, DataSection, MemoryType, Module};
use wasmparser::{ExternalKind, Operator, Parser, Payload};

const PAGE_BYTES: u64 = 64 << 10;

const INVALID: &str = "it is not a core module";

/// Appends data to the memory of a module, and writes its address and length (each a `u32`, little-endian) to the
/// address in an exported global. Allocators never use this memory: they use only pages that they add themselves.
///
/// # Errors
/// Returns an error if the input is not a core module, or has no such global or no memory.
pub(super) fn append(core: &[u8], global_name: &str, data: &[u8]) -> Result<Vec<u8>> {
    let mut append = Append {
        place: global(core, global_name)?.with_context(|| format!("it exports no `{global_name}`"))?,
        address: pages(core)?.context("it has no memory")? * PAGE_BYTES,
        data,
    };
    u32::try_from(append.address + append.data.len() as u64).context("the script is too large")?;
    let mut module = Module::new();
    append.parse_core_module(&mut module, Parser::new(0), core).context(INVALID)?;
    Ok(module.finish())
}

/// Returns the value of an exported global, if it is a constant.
pub(super) fn global(core: &[u8], name: &str) -> Result<Option<i32>> {
    let mut values = Vec::new();
    for payload in Parser::new(0).parse_all(core) {
        match payload.context(INVALID)? {
            Payload::GlobalSection(globals) => {
                for global in globals {
                    values.push(match global?.init_expr.get_operators_reader().read()? {
                        Operator::I32Const { value } => Some(value),
                        _ => None,
                    });
                }
            }
            Payload::ExportSection(exports) => {
                for export in exports {
                    let export = export?;
                    if export.name == name && export.kind == ExternalKind::Global {
                        return Ok(values.get(export.index as usize).copied().flatten());
                    }
                }
            }
            _ => {}
        }
    }
    Ok(None)
}

/// Returns the initial size of the first memory, in pages.
fn pages(core: &[u8]) -> Result<Option<u64>> {
    for payload in Parser::new(0).parse_all(core) {
        if let Payload::MemorySection(memories) = payload.context(INVALID)? {
            return Ok(memories.into_iter().next().transpose()?.map(|memory| memory.initial));
        }
    }
    Ok(None)
}

/// The copying of a module with more memory and more data.
struct Append<'a> {
    /// The address to which `address` and the length of `data` are written.
    place: i32,
    address: u64,
    data: &'a [u8],
}

impl Reencode for Append<'_> {
    type Error = std::convert::Infallible;

    fn memory_type(&mut self, ty: wasmparser::MemoryType) -> Result<MemoryType, Error> {
        let more = (self.data.len() as u64).div_ceil(PAGE_BYTES);
        Ok(MemoryType {
            minimum: ty.initial + more,
            maximum: ty.maximum,
            memory64: ty.memory64,
            shared: ty.shared,
            page_size_log2: ty.page_size_log2,
        })
    }

    fn data_count(&mut self, count: u32) -> Result<u32, Error> {
        Ok(count + 2)
    }

    fn parse_data_section(
        &mut self,
        data: &mut DataSection,
        section: wasmparser::DataSectionReader<'_>,
    ) -> Result<(), Error> {
        for segment in section {
            self.parse_data(data, segment?)?;
        }
        let (address, length) = (self.address as u32, self.data.len() as u32);
        data.active(0, &ConstExpr::i32_const(self.place), [address.to_le_bytes(), length.to_le_bytes()].concat());
        data.active(0, &ConstExpr::i32_const(address.cast_signed()), self.data.iter().copied());
        Ok(())
    }
}
