import { describe, expect, it } from 'vitest';
import { findColumns } from '../src/people/data-exports/export-file.ts';
import { excludedTables, exportedTables } from '../src/people/data-exports/exported-tables.rules.ts';
import { useTestApp } from './harness.ts';

/** Everything stored about a person is exported or left out for a reason (ADR 159); `account-data.nightly.test.ts` reads exports. */
const app = useTestApp();

const isOurs = (table: string) => !/^(test_|migration_|kysely_)/.test(table);

describe('the tables of an export', () => {
  it('are all tables of the database, each exported or omitted for a reason', async () => {
    const tables = new Set((await findColumns(app.db)).map((column) => column.tableName).filter(isOurs));
    const declared = [...Object.keys(exportedTables), ...Object.keys(excludedTables)];
    expect([...tables].filter((table) => !declared.includes(table))).toEqual([]);
    expect(declared.filter((table) => !tables.has(table))).toEqual([]);
    expect(new Set(declared).size).toBe(declared.length);
    expect(Object.entries(excludedTables).filter(([, reason]) => reason.length < 5)).toEqual([]);
  });

  it('use or explain every column that references an account, and omit only existing columns', async () => {
    const columns = await findColumns(app.db);
    const unexplained = columns.filter(
      ({ tableName: table, columnName: column, namesAccount: named }) =>
        named &&
        exportedTables[table] &&
        !new RegExp(`\\bit\\.${column}\\b`).test(exportedTables[table].rows) &&
        !(column in (exportedTables[table].elsewhere ?? {})) &&
        !exportedTables[table].covers?.includes(column) &&
        // The history of a record is exported with the record.
        column !== 'actor',
    );
    expect(unexplained).toEqual([]);
    const missing = Object.entries(exportedTables).flatMap(([table, { without = {}, elsewhere = {} }]) =>
      [...Object.keys(without), ...Object.keys(elsewhere)].filter(
        (name) => !columns.some((column) => column.tableName === table && column.columnName === name),
      ),
    );
    expect(missing).toEqual([]);
  });
});
