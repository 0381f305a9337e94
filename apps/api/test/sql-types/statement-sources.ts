import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'oxc-parser';

/** A template that declares its rows or value: sql<Row>`…`. */
export type StatementSource = {
  file: string;
  line: number;
  template: readonly string[];
  kind: 'statement' | 'named value' | 'expression';
  declared: { text: string; start: number; end: number };
};

export const sourceFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test|\.d)\.ts$/.test(file))
    .map((file) => file.replaceAll(path.sep, '/'))
    .sort();

export const statementsIn = (folder: string): StatementSource[] =>
  sourceFiles(folder).flatMap((file) => statementsOf(file, readFileSync(path.join(folder, file), 'utf8')));

const scalar = /^(string|number|boolean|unknown|Date)( \| null)?$/;

export function statementsOf(file: string, text: string): StatementSource[] {
  const sources: StatementSource[] = [];
  const { program } = parseSync(file, text);
  const parts = new Set<number>();
  walk(program, (node) => {
    const { object, property } = node as Member;
    if (node.type === 'MemberExpression' && property.name === 'as') parts.add(object.start);
  });
  walk(program, (node) => {
    const { tag, typeArguments, quasi } = node as TaggedTemplate;
    if (node.type !== 'TaggedTemplateExpression' || tag.name !== 'sql' || !typeArguments) return;
    const [{ start, end }] = typeArguments.params;
    const declared = { text: text.slice(start, end), start, end };
    const kind = parts.has(node.start)
      ? 'named value'
      : scalar.test(declared.text)
        ? 'expression'
        : 'statement';
    const template = quasi.quasis.map(({ value }) => value.cooked);
    sources.push({ file, line: text.slice(0, node.start).split('\n').length, template, kind, declared });
  });
  return sources;
}

type Node = { type: string; start: number; end: number };
type TaggedTemplate = Node & {
  tag: { name?: string };
  typeArguments: { params: [Node] } | null;
  quasi: { quasis: { value: { cooked: string } }[] };
};

type Member = Node & { object: Node; property: { name?: string } };

function walk(value: unknown, visit: (node: Node) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) walk(item, visit);
    return;
  }
  if ('type' in value && typeof value.type === 'string') visit(value as Node);
  for (const child of Object.values(value)) walk(child, visit);
}
