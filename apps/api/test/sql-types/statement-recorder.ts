import {
  type CompiledQuery,
  DefaultQueryExecutor,
  type QueryExecutor,
  type QueryResult,
  RawNode,
} from 'kysely';
import { type Kind, kindOf, type Recorded, shapeOf } from './recorded.ts';
import { selectedValues } from './selected-values.ts';

type Found = { statement: Omit<Recorded, 'seen'>; seen: Map<string, Set<Kind>> };

const statements = new Map<string, Found>();

function note(statement: Found['statement'], rows: readonly Record<string, unknown>[]): void {
  const { template, text, value } = statement;
  const key = `${value ?? ''}\0${template.join('\0')}\0\0${shapeOf(text)}`;
  const entry = statements.get(key) ?? { statement, seen: new Map<string, Set<Kind>>() };
  statements.set(key, entry);
  for (const row of rows)
    for (const [column, cell] of Object.entries(row))
      entry.seen.set(column, (entry.seen.get(column) ?? new Set()).add(kindOf(cell)));
}

let wrapped = false;

export function noteStatements(): void {
  // A worker runs many files with the modules of the first.
  if (wrapped) return;
  wrapped = true;
  // The class that every executor of Kysely extends but does not export.
  const executor = Object.getPrototypeOf(DefaultQueryExecutor.prototype) as QueryExecutor;
  const { executeQuery } = executor;
  executor.executeQuery = async function <Row>(this: QueryExecutor, query: CompiledQuery<Row>, ...rest: []) {
    const result = (await executeQuery.call(this, query, ...rest)) as QueryResult<Row>;
    const rows = result.rows as Record<string, unknown>[];
    if (RawNode.is(query.query)) note({ template: query.query.sqlFragments, text: query.sql }, rows);
    for (const { template, value } of selectedValues(query.query))
      note({ template, text: query.sql, value }, rows);
    return result;
  };
}

export function takeStatements(): Recorded[] {
  const recorded = [...statements.values()].map(
    ({ statement, seen }): Recorded => ({
      ...statement,
      seen: Object.fromEntries([...seen].map(([column, kinds]) => [column, [...kinds]])),
    }),
  );
  statements.clear();
  return recorded;
}
