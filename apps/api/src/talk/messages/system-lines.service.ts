import type { SystemLine } from '@nearhand/contract/talk/messages';
import type { Tx } from '../../platform/db.ts';
import { emit } from '../../platform/emit.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { openMissing, type Subject } from '../conversations/conversations.service.ts';
import { insertLines } from './system-lines.sql.ts';

/** Times, amounts and names that the words of a line need, as in notices; also `path`-less ids such as `interviewId`. */
export type LineData = Record<string, string | number>;

/** One thing that happened in the work of a job and a worker. `key` names the event: the line is said once however often the code runs. */
export type Said = Subject & { line: SystemLine; data: LineData; key?: string };

const opening: readonly SystemLine[] = ['applied', 'invited'];

/**
 * For other slices: says in a conversation what happened in the work, in the transaction in which it happened. `applied` and `invited` open the conversation;
 * any other line is dropped where there is none. It is no message: nobody is notified of it and it is not counted as unread. It is said in a frozen, blocked or
 * read-only conversation too, since it is a fact. Locks the conversation until the transaction ends: say it late.
 * @param key names the event, for instance an offer's id: said again with the same line and key it is dropped
 */
export async function say(
  tx: Tx,
  scope: Pick<Scope, 'clock'>,
  about: Subject,
  line: SystemLine,
  data: LineData = {},
  key?: string,
): Promise<void> {
  await sayAll(tx, scope, [
    { jobId: about.jobId, workerId: about.workerId, line, data, ...(key ? { key } : {}) },
  ]);
}

/** For other slices: the same for several conversations at once, in one statement that locks them in one order. */
export async function sayAll(tx: Tx, scope: Pick<Scope, 'clock'>, lines: readonly Said[]): Promise<void> {
  const now = scope.clock.now();
  await openMissing(
    tx,
    lines.filter(({ line }) => opening.includes(line)),
    now,
  );
  const said = await insertLines(
    tx,
    lines.map(({ jobId, workerId, line, data, key }) => ({
      id: newId(now),
      job_id: jobId,
      worker_id: workerId,
      line,
      data,
      key: key === undefined ? null : `${line}/${key}`,
    })),
    now,
  );
  for (const { conversation_id, worker_id, business_id, seq, rev } of said)
    emit(tx, [`account:${worker_id}`, `business:${business_id}`], {
      kind: 'message',
      conversationId: conversation_id,
      rev,
      seq,
    });
}
