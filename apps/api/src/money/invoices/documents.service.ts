import { id } from '@nearhand/contract/operation';
import { z } from 'zod';
import type { Tx } from '../../platform/db.ts';
import { enqueue } from '../../platform/tasks/tasks.ts';

/** The task that writes an invoice or a receipt; implemented in `document-writing.service.ts`. */
export const documentTask = {
  name: 'statements.document',
  payload: z.object({ entryId: id, businessId: id }),
};

/**
 * For the holds slice: queues the invoice or receipt of an entry. It runs in its own transaction, because a business's numbers are taken
 * one by one and payments must not wait for each other there (ADR 80). Called in the entry's transaction; a repeat writes no second
 * document.
 * @param request `entryId` an entry of kind release, compensation, tip or bonus, whose `about` is the id of the release or tip; `at` when
 * to write it, now by default; the demo town sets it to fill in its past
 */
export async function wantDocument(
  tx: Tx,
  { at, ...request }: { entryId: string; businessId: string; at?: Date | undefined },
): Promise<void> {
  await enqueue(tx, documentTask, request, {
    key: `document/${request.entryId}`,
    ...(at ? { runAt: at } : {}),
  });
}

/** For an account that is removed (ADR 160). */
export { forgetDocuments } from './documents.sql.ts';
