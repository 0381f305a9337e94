import type pg from 'pg';

export const listenerName = 'nearhand signals';

/** Who listens, by names that no later connection has. */
const listeners = `select pid || ' ' || backend_start as peer, pid = pg_backend_pid() as own from pg_stat_activity
  where application_name = '${listenerName}' and datname = current_database()`;
const goodbye = /^\{"left":"([^"]+)"\}$/;

/** Who else carries signals, to notice who vanished: what it committed last may never have been sent. */
export function createPeers() {
  let known = new Set<string>();
  let self = '';
  const ask = async (client: pg.Client) => {
    const { rows } = await client.query<{ peer: string; own: boolean }>(listeners);
    self = rows.find(({ own }) => own)?.peer ?? '';
    return new Set(rows.map(({ peer }) => peer));
  };
  return {
    /** On a new connection: who is there already. */
    async meet(client: pg.Client): Promise<void> {
      known = await ask(client);
    },
    /** Whether someone is gone who said no goodbye. */
    async look(client: pg.Client): Promise<boolean> {
      const found = await ask(client);
      const vanished = [...known].some((peer) => !found.has(peer));
      known = found;
      return vanished;
    },
    /** Whether the text is a goodbye, which is noted. */
    hears(text: string): boolean {
      const left = goodbye.exec(text)?.[1];
      if (left === undefined) return false;
      known.delete(left);
      return true;
    },
    goodbye: () => `{"left":"${self}"}`,
  };
}
