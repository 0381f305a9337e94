import type { FastifyInstance } from 'fastify';
import { Counter, Gauge } from 'prom-client';
import type { OutboxCounts } from './realtime-outbox.ts';

/** The metrics of sockets and signals. */
export function countRealtime(
  app: FastifyInstance,
  of: { sockets(): number; isUp(): boolean; counts: OutboxCounts },
): void {
  const registers = [app.metrics];
  new Gauge({
    name: 'realtime_sockets',
    help: 'Open sockets of this process',
    registers,
    collect() {
      this.set(of.sockets());
    },
  });
  new Gauge({
    name: 'realtime_bus_up',
    help: '1 while this process receives signals from the others',
    registers,
    collect() {
      this.set(of.isUp() ? 1 : 0);
    },
  });
  for (const [name, help] of [
    ['sent', 'Signals sent to sockets'],
    ['dropped', 'Signals that became a resync because a socket did not read'],
    ['cut', 'Sockets dropped because nothing moved on them'],
  ] as const)
    new Counter({
      name: `realtime_signals_${name}_total`,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(of.counts[name]);
      },
    });
}
