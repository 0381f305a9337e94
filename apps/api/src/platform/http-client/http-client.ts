import { dayMs, minuteMs } from '@nearhand/contract/durations';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';

export class ServiceUnavailableError extends Error {
  readonly retryAfterSeconds: number;
  constructor(reason: string, retryAfterSeconds: number) {
    super(reason);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

type OutsideSourceParts = {
  /** The service's name in the log. Requests are never logged. */
  name: string;
  clock: Clock;
  log: Log;
  perMinute: number;
  timeoutMs?: number;
  keepMs?: number;
  keepAnswers?: number;
};

export type Question = { url: URL; init?: RequestInit };

const secondMs = 1_000;
const answerBytesMax = 512 * 1024;
/** Pause after a failure, and the longest pause a service may request. */
const pauseMs = 10 * secondMs;
const pauseMaxMs = 10 * minuteMs;

/** Caches, deduplicates and limits calls, and pauses after failures. Never follows redirects. */
export function createOutsideSource(parts: OutsideSourceParts) {
  const { name, clock, log, perMinute, timeoutMs = 3_000, keepMs = dayMs, keepAnswers = 2_000 } = parts;
  const cache = new Map<string, { until: number; answer: unknown }>();
  const open = new Map<string, Promise<unknown>>();
  let pausedUntil = 0;
  let sentAt: number[] = [];
  const now = () => clock.now().getTime();
  const wait = (until: number) => Math.max(1, Math.ceil((until - now()) / secondMs));

  const fail = (reason: string, ms = pauseMs): never => {
    pausedUntil = now() + Math.min(ms, pauseMaxMs);
    log.warn({ source: name, reason }, 'an outside service failed');
    throw new ServiceUnavailableError(reason, wait(pausedUntil));
  };

  const send = async <T>({ url, init }: Question, read: (body: unknown) => T): Promise<T> => {
    sentAt = sentAt.filter((at) => at > now() - minuteMs);
    if (sentAt.length >= perMinute)
      throw new ServiceUnavailableError('over our own limit', wait((sentAt[0] ?? now()) + minuteMs));
    sentAt.push(now());
    let text: string;
    let refused = false;
    try {
      const signal = AbortSignal.timeout(timeoutMs);
      const response = await fetch(url, { ...init, redirect: 'error', signal });
      // A router replies 400 when there is no route between two points; that is not an outage.
      refused = response.status === 400;
      if (!response.ok && !refused) {
        await response.body?.cancel();
        const seconds = Number(response.headers.get('retry-after'));
        return fail(`status ${response.status}`, seconds > 0 ? seconds * secondMs : pauseMs);
      }
      text = await readText(response);
    } catch (failure) {
      if (failure instanceof ServiceUnavailableError) throw failure;
      return fail(failure instanceof Error ? failure.name : 'no answer');
    }
    try {
      return read(JSON.parse(text));
    } catch {
      if (refused) throw new ServiceUnavailableError('refused', wait(now() + pauseMs));
      return fail('an answer of another form');
    }
  };

  return {
    async ask<T>(key: string, question: () => Question, read: (body: unknown) => T): Promise<T> {
      const cached = cache.get(key);
      if (cached && cached.until > now()) return cached.answer as T;
      const running = open.get(key);
      if (running) return running as Promise<T>;
      if (pausedUntil > now()) throw new ServiceUnavailableError('paused', wait(pausedUntil));
      const answer = send(question(), read);
      open.set(key, answer);
      try {
        cache.set(key, { until: now() + keepMs, answer: await answer });
        const [oldest] = cache.keys();
        if (cache.size > keepAnswers && oldest !== undefined) cache.delete(oldest);
        return await answer;
      } finally {
        open.delete(key);
      }
    },
  };
}

export type OutsideSource = ReturnType<typeof createOutsideSource>;

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.byteLength;
    if (bytes > answerBytesMax) throw new RangeError('too long');
    text += decoder.decode(piece, { stream: true });
  }
  return text + decoder.decode();
}
