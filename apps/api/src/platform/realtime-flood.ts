/** Packets of one connection within the time below. A heartbeat every 25 seconds, one greeting, and what an app says (`realtime-listening.ts`) are far fewer. */
const maxPackets = 200;
const withinMs = 10_000;

/** As much of the engine and its connections as is needed here. */
type Connection = {
  on(event: 'packet', received: () => void): unknown;
  close(discard: boolean): unknown;
  transport: unknown;
};
type Engine = { on(event: 'connection', came: (connection: Connection) => void): unknown };

/**
 * Cuts connections that say more than any app, whatever they say and whether or not they have greeted: the library answers a greeting to a place that is none, and keeps
 * the answers for whoever does not read them, so that one stranger could fill the memory (ADR 0090).
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
      // Closed first: what has arrived already is then passed over.
      connection.close(true);
      (connection.transport as { socket?: { terminate(): void } }).socket?.terminate();
    });
  });
}
