import { minuteMs } from '@nearhand/contract/durations';
import type { ApiContext } from '../api/client/api-link.ts';
import { canRetry } from '../device/device-queue.ts';
import { session } from '../session.ts';

const unanswered = new Map<string, { key: string; at: number }>();
const cacheMs = 10 * minuteMs;

/** JSON writes every file as `{}`. */
const withFiles = (_key: string, value: unknown): unknown =>
  value instanceof File ? [value.name, value.size, value.lastModified] : value;

/**
 * Sends a write that must not run twice: the same input keeps its key until a response or ten minutes.
 * An intended second write may count as the first, because underpaying is easier to fix.
 */
export function sendOnce<Input, Answer>(
  operation: string,
  call: (input: Input, options: { context: ApiContext }) => Promise<Answer>,
): (input: Input) => Promise<Answer> {
  return async (input) => {
    const intention = JSON.stringify([session.user()?.id, operation, input], withFiles);
    const before = unanswered.get(intention);
    const isSame = before !== undefined && Date.now() - before.at < cacheMs;
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
