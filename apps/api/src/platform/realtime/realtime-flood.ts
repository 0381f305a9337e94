/**
 * Packets per connection within the time below. A heartbeat every 25 seconds, one greeting, and an app's events (`realtime-listening.ts`)
 * are far fewer.
 */
const maxPackets = 200;
const withinMs = 10_000;

/** The parts of the engine and its connections that are used here. */
type Connection = {
  on(event: 'packet', received: () => void): unknown;
  close(discard: boolean): unknown;
  transport: unknown;
};
type Engine = { on(event: 'connection', came: (connection: Connection) => void): unknown };

/**
 * Cuts connections that send more than any app, greeted or not: the library answers greetings to unknown namespaces and buffers the
 * answers for a client that does not read, so one stranger could fill the memory (ADR 90).
 */
export function cutFloods(engine: Engine): void {
  engine.on('connection', (connection) => {
    let since = performance.now();
    let count = 0;
    connection.on('packet', () => {
      const at = performance.now();
      if (at - since > withinMs) {
        since = at;
        count = 0;
      }
      count += 1;
      if (count <= maxPackets) return;
      // Closed first, so that packets already received are dropped.
      connection.close(true);
      (connection.transport as { socket?: { terminate(): void } }).socket?.terminate();
    });
  });
}
