import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createTestDatabase } from '../test/test-database.ts';
import { tablesFile, writeTables } from './tables.ts';

it('commits the table types of the migrations (`npm run tables`)', async () => {
  const database = await createTestDatabase();
  const folder = await mkdtemp(path.join(tmpdir(), 'nearhand-table-types-'));
  try {
    const file = path.join(folder, 'tables.ts');
    await writeTables(database.url, file);
    expect(await readFile(tablesFile, 'utf8')).toBe(await readFile(file, 'utf8'));
  } finally {
    await rm(folder, { recursive: true, force: true });
    await database.drop();
  }
});
