import type { JobDraft } from '@nearhand/contract/hiring/job-posting';
import { findOwnFile } from '../../people/files/files.ts';
import type { Tx } from '../../platform/db.ts';
import { newId } from '../../platform/ids.ts';
import { findPhotos, findQuestions, replacePhotos, replaceQuestions } from './job-business.ts';

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
      jobId,
      position,
      prompt: question.prompt,
      kind: question.kind,
      choices: [...question.choices],
      required: question.required,
    };
  });
  await replaceQuestions(tx, jobId, rows);
}

/**
 * Sets the photos of a job, in this order. Those it has may stay, no matter who uploaded them; new ones must be pictures of this account.
 * @throws file/not-found, file/wrong-type
 */
export async function setPhotos(
  tx: Tx,
  accountId: string,
  jobId: string,
  photoIds: readonly string[],
): Promise<void> {
  const before = await findPhotos(tx, jobId);
  for (const fileId of photoIds)
    if (!before.includes(fileId)) await findOwnFile(tx, accountId, fileId, 'photo');
  await replacePhotos(tx, jobId, photoIds);
}

/** Shows the pictures of a job on its copy too. */
export async function copyPhotos(tx: Tx, fromJobId: string, toJobId: string): Promise<void> {
  await replacePhotos(tx, toJobId, await findPhotos(tx, fromJobId));
}
