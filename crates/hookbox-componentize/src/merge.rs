//! Merges a component's core modules that share a memory into one core module.
//!
//! An interpreter comes in several modules: itself, its libraries, and the author's part. For each call, an engine sets
//! all of them up: it resolves their imports from each other, and fills a table with thousands of functions. For a
//! single module, it knows all that at compile time.

use anyhow::{Context, Result, bail};
use std::collections::HashMap;
use std::fmt;
use wasm_encoder::reencode::{Error, Reencode, utils};
use wasm_encoder::{
    CodeSection, ConstExpr, DataCountSection, DataSection, ElementSection, ExportKind, ExportSection, FunctionSection,
    GlobalSection, MemorySection, Module, TableSection, TypeSection,
};
use wasmparser::{
    CanonicalFunction, CanonicalOption, ComponentAlias, ExternalKind, Instance, Operator, Parser, Payload,
};

/// Merges the core modules of a component into one. The result exports what the component lifts, under the names of the
/// canonical ABI, and imports nothing. Custom sections are dropped.
///
/// # Errors
/// The input is not a valid component, its modules use something outside of it, or one of them has a start function.
pub fn merge(component: &[u8]) -> Result<Vec<u8>> {
    if !Parser::is_component(component) {
        bail!(INVALID);
    }
    let mut linker = Linker::default();
    let mut depth = 0;
    for payload in Parser::new(0).parse_all(component) {
        match payload.context(INVALID)? {
            Payload::Version { .. } => depth += 1,
            Payload::End(_) => depth -= 1,
            // Nested components only name what is lifted out here.
            _ if depth > 1 => {}
            Payload::ModuleSection { unchecked_range: range, .. } => {
                let range = usize::try_from(range.start)?..usize::try_from(range.end)?;
                linker.modules.push(component.get(range).context(INVALID)?);
            }
            Payload::InstanceSection(instances) => {
                for instance in instances {
                    linker.instantiate(instance?)?;
                }
            }
            Payload::ComponentAliasSection(aliases) => {
                for alias in aliases {
                    linker.alias(&alias?)?;
                }
            }
            Payload::ComponentCanonicalSection(functions) => {
                for function in functions {
                    linker.lift(&function?)?;
                }
            }
            _ => {}
        }
    }
    Ok(linker.merged.finish())
}

const INVALID: &str = "it is no valid component";

/// A function, table, memory or global of the merged module.
#[derive(Clone, Copy)]
struct Item {
    kind: ExternalKind,
    index: u32,
    /// The value of a global, if it is known and never changes.
    value: Option<i32>,
}

/// Items by their indices in a module, or in the component itself.
#[derive(Default)]
struct Items {
    functions: Vec<Item>,
    tables: Vec<Item>,
    memories: Vec<Item>,
    globals: Vec<Item>,
}

impl Items {
    fn push(&mut self, item: Item) -> Result<()> {
        match item.kind {
            ExternalKind::Func | ExternalKind::FuncExact => self.functions.push(item),
            ExternalKind::Table => self.tables.push(item),
            ExternalKind::Memory => self.memories.push(item),
            ExternalKind::Global => self.globals.push(item),
            ExternalKind::Tag => bail!("its modules share exceptions, which cannot be merged"),
        }
        Ok(())
    }

    fn get(&self, kind: ExternalKind, index: u32) -> Option<Item> {
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

/// The exports of a core module's instance.
type Exports<'a> = HashMap<&'a str, Item>;

/// The state of reading a component.
#[derive(Default)]
struct Linker<'a> {
    modules: Vec<&'a [u8]>,
    instances: Vec<Exports<'a>>,
    items: Items,
    /// The original names of the component's functions.
    names: Vec<&'a str>,
    merged: Merged,
}

impl<'a> Linker<'a> {
    fn instantiate(&mut self, instance: Instance<'a>) -> Result<()> {
        let exports = match instance {
            Instance::FromExports(exports) => {
                let item = |kind, index| self.items.get(kind, index).context(INVALID);
                exports
                    .iter()
                    .map(|export| Ok((export.name, item(export.kind, export.index)?)))
                    .collect::<Result<_>>()?
            }
            Instance::Instantiate { module_index, args } => {
                let module = self.modules.get(usize::try_from(module_index)?).context(INVALID)?;
                let mut given = HashMap::new();
                for arg in &args {
                    given.insert(arg.name, self.instances.get(usize::try_from(arg.index)?).context(INVALID)?);
                }
                self.merged.add(module, &given)?
            }
        };
        self.instances.push(exports);
        Ok(())
    }

    fn alias(&mut self, alias: &ComponentAlias<'a>) -> Result<()> {
        let ComponentAlias::CoreInstanceExport { instance_index, name, .. } = alias else { return Ok(()) };
        let exports = self.instances.get(usize::try_from(*instance_index)?).context(INVALID)?;
        let item = *exports.get(name).context(INVALID)?;
        if matches!(item.kind, ExternalKind::Func | ExternalKind::FuncExact) {
            self.names.push(name);
        }
        self.items.push(item)
    }

