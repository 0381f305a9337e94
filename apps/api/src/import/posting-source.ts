import type { JudgeSettings, Posting } from '../hiring/job-import/posting.rules.ts';

/** One row of a file: a posting, or why the row could not even be read as one. */
export type SourceRow = { line: number; posting: Posting } | { line: number; problem: string };

/** A file that was looked through once, so that a broken one is refused before anything is written. */
export type PostingSource = {
  /** Names the source for ever (job-import-mapping.rules.ts). */
  name: string;
  count: number;
  settings: Omit<JudgeSettings, 'today'>;
  rows(): AsyncIterable<SourceRow>;
};
