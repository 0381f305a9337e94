import type { JudgeSettings, Posting } from '../hiring/job-import/posting.rules.ts';

/** One row of a file: a posting, or why it could not be read. */
export type SourceRow = { line: number; posting: Posting } | { line: number; problem: string };

/** A file that was read through once, so that a broken one is refused before anything is written. */
export type PostingSource = {
  /** The source's permanent name (job-import-mapping.rules.ts). */
  name: string;
  count: number;
  settings: Omit<JudgeSettings, 'today'>;
  rows(): AsyncIterable<SourceRow>;
};
