import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import ts from 'typescript';

/** Stripe's message for a request that its own types refuse. */
export type Misuse = {
  code: 'parameter_unknown' | 'parameter_missing' | 'parameter_invalid';
  param: string;
  message: string;
};

type Found = { node: ts.InterfaceDeclaration | ts.TypeAliasDeclaration; file: string; scope: string };

const folder = path.resolve(createRequire(import.meta.url).resolve('stripe'), '../../esm');

const files = new Map<string, Map<string, Found>>();

/** The declarations of a file by their name with its namespaces, such as `PayoutCreateParams.Method`. */
function declarationsOf(file: string): Map<string, Found> {
  const cached = files.get(file);
  if (cached) return cached;
  const names = new Map<string, Found>();
  const source = ts.createSourceFile(
    file,
    readFileSync(path.join(folder, file), 'utf8'),
    ts.ScriptTarget.Latest,
  );
  const visit = (statements: readonly ts.Statement[], scope: string): void => {
    for (const node of statements)
      if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node))
        names.set(scope + node.name.text, { node, file, scope });
      else if (ts.isModuleDeclaration(node) && node.body && ts.isModuleBlock(node.body))
        visit(node.body.statements, `${scope}${node.name.text}.`);
  };
  visit(source.statements, '');
  files.set(file, names);
  return names;
}

function find(name: string, { file, scope }: Pick<Found, 'file' | 'scope'>): Found | null {
  for (let at = scope; ; at = at.replace(/[^.]+\.$/, '')) {
    const hit = declarationsOf(file).get(at + name);
    if (hit) return hit;
    if (at === '') break;
  }
  return file === 'shared.d.ts' ? null : (declarationsOf('shared.d.ts').get(name) ?? null);
}

/**
 * Checks parameters against the SDK's own parameter types, read from its declarations, so they can't differ from the
 * installed version. `isForm`: of a form or a query, where every value is text.
 */
export function misuseOf(
  { file, type, isForm }: { file: string; type: string; isForm: boolean },
  params: unknown,
): Misuse | null {
  const at = `resources/${file}.d.ts`;
  const root = declarationsOf(at).get(type);
  if (!root) throw new Error(`${type} is not in ${at}`);
  return checkNamed(root, params, '', isForm);
}

const invalid = (param: string, what: string): Misuse => ({
  code: 'parameter_invalid',
  param,
  message: `Invalid ${param}: must be ${what}`,
});

function checkNamed(named: Found, value: unknown, at: string, isForm: boolean): Misuse | null {
  if (ts.isTypeAliasDeclaration(named.node)) return check(named.node.type, named, value, at, isForm);
  const isIndexed = named.node.members.some(ts.isIndexSignatureDeclaration);
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return invalid(at, 'an object');
  const members = membersOf(named);
  for (const [name, inner] of Object.entries(value)) {
    const where = at === '' ? name : `${at}[${name}]`;
    const member = members.get(name);
    if (!member && isIndexed) {
      if (isForm && typeof inner !== 'string') return invalid(where, 'a string');
      continue;
    }
    if (!member)
      return { code: 'parameter_unknown', param: where, message: `Received unknown parameter: ${where}` };
    const problem = check(member.type, member.found, inner, where, isForm);
    if (problem) return problem;
  }
  for (const [name, member] of members)
    if (!member.isOptional && !(name in value)) {
      const where = at === '' ? name : `${at}[${name}]`;
      return { code: 'parameter_missing', param: where, message: `Missing required param: ${where}.` };
    }
  return null;
}

type Member = { type: ts.TypeNode; isOptional: boolean; found: Found };

function membersOf(named: Found): Map<string, Member> {
  const members = new Map<string, Member>();
  if (!ts.isInterfaceDeclaration(named.node)) return members;
  for (const { types } of named.node.heritageClauses ?? [])
    for (const { expression } of types) {
      const base = find((expression as ts.Identifier).text, named);
      if (base) for (const [name, member] of membersOf(base)) members.set(name, member);
    }
  for (const member of named.node.members)
    if (ts.isPropertySignature(member) && member.type)
      members.set((member.name as ts.Identifier).text, {
        type: member.type,
        isOptional: member.questionToken !== undefined,
        found: named,
      });
  return members;
}

