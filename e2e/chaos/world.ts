import type { Person } from '../hiring.ts';
import type { FaultyNetwork } from '../servers/faulty-network.ts';
import type { RestartedServer } from '../servers/restarted-server.ts';
import type { Place } from './worker.ts';

/** Two people, and what is between the worker's phone and the server. */
export type World = {
  /** Reads the truth past every fault. */
  nadia: Person;
  leila: Person;
  network: FaultyNetwork;
  server: RestartedServer;
  place: Place;
};
