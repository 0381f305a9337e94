import { type KyselyPlugin, PostgresDialect, PostgresQueryCompiler } from 'kysely';
import type pg from 'pg';

export const camelCase = memoized((name) =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
);

export const snakeCase = memoized((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));

export const databaseNames: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  transformResult: async ({ result }) => ({ ...result, rows: result.rows.map(inSnakeCase) }),
};

const inSnakeCase = (row: object) =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [snakeCase(name), value]));

export const asRecords = (rows: readonly object[]): string => JSON.stringify(rows.map(inSnakeCase));

/** Unbounded, since the sources contain only a few thousand names. */
function memoized(convert: (name: string) => string): (name: string) => string {
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

export class SnakeCaseCompiler extends PostgresQueryCompiler {
  protected override sanitizeIdentifier(name: string): string {
    return super.sanitizeIdentifier(snakeCase(name));
  }
}

/** Connections that Kysely has checked out. */
const renamed = new WeakSet<pg.PoolClient>();

/** Maps column names once per result (ADR 365). Direct pool queries keep the database's names. */
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

export function renameColumns(pool: pg.Pool): void {
  pool.on('connect', (client) => {
    const { connection } = client as unknown as { connection: Wire };
    // Runs before the driver's own listener, which passes the names to the query.
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
