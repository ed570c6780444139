// What one needs to write an adapter of one's own and to know ours: types, the registry, the conformance cases. Imports no framework.
export type { Adapter, Prepared, SettingsName, Shape, ShapeName, Terms, ToolStub } from './adapter.ts';
export type { ConformanceCase } from './conformance.ts';
export { CONFORMANCE_CASES, CONFORMANCE_SKIPS } from './conformance.ts';
export type { Seen } from './conformance-checks.ts';
export type { AdapterEntry } from './registry.ts';
export { ADAPTERS, adapterModule, findAdapter, installCommand, missingPackages } from './registry.ts';
