import { i18n } from '@lingui/core';
import { contract } from '@nearhand/contract/contract';
import { type FieldIssue, fieldIssueOf, type SchemaIssue } from '@nearhand/contract/field-issues.rules';
import { beforeAll, describe, expect, it } from 'vitest';
import { ApiError } from './api-error.ts';
import { errorMessages, errorText } from './error.labels.ts';

type Schema = {
  _zod?: { def: Record<string, unknown> & { type: string } };
  safeParse: (value: unknown) => { error?: { issues: SchemaIssue[] } };
};
type Leaf = { operation: string; path: string[]; schema: Schema };

const wrappers = ['optional', 'nullable', 'default', 'nonoptional', 'readonly', 'catch', 'prefault'];

/** Every text and number in the input of an operation, with the checks of the texts and lists around them. */
function leavesOf(operation: string, schema: Schema | undefined, path: string[] = []): Leaf[] {
  const def = schema?._zod?.def;
  if (!schema || !def) return [];
  const inner = (next: unknown, name?: string) =>
    leavesOf(operation, next as Schema, name === undefined ? path : [...path, name]);
  if (wrappers.includes(def.type)) return inner(def.innerType);
  if (def.type === 'pipe') return inner(def.in);
  if (def.type === 'union') return (def.options as unknown[]).flatMap((option) => inner(option));
  if (def.type === 'array') return [{ operation, path, schema }, ...inner(def.element, '0')];
  if (def.type === 'object')
    return Object.entries(def.shape as Record<string, unknown>).flatMap(([name, field]) =>
      inner(field, name),
    );
  return def.type === 'string' || def.type === 'number' ? [{ operation, path, schema }] : [];
}

type Procedure = { '~orpc': { inputSchema?: Schema; meta: { access?: string }; route: { method?: string } } };

function leavesIn(router: object, names: string[] = []): Leaf[] {
  if ('~orpc' in router) {
    const { inputSchema, meta, route } = (router as Procedure)['~orpc'];
    // Staff read operators' input in English, and a GET's input comes from addresses.
    return route.method === 'GET' || meta.access === 'operator' ? [] : leavesOf(names.join('.'), inputSchema);
  }
  return Object.entries(router).flatMap(([name, part]) => leavesIn(part as object, [...names, name]));
}

/** Fields that a device fills, or a control other than a text field. */
const neverTyped =
  /^(returnTo|expects|version|at|sentAt|accuracyM|token|seq|deliveredSeq|readSeq|endpoint|p256dh|auth|article|replyTo|id|rawId|clientDataJSON|attestationObject|transports|authenticatorData|signature|userHandle|page|topics|refs|ids)$|Ids?$/;
const bad = [
  '',
  ' ',
  'x',
  'x'.repeat(200_000),
  '\u0000',
  -1e15,
  1e15,
  0.5,
  undefined,
  Array(5_000).fill('x'),
  [],
];

const typed = leavesIn(contract).filter(({ path }) => {
  const name = path.filter((part) => !/^\d+$/.test(part)).at(-1) ?? '';
  return !neverTyped.test(name) && !path.some((part) => neverTyped.test(part));
});

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));

describe('what the server refuses in an input', () => {
  it('covers the operations that forms send to', () => {
    expect(new Set(typed.map(({ operation }) => operation)).size).toBeGreaterThan(50);
  });

  it('is named by its field, with how to fix it', () => {
    const vague = new Set<string>();
    const nameless = new Set<string>();
    let refused = 0;
    for (const { operation, path, schema } of typed)
      for (const value of bad)
        for (const issue of schema.safeParse(value).error?.issues ?? []) {
          refused += 1;
          const own: FieldIssue = { ...fieldIssueOf(issue), path: path.join('.') };
          const text = errorText(new ApiError('request/invalid', { data: { issues: [own] } }));
          if (!own.rule) vague.add(`${operation} ${own.path}: ${issue.message}`);
          if (!text.includes(': ')) nameless.add(own.path);
          expect(text).not.toBe(errorMessages['request/invalid'].message);
        }
    expect(refused).toBeGreaterThan(500);
    expect([...vague]).toEqual([]);
    expect([...nameless]).toEqual([]);
  });
});
