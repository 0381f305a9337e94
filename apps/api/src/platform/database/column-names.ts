import { type KyselyPlugin, PostgresDialect, PostgresQueryCompiler } from 'kysely';
import type pg from 'pg';

/** `starts_at` as `startsAt`. */
export const camelCase = remembered((name) =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
);

/** `startsAt` as `starts_at`. */
export const snakeCase = remembered((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));

/** Gives rows the database's names: `db.withPlugin(databaseNames)`. */
export const databaseNames: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  transformResult: async ({ result }) => ({ ...result, rows: result.rows.map(inSnakeCase) }),
};

const inSnakeCase = (row: object) =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [snakeCase(name), value]));

/** Rows for `jsonb_to_recordset`, whose columns the statement names as the database does. */
export const asRecords = (rows: readonly object[]): string => JSON.stringify(rows.map(inSnakeCase));

/** There are a few thousand names, in the sources of this program. */
function remembered(convert: (name: string) => string): (name: string) => string {
  const names = new Map<string, string>();
  return (name) => {
    let converted = names.get(name);
    if (converted === undefined) {
      converted = convert(name);
      names.set(name, converted);
    }
    return converted;
  };
}

/** Writes `startsAt` in a built query as `starts_at`. Statements in SQL say `starts_at` themselves. */
export class SnakeCaseCompiler extends PostgresQueryCompiler {
  protected override sanitizeIdentifier(name: string): string {
    return super.sanitizeIdentifier(snakeCase(name));
  }
}

/** Connections that Kysely has taken from their pool. */
const renamed = new WeakSet<pg.PoolClient>();

/**
 * Kysely on a pool, with columns named in snake case by the database and in camel case by the code (ADR 365): rows of built queries and of SQL
 * alike. The names are changed once for a result, not for each row. What asks the pool itself gets the database's names.
 */
export class NearhandDialect extends PostgresDialect {
  constructor(pool: pg.Pool) {
    const connect = async () => {
      const client = await pool.connect();
      renamed.add(client);
      return client;
    };
    // The driver reads its pool's other fields.
    super({ pool: Object.assign(Object.create(pool), { connect }) });
  }

  override createQueryCompiler(): SnakeCaseCompiler {
    return new SnakeCaseCompiler();
  }
}

/** Lets a pool's connections rename columns while Kysely has them. */
export function renameColumns(pool: pg.Pool): void {
  pool.on('connect', (client) => {
    const { connection } = client as unknown as { connection: Wire };
    // Before the driver's own listener, which hands the names to the query.
    connection.prependListener('rowDescription', ({ fields }) => {
      if (renamed.has(client)) for (const field of fields) field.name = camelCase(field.name);
    });
  });
  pool.on('release', (_error, client) => renamed.delete(client));
}

type Wire = {
  prependListener(
    event: 'rowDescription',
    listener: (description: { fields: { name: string }[] }) => void,
  ): void;
};
