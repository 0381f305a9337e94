import { writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  type CompiledQuery,
  type QueryExecutor,
  type QueryExecutorProvider,
  type QueryResult,
  type RawBuilder,
  type RawNode,
  sql,
} from 'kysely';
import { afterAll } from 'vitest';
import { type Kind, kindOf, type Recorded, recordings, shapeOf } from './recorded.ts';

type Found = { statement: Omit<Recorded, 'seen'>; seen: Map<string, Set<Kind>> };

/** Records every raw statement that a file's tests run, with what its rows held (ADR 146). */
function record(folder: string): void {
  const found = new Map<string, Found>();
  const note = ({ sql: text, query }: CompiledQuery, rows: readonly unknown[]) => {
    const template = (query as unknown as RawNode).sqlFragments;
    const key = `${template.join('\0')}\0\0${shapeOf(text)}`;
    const known = found.get(key) ?? { statement: { template, text }, seen: new Map<string, Set<Kind>>() };
    found.set(key, known);
    for (const row of rows as Record<string, unknown>[])
      for (const [column, value] of Object.entries(row))
        known.seen.set(column, (known.seen.get(column) ?? new Set()).add(kindOf(value)));
  };
  const builder = Object.getPrototypeOf(sql``) as RawBuilder<unknown>;
  const execute = builder.execute;
  builder.execute = function (this: RawBuilder<unknown>, provider: QueryExecutorProvider) {
    const executor = watched(provider.getExecutor(), note);
    return execute.call(this, { getExecutor: () => executor });
  };
  afterAll(() => {
    const statements = [...found.values()].map(
      ({ statement, seen }): Recorded => ({
        ...statement,
        seen: Object.fromEntries([...seen].map(([column, kinds]) => [column, [...kinds]])),
      }),
    );
    writeFileSync(path.join(folder, `${crypto.randomUUID()}.json`), JSON.stringify(statements));
  });
}

/** The same executor with its results recorded: nothing is compiled or transformed twice, which some tests count. */
const watched = (
  executor: QueryExecutor,
  note: (query: CompiledQuery, rows: readonly unknown[]) => void,
): QueryExecutor =>
  new Proxy(executor, {
    get(target, name) {
      if (name === 'executeQuery')
        return async (query: CompiledQuery, ...rest: []): Promise<QueryResult<unknown>> => {
          const result = await target.executeQuery(query, ...rest);
          note(query, result.rows);
          return result;
        };
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });

if (recordings) record(recordings);
