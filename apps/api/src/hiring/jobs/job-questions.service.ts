import type { JobDraft } from '@nearhand/contract/hiring/job-posting';
import type { Tx } from '../../platform/db.ts';
import { newId } from '../../platform/ids.ts';
import { findQuestions, replaceQuestions } from './jobs.sql.ts';

type Question = NonNullable<JobDraft['questions']>[number];

/** Sets the questions of a job. An unchanged one keeps its id, so existing answers still belong to it. */
export async function askQuestions(
  tx: Tx,
  now: Date,
  jobId: string,
  questions: readonly Question[],
): Promise<void> {
  const textOf = (question: Question) => JSON.stringify([question.prompt, question.kind, question.choices]);
  const known = new Map((await findQuestions(tx, [jobId])).map((row) => [textOf(row), row.id]));
  const rows = questions.map((question, position) => {
    const kept = known.get(textOf(question));
    known.delete(textOf(question));
    return {
      id: kept ?? newId(now),
      job_id: jobId,
      position,
      prompt: question.prompt,
      kind: question.kind,
      choices: [...question.choices],
      required: question.required,
    };
  });
  await replaceQuestions(tx, jobId, rows);
}
