import type { OpenAPI } from '@orpc/contract';
import { typeName } from './contract-names.ts';

type Json = { [key: string]: unknown };
type Named = Record<string, Json>;
type Parts = { schemas: Named; parameters: Named; responses: Named };

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const text = (value: unknown) => JSON.stringify(value);

/** Removes noise, and moves shared parameters, responses and schemas to components. */
export function shortenDocument(
  document: OpenAPI.Document,
  enums: ReadonlyMap<string, string>,
): OpenAPI.Document {
  const { schemas = {}, ...components } = (document.components ?? {}) as unknown as Partial<Parts> & Json;
  const inUse = new Map(
    [...enums].filter(([words, name]) => !schemas[name] || text(schemas[name].enum) === words),
  );
  // A component that is an enum itself keeps its words.
  const short: Named = Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, withoutNoise(schema, inUse) as Json]),
  );
  for (const [words, name] of inUse) short[name] ??= { type: 'string', enum: JSON.parse(words) };
  const rest = withoutNoise({ ...document, components }, inUse) as unknown as { components: Json };
  const parts: Parts = {
    schemas: short,
    parameters: sharedParameters(rest),
    responses: { ...(rest.components.responses as Named), ...sharedAnswers(rest) },
  };
  const shortened = { ...rest, components: { ...rest.components, ...parts } };
  dropUnused(shortened);
  return shortened as unknown as OpenAPI.Document;
}

function withoutNoise(value: unknown, enums: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => reference(item, enums) ?? withoutNoise(item, enums));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, inner]) => inner !== undefined && !saysNothing(key, inner))
      .map(([key, inner]) => [key, reference(inner, enums) ?? withoutNoise(inner, enums)]),
  );
}

function saysNothing(key: string, value: unknown): boolean {
  if (key === 'maximum') return value === Number.MAX_SAFE_INTEGER;
  if (key === 'minimum') return value === Number.MIN_SAFE_INTEGER;
  return (
    (key === 'minLength' && value === 0) ||
    ((key === 'allowEmptyValue' || key === 'allowReserved') && value === true)
  );
}

function reference(value: unknown, enums: ReadonlyMap<string, string>): Json | null {
  if (!isObject(value) || !Array.isArray(value.enum) || value.type !== 'string') return null;
  const name = enums.get(text(value.enum));
  if (name === undefined) return null;
  const { enum: _words, type: _type, ...more } = value;
  return { $ref: `#/components/schemas/${name}`, ...more };
}

type Operation = { parameters?: Json[]; responses: Named };

const operationsOf = (document: Json): Operation[] =>
  Object.values(document.paths as Record<string, Record<string, Operation>>).flatMap((item) =>
    Object.values(item),
  );

function sharedAnswers(document: Json): Named {
  const operations = operationsOf(document);
  const answers = operations.flatMap(({ responses }) =>
    Object.entries(responses).filter(([status]) => status !== 'default'),
  );
  const times = new Map<string, number>();
  for (const [, answer] of answers) times.set(text(answer), (times.get(text(answer)) ?? 0) + 1);
  const shared: Named = {};
  for (const { responses } of operations)
    for (const [status, answer] of Object.entries(responses)) {
      const name = nameOfAnswer(answer);
      if (status === 'default' || name === null || (times.get(text(answer)) ?? 0) < 2) continue;
      shared[name] ??= answer;
      if (text(shared[name]) === text(answer)) responses[status] = { $ref: `#/components/responses/${name}` };
    }
  return shared;
}

function nameOfAnswer({ content }: Json): string | null {
  if (content === undefined) return 'NoContent';
  const { schema } = (content as Record<string, { schema?: Json }>)['application/json'] ?? {};
  return /^#\/components\/schemas\/(.+)$/.exec(String(schema?.$ref ?? ''))?.[1] ?? null;
}

function sharedParameters(document: Json): Named {
  const operations = operationsOf(document);
  const uses = new Map<string, { parameter: Json; times: number }>();
  for (const parameter of operations.flatMap((operation) => operation.parameters ?? [])) {
    const use = uses.get(text(parameter)) ?? { parameter, times: 0 };
    uses.set(text(parameter), { ...use, times: use.times + 1 });
  }
  const shared: Named = {};
  for (const { parameter, times } of [...uses.values()].sort((a, b) => b.times - a.times))
    if (times > 1) shared[typeName(String(parameter.name))] ??= parameter;
  for (const operation of operations)
    operation.parameters = operation.parameters?.map((parameter) => {
      const name = typeName(String(parameter.name));
      return text(shared[name]) === text(parameter) ? { $ref: `#/components/parameters/${name}` } : parameter;
    });
  return shared;
}

function dropUnused(document: { components: Parts & Json }): void {
  const { schemas } = document.components;
  const used = new Set<string>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) visit(item);
    if (!isObject(value)) return;
    const [, name] = /^#\/components\/schemas\/(.+)$/.exec(String(value.$ref ?? '')) ?? [];
    if (name !== undefined && !used.has(name)) {
      used.add(name);
      visit(schemas[name]);
    }
    for (const inner of Object.values(value)) visit(inner);
  };
  visit({ ...document, components: { ...document.components, schemas: {} } });
  for (const name of Object.keys(schemas)) if (!used.has(name)) delete schemas[name];
}
