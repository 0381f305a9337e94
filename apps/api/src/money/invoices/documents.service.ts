import { id } from '@nearhand/contract/operation';
import { z } from 'zod';
import type { Tx } from '../../platform/db.ts';
import { enqueue } from '../../platform/tasks.ts';

/** The task that writes an invoice or a receipt; `document-writing.service.ts` does. */
export const documentTask = {
  name: 'statements.document',
  payload: z.object({ entryId: id, businessId: id }),
};

/**
 * For the holds slice: has the invoice or receipt of an entry written soon after, in a transaction of its own, since the numbers of a business are taken one
 * by one and payments must not wait for each other there (ADR 0080). Called in the transaction of the entry; a repeat writes no second document.
 * @param request `entryId` an entry of the kind release, compensation, tip or bonus, whose `about` is the id of the release or the tip; `at` when it is written, at once
 * unless given: for the demo town, whose past is told afterwards
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
