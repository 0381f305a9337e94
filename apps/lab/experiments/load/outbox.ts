import { type ChildProcess, spawn } from 'node:child_process';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openServices } from '../money/services.ts';
import { onThrowAwayDatabase } from '../throw-away-database.ts';
import { numbersFrom } from './options.ts';

const drainMs = 10_000;

/**
 * `npm run experiments -- outbox [--items 5000] [--kills 100]`: a task runner is killed and started again while it sends 5,000 mails. Each arrives, those
 * sent twice have the same Message-ID, and ten seconds after the last kill, or as soon as all were sent, nothing is left. The control never frees what a
 * dead runner had taken: mails must be left.
 */
export async function outbox(say: (line: string) => void): Promise<boolean> {
  const { items, kills } = numbersFrom({ items: 5_000, kills: 100 });
  const real = await send({ items, kills, leaseSeconds: 1 }, say);
  const control = await send(
    { items: Math.min(items, 500), kills: Math.min(kills, 5), leaseSeconds: 600 },
    say,
  );
  const right = real.missing === 0 && real.left === 0 && real.strange === 0 && control.left > 0;
  say(`outbox: ${right ? 'as it must be' : 'NOT as it must be'}`);
  return right;
}

type Run = { items: number; kills: number; leaseSeconds: number };

async function send({ items, kills, leaseSeconds }: Run, say: (line: string) => void) {
  const result = { missing: items, left: items, strange: 0 };
  const sink = await openSink();
  await onThrowAwayDatabase(async (url) => {
    const services = openServices(url);
    const { pool } = services;
    await pool.query(
      `select count(*) from generate_series(1, $1) n, lateral graphile_worker.add_job('sign-in.send-verification',
         json_build_object('email', 'a' || n || '@example.test', 'token', 'token', 'key', 'outbox-' || n, 'language', null))`,
      [items],
    );
    const left = async () => {
      const { rows } = await pool.query(
        `select count(*)::int from graphile_worker.jobs where task_identifier = 'sign-in.send-verification'`,
      );
      return rows[0].count as number;
    };
    const started = performance.now();
    let runner = await startRunner(url, sink.url, leaseSeconds);
    let killed = 0;
    for (; killed < kills && (await left()) > 0; killed += 1) {
      await wait(20 + Math.random() * 150);
      await end(runner);
      runner = await startRunner(url, sink.url, leaseSeconds);
    }
    const lastKill = performance.now();
    // Mails that are still waiting take their time; those that a dead runner had taken must be free soon.
    const patienceMs = drainMs + items * 8;
    while ((await left()) > 0 && performance.now() - lastKill < patienceMs) await wait(100);
    const drainedMs = performance.now() - lastKill;
    await end(runner);
    const names = new Set(sink.ids);
    result.left = await left();
    result.missing = items - names.size;
    result.strange = sink.ids.filter((id) => !/^<outbox-\d+@/.test(id)).length;
    say(
      `outbox${leaseSeconds > 1 ? ', negative control without rescue' : ''}: ${items} mails, ${killed} kills in ${((lastKill - started) / 1_000).toFixed(0)} s; ${names.size} arrived, ${sink.ids.length - names.size} of them again with the same Message-ID; ${result.left} left ${(drainedMs / 1_000).toFixed(1)} s after the last kill`,
    );
    await services.close();
  });
  sink.close();
  return result;
}

async function startRunner(url: string, smtpUrl: string, leaseSeconds: number): Promise<ChildProcess> {
  const file = path.join(import.meta.dirname, 'runner-process.ts');
  const child = spawn(process.execPath, [file, url, smtpUrl, String(leaseSeconds)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout?.once('data', () => resolve());
    child.once('exit', (code) => reject(new Error(`the runner ended with ${code}`)));
  });
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  if (child.kill('SIGKILL')) await ended;
}

/** A mail server that takes everything and keeps the Message-IDs. */
async function openSink() {
  const ids: string[] = [];
  const server = net.createServer((socket) => {
    let [text, inData] = ['', false];
    socket.on('error', () => {});
    socket.write('220 sink\r\n');
    socket.on('data', (chunk) => {
      text += chunk;
      for (;;) {
        const end = inData ? text.indexOf('\r\n.\r\n') : text.indexOf('\r\n');
        if (end < 0) return;
        const [line, rest] = [text.slice(0, end), text.slice(end + (inData ? 5 : 2))];
        text = rest;
        if (inData) {
          ids.push(/^message-id: *(\S+)/im.exec(line)?.[1] ?? '');
          inData = false;
          socket.write('250 taken\r\n');
        } else if (/^data/i.test(line)) {
          inData = true;
          socket.write('354 go on\r\n');
        } else if (/^quit/i.test(line)) socket.end('221 bye\r\n');
        else socket.write('250 fine\r\n');
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    ids,
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.close(),
  };
}
