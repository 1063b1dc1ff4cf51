//! The merging of a component's core modules, which share a memory, into one core module.
//!
//! An interpreter comes in several modules: the interpreter itself, its libraries, and the author's part. For each
//! call, an engine sets all of them up: it resolves their imports from each other, and fills a table with thousands of
//! functions. For a single module, the engine knows all that at compile time.

mod outside;
mod scope;

use crate::Power;
use anyhow::{Context, Result, bail};
use outside::{Imported, OUTSIDE, Outside};
use scope::{Item, Items, Scope};
use std::collections::HashMap;
use wasm_encoder::reencode::Reencode;
use wasm_encoder::{
    CodeSection, DataCountSection, DataSection, ElementSection, EntityType, ExportKind, ExportSection, FunctionSection,
    GlobalSection, ImportSection, MemorySection, Module, TableSection, TypeSection,
};
use wasmparser::{
    CanonicalFunction, CanonicalOption, ComponentAlias, ExternalKind, Instance, Parser, Payload, TypeRef,
};

/// Merges the core modules of a component into one core module. The result exports the functions that the component
/// lifts, under the names of the canonical ABI, and imports those functions of these powers that the component lowers.
/// Custom sections are dropped.
///
/// # Errors
/// Returns an error if the input is not a valid component, if its modules use anything else from outside the component,
/// or if one of them has a start function.
pub fn merge(component: &[u8], powers: &[Power<'_>]) -> Result<Vec<u8>> {
    if !Parser::is_component(component) {
        bail!(INVALID);
    }
    let outside = Outside::of(component, powers)?;
    let mut linker = Linker { merged: Merged::with_imports(outside.functions), ..Linker::default() };
    let mut lowered = outside.lowered.into_iter();
    let mut depth = 0;
    for payload in Parser::new(0).parse_all(component) {
        match payload.context(INVALID)? {
            Payload::Version { .. } => depth += 1,
            Payload::End(_) => depth -= 1,
            // Nested components only give names to what this component lifts.
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
                    match function? {
                        CanonicalFunction::Lift { core_func_index, options, .. } => {
                            linker.lift(core_func_index, &options)?;
                        }
                        CanonicalFunction::Lower { options, .. } => linker.lower(lowered.next(), &options)?,
                        _ => linker.lower(lowered.next(), &[])?,
                    }
                }
            }
            _ => {}
        }
    }
    linker.merged.finish()
}

const INVALID: &str = "it is not a valid component";

/// The exports of a core module's instance.
type Exports<'a> = HashMap<&'a str, Item>;

/// The state of reading a component.
#[derive(Default)]
struct Linker<'a> {
    modules: Vec<&'a [u8]>,
    instances: Vec<Exports<'a>>,
    items: Items,
    /// The original names of the component's core functions; `None` for a function that the component imports.
    names: Vec<Option<&'a str>>,
    merged: Merged<'a>,
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
            self.names.push(Some(name));
        }
        self.items.push(item)
    }

    fn lift(&mut self, function: u32, options: &[CanonicalOption]) -> Result<()> {
        self.export_function(function, None)?;
        options.iter().try_for_each(|option| self.export_option(option))
    }

    /// Exports the function or memory that an option names. A merged module has one memory and one allocator, through
    /// which calls in both directions pass their values.
    fn export_option(&mut self, option: &CanonicalOption) -> Result<()> {
        match option {
            CanonicalOption::PostReturn(index) => self.export_function(*index, None),
            CanonicalOption::Realloc(index) => self.export_function(*index, Some("cabi_realloc")),
            CanonicalOption::Memory(index) => {
                let memory = self.items.get(ExternalKind::Memory, *index).context(INVALID)?;
                self.merged.export("memory", ExportKind::Memory, memory)
            }
            _ => Ok(()),
        }
    }

    /// Makes a core function from the import at this position.
    fn lower(&mut self, import: Option<usize>, options: &[CanonicalOption]) -> Result<()> {
        use CanonicalOption::{Memory, Realloc, UTF8};
        // The canonical ABI of the world has no other options, and the merged module could not express them.
        if !options.iter().all(|option| matches!(option, Memory(_) | Realloc(_) | UTF8)) {
            bail!(OUTSIDE);
        }
        let index = u32::try_from(import.context(INVALID)?)?;
        options.iter().try_for_each(|option| self.export_option(option))?;
        self.names.push(None);
        self.items.push(Item { kind: ExternalKind::Func, index, value: None })
    }

    fn export_function(&mut self, index: u32, name: Option<&str>) -> Result<()> {
        let function = self.items.get(ExternalKind::Func, index).context(INVALID)?;
        let own_name = self.names.get(usize::try_from(index)?).context(INVALID)?.context(OUTSIDE)?;
        self.merged.export(name.unwrap_or(own_name), ExportKind::Func, function)
    }
}

/// The merged module.
#[derive(Default)]
struct Merged<'a> {
    /// The imported functions, which come before all others, each with the index of its type once a module has used it.
    imports: Vec<(Imported<'a>, Option<u32>)>,
    types: TypeSection,
    /// The number of types. The section counts a whole group as one.
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

impl<'a> Merged<'a> {
    fn with_imports(functions: Vec<Imported<'a>>) -> Self {
        Merged { imports: functions.into_iter().map(|function| (function, None)).collect(), ..Merged::default() }
    }

    /// Adds an instance of a module, which takes its imports from the given instances. Returns its exports.
    fn add(&mut self, module: &'a [u8], given: &HashMap<&str, &Exports<'_>>) -> Result<Exports<'a>> {
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
                        let item = *item.context(INVALID)?;
                        if let TypeRef::Func(ty) | TypeRef::FuncExact(ty) = import.ty
                            && let Some((_, known)) = self.imports.get_mut(usize::try_from(item.index)?)
                        {
                            *known = Some(scope.type_index(ty)?);
                        }
                        scope.items.push(item)?;
                    }
                }
                Payload::FunctionSection(functions) => {
                    for function in functions {
                        scope.define(ExternalKind::Func, u32::try_from(self.imports.len())? + self.functions.len())?;
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

    /// Exports an item. It may be exported several times, because lifted functions may share a memory and an allocator.
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

    fn finish(self) -> Result<Vec<u8>> {
        let mut module = Module::new();
        module.section(&self.types);
        if !self.imports.is_empty() {
            let mut imports = ImportSection::new();
            for (Imported { module, name }, ty) in &self.imports {
                let ty = ty.with_context(|| format!("it imports `{name}` for none of its modules"))?;
                imports.import(module, name, EntityType::Function(ty));
            }
            module.section(&imports);
        }
        module.section(&self.functions).section(&self.tables).section(&self.memories);
        module.section(&self.globals).section(&self.exports).section(&self.elements);
        module.section(&DataCountSection { count: self.data.len() }).section(&self.code).section(&self.data);
        Ok(module.finish())
    }
}
