import net from 'node:net';

export type TcpProxy = {
  port: number;
  /** Drops all traffic without closing connections, like a machine that lost power. */
  vanish(): void;
  comeBack(): void;
  /** Redirects new connections and closes old ones, like a proxy that follows the primary. */
  leadTo(target: { host: string; port: number }): void;
  close(): Promise<void>;
};

export async function openTcpProxy(first: { host: string; port: number }): Promise<TcpProxy> {
  let target = first;
  const sockets = new Set<net.Socket>();
  let cut = false;
  const server = net.createServer((client) => {
    sockets.add(client);
    client.on('error', () => {}).on('close', () => sockets.delete(client));
    if (cut) return;
    const upstream = net.connect(target);
    sockets.add(upstream);
    upstream.on('error', () => client.destroy()).on('close', () => sockets.delete(upstream));
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as net.AddressInfo).port,
    vanish() {
      cut = true;
      for (const socket of sockets) {
        socket.removeAllListeners('close').on('close', () => sockets.delete(socket));
        socket.unpipe();
        socket.pause();
      }
    },
    comeBack() {
      cut = false;
    },
    leadTo(other) {
      target = other;
      for (const socket of sockets) socket.destroy();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
