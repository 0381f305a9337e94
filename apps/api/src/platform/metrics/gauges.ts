import { setTimeout as wait } from 'node:timers/promises';
import { Gauge, type Registry } from 'prom-client';

/** Shorter than a scrape's time limit: a hanging database must not hide other metrics. */
const answerMs = 3_000;

type Reading = readonly [labels: Record<string, string>, value: number];

export type GaugeOf<Found> = {
  help: string;
  labelNames?: readonly string[];
  read(rows: Found): readonly Reading[];
};

/** Gauges that share one query, cached for `ttlMs`. They are absent if it has no result. */
export function registerGauges<Found>(
  { metrics, log }: { metrics: Registry; log: { warn(details: object, message: string): void } },
  { what, ttlMs, find }: { what: string; ttlMs: number; find(): Promise<Found | null> },
  gauges: Readonly<Record<string, GaugeOf<Found>>>,
): void {
  let latest: { at: number; answer: Promise<Found | null> } | null = null;
  const ask = () => {
    if (latest && performance.now() - latest.at <= ttlMs) return latest.answer;
    const late = wait(answerMs, undefined, { ref: false }).then(() => {
      throw new Error(`no answer in ${answerMs / 1_000} s`);
    });
    const answer = Promise.race([find(), late]).catch((error) => {
      log.warn({ err: error }, `the metrics of ${what} cannot be read`);
      latest = null;
      return null;
    });
    latest = { at: performance.now(), answer };
    return answer;
  };
  for (const [name, { help, labelNames = [], read }] of Object.entries(gauges))
    new Gauge({
      name,
      help,
      labelNames: [...labelNames],
      registers: [metrics],
      async collect() {
        const reading = await ask();
        this.reset();
        // A gauge without labels resets to 0, which would be a reading.
        if (reading === null) {
          if (labelNames.length === 0) this.remove();
          return;
        }
        for (const [labels, value] of read(reading)) this.set(labels, value);
      },
    });
}
