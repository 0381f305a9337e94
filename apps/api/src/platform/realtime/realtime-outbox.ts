import type { ServerEvents, Signal } from '@nearhand/contract/realtime';

export type Wire = {
  emit(event: 'signals', ...values: Parameters<ServerEvents['signals']>): unknown;
  isClear(): boolean;
  /** Ends the connection at once, dropping what is in flight. */
  cut(): void;
};

type Waiting = { signals: Map<string, Signal>; stuckSince: number | null };

export type OutboxCounts = { sent: number; dropped: number; cut: number };

/** A message brings its receipt, notice and badge within a few milliseconds. */
const batchMs = 15;
const lookAgainMs = 250;
/** The maximum of distinct subjects. Beyond it one resync is cheaper on both sides. */
const maxWaiting = 100;
/** A connection without progress for this long is dropped (ADR 90). */
const stuckMs = 30_000;

/** Only the newest signal of a subject counts. */
function signalSubject(signal: Signal): string {
  switch (signal.kind) {
    case 'message':
    case 'conversation':
      return `${signal.kind} ${signal.conversationId}`;
    case 'typing':
      return `typing ${signal.conversationId} ${signal.accountId}`;
    case 'record':
      return `record ${signal.record} ${signal.id} ${signal.jobId ?? ''}`;
    default:
      return signal.kind;
  }
}

/** One packet in flight and deduplicated pending signals bound the memory per slow reader. */
export function createOutbox(now: () => number = () => performance.now()) {
  const waiting = new Map<Wire, Waiting>();
  const stuck = new Set<Wire>();
  const fresh = new Set<Wire>();
  const counts: OutboxCounts = { sent: 0, dropped: 0, cut: 0 };
  let soon: NodeJS.Timeout | undefined;

  function flush(wire: Wire): void {
    const batch = waiting.get(wire);
    if (!batch) return;
    if (!wire.isClear()) {
      batch.stuckSince ??= now();
      stuck.add(wire);
      if (now() - batch.stuckSince < stuckMs) return;
      counts.cut += 1;
      forget(wire);
      wire.cut();
      return;
    }
    waiting.delete(wire);
    stuck.delete(wire);
    counts.sent += batch.signals.size;
    wire.emit('signals', [...batch.signals.values()]);
  }

  function flushFresh(): void {
    soon = undefined;
    const wires = [...fresh];
    fresh.clear();
    for (const wire of wires) flush(wire);
  }

  function forget(wire: Wire): void {
    waiting.delete(wire);
    stuck.delete(wire);
    fresh.delete(wire);
  }

  const retryTimer = setInterval(() => {
    for (const wire of stuck) flush(wire);
  }, lookAgainMs);
  retryTimer.unref();

  return {
    counts,
    push(wire: Wire, signal: Signal): void {
      // A typing signal would be outdated by the time it is read.
      if (signal.kind === 'typing' && stuck.has(wire)) return;
      let queued = waiting.get(wire);
      if (!queued) {
        queued = { signals: new Map(), stuckSince: null };
        waiting.set(wire, queued);
      }
      const { signals } = queued;
      if (signals.has('resync')) {
        // The client refetches everything anyway, so typing signals can be dropped.
        counts.dropped += 1;
        return;
      }
      const subject = signalSubject(signal);
      if (signal.kind === 'resync' || (signals.size >= maxWaiting && !signals.has(subject))) {
        counts.dropped += signals.size;
        signals.clear();
        signals.set('resync', { kind: 'resync' });
      } else {
        // Keeps the newest revision, since signals may arrive in any order.
        const before = signals.get(subject);
        signals.delete(subject);
        signals.set(
          subject,
          before?.kind === 'message' && signal.kind === 'message' && before.rev > signal.rev
            ? before
            : signal,
        );
      }
      if (stuck.has(wire)) return;
      fresh.add(wire);
      soon ??= setTimeout(flushFresh, batchMs);
    },
    forget,
    stop(): void {
      clearInterval(retryTimer);
      clearTimeout(soon);
      waiting.clear();
      stuck.clear();
      fresh.clear();
    },
  };
}

export type Outbox = ReturnType<typeof createOutbox>;
