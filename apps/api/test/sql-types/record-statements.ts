import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll } from 'vitest';
import { recordings } from './recorded.ts';
import { noteStatements, takeStatements } from './statement-recorder.ts';

/** Records statements for the check of declared rows (ADR 57). */
function record(folder: string): void {
  const recording = path.join(folder, `${crypto.randomUUID()}.json`);
  // A file whose tests are all skipped runs no hooks, but must count as run.
  writeFileSync(recording, '[]');
  noteStatements();
  afterAll(() => writeFileSync(recording, JSON.stringify(takeStatements())));
}

if (recordings) record(recordings);
