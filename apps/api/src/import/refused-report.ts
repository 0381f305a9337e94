import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Refusal } from '../hiring/job-import/posting.rules.ts';
import { errorText, StartRefused } from '../platform/start-refused.ts';

export type RefusedReport = {
  file: string;
  add(line: number, id: string, refusal: Refusal): void;
  close(): Promise<void>;
};

/** A CSV cell. Spreadsheets run what starts like a formula, and ids come from strangers. */
const cell = (text: string): string => {
  const tame = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(tame) ? `"${tame.replaceAll('"', '""')}"` : tame;
};

/**
 * The list of refused rows as CSV: line, id, reason, details. Overwrites an earlier one.
 * @throws StartRefused if it can't be written
 */
export async function openReport(file: string): Promise<RefusedReport> {
  try {
    await mkdir(path.dirname(file), { recursive: true });
    const stream = createWriteStream(file);
    await once(stream, 'open');
    stream.write('line,id,reason,words\n');
    return {
      file,
      add: (line, id, { code, words }) => {
        stream.write(`${line},${cell(id.toWellFormed().slice(0, 200))},${code},${cell(words)}\n`);
      },
      async close() {
        stream.end();
        await once(stream, 'finish');
      },
    };
  } catch (error) {
    throw new StartRefused(`The report ${file} cannot be written: ${errorText(error)}.`);
  }
}
