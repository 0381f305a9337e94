import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { migrate } from '@nearhand/api/src/platform/database/migrate.ts';
import pg from 'pg';
import { chatClient } from '../chat/chat-client.ts';
import { chatFaults, chatSignalFaults } from '../chat/chat-faults.ts';
import { makePair } from '../chat/conversation-pair.ts';
import { prepareWork } from '../money/prepared-work.ts';
import { audited, releaseFaults, signalFaults } from '../money/release-faults.ts';
import { approveAll } from '../money/release-stream.ts';
import { type ServerProcess, serverProcess } from '../money/server-process.ts';
import { openServices, type Services } from '../money/services.ts';
import { missingPackages, type PatroniCluster, startPatroni } from '../patroni/nodes.ts';
import { answersText, callerAt, compareJobs, makeWriter, writeJobs } from './write-stream.ts';

/** What was under way when the machine died is answered or cut off after this. */
const settleMs = 300;
const patienceMs = 180_000;
const settings = { CHAT_PER_MINUTE: '1000000', CHAT_BURST: '1000000' };

/**
 * `npm run experiments -- patroni [--kills 5] [--port 21450]`: three nodes of etcd, Patroni and PostgreSQL behind HAProxy, with the settings of docs/operations.md.
 * The primary's node is killed and brought back while two servers release pay and carry a chat: nothing acknowledged may be missing. The
 * control replicates asynchronously, to replicas that are held back: writes must be missing.
 */
export async function patroni(say: (line: string) => void): Promise<boolean> {
  const missing = await missingPackages();
  if (missing.length > 0) {
    say(`patroni: needs these Debian packages: apt-get install --no-install-recommends ${missing.join(' ')}`);
    return false;
  }
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ args: process.argv.slice(3), options: { kills: text, port: text } });
  const cluster = await startPatroni(Number(values.port ?? 20_000 + Math.floor(Math.random() * 9_000)));
  let right = false;
  try {
    await cluster.whole();
    const url = await makeDatabase(cluster);
    const services = openServices(url);
    const servers = [
      await serverProcess({ databaseUrl: url, settings }),
      await serverProcess({ databaseUrl: url, settings }),
    ];
    try {
      const parts = { cluster, services, servers, say };
      const faults = await killUnderLoad(parts, Number(values.kills ?? 5));
      const lost = await loseWrites(parts);
      right = faults === 0 && lost > 0;
    } finally {
      await Promise.all(servers.map((server) => server.kill()));
      await services.close();
    }
  } finally {
    await cluster.close({ keepLogs: !right });
  }
  say(`patroni: ${right ? 'as it must be' : `NOT as it must be; logs in ${cluster.folder}`}`);
  return right;
}

type Parts = {
  cluster: PatroniCluster;
  services: Services;
  servers: readonly ServerProcess[];
  say: (line: string) => void;
};

async function makeDatabase(cluster: PatroniCluster): Promise<string> {
  const client = new pg.Client(cluster.urlOf('postgres', 'SUPERUSER', 'postgres'));
  await client.connect();
  await client.query(`create role nearhand login password 'PASSWORD'`);
  await client.query(`create database nearhand owner nearhand encoding 'UTF8' template template0`);
  await client.end();
  const url = cluster.urlOf('nearhand', 'PASSWORD', 'nearhand');
  await migrate(url, { log: { info: () => {}, warn: () => {} } });
  return url;
}

