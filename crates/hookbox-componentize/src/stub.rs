//! The replacement of imported functions of a core module by functions that trap.
//!
//! An interpreter imports every power that a script may use. The component of one script imports only the powers that
//! this script uses, because each import needs a grant.

use anyhow::{Context, Result};
use wasm_encoder::reencode::{Error, Reencode};
use wasm_encoder::{CodeSection, Function, FunctionSection, ImportSection, Module};
use wasmparser::{Parser, Payload, TypeRef};

/// Replaces each imported function by a function that traps, unless `keep` accepts the name of the module that it is
/// imported from. All other functions keep their order.
///
/// # Errors
/// Returns an error if the input is not a core module.
pub fn stub_imports(core: &[u8], keep: impl Fn(&str) -> bool) -> Result<Vec<u8>> {
    const INVALID: &str = "it is not a core module";
    let mut stubs = Stubs::default();
    for payload in Parser::new(0).parse_all(core) {
        match payload.context(INVALID)? {
            Payload::ImportSection(imports) => {
                for import in imports.into_imports() {
                    let import = import?;
                    if let TypeRef::Func(ty) | TypeRef::FuncExact(ty) = import.ty {
                        stubs.imports.push(if keep(import.module) { Imported::Kept } else { Imported::Stub { ty } });
                    }
                }
            }
            Payload::FunctionSection(functions) => stubs.defined = functions.count(),
            _ => {}
        }
    }
    let mut module = Module::new();
    stubs.parse_core_module(&mut module, Parser::new(0), core).context(INVALID)?;
    Ok(module.finish())
}

/// A function that the module imports.
#[derive(Clone, Copy)]
enum Imported {
    Kept,
    /// A function that is replaced; `ty` is the index of its type.
    Stub {
        ty: u32,
    },
}

/// The rewriting of a module. The kept imports come first, then the module's own functions, then the stubs.
#[derive(Default)]
struct Stubs {
    imports: Vec<Imported>,
    /// The number of functions that the module defines.
    defined: u32,
}

impl Stubs {
    fn kept(imports: &[Imported]) -> u32 {
        imports.iter().filter(|import| matches!(import, Imported::Kept)).count() as u32
    }

    fn types(&self) -> impl Iterator<Item = u32> {
        self.imports.iter().filter_map(|import| match import {
            Imported::Kept => None,
            Imported::Stub { ty } => Some(*ty),
        })
    }
}

impl Reencode for Stubs {
    type Error = std::convert::Infallible;

    fn function_index(&mut self, index: u32) -> Result<u32, Error> {
        let kept = Self::kept(&self.imports);
        let before = self.imports.get(..index as usize).unwrap_or(&self.imports);
        Ok(match self.imports.get(index as usize) {
            Some(Imported::Kept) => Self::kept(before),
            Some(Imported::Stub { .. }) => kept + self.defined + (index - Self::kept(before)),
            None => index - self.imports.len() as u32 + kept,
        })
    }

    fn parse_import_section(
        &mut self,
        section: &mut ImportSection,
        imports: wasmparser::ImportSectionReader<'_>,
    ) -> Result<(), Error> {
        let mut functions = self.imports.clone().into_iter();
        for import in imports.into_imports() {
            let import = import?;
            let is_function = matches!(import.ty, TypeRef::Func(_) | TypeRef::FuncExact(_));
            if is_function && matches!(functions.next(), Some(Imported::Stub { .. })) {
                continue;
            }
            self.parse_import(section, import)?;
        }
        Ok(())
    }

    fn parse_function_section(
        &mut self,
        section: &mut FunctionSection,
        functions: wasmparser::FunctionSectionReader<'_>,
    ) -> Result<(), Error> {
        for ty in functions {
            section.function(self.type_index(ty?)?);
        }
        for ty in self.types() {
            section.function(ty);
        }
        Ok(())
    }

    fn parse_code_section(
        &mut self,
        code: &mut CodeSection,
        section: wasmparser::CodeSectionReader<'_>,
    ) -> Result<(), Error> {
        for body in section {
            self.parse_function_body(code, body?)?;
        }
        for _ in self.types() {
            let mut stub = Function::new([]);
            stub.instructions().unreachable().end();
            code.function(&stub);
        }
        Ok(())
    }
}
