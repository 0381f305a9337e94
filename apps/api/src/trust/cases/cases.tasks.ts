import { caseKinds } from '@nearhand/contract/case-kinds';
import { addMs, dayMs } from '@nearhand/contract/durations';
import { z } from 'zod';
import { defineTask, enqueue } from '../../platform/tasks/tasks.ts';
import { operatorMail } from '../operators/operators.ts';
import { solveQuestions } from '../tickets/tickets.sql.ts';
import { findCase } from './cases.sql.ts';
import { deleteOldEvidence, questionsKey } from './closed-cases.ts';

/** Contains nothing about the case itself: a mailbox is no place for console data. */
export const handOverMailTask = defineTask({
  name: 'cases.mail-hand-over',
  payload: z.object({
    kind: z.enum(caseKinds),
    subjectId: z.uuid(),
    to: z.uuid(),
    by: z.uuid(),
    key: z.string(),
  }),
  queue: 'messages',
  async run({ db, mailer, config }, { kind, subjectId, to, by, key }) {
    const rows = await db
      .selectFrom('accounts')
      .select(['id', 'name', 'email'])
      .where('id', 'in', [to, by])
      .where('disabledAt', 'is', null)
      .execute();
    const reader = rows.find(({ id }) => id === to);
    const sender = rows.find(({ id }) => id === by);
    if (!reader || !sender) return;
    await mailer.send(
      operatorMail(config, reader.email, key, {
        subject: `${sender.name} handed you a case`,
        heading: 'You have a case',
        text: `${sender.name} handed you a case and left a note in it.`,
        path: `/cases/${kind}/${subjectId}`,
      }),
    );
  },
});

/** Mails the author of a report to an authority that it was refused: the data was passed on without need. */
export const refusedReportMailTask = defineTask({
  name: 'cases.mail-refused-report',
  payload: z.object({ authorityReportId: z.uuid(), key: z.string() }),
  queue: 'messages',
  async run({ db, mailer, config }, { authorityReportId, key }) {
    const report = await db
      .selectFrom('authority_reports')
      .innerJoin('operators', 'operators.accountId', 'authority_reports.recordedBy')
      .innerJoin('accounts', 'accounts.id', 'authority_reports.recordedBy')
      .select(['accounts.email', 'caseKind', 'caseSubject'])
      .where('authority_reports.id', '=', authorityReportId)
      .where('operators.removedAt', 'is', null)
      .executeTakeFirst();
    if (!report) return;
    await mailer.send(
      operatorMail(config, report.email, key, {
        subject: 'Your report to an authority was refused',
        heading: 'Your report was refused',
        text: 'Another operator refused a report to an authority that you recorded. Read their note, tell the authority that the report is withdrawn, and write in a note of the case what it answered.',
        path: `/cases/${report.caseKind}/${report.caseSubject}`,
      }),
    );
  },
});

/**
 * Closes the questions of a case that ended without an operator, so that nobody has to answer them any more. Runs from
 * the time a question is due, and daily while the case is open.
 */
export const questionDueTask = defineTask({
  name: 'cases.close-question',
  payload: z.object({ kind: z.enum(caseKinds), subjectId: z.uuid(), by: z.uuid() }),
  run: ({ db, clock }, { by, ...subject }) =>
    db.transaction().execute(async (tx) => {
      const now = clock.now();
      if (!(await findCase(tx, by, subject))) return solveQuestions(tx, subject, { accountId: null, now });
      const runAt = addMs(now, dayMs);
      await enqueue(tx, questionDueTask, { by, ...subject }, { runAt, key: questionsKey(subject) });
    }),
});

const deleteOldEvidenceTask = defineTask({
  name: 'cases.delete-old-evidence',
  payload: z.object({}),
  daily: true,
  run: ({ db, clock }) => deleteOldEvidence(db, clock.now()),
});

export const casesTasks = [handOverMailTask, refusedReportMailTask, questionDueTask, deleteOldEvidenceTask];
