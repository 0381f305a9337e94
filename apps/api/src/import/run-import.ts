import { type ImportOutcome, importJobs } from '../hiring/job-import/job-import.ts';
import {
  type ImportRow,
  judgePosting,
  type PostingFix,
  type Refusal,
  type RefusalCode,
} from '../hiring/job-import/posting.rules.ts';
import { importName } from '../people/businesses/business-import.ts';
import type { Db } from '../platform/db.ts';
import type { Scope } from '../platform/http/scope.ts';
import type { PostingSource, SourceRow } from './posting-source.ts';

/** Counts for which read = imported + updated + same + left + refused (+ good in a dry run). */
export type ImportSummary = {
  read: number;
  imported: number;
  updated: number;
  same: number;
  left: number;
  good: number;
  refused: Partial<Record<RefusalCode, number>>;
  fixed: Partial<Record<PostingFix, number>>;
};

export type ImportRun = {
  source: PostingSource;
  target: { db: Db; scope: Scope } | null;
  today: string;
  onRefused(line: number, id: string, refusal: Refusal): void;
  onProgress(summary: Readonly<ImportSummary>): void;
};

type Waiting = { line: number; row: ImportRow };

/** Rows per transaction: fast, and little is lost if the connection breaks. */
const batchSize = 200;
const operator = 'operator:import';

/** Imports valid rows in batches. An interrupted run can be repeated. */
export async function runImport(run: ImportRun): Promise<ImportSummary> {
  const summary: ImportSummary = {
    read: 0,
    imported: 0,
    updated: 0,
    same: 0,
    left: 0,
    good: 0,
    refused: {},
    fixed: {},
  };
  const lineOfKey = new Map<string, number>();
  let waiting: Waiting[] = [];

  const refuse = (line: number, id: string, refusal: Refusal) => {
    summary.refused[refusal.code] = (summary.refused[refusal.code] ?? 0) + 1;
    run.onRefused(line, id, refusal);
  };
  const flush = async () => {
    const batch = waiting;
    waiting = [];
    for (const [index, outcome] of (await takeOver(run, batch)).entries()) {
      const { line, row } = batch[index] as Waiting;
      if (typeof outcome === 'string') summary[outcome] += 1;
      else refuse(line, row.sourceId, outcome);
    }
    run.onProgress(summary);
  };

  for await (const sourceRow of run.source.rows()) {
    summary.read += 1;
    const judged = judge(sourceRow, run);
    if ('refusal' in judged) {
      refuse(sourceRow.line, 'posting' in sourceRow ? sourceRow.posting.id : '', judged.refusal);
    } else {
      const { row, fixed } = judged;
      const key = JSON.stringify([importName(row.businessName), row.sourceId]);
      const first = lineOfKey.get(key);
      if (first !== undefined) {
        refuse(sourceRow.line, row.sourceId, {
          code: 'id-twice',
          words: `Line ${first} has the same id for the same business.`,
        });
        continue;
      }
      lineOfKey.set(key, sourceRow.line);
      for (const kind of fixed) summary.fixed[kind] = (summary.fixed[kind] ?? 0) + 1;
      if (run.target === null) summary.good += 1;
      else waiting.push({ line: sourceRow.line, row });
    }
    if (waiting.length >= batchSize) await flush();
    else if (summary.read % 1_000 === 0) run.onProgress(summary);
  }
  await flush();
  return summary;
}

function judge(read: SourceRow, run: ImportRun) {
  if ('problem' in read)
    return { refusal: { code: 'unreadable-row', words: read.problem } satisfies Refusal };
  return judgePosting(read.posting, { ...run.source.settings, today: run.today });
}

async function takeOver(run: ImportRun, batch: readonly Waiting[]): Promise<ImportOutcome[]> {
  const { target, source } = run;
  if (target === null || batch.length === 0) return [];
  const rows = batch.map(({ row }) => row);
  return target.db
    .transaction()
    .execute((tx) => importJobs(tx, target.scope, { source: source.name, operator, rows }));
}
