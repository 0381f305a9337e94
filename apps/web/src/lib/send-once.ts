import { minuteMs } from '@nearhand/contract/durations';
import type { ApiContext } from './api.ts';
import { canRetry } from './device-queue.ts';
import { session } from './session.ts';

/** The key of a write whose answer is not known, by account, operation and input. */
const unanswered = new Map<string, { key: string; at: number }>();
/** After this long the same input is meant anew. */
const keptMs = 10 * minuteMs;

/**
 * For writes that add up when they are sent twice, such as a withdrawal: sent again with the same input after the answer was
 * lost, it carries the same idempotency key, so the server does it once.
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
      const answer = await call(input, { context: { idempotencyKey: key } });
      unanswered.delete(intention);
      return answer;
    } catch (error) {
      if (!canRetry(error)) unanswered.delete(intention);
      throw error;
    }
  };
}
