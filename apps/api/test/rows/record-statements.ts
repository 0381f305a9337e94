import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll } from 'vitest';
import { recordings } from './recorded.ts';
import { noteStatements, takeStatements } from './statement-recorder.ts';

/** Records the statements that a file's tests run, for the check of declared rows (ADR 146). */
function record(folder: string): void {
  noteStatements();
  afterAll(() =>
    writeFileSync(path.join(folder, `${crypto.randomUUID()}.json`), JSON.stringify(takeStatements())),
  );
}

if (recordings) record(recordings);
