import { randomBytes } from 'node:crypto';
import http from 'node:http';
import type { Socket } from 'node:net';
import { realtimePath } from '@nearhand/contract/realtime';

/** A realtime connection without a library: it costs almost nothing, and can stop reading. */
export type BareSocket = {
  /** The server accepted it: it receives signals from now on. */
  welcomed: Promise<void>;
  /** Resolves when the connection is closed, by either side. */
  gone: Promise<void>;
  /** Stops reading, so that the server's data piles up. */
  stopReading(): void;
  close(): void;
};

const opcode = { text: 0x81, close: 0x88 };

/** A masked frame, as clients must send; short texts only. */
function frame(first: number, text: string): Buffer {
  const payload = Buffer.from(text);
  const mask = randomBytes(4);
  const head =
    payload.length < 126
      ? Buffer.from([first, 0x80 | payload.length])
      : Buffer.from([first, 0xfe, payload.length >> 8, payload.length & 0xff]);
  const masked = payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0));
  return Buffer.concat([head, mask, masked]);
}

/** Takes complete frames out of the received data, and returns the rest. */
function takeFrames(buffer: Buffer, each: (text: string) => void): Buffer {
  let at = 0;
  while (buffer.length - at >= 2) {
    const short = (buffer[at + 1] ?? 0) & 0x7f;
    const head = short === 126 ? 4 : short === 127 ? 10 : 2;
    if (buffer.length - at < head) break;
    const length =
      short === 126
        ? buffer.readUInt16BE(at + 2)
        : short === 127
          ? Number(buffer.readBigUInt64BE(at + 2))
          : short;
    if (buffer.length - at < head + length) break;
    if (buffer[at] === opcode.text) each(buffer.toString('utf8', at + head, at + head + length));
    at += head + length;
  }
  return buffer.subarray(at);
}

/** @throws what the server or the network refused the connection with, by `welcomed` */
export function bareSocket(url: string, token: string): BareSocket {
  let connection: Socket | null = null;
  let closed = false;
  const gone = Promise.withResolvers<void>();
  const welcomed = Promise.withResolvers<void>();
  welcomed.promise.catch(() => {});
  const end = (why: string) => {
    welcomed.reject(new Error(why));
    connection?.destroy();
    gone.resolve();
  };
  const request = http.request(`${url}${realtimePath}?EIO=4&transport=websocket`, {
    agent: false,
    headers: {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': randomBytes(16).toString('base64'),
    },
  });
  request.once('error', (error) => end(error.message));
  request.once('response', (response) => {
    response.resume();
    end(`refused with ${response.statusCode}`);
  });
  request.once('upgrade', (_response, socket, first) => {
    if (closed) return end('closed');
    connection = socket as Socket;
    connection.setNoDelay(true);
    let rest: Buffer = Buffer.alloc(0);
    const receive = (chunk: Buffer) => {
      rest = takeFrames(rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk, (text) => {
        if (text === '2') connection?.write(frame(opcode.text, '3'));
        else if (text.startsWith('0'))
          connection?.write(frame(opcode.text, `40${JSON.stringify({ token })}`));
        else if (text.startsWith('40')) welcomed.resolve();
        else if (text.startsWith('44')) end(text);
      });
    };
    connection.on('data', receive);
    connection.once('error', (error) => end(error.message));
    connection.once('close', () => end('closed'));
    if (first.length > 0) receive(first);
  });
  request.end();
  return {
    welcomed: welcomed.promise,
    gone: gone.promise,
    stopReading: () => void connection?.pause(),
    close() {
      closed = true;
      if (connection) end('closed');
      else request.destroy();
    },
  };
}