/** @returns how many kinds of fault there are */
async function killUnderLoad({ cluster, services, servers, say }: Parts, kills: number): Promise<number> {
  const count = 1_000 * kills;
  const prepared = await prepareWork(services, { count, workers: 200, step: 'submitted' });
  const { conversationId, worker, recruiter } = await makePair(services);
  await Promise.all(servers.map((server) => server.start()));
  const urls = servers.map(({ url }) => url);
  const devices = [worker, recruiter].map(({ token }) => chatClient({ urls, token, conversationId }));
  await Promise.all(devices.map((device) => device.connect()));
  const money = servers.map((server, at) => {
    const works = prepared.works.filter((_, index) => index % servers.length === at);
    return approveAll(server.url, prepared.owner, works, { clients: 2, pauseMs: 250 });
  });
  let [over, said] = [false, 0];
  const talking = devices.map(async (device, number) => {
    for (let n = 1; !over; n += 1) {
      await device.say(`${n} of device ${number + 1}`);
      said += 1;
      await wait(50);
    }
  });
  const paid = () => money.reduce((sum, { stream }) => sum + stream.answers.size, 0);
  const lateMs = { money: [] as number[], chat: [] as number[] };
  for (let kill = 1; kill <= kills; kill += 1) {
    await wait(4_000 + Math.random() * 2_000);
    const killedAt = performance.now();
    const node = await cluster.killPrimary();
    await wait(settleMs);
    const [paidBefore, saidBefore] = [paid(), said];
    const again = async (more: () => boolean) => {
      while (!more()) {
        if (performance.now() - killedAt > patienceMs)
          throw new Error(`no write within ${patienceMs / 1_000} s`);
        await wait(20);
      }
      return performance.now() - killedAt;
    };
    const [moneyMs, chatMs] = await Promise.all([
      again(() => paid() > paidBefore),
      again(() => said > saidBefore),
    ]);
    lateMs.money.push(moneyMs);
    lateMs.chat.push(chatMs);
    cluster.bringBack(node);
    await cluster.whole();
    say(
      `  kill ${kill}: node${node}; money again after ${seconds(moneyMs)}, chat after ${seconds(chatMs)}; back as a replica ${seconds(performance.now() - killedAt)} after the kill`,
    );
  }
  over = true;
  await Promise.all(talking);
  for (const { stream } of money) stream.over = true;
  await Promise.all(money.map(({ done }) => done));
  await wait(2_000);
  const chat = await chatFaults(services.pool, conversationId, devices, said);
  for (const device of devices) device.stop();
  await Promise.all(servers.map((server) => server.stop()));
  const stream = {
    answers: new Map(money.flatMap((part) => [...part.stream.answers])),
    refusals: money.flatMap((part) => part.stream.refusals),
    retries: new Map(),
    over: true,

    unlike: money.flatMap((part) => part.stream.unlike),
    lost: money.flatMap((part) => part.stream.lost),
    asked: money.reduce((sum, part) => sum + part.stream.asked, 0),
  };
  const answered = prepared.works.filter(({ engagementId }) => stream.answers.has(engagementId));
  const faults = await releaseFaults(services, answered, stream);
  const { entries, findings } = await audited(services);
  const downMs = lateMs.money.map((ms, at) => Math.max(ms, lateMs.chat[at] ?? ms));
  say(
    `patroni: ${kills} kills of the primary's node; ${stream.answers.size} releases of pay and ${said} messages acknowledged, ${faults.size + chat.size} kinds of fault; ${entries} ledger entries, ${findings} findings of the auditor`,
  );
  say(
    `  without writes ${seconds(median(downMs))} in the median, ${seconds(Math.max(...downMs))} at worst (money ${lateMs.money.map(seconds).join(', ')}; chat ${lateMs.chat.map(seconds).join(', ')})`,
  );
  for (const line of [...signalFaults(faults), ...chatSignalFaults(chat)]) say(line);
  return faults.size + chat.size + findings;
}

/** The negative control. @returns how many acknowledged writes are missing */
async function loseWrites({ cluster, services, servers, say }: Parts): Promise<number> {
  await cluster.change({
    synchronous_mode: false,
    synchronous_mode_strict: false,
    maximum_lag_on_failover: 1_000_000_000,
    postgresql: { parameters: { synchronous_commit: 'on' } },
  });
  while (!(await isAsynchronous(services))) await wait(200);
  await cluster.whole(false);
  const [server] = servers;
  if (!server) throw new Error('no server');
  await server.start();
  const { token, businessId } = await makeWriter(services);
  const caller = callerAt({ port: Number(new URL(server.url).port) }, token);
  const stream = writeJobs(caller, businessId);
  await wait(3_000);
  if ((await cluster.holdReplicas('SIGSTOP')) !== 2) throw new Error('the replicas were not held back');
  await wait(2_000);
  await cluster.killPrimary();
  await wait(settleMs);
  const before = stream.acknowledged.size;
  // Ended before they go on, or they would still read what their sockets hold.
  await cluster.holdReplicas('SIGTERM');
  await cluster.holdReplicas('SIGCONT');
  while (stream.acknowledged.size === before) await wait(20);
  await wait(1_000);
  await stream.stop();
  caller.close();
  const { lost } = await compareJobs(services, stream);
  say(
    `patroni, negative control asynchronous: ${stream.acknowledged.size} writes acknowledged, ${answersText(stream)}; ${lost} lost`,
  );
  return lost;
}

async function isAsynchronous({ pool }: Services): Promise<boolean> {
  const { rows } = await pool.query<{ names: string; commit: string }>(
    `select current_setting('synchronous_standby_names') as names, current_setting('synchronous_commit') as commit`,
  );
  return rows[0]?.names === '' && rows[0].commit === 'on';
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
const median = (numbers: readonly number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
