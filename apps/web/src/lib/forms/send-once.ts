import { minuteMs } from '@nearhand/contract/durations';
import type { ApiContext } from '../api/client/api-link.ts';
import { canRetry } from '../device/device-queue.ts';
import { session } from '../session.ts';

/** The key of a write whose response is unknown, by account, operation and input. */
const unanswered = new Map<string, { key: string; at: number }>();
/** After this long the same input is a new request. */
const keptMs = 10 * minuteMs;

/**
 * For writes that must not run twice, such as a withdrawal: resent with the same input after a lost response, it has the same idempotency
 * key, so the server runs it once. An intended second write with equal input is taken for the first until an answer arrived or ten minutes
 * passed: paying once too little is easier to put right.
 * @param call gets the key as its second argument, so it is the client's own function: `confirmed` goes around `sendOnce`, never inside
 */
export function sendOnce<Input, Answer>(
  operation: string,
  call: (input: Input, options: { context: ApiContext }) => Promise<Answer>,
): (input: Input) => Promise<Answer> {
  return async (input) => {
    const intention = JSON.stringify([session.user()?.id, operation, input]);
    const before = unanswered.get(intention);
    const isSame = before !== undefined && Date.now() - before.at < keptMs;
    const { key } = isSame ? before : { key: crypto.randomUUID() };
    unanswered.set(intention, { key, at: Date.now() });
    try {
      const response = await call(input, { context: { idempotencyKey: key } });
      unanswered.delete(intention);
      return response;
    } catch (error) {
      if (!canRetry(error)) unanswered.delete(intention);
      throw error;
    }
  };
}
