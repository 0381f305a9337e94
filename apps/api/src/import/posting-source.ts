import type { JudgeSettings, Posting } from '../hiring/job-import/posting.rules.ts';

export type SourceRow = { line: number; posting: Posting } | { line: number; problem: string };

/** A source of postings, validated completely before the import writes anything. */
export type PostingSource = {
  /** The source's permanent name (`mapping.rules.ts`). */
  name: string;
  count: number;
  settings: Omit<JudgeSettings, 'today'>;
  rows(): AsyncIterable<SourceRow>;
};
