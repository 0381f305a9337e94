import type { Signal, SignalRecord } from '@nearhand/contract/realtime';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { apiQuery } from '../api/api.ts';
import { refetchOnSignals } from '../api/signal-keys.ts';
import { onSignal, realtimePort } from './realtime.ts';

const record = (name: SignalRecord, id = 'a1'): Signal => ({ kind: 'record', record: name, id });
let client: QueryClient;
let quiet: () => void;
const leaving: (() => void)[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  client = new QueryClient({
    defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY, retry: false } },
  });
  quiet = onSignal(refetchOnSignals(client));
});
afterEach(() => {
  for (const leave of leaving.splice(0)) leave();
  quiet();
  client.clear();
  vi.useRealTimers();
});

type Part = { key(): readonly unknown[] };
async function onScreen(part: Part, ...rest: unknown[]) {
  const ask = vi.fn(async () => 'answer');
  const observer = new QueryObserver(client, { queryKey: [...part.key(), ...rest], queryFn: ask });
  const leave = observer.subscribe(() => {});
  leaving.push(leave);
  await vi.advanceTimersByTimeAsync(0);
  expect(ask).toHaveBeenCalledTimes(1);
  return { ask, observer, leave };
}
const settle = () => vi.advanceTimersByTimeAsync(1_000);

describe('a signal and the queries of a page', () => {
  it("refetches a page's five queries once each, for any number of signals", async () => {
    const page = await Promise.all([
      onScreen(apiQuery.engagements, 'one'),
      onScreen(apiQuery.engagements, 'list'),
      onScreen(apiQuery.timesheets),
      onScreen(apiQuery.holds),
      onScreen(apiQuery.attendance),
    ]);
    realtimePort.receive([
      record('engagement'),
      record('hold', 'h1'),
      record('engagement'),
      record('wallet', 'b1'),
    ]);
    await settle();
    for (const { ask } of page) expect(ask).toHaveBeenCalledTimes(2);
  });

  it("ignores what isn't on screen, and refetches it on return", async () => {
    const observed = await onScreen(apiQuery.applications, 'shown');
    const left = await onScreen(apiQuery.applications, 'left');
    left.leave();
    realtimePort.receive([record('application')]);
    await settle();
    expect(observed.ask).toHaveBeenCalledTimes(2);
    expect(left.ask).toHaveBeenCalledTimes(1);
    leaving.push(left.observer.subscribe(() => {}));
    await settle();
    expect(left.ask).toHaveBeenCalledTimes(2);
  });

  it("ignores what a signal doesn't affect", async () => {
    const places = await onScreen(apiQuery.places);
    const payouts = await onScreen(apiQuery.payouts);
    realtimePort.receive([record('interview')]);
    await settle();
    expect(places.ask).toHaveBeenCalledTimes(1);
    expect(payouts.ask).toHaveBeenCalledTimes(1);
  });

  /** Screens that people watch while the other side acts. */
  it.each([
    ['application', ['applications', 'pipeline', 'businesses']],
    ['engagement', ['engagements', 'attendance', 'timesheets', 'holds', 'jobs', 'applications', 'calendar']],
    ['dispute', ['disputes', 'engagements', 'timesheets']],
    ['interview', ['interviews', 'applications', 'calendar']],
    ['offer', ['offers', 'applications', 'jobs']],
    ['hold', ['holds', 'wallet', 'charges', 'engagements']],
    ['wallet', ['wallet', 'charges', 'statements', 'invoices']],
    ['balance', ['payouts', 'statements']],
    ['job', ['jobs', 'businesses', 'applications']],
    ['business', ['businesses', 'accounts']],
    ['profile', ['profiles', 'accounts']],
  ] as const)('%s: refetches %j', async (name, parts) => {
    const queries = await Promise.all(parts.map((part) => onScreen(apiQuery[part])));
    realtimePort.receive([record(name)]);
    await settle();
    for (const [place, { ask }] of queries.entries())
      expect([parts[place], ask.mock.calls.length]).toEqual([parts[place], 2]);
  });
});
