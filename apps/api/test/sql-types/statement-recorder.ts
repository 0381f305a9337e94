import { type DatabaseConnection, DefaultQueryExecutor, RawNode } from 'kysely';
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
  const executor = DefaultQueryExecutor.prototype;
  const { provideConnection } = executor;
  // At the connection, because reads that share a round trip pass no executor.
  executor.provideConnection = function <Result>(
    this: DefaultQueryExecutor,
    use: (connection: DatabaseConnection) => Promise<Result>,
  ) {
    return provideConnection.call(this, (connection) => use(recording(connection))) as Promise<Result>;
  };
}

const recording = (connection: DatabaseConnection): DatabaseConnection => {
  const executeQuery: DatabaseConnection['executeQuery'] = async (query, options) => {
    const result = await connection.executeQuery(query, options);
    const rows = result.rows as Record<string, unknown>[];
    if (RawNode.is(query.query)) note({ template: query.query.sqlFragments, text: query.sql }, rows);
    for (const { template, value } of selectedValues(query.query))
      note({ template, text: query.sql, value }, rows);
    return result as never;
  };
  return new Proxy(connection, {
    get(target, name) {
      if (name === 'executeQuery') return executeQuery;
      const member = Reflect.get(target, name);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
};

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
