import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { controlLines } from './control-file.ts';

/** `pg_controldata DATA`, for Patroni. */
const file = await readFile(path.join(process.argv[2] ?? '', 'global/pg_control'));
for (const [name, value] of Object.entries(controlLines(file))) process.stdout.write(`${name}: ${value}\n`);
