//! The mapping from the indices of a module to those of the merged module.

use super::INVALID;
use anyhow::{Result, bail};
use std::fmt;
use wasm_encoder::ConstExpr;
use wasm_encoder::reencode::{Error, Reencode, utils};
use wasmparser::{ExternalKind, Operator};

/// A function, table, memory or global of the merged module.
#[derive(Clone, Copy)]
pub(super) struct Item {
    pub kind: ExternalKind,
    pub index: u32,
    /// The value of a global, if it is known and never changes.
    pub value: Option<i32>,
}

/// Items, by their indices in a module or in the component itself.
#[derive(Default)]
pub(super) struct Items {
    functions: Vec<Item>,
    tables: Vec<Item>,
    memories: Vec<Item>,
    globals: Vec<Item>,
}

impl Items {
    pub(super) fn push(&mut self, item: Item) -> Result<()> {
        match item.kind {
            ExternalKind::Func | ExternalKind::FuncExact => self.functions.push(item),
            ExternalKind::Table => self.tables.push(item),
            ExternalKind::Memory => self.memories.push(item),
            ExternalKind::Global => self.globals.push(item),
            ExternalKind::Tag => bail!("its modules share exceptions, which cannot be merged"),
        }
        Ok(())
    }

    pub(super) fn get(&self, kind: ExternalKind, index: u32) -> Option<Item> {
        let items = match kind {
            ExternalKind::Func | ExternalKind::FuncExact => &self.functions,
            ExternalKind::Table => &self.tables,
            ExternalKind::Memory => &self.memories,
            ExternalKind::Global => &self.globals,
            ExternalKind::Tag => return None,
        };
        items.get(usize::try_from(index).ok()?).copied()
    }
}

/// The indices of one module, mapped to those of the merged module.
pub(super) struct Scope {
    pub items: Items,
    /// The number of types in the merged module before this module's own.
    pub types: u32,
    pub elements: u32,
    pub data: u32,
}

impl Scope {
    pub(super) fn define(&mut self, kind: ExternalKind, index: u32) -> Result<()> {
        self.items.push(Item { kind, index, value: None })
    }

    fn index(&self, kind: ExternalKind, index: u32) -> Result<u32, Error<Dangling>> {
        self.items.get(kind, index).map(|item| item.index).ok_or(Error::UserError(Dangling))
    }

    /// Returns the value of a constant expression, if all its parts are known.
    pub(super) fn value(&self, expression: &wasmparser::ConstExpr<'_>) -> wasmparser::Result<Option<i32>> {
        let mut stack = Vec::new();
        for operator in expression.get_operators_reader() {
            let value = match operator? {
                Operator::I32Const { value } => Some(value),
                Operator::GlobalGet { global_index } => {
                    self.items.get(ExternalKind::Global, global_index).and_then(|global| global.value)
                }
                Operator::I32Add => {
                    stack.pop().zip(stack.pop()).map(|(right, left): (i32, i32)| left.wrapping_add(right))
                }
                Operator::End => break,
                _ => None,
            };
            let Some(value) = value else { return Ok(None) };
            stack.push(value);
        }
        Ok(stack.pop())
    }
}

impl Reencode for Scope {
    type Error = Dangling;

    fn type_index(&mut self, index: u32) -> Result<u32, Error<Dangling>> {
        Ok(self.types + index)
    }

    fn function_index(&mut self, index: u32) -> Result<u32, Error<Dangling>> {
        self.index(ExternalKind::Func, index)
    }

    fn table_index(&mut self, index: u32) -> Result<u32, Error<Dangling>> {
        self.index(ExternalKind::Table, index)
    }

    fn memory_index(&mut self, index: u32) -> Result<u32, Error<Dangling>> {
        self.index(ExternalKind::Memory, index)
    }

    fn global_index(&mut self, index: u32) -> Result<u32, Error<Dangling>> {
        self.index(ExternalKind::Global, index)
    }

    fn element_index(&mut self, index: u32) -> Result<u32, Error<Dangling>> {
        Ok(self.elements + index)
    }

    fn data_index(&mut self, index: u32) -> Result<u32, Error<Dangling>> {
        Ok(self.data + index)
    }

    /// Replaces an expression by its value if that is known, as for a global that is imported from another of the
    /// merged modules. This is necessary because an engine initializes a table or a memory in advance only if the
    /// offset is constant.
    fn const_expr(&mut self, expression: wasmparser::ConstExpr<'_>) -> Result<ConstExpr, Error<Dangling>> {
        match self.value(&expression)? {
            Some(value) => Ok(ConstExpr::i32_const(value)),
            None => utils::const_expr(self, expression),
        }
    }
}

/// The error for an index in a module that refers to nothing.
#[derive(Debug)]
pub(super) struct Dangling;

impl fmt::Display for Dangling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(INVALID)
    }
}

impl std::error::Error for Dangling {}
