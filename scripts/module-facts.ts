// What a compiled module imports and which forbidden clocks it reads, from its syntax tree: a regular expression would also read comments and strings.
// Not for TypeScript sources; the checks look at what really runs.
import { parseSync } from 'vite';

export interface ModuleFacts {
  /** Specifiers of static imports and re-exports. */
  readonly imports: readonly string[];
  /** Specifiers of `import('…')` and of `new URL('…', import.meta.url)`: loaded later, or by a child process. */
  readonly lateImports: readonly string[];
  /** Source text of dynamic imports whose target is computed. */
  readonly computedImports: readonly string[];
  /** `Date.now`, `performance.now`, `Math.random`. */
  readonly ambientReads: readonly string[];
}

interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

const AMBIENT = new Set(['Date.now', 'performance.now', 'Math.random']);

export function readModuleFacts(file: string, text: string): ModuleFacts {
  const facts = { imports: [] as string[], lateImports: [] as string[], computedImports: [] as string[], ambientReads: [] as string[] };
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} does not parse: ${errors[0]?.message}`);
  visit(program, (node) => {
    const source = literalOf(node['source']);
    switch (node.type) {
      case 'ImportDeclaration':
      case 'ExportAllDeclaration':
      case 'ExportNamedDeclaration':
        if (source !== undefined) facts.imports.push(source);
        return;
      case 'ImportExpression':
        if (source === undefined) facts.computedImports.push(text.slice(node.start, node.end));
        else facts.lateImports.push(source);
        return;
      case 'NewExpression': {
        const [first, base] = node['arguments'] as readonly SyntaxNode[];
        const target = literalOf(first);
        if (textOf(text, node['callee']) === 'URL' && target !== undefined && textOf(text, base) === 'import.meta.url') facts.lateImports.push(target);
        return;
      }
      case 'MemberExpression': {
        const read = textOf(text, node);
        if (AMBIENT.has(read)) facts.ambientReads.push(read);
        return;
      }
      default:
    }
  });
  return facts;
}

function visit(value: unknown, see: (node: SyntaxNode) => void): void {
  if (Array.isArray(value)) for (const entry of value) visit(entry, see);
  if (!isNode(value)) return;
  see(value);
  for (const child of Object.values(value)) if (typeof child === 'object' && child !== null) visit(child, see);
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function literalOf(value: unknown): string | undefined {
  if (!isNode(value)) return undefined;
  if (value.type === 'TemplateLiteral') {
    const quasis = value['quasis'] as readonly { readonly value: { readonly cooked: string } }[];
    return quasis.length === 1 ? quasis[0]?.value.cooked : undefined;
  }
  return value.type === 'Literal' && typeof value['value'] === 'string' ? value['value'] : undefined;
}

function textOf(text: string, value: unknown): string {
  return isNode(value) ? text.slice(value.start, value.end) : '';
}
