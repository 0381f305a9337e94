import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { limits } from '@nearhand/contract/limits';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Person, useTestApp } from '../../../test/harness.ts';
import { listeningAt } from '../../../test/sockets.ts';
import { pdfBytes } from '../../people/files/files.fixtures.ts';

const app = useTestApp();
let leila: Person;
const open: Socket[] = [];
beforeAll(async () => {
  leila = await app.person();
});
afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy();
});

/** Starts a ten-megabyte body and stops; returns the first line of the response, or null if none came. */
async function begin(
  headers: Record<string, string>,
): Promise<{ status: () => number | null; answers: () => number; socket: Socket }> {
  const { hostname, port } = new URL(await listeningAt(app.server));
  const socket = connect(Number(port), hostname);
  open.push(socket);
  let answer = '';
  socket.on('data', (chunk) => {
    answer += String(chunk);
  });
  const lines = Object.entries({
    host: 'localhost',
    'content-length': String(10 * 1024 * 1024),
    'idempotency-key': crypto.randomUUID(),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`);
  socket.write(
    `POST /api/files HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n--x\r\nContent-Disposition: form-data`,
  );
  return {
    status: () => (answer === '' ? null : Number(/^HTTP\/1.1 (\d+)/.exec(answer)?.[1])),
    answers: () => answer.match(/HTTP\/1.1 \d+/g)?.length ?? 0,
    socket,
  };
}
const form = { 'content-type': 'multipart/form-data; boundary=x' };
const as = ({ token }: Person) => ({ authorization: `Bearer ${token}` });
const soon = { timeout: 10_000, interval: 20 };

describe('a slow body', () => {
  it.each([
    ['a stranger’s form', async () => form, 401],
    [
      'a stranger’s JSON',
      async () => ({ 'content-type': 'application/json', 'content-length': '200000' }),
      401,
    ],
    [
      'a form of an unverified account',
      async () => ({ ...form, ...as(await app.person({ verified: false })) }),
      403,
    ],
  ])('is not waited for: %s', async (_what, headers, status) => {
    const begun = await begin(await headers());
    await expect.poll(begun.status, soon).toBe(status);
  });

  it('that breaks off after its response gets no second one, which a client would match to its next call', async () => {
    const begun = await begin(form);
    await expect.poll(begun.status, soon).toBe(401);
    const closed = new Promise((resolve) => begun.socket.once('close', resolve));
    begun.socket.end();
    await closed;
    expect(begun.answers()).toBe(1);
  });

  it('has a limit of a few per account, without blocking others', async () => {
    // Two more than the files of a full delivery.
    const maxForms = limits.deliveryFilesMax + 2;
    const begun = await Promise.all(
      Array.from({ length: maxForms + 1 }, () => begin({ ...form, ...as(leila) })),
    );
    const answered = () => begun.map(({ status }) => status()).filter((status) => status !== null);
    await expect.poll(answered, soon).toEqual([429]);
    const whole = async (person: Person) => {
      const headers = { ...form, ...as(person), 'idempotency-key': crypto.randomUUID() };
      return (await app.raw({ method: 'POST', url: '/api/files', headers, payload: 'no form' })).statusCode;
    };
    expect(await whole(leila)).toBe(429);
    expect(await whole(await app.person())).toBe(400);
    for (const { socket } of begun.slice(0, 2)) socket.destroy();
    await expect.poll(() => whole(leila), soon).toBe(400);
  });

  it('is aborted after five minutes, for any sender', () => {
    expect(app.server.server.requestTimeout).toBe(300_000);
  });
});

describe('a compressed body', () => {
  it('is not decompressed', async () => {
    const payload = gzipSync('{"ids":"all"}');
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip', ...as(leila) };
    const response = await app.raw({
      method: 'POST',
      url: '/api/notifications/read',
      payload,
      headers: { ...headers, 'idempotency-key': 'packed-body' },
    });
    expect([response.statusCode, response.json().code]).toEqual([400, 'request/invalid']);
  });
});

describe('a form of many parts', () => {
  let sam: Person;
  beforeAll(async () => {
    sam = await app.person();
  });

  it('is rejected without parsing it', async () => {
    const part = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n';
    const response = await app.raw({
      method: 'POST',
      url: '/api/files',
      headers: { ...form, ...as(sam), 'idempotency-key': 'many-parts' },
      payload: `${part.repeat(100_000)}--x--\r\n`,
    });
    expect([response.statusCode, response.json().code]).toEqual([400, 'request/invalid']);
  });

  const uploaded = async (key: string, contentType: string, more: number) => {
    const part = (name: string, value: string) =>
      `--a-b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    const file = `--a-b\r\nContent-Disposition: form-data; name="file"; filename="cv.pdf"\r\n\r\n${Buffer.from(pdfBytes(key)).toString('latin1')}\r\n`;
    const text = `${part('purpose', 'cv')}${file}${part('purpose', 'cv').repeat(more)}--a-b--\r\n`;
    const payload = Buffer.from(text, 'latin1');
    const headers = { ...as(sam), 'content-type': contentType, 'idempotency-key': key };
    const response = await app.raw({ method: 'POST', url: '/api/files', headers, payload });
    return [response.statusCode, response.json().data?.issues[0]?.message];
  };

  it.each([
    ['plain', 'multipart/form-data; boundary=a-b'],
    ['quoted', 'multipart/form-data; boundary="a-b"'],
    ['after another parameter', 'multipart/form-data; charset=utf-8;boundary=a-b'],
    ['after one whose name ends alike', 'multipart/form-data; xboundary=zz; boundary=a-b'],
  ])('is counted by the boundary it is split by: %s', async (_how, contentType) => {
    const key = `counted-${contentType.replaceAll(/[^a-z]/g, '')}-${contentType.length}`;
    expect(await uploaded(key, contentType, 0)).toEqual([201, undefined]);
    expect(await uploaded(`${key}-more`, contentType, 40)).toEqual([400, 'a readable form']);
  });

  it.each([
    ['none', 'multipart/form-data'],
    ['an empty one', 'multipart/form-data; boundary='],
    ['an escaped one', 'multipart/form-data; boundary="a\\-b"'],
    ['one that is not closed', 'multipart/form-data; boundary="a-b'],
    ['another name', 'multipart/form-data; xboundary=a-b'],
  ])('requires a simple boundary, not %s', async (how, contentType) => {
    expect(await uploaded(`boundary-${how.replaceAll(' ', '-')}`, contentType, 0)).toEqual([
      400,
      'a readable form',
    ]);
  });

  it('leaves no counter behind', async () => {
    for (let n = 0; n < limits.deliveryFilesMax + 4; n += 1) {
      const response = await app.raw({
        method: 'POST',
        url: '/api/files',
        headers: { ...form, ...as(sam), 'idempotency-key': `no-form-${n}` },
        payload: 'rubbish',
      });
      expect(response.statusCode).toBe(400);
    }
  });
});
