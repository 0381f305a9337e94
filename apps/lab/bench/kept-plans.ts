import { parseArgs } from 'node:util';
import { findPostmaster } from '@nearhand/api/src/platform/database/database-cluster.ts';
import { chatClient } from '../experiments/chat/chat-client.ts';
import { makePair } from '../experiments/chat/conversation-pair.ts';
import { type ServerProcess, serverProcess } from '../experiments/money/server-process.ts';
import { openServices, type Services } from '../experiments/money/services.ts';
import { onThrowAwayDatabase } from '../experiments/throw-away-database.ts';
import { bareSenders, ourSenders, type Sender, sendFor } from './chat-senders.ts';
import { cpuOf, cpuOfPostgres } from './processes.ts';

/**
 * `node apps/lab/bench/kept-plans.ts [--seconds 5] [--rounds 7]`: what prepared statements (`keptPlan`) save when sending a message and when listing
 * conversations. The same server runs with and without them, next to a bare insert and NOTIFY, in alternating rounds.
 */
const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '5' }, rounds: { type: 'string', default: '7' } },
});
const seconds = Number(values.seconds);
const rounds = Number(values.rounds);
const variants = { 'as it is': undefined, 'no kept plans': 'no-kept-plans' };
const floor = 'bare insert and notify';

type Figure = { perSecond: number; postgres: number; node: number };

await onThrowAwayDatabase(
  async (url, own) => {
    const services = openServices(url, { connections: 20 });
    const postmaster = (await findPostmaster(own.cluster))?.pid ?? 0;
    const settings = { CHAT_PER_MINUTE: '1000000', CHAT_BURST: '1000000', READS_PER_MINUTE: '1000000' };
    const servers: ServerProcess[] = [];
    const senders: Sender[] = [];
    try {
      const cases: Record<string, { server?: ServerProcess; senders: Sender[] }> = {
        [floor]: { senders: await bareSenders(url) },
      };
      for (const [name, sabotage] of Object.entries(variants)) {
        const server = await serverProcess({ databaseUrl: url, settings, sabotage });
        servers.push(server);
        await server.start();
        cases[`message, ${name}`] = { server, senders: await ourSenders(services, server, server) };
        cases[`inbox, ${name}`] = { server, senders: await readers(services, server) };
      }
      senders.push(...Object.values(cases).flatMap((one) => one.senders));
      const figures = new Map<string, Figure[]>(Object.keys(cases).map((name) => [name, []]));
      for (let round = 0; round <= rounds; round += 1) {
        const order = Object.entries(cases);
        for (const [name, { server, senders }] of round % 2 === 0 ? order : order.reverse()) {
          const node = () => (server ? (cpuOf(server.pid() ?? 0)?.ms ?? 0) : 0);
          const before = { postgres: cpuOfPostgres(postmaster), node: node() };
          const { length: done } = await sendFor(senders, seconds, 0);
          const postgres = (cpuOfPostgres(postmaster) - before.postgres) / done;
          // The first round warms caches and plans.
          if (round > 0)
            figures
              .get(name)
              ?.push({ perSecond: done / seconds, postgres, node: (node() - before.node) / done });
        }
      }
      print(figures);
    } finally {
      await Promise.all(senders.map((sender) => sender.stop()));
      await Promise.all(servers.map((server) => server.kill()));
      await services.close();
    }
  },
  { fsync: 'on', synchronous_commit: 'on' },
);

/** Clients that list their conversations repeatedly. */
async function readers(services: Services, server: ServerProcess): Promise<Sender[]> {
  return Promise.all(
    Array.from({ length: 8 }, async () => {
      const { conversationId, worker } = await makePair(services);
      const client = chatClient({ urls: [server.url], token: worker.token, conversationId });
      await client.say('Are you there?');
      return {
        async say() {
          const answer = await fetch(`${server.url}/api/conversations?limit=20`, {
            headers: { authorization: `Bearer ${await worker.token()}` },
          });
          if (!answer.ok) throw new Error(`the inbox answered ${answer.status}`);
          await answer.arrayBuffer();
          const at = performance.now();
          return async () => at;
        },
        stop: client.stop,
      };
    }),
  );
}

/** Medians, and each case relative to the same round of the floor and of the unchanged server. */
function print(figures: ReadonlyMap<string, readonly Figure[]>): void {
  const sorted = (numbers: number[]) => numbers.sort((a, b) => a - b);
  const median = (numbers: number[]) => sorted(numbers)[Math.floor(numbers.length / 2)] ?? Number.NaN;
  const beside = (name: string, other: string, of: (figure: Figure) => number) => {
    const ratios = sorted(
      (figures.get(name) ?? []).map((figure, n) => of(figure) / of(figures.get(other)?.[n] as Figure)),
    );
    const at = (part: number) => ratios[Math.floor(ratios.length * part)]?.toFixed(2);
    return `${at(0.5)} (${at(0.25)} to ${at(0.75)})`;
  };
  console.log(
    '| case | per second | PostgreSQL, ms | node, ms | PostgreSQL, of the floor | both, of the server as it is |',
  );
  console.log('|---|---|---|---|---|---|');
  for (const [name, all] of figures) {
    const same = name === floor ? name : `${name.slice(0, name.indexOf(','))}, as it is`;
    const cells = [
      median(all.map((figure) => figure.perSecond)).toFixed(0),
      median(all.map((figure) => figure.postgres)).toFixed(2),
      median(all.map((figure) => figure.node)).toFixed(2),
      beside(name, floor, (figure) => figure.postgres),
      beside(name, same, (figure) => figure.postgres + figure.node),
    ];
    console.log(`| ${name} | ${cells.join(' | ')} |`);
  }
}
