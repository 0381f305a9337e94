import { createSocket } from 'node:dgram';
import { once } from 'node:events';

export type Zone = Map<string, { txt?: readonly string[]; a?: readonly string[] }>;

const types = { a: 1, txt: 16 } as const;

export async function startDnsServer(zone: Zone): Promise<{ address: string; close: () => void }> {
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => socket.send(answerTo(query, zone), from.port, from.address));
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { address: `127.0.0.1:${socket.address().port}`, close: () => void socket.close() };
}

function answerTo(query: Buffer, zone: Zone): Buffer {
  const labels: string[] = [];
  let at = 12;
  while (query[at]) {
    const length = query[at] ?? 0;
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  const question = query.subarray(12, at + 5);
  const type = query.readUInt16BE(at + 1);
  const zoneEntry = zone.get(labels.join('.').toLowerCase());
  const texts = type === types.txt ? (zoneEntry?.txt ?? []) : [];
  const addresses = type === types.a ? (zoneEntry?.a ?? []) : [];
  const data = [...texts.map(textData), ...addresses.map(addressData)];
  const head = Buffer.from(query.subarray(0, 12));
  head.writeUInt16BE(zoneEntry ? 0x8180 : 0x8183, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 6);
  head.writeUInt32BE(0, 8);
  return Buffer.concat([head, question, ...data.map((bytes) => record(type, bytes))]);
}

/** The name is a pointer to the question; valid for one second. */
function record(type: number, bytes: Buffer): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(1, 6);
  head.writeUInt16BE(bytes.length, 10);
  return Buffer.concat([head, bytes]);
}

const textData = (text: string) => Buffer.concat([Buffer.from([text.length]), Buffer.from(text, 'latin1')]);
const addressData = (address: string) => Buffer.from(address.split('.').map(Number));