    fn lift(&mut self, function: &CanonicalFunction) -> Result<()> {
        let CanonicalFunction::Lift { core_func_index, options, .. } = function else {
            bail!("its modules use what is outside of them, so that they cannot be merged");
        };
        self.export_function(*core_func_index, None)?;
        for option in options {
            match option {
                CanonicalOption::PostReturn(index) => self.export_function(*index, None)?,
                CanonicalOption::Realloc(index) => self.export_function(*index, Some("cabi_realloc"))?,
                CanonicalOption::Memory(index) => {
                    let memory = self.items.get(ExternalKind::Memory, *index).context(INVALID)?;
                    self.merged.export("memory", ExportKind::Memory, memory)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn export_function(&mut self, index: u32, name: Option<&str>) -> Result<()> {
        let function = self.items.get(ExternalKind::Func, index).context(INVALID)?;
        let own_name = self.names.get(usize::try_from(index)?).context(INVALID)?;
        self.merged.export(name.unwrap_or(own_name), ExportKind::Func, function)
    }
}

/// The merged module.
#[derive(Default)]
struct Merged {
    types: TypeSection,
    /// The number of types; in the section, a group counts as one.
    types_count: u32,
    functions: FunctionSection,
    tables: TableSection,
    memories: MemorySection,
    globals: GlobalSection,
    exports: ExportSection,
    exported: HashMap<String, u32>,
    elements: ElementSection,
    code: CodeSection,
    data: DataSection,
}

impl Merged {
    /// Adds an instance of a module, which takes its imports from the given instances. Returns its exports.
    fn add<'a>(&mut self, module: &'a [u8], given: &HashMap<&str, &Exports<'_>>) -> Result<Exports<'a>> {
        let (types, elements, data) = (self.types_count, self.elements.len(), self.data.len());
        let mut scope = Scope { items: Items::default(), types, elements, data };
        let mut exports = Exports::new();
        for payload in Parser::new(0).parse_all(module) {
            match payload? {
                Payload::TypeSection(types) => {
                    for group in types.clone() {
                        self.types_count += u32::try_from(group?.types().len())?;
                    }
                    scope.parse_type_section(&mut self.types, types)?;
                }
                Payload::ImportSection(imports) => {
                    for import in imports.into_imports() {
                        let import = import?;
                        let item = given.get(import.module).and_then(|exports| exports.get(import.name));
                        scope.items.push(*item.context(INVALID)?)?;
                    }
                }
                Payload::FunctionSection(functions) => {
                    for function in functions {
                        scope.define(ExternalKind::Func, self.functions.len())?;
                        self.functions.function(scope.type_index(function?)?);
                    }
                }
                Payload::TableSection(tables) => {
                    for table in tables {
                        scope.define(ExternalKind::Table, self.tables.len())?;
                        scope.parse_table(&mut self.tables, table?)?;
                    }
                }
                Payload::MemorySection(memories) => {
                    for memory in memories {
                        scope.define(ExternalKind::Memory, self.memories.len())?;
                        self.memories.memory(scope.memory_type(memory?)?);
                    }
                }
                Payload::GlobalSection(globals) => {
                    for global in globals {
                        let global = global?;
                        let value = if global.ty.mutable { None } else { scope.value(&global.init_expr)? };
                        let index = self.globals.len();
                        scope.parse_global(&mut self.globals, global)?;
                        scope.items.push(Item { kind: ExternalKind::Global, index, value })?;
                    }
                }
                Payload::ExportSection(found) => {
                    for export in found {
                        let export = export?;
                        exports.insert(export.name, scope.items.get(export.kind, export.index).context(INVALID)?);
                    }
                }
                Payload::StartSection { .. } => bail!("one of its modules has a start function, and cannot be merged"),
                Payload::ElementSection(elements) => scope.parse_element_section(&mut self.elements, elements)?,
                Payload::CodeSectionEntry(body) => scope.parse_function_body(&mut self.code, body)?,
                Payload::DataSection(data) => scope.parse_data_section(&mut self.data, data)?,
                _ => {}
            }
        }
        Ok(exports)
    }

    /// Several lifted functions may share a memory and an allocator.
    fn export(&mut self, name: &str, kind: ExportKind, item: Item) -> Result<()> {
        match self.exported.insert(name.to_owned(), item.index) {
            None => {
                self.exports.export(name, kind, item.index);
            }
            Some(index) if index == item.index => {}
            Some(_) => bail!("it has two of `{name}`, and cannot be merged"),
        }
        Ok(())
    }

    fn finish(self) -> Vec<u8> {
        let mut module = Module::new();
        module.section(&self.types).section(&self.functions).section(&self.tables).section(&self.memories);
        module.section(&self.globals).section(&self.exports).section(&self.elements);
        module.section(&DataCountSection { count: self.data.len() }).section(&self.code).section(&self.data);
        module.finish()
    }
}

/// Maps the indices of a module to those of the merged one.
struct Scope {
    items: Items,
    /// The number of types before the module's own.
    types: u32,
    elements: u32,
    data: u32,
}

impl Scope {
    fn define(&mut self, kind: ExternalKind, index: u32) -> Result<()> {
        self.items.push(Item { kind, index, value: None })
    }

    fn index(&self, kind: ExternalKind, index: u32) -> Result<u32, Error<Dangling>> {
        self.items.get(kind, index).map(|item| item.index).ok_or(Error::UserError(Dangling))
    }

    /// The value of a constant expression, if all its parts are known.
    fn value(&self, expression: &wasmparser::ConstExpr<'_>) -> wasmparser::Result<Option<i32>> {
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

    /// A global imported from another module is known once the modules are merged, and its value must be used: an
    /// engine only initializes a table or a memory in advance if the offset is constant.
    fn const_expr(&mut self, expression: wasmparser::ConstExpr<'_>) -> Result<ConstExpr, Error<Dangling>> {
        match self.value(&expression)? {
            Some(value) => Ok(ConstExpr::i32_const(value)),
            None => utils::const_expr(self, expression),
        }
    }
}

/// An index in a module that refers to nothing.
#[derive(Debug)]
struct Dangling;

impl fmt::Display for Dangling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(INVALID)
    }
}

impl std::error::Error for Dangling {}
