import { setTimeout as wait } from 'node:timers/promises';
import { signAccessToken } from '@nearhand/api/src/people/sign-in/access-tokens.ts';
import { systemClock } from '@nearhand/api/src/platform/clock.ts';
import type { Session, Work } from './prepared-work.ts';
import { secret } from './services.ts';

type Acknowledged = { body: string; replayed: boolean };

export type Stream = {
  /** The first 200 responses that a client has seen, by engagement. */
  answers: Map<string, Acknowledged>;
  refusals: string[];
  retries: Map<string, number>;
  /** Responses that differ from the first one under their key. */
  unlike: string[];
  /** Acknowledged calls that a retry ran again: the first run had left no trace. */
  lost: string[];
  asked: number;
  /** True once the stream must stop early. */
  over: boolean;
};

const longestPauseMs = 320;
const answerWithinMs = 30_000;

/**
 * Approves all work by concurrent clients, which retry under one key until they get a response; one in ten
 * repeats later.
 */
export function approveAll(
  url: string,
  owner: Session,
  works: readonly Work[],
  { clients, pauseMs = 0 }: { clients: number; pauseMs?: number },
): { stream: Stream; done: Promise<void> } {
  const stream: Stream = {
    answers: new Map(),
    refusals: [],
    retries: new Map(),
    unlike: [],
    lost: [],
    asked: 0,
    over: false,
  };
  const token = tokenOf(owner);
  let next = 0;
  const client = async () => {
    while (!stream.over) {
      const work = works[next];
      next += 1;
      if (!work) return;
      const answer = await approve(url, token, work, stream);
      if (answer === null) continue;
      stream.answers.set(work.engagementId, answer);
      if (next % 10 === 0) await askAgain(url, token, work, stream);
      if (pauseMs > 0) await wait(pauseMs);
    }
  };
  return { stream, done: Promise.all(Array.from({ length: clients }, client)).then(() => {}) };
}

/** Retries under an answered key and records a different response. */
export async function askAgain(
  url: string,
  token: () => Promise<string>,
  work: Work,
  stream: Stream,
): Promise<void> {
  const first = stream.answers.get(work.engagementId);
  const repeat = await approve(url, token, work, stream);
  if (repeat === null || !first) return;
  if (!repeat.replayed) stream.lost.push(work.engagementId);
  else if (repeat.body !== first.body) stream.unlike.push(work.engagementId);
}

/** A token lasts 15 minutes. */
export function tokenOf(session: Session): () => Promise<string> {
  let latest = { at: Number.NEGATIVE_INFINITY, token: Promise.resolve('') };
  return () => {
    const at = performance.now();
    if (at - latest.at > 300_000) latest = { at, token: signAccessToken(secret, systemClock, session) };
    return latest.token;
  };
}

async function approve(
  url: string,
  token: () => Promise<string>,
  work: Work,
  stream: Stream,
): Promise<Acknowledged | null> {
  for (let pauseMs = 20; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    stream.asked += 1;
    const answer = await call(`${url}/api/engagements/${work.engagementId}/approve`, {
      token: await token(),
      key: `approve-${work.engagementId}`,
      body: { version: work.version },
    });
    if (answer.status === 200) return answer;
    if (!mayAskAgain(answer)) {
      stream.refusals.push(`${work.engagementId}: ${answer.status} ${answer.code}`);
      return null;
    }
    stream.retries.set(answer.code, (stream.retries.get(answer.code) ?? 0) + 1);
    await wait(pauseMs * (0.5 + Math.random()));
  }
}

export type Answer = { status: number; code: string; body: string; replayed: boolean };

/** No response, no database, or the same call in progress. */
export const mayAskAgain = ({ status, code }: Answer): boolean =>
  status === 0 || status >= 500 || code === 'idempotency/in-flight';

/** A POST as the app makes it; status 0 without a whole response. */
export async function call(
  url: string,
  request: { token: string; key: string; body: unknown },
): Promise<Answer> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${request.token}`,
        'content-type': 'application/json',
        'idempotency-key': request.key,
      },
      body: JSON.stringify(request.body),
      signal: AbortSignal.timeout(answerWithinMs),
    });
    const body = await response.text();
    const code = response.ok ? 'ok' : codeOf(body, response.status);
    return { status: response.status, code, body, replayed: response.headers.has('idempotency-replayed') };
  } catch (error) {
    const cause = (error as { cause?: { code?: string } }).cause;
    return {
      status: 0,
      code: `no answer (${cause?.code ?? (error as Error).name})`,
      body: '',
      replayed: false,
    };
  }
}

function codeOf(body: string, status: number): string {
  try {
    return String((JSON.parse(body) as { code?: string }).code ?? status);
  } catch {
    return String(status);
  }
}
