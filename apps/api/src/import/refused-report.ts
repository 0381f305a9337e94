import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Refusal } from '../hiring/job-import/posting.rules.ts';
import { errorText, StartRefusedError } from '../platform/start-refused.ts';

export type RefusedReport = {
  file: string;
  add(line: number, id: string, refusal: Refusal): void;
  close(): Promise<void>;
};

/** Escapes a CSV cell so that spreadsheets don't run untrusted ids as formulas. */
const cell = (text: string): string => {
  const tame = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(tame) ? `"${tame.replaceAll('"', '""')}"` : tame;
};

/**
 * Creates the CSV of refused rows, overwriting an earlier one.
 * @throws StartRefusedError
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
    throw new StartRefusedError(`The report ${file} cannot be written: ${errorText(error)}.`);
  }
}