const nameOf = (name: ts.EntityName): string =>
  ts.isIdentifier(name) ? name.text : `${nameOf(name.left)}.${name.right.text}`;

function check(node: ts.TypeNode, named: Found, value: unknown, at: string, isForm: boolean): Misuse | null {
  if (ts.isUnionTypeNode(node)) {
    const problems = node.types.map((type) => check(type, named, value, at, isForm));
    return problems.some((problem) => problem === null) ? null : (problems.at(-1) ?? null);
  }
  if (ts.isLiteralTypeNode(node)) {
    if (node.literal.kind === ts.SyntaxKind.NullKeyword)
      return value === null || (isForm && value === '') ? null : invalid(at, 'null');
    const truth = String(node.literal.kind === ts.SyntaxKind.TrueKeyword);
    const text = ts.isStringLiteral(node.literal) ? node.literal.text : truth;
    return String(value) === text ? null : invalid(at, `one of the documented values, not ${String(value)}`);
  }
  switch (node.kind) {
    case ts.SyntaxKind.StringKeyword:
      return typeof value === 'string' ? null : invalid(at, 'a string');
    case ts.SyntaxKind.NumberKeyword:
      return (isForm ? typeof value === 'string' && /^-?\d+$/.test(value) : Number.isSafeInteger(value))
        ? null
        : invalid(at, 'an integer');
    case ts.SyntaxKind.BooleanKeyword:
      return (isForm ? value === 'true' || value === 'false' : typeof value === 'boolean')
        ? null
        : invalid(at, 'a boolean');
    case ts.SyntaxKind.TypeLiteral:
      return value !== null && typeof value === 'object' ? null : invalid(at, 'an object');
    case ts.SyntaxKind.IntersectionType:
      return invalid(at, 'a documented value');
  }
  if (!ts.isTypeReferenceNode(node)) return null;
  const name = nameOf(node.typeName);
  const [inner] = node.typeArguments ?? [];
  // An enum that may grow: Stripe still refuses a value that it does not know.
  if (name === 'OtherString') return invalid(at, `one of the documented values, not ${String(value)}`);
  if (name === 'Array' && inner) {
    const items: unknown[] = Array.isArray(value) ? value : [];
    if (!Array.isArray(value)) return invalid(at, 'an array');
    for (const [index, item] of items.entries()) {
      const problem = check(inner, named, item, `${at}[${index}]`, isForm);
      if (problem) return problem;
    }
    return null;
  }
  if (name === 'Emptyable' && inner)
    return value === '' || value === null ? null : check(inner, named, value, at, isForm);
  const declared = find(name, named);
  return declared ? checkNamed(declared, value, at, isForm) : null;
}

/** Reads `a[b][0]=c` as Stripe does. */
/** The fields of a multipart form, a file as its bytes in latin1. */
export function readUpload(text: string): Record<string, string> {
  const mark = text.slice(0, text.indexOf('\r\n'));
  const fields: Record<string, string> = {};
  for (const part of text.split(mark).slice(1, -1)) {
    const [head = '', ...rest] = part.split('\r\n\r\n');
    const [, name] = /name="([^"]+)"/.exec(head) ?? [];
    if (name) fields[name] = rest.join('\r\n\r\n').replace(/\r\n$/, '');
  }
  return fields;
}

export function readForm(text: string): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const steps = name.replaceAll(']', '').split('[');
    let at: Record<string, unknown> = root;
    for (const step of steps.slice(0, -1)) {
      at[step] ??= {};
      at = at[step] as Record<string, unknown>;
    }
    at[steps.at(-1) ?? ''] = value;
  }
  return withArrays(root) as Record<string, unknown>;
}

function withArrays(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, withArrays(inner)] as const);
  return entries.length > 0 && entries.every(([name], index) => name === String(index) || name === '')
    ? entries.map(([, inner]) => inner)
    : Object.fromEntries(entries);
}
