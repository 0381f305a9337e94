import type pg from 'pg';
import { camelCase } from '../../src/platform/database/column-names.ts';

export type Column = {
  name: string;
  type: string;
  /** Undefined for an expression: only columns of tables are known. */
  mayBeNull: boolean | undefined;
};

type Field = { name: string; dataTypeID: number; tableID: number; columnID: number };

/**
 * Prepares a statement for its columns.
 * @throws PostgreSQL's errors
 */
export async function describeColumns(client: pg.Client, text: string): Promise<Column[]> {
  const fields = await describe(client, text);
  const { rows: types } = await client.query<{ oid: number; name: string }>(
    `select oid::int8, case typtype when 'e' then 'text' when 'd' then typbasetype::regtype::text else format_type(oid, null) end as name
     from pg_type where oid = any($1::oid[])`,
    [fields.map(({ dataTypeID }) => dataTypeID)],
  );
  const names = new Map(types.map(({ oid, name }) => [Number(oid), name]));
  const columns: Column[] = [];
  for (const field of fields)
    columns.push({
      name: camelCase(field.name),
      type: names.get(field.dataTypeID) ?? String(field.dataTypeID),
      mayBeNull: await mayBeNull(client, text, field),
    });
  return columns;
}

/** Describes a statement without running it, which the driver has no call for. */
const describe = (client: pg.Client, text: string): Promise<Field[]> =>
  new Promise((resolve, reject) => {
    let fields: Field[] = [];
    client.query({
      submit(connection: Wire) {
        connection.parse({ text, name: '', types: [] });
        connection.describe({ type: 'S', name: '' });
        connection.sync();
      },
      handleRowDescription(message: { fields: Field[] }) {
        fields = message.fields;
      },
      handleError: reject,
      handleReadyForQuery: () => resolve(fields),
    } as unknown as pg.Submittable);
  });

type Wire = {
  parse(query: { text: string; name: string; types: number[] }): void;
  describe(what: { type: 'S'; name: string }): void;
  sync(): void;
};

type Plan = {
  'Node Type': string;
  'Parent Relationship'?: string;
  'One-Time Filter'?: string;
  Plans?: Plan[];
};

/** Plan nodes that add no rows: they return none if their input has none. */
const passesRowsOn = new Set(['Sort', 'Incremental Sort', 'Subquery Scan']);

const outerJoin = /\b(left|right|full)\s+(outer\s+)?join\b/i;

/** Unknown for an expression, and for a required column that an outer join may leave out. */
async function mayBeNull(client: pg.Client, text: string, field: Field): Promise<boolean | undefined> {
  if (field.tableID === 0) return undefined;
  const { rows } = await client.query<{ required: boolean }>(
    'select attnotnull as required from pg_attribute where attrelid = $1 and attnum = $2',
    [field.tableID, field.columnID],
  );
  if (rows[0]?.required) return outerJoin.test(text) ? undefined : false;
  return !(await isProvedPresent(client, text, field.name));
}

/** The planner proves it by a constraint, the joins or a condition. */
async function isProvedPresent(client: pg.Client, text: string, column: string): Promise<boolean> {
  const unlimited = text
    .replace(/\bfor (no key )?update\b[\s\S]*$/i, '')
    .replace(/\blimit\s+(\S+|\([^)]*\))\s*$/i, '');
  try {
    // Lets it use conditions such as "is not null".
    await client.query('set constraint_exclusion = on');
    const { rows } = await client.query(
      `explain (generic_plan, format json) select from (${unlimited}) described where described.${client.escapeIdentifier(column)} is null`,
    );
    let plan: Plan = rows[0]['QUERY PLAN'][0].Plan;
    for (let input: Plan | undefined = plan; input && passesRowsOn.has(plan['Node Type']); ) {
      input = plan.Plans?.find((of) => of['Parent Relationship'] !== 'InitPlan');
      plan = input ?? plan;
    }
    return plan['One-Time Filter'] === 'false';
  } catch {
    // A data-modifying statement can't be a subquery: nothing is proved.
    return false;
  }
}
