import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** `lossy` delivers calls but loses responses; `dead` never responds; `captive` responds with a sign-in page. */
export const networks = ['good', 'cut', 'slow', 'captive', 'lossy', 'dead'] as const;
export type Network = (typeof networks)[number];

export const portalTitle = 'Welcome to Hotel Wifi';
const portal = `<!doctype html><title>${portalTitle}</title><h1>${portalTitle}</h1>`;
/** Sometimes longer than the service worker waits for a page, but shorter than any call timeout. */
const slowMs = () => 1_000 + Math.random() * 4_000;

type Write = { method: string; url: string; headers: IncomingMessage['headers']; body: Buffer };
/** Defects of negative controls in writes: a changed body, or a fake response. */
export type Meddling = (write: Write) => { body: Buffer } | { answer: object };

export type FaultyNetwork = {
  set(network: Network): void;
  now(): Network;
  close(): Promise<void>;
};

/** A proxy in front of the server, for pages, files, calls, sockets and the service worker. */
export async function startFaultyNetwork(
  port: number,
  target: number,
  meddle?: Meddling,
): Promise<FaultyNetwork> {
  let network: Network = 'good';
  const sockets = new Set<Socket>();
  const server = createServer((incoming, answer) => void pass(incoming, answer));

  async function pass(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const by = network;
    if (by === 'cut') return void incoming.socket.destroy();
    if (by === 'dead') return;
    if (by === 'captive') {
      incoming.resume();
      answer.writeHead(200, { 'content-type': 'text/html' }).end(portal);
      return;
    }
    const body = Buffer.concat(await incoming.toArray().catch(() => []));
    if (by === 'slow') await wait(slowMs());
    const headers = { ...incoming.headers };
    const { method = 'GET', url = '/' } = incoming;
    const meddled = meddle && method !== 'GET' ? meddle({ method, url, headers, body }) : { body };
    if ('answer' in meddled) {
      answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(meddled.answer));
      return;
    }
    const sent = meddled.body;
    if (headers['content-length'] !== undefined) headers['content-length'] = String(sent.length);
    const call = request({ host: '127.0.0.1', port: target, method, path: url, headers }, (response) => {
      if (by === 'lossy') {
        response.resume().once('end', () => incoming.socket.destroy());
        return;
      }
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
      response.once('error', () => incoming.socket.destroy());
    });
    // During a server restart the proxy responds with a page.
    call.once('error', () => {
      if (answer.headersSent) incoming.socket.destroy();
      else answer.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>');
    });
    call.end(sent);
  }

  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket)).on('error', () => {});
  });
  server.on('upgrade', (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
    if (network !== 'good' && network !== 'slow') return void socket.destroy();
    const lines = [`${incoming.method} ${incoming.url} HTTP/1.1`];
    for (let at = 0; at < incoming.rawHeaders.length; at += 2)
      lines.push(`${incoming.rawHeaders[at]}: ${incoming.rawHeaders[at + 1]}`);
    const through = connect(target, '127.0.0.1', () => {
      through.write(`${lines.join('\r\n')}\r\n\r\n`);
      through.write(head);
      through.pipe(socket).pipe(through);
    });
    const end = () => {
      through.destroy();
      socket.destroy();
    };
    through.on('error', end).once('close', end);
    socket.on('error', end).once('close', end);
  });
  await listening(server, port);
  return {
    set(next) {
      // A device that changes networks closes its connections on the dead one.
      const breaks = network === 'dead' || next === 'cut' || next === 'captive';
      network = next;
      if (breaks) for (const socket of sockets) socket.destroy();
    },
    now: () => network,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The server without faults, to check the actual state: the same origin as the browsers see. */
export async function startCalmEntrance(
  port: number,
  target: number,
  origin: string,
): Promise<{ close: () => Promise<void> }> {
  const server = createServer((incoming, answer) => {
    const headers = { ...incoming.headers, ...(incoming.headers.origin ? { origin } : {}) };
    const { method, url } = incoming;
    // A kept-alive connection may be closed at this moment, which would fail a check without reason.
    const to = { host: '127.0.0.1', port: target, method, path: url, headers, agent: false };
    const call = request(to, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    call.once('error', () => answer.destroy());
    incoming.pipe(call);
  });
  server.keepAliveTimeout = 600_000;
  await listening(server, port);
  return {
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

const listening = (server: Server, port: number) =>
  new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(port, '127.0.0.1', () => resolve()),
  );
