import type { Selectable } from 'kysely';
import { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import { type Db, inTransaction, type Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { ProviderRefusedError } from '../../platform/payment-provider.ts';
import type { ChargebackAnswers } from '../../platform/tables.gen.ts';
import { defineTask, enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { printText } from '../downloads/download-files.ts';

export type AnswerRow = Omit<Selectable<ChargebackAnswers>, 'status'> & {
  status: 'created' | 'sent' | 'refused';
};

const answerTask = defineTask({
  name: 'payments.answer-chargeback',
  payload: z.object({ ref: z.string() }),
  queue: 'money',
  run: (scope, { ref }) => sendAnswer(scope, ref),
});
const answerKey = (ref: string): string => `${answerTask.name}/${ref}`;

/** Answers that operators gave to the chargebacks of a charge, with their names. */
export const findAnswers = async (db: Db, chargeId: string): Promise<(AnswerRow & { by: string })[]> =>
  await db
    .selectFrom('chargeback_answers')
    .innerJoin('accounts', 'accounts.id', 'chargeback_answers.createdBy')
    .selectAll('chargeback_answers')
    .select('accounts.name as by')
    .where('chargeId', '=', chargeId)
    .execute();

/** Stores an answer and queues it. For operators who hold the case; a bank accepts one answer. */
export async function answerChargeback(
  tx: Tx,
  scope: Scope,
  { chargeId, ref, text }: { chargeId: string; ref: string; text: string },
): Promise<{ ref: string; status: AnswerRow['status'] }> {
  if (!scope.provider.disputes) throw new AppError('chargeback/no-answer');
  const chargeback = await tx
    .selectFrom('chargebacks')
    .select('ref')
    .where('ref', '=', ref)
    .where('chargeId', '=', chargeId)
    .where('status', '=', 'open')
    .executeTakeFirst();
  if (!chargeback) throw new AppError('case/not-found');
  const now = scope.clock.now();
  const inserted = await tx
    .insertInto('chargeback_answers')
    .values({
      ref,
      chargeId,
      status: 'created',
      text,
      createdBy: scope.actor.accountId,
      createdAt: now,
      updatedAt: now,
    })
    .onConflict((conflict) =>
      conflict
        .column('ref')
        .doUpdateSet({ status: 'created', text, createdBy: scope.actor.accountId, updatedAt: now })
        .where('chargeback_answers.status', '=', 'refused'),
    )
    .returning('ref')
    .executeTakeFirst();
  if (!inserted) throw new AppError('chargeback/answered');
  await enqueue(tx, answerTask, { ref }, { key: answerKey(ref) });
  return { ref, status: 'created' };
}

/** Sends a stored answer with its text as a PDF. The text is deleted once the provider has decided about it. */
export async function sendAnswer(scope: TaskScope, ref: string): Promise<void> {
  const { db, clock, provider, log } = scope;
  const row = await db
    .selectFrom('chargeback_answers')
    .selectAll()
    .where('ref', '=', ref)
    .where('status', '=', 'created')
    .executeTakeFirst();
  if (!row || !provider.disputes) return;
  const pdf = await printText({ title: 'Record of a payment', at: row.updatedAt, text: row.text });
  const status = await provider.disputes.answer({ ref, text: row.text, pdf }).then(
    () => 'sent' as const,
    (error: unknown) => {
      if (!(error instanceof ProviderRefusedError)) throw error;
      log.error({ err: error, ref }, 'the payment provider refused the answer to a chargeback');
      return 'refused' as const;
    },
  );
  await inTransaction(db, async (tx) => {
    await tx
      .updateTable('chargeback_answers')
      .set({ status, text: '', updatedAt: clock.now() })
      .where('ref', '=', ref)
      .where('status', '=', 'created')
      .execute();
  });
}

/** Answers whose task may be lost. */
export async function findWaitingAnswers(db: Db, since: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('chargeback_answers')
    .select('ref')
    .where('status', '=', 'created')
    .where('updatedAt', '<=', since)
    .orderBy('updatedAt')
    .limit(limit)
    .execute();
  return rows.map(({ ref }) => ref);
}

export const chargebackAnswersTasks = [answerTask];
