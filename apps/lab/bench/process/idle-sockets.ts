import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { signAccessToken } from '@nearhand/api/src/people/sign-in/access-tokens.ts';
import { systemClock } from '@nearhand/api/src/platform/clock.ts';
import { type BareSocket, bareSocket } from '../../experiments/chat/bare-socket.ts';

/**
 * `node apps/lab/bench/process/idle-sockets.ts [--sockets 5000] [--port 22100] [--lines 25]`: what a socket takes that says nothing, on a bare Socket.IO server with our settings and
 * on ours: bytes of `process.memoryUsage()` after a collection, beyond the first 500, and what our heap has more of, by class.
 */
const { values } = parseArgs({
  options: {
    sockets: { type: 'string', default: '5000' },
    port: { type: 'string', default: '22100' },
    lines: { type: 'string', default: '25' },
  },
});
const warm = 500;
const count = Number(values.sockets);
const lines = Number(values.lines);
const folder = mkdtempSync(path.join(tmpdir(), 'idle-sockets-'));
/** Newcomers are looked at again 4 s after they came. */
const settledMs = 6_000;

type Memory = { heapUsed: number; external: number; arrayBuffers: number; rss: number };
async function ask(server: ChildProcess, asked: { snapshot?: string }): Promise<Memory> {
  server.send(asked);
  const [memory] = await once(server, 'message');
  return memory as Memory;
}

async function connect(url: string, most: number): Promise<BareSocket[]> {
  const open: BareSocket[] = [];
  while (open.length < most) {
    const some = await Promise.all(
      Array.from({ length: Math.min(50, most - open.length) }, async () => {
        const who = { accountId: randomUUID(), sessionId: randomUUID() };
        return bareSocket(url, await signAccessToken('a secret that nobody checks', systemClock, who));
      }),
    );
    await Promise.all(some.map(({ welcomed }) => welcomed));
    open.push(...some);
  }
  return open;
}

/** Bytes and number of the objects in a snapshot by their class. */
function byClass(file: string): Map<string, { bytes: number; objects: number }> {
  const { snapshot, nodes, strings } = JSON.parse(readFileSync(file, 'utf8')) as {
    snapshot: { meta: { node_fields: string[]; node_types: [string[], ...unknown[]] } };
    nodes: number[];
    strings: string[];
  };
  const fields = snapshot.meta.node_fields;
  const [types] = snapshot.meta.node_types;
  const [type, name, size] = ['type', 'name', 'self_size'].map((field) => fields.indexOf(field)) as [
    number,
    number,
    number,
  ];
  const found = new Map<string, { bytes: number; objects: number }>();
  for (let at = 0; at < nodes.length; at += fields.length) {
    const kind = types[nodes[at + type] ?? 0] ?? '';
    const own = /string/.test(kind) ? '' : (strings[nodes[at + name] ?? 0] ?? '').slice(0, 60);
    const all = found.get(`${kind} ${own}`) ?? { bytes: 0, objects: 0 };
    all.bytes += nodes[at + size] ?? 0;
    all.objects += 1;
    found.set(`${kind} ${own}`, all);
  }
  return found;
}

async function measure(which: 'bare' | 'ours'): Promise<void> {
  const port = Number(values.port) + (which === 'bare' ? 0 : 1);
  const server = fork(path.join(import.meta.dirname, 'sockets-server.ts'), [which, String(port)], {
    execArgv: ['--expose-gc'],
  });
  await once(server, 'message');
  const open = await connect(`http://127.0.0.1:${port}`, warm);
  const settled = async (name: string) => {
    await wait(settledMs);
    const memory = await ask(server, {});
    const snapshot = path.join(folder, `${which}-${name}.heapsnapshot`);
    await ask(server, { snapshot });
    return { memory, classes: byClass(snapshot) };
  };
  const before = await settled('before');
  open.push(...(await connect(`http://127.0.0.1:${port}`, count)));
  const after = await settled('after');
  const each = (of: (memory: Memory) => number) =>
    Math.round((of(after.memory) - of(before.memory)) / count).toLocaleString('en');
  console.log(
    `${which}: ${each((m) => m.heapUsed + m.external)} bytes a socket: heap ${each((m) => m.heapUsed)}, outside ${each((m) => m.external)}, resident ${each((m) => m.rss)}`,
  );
  const more = [...after.classes]
    .map(([name, { bytes, objects }]) => {
      const had = before.classes.get(name) ?? { bytes: 0, objects: 0 };
      return { name, bytes: (bytes - had.bytes) / count, objects: (objects - had.objects) / count };
    })
    .sort((a, b) => b.bytes - a.bytes);
  console.log('| bytes a socket | objects a socket | class |\n|---|---|---|');
  for (const { name, bytes, objects } of more.slice(0, lines))
    console.log(`| ${bytes.toFixed(0)} | ${objects.toFixed(1)} | ${name} |`);
  for (const socket of open) socket.close();
  server.kill();
  await once(server, 'exit');
}

try {
  await measure('bare');
  await measure('ours');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
