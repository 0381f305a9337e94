import type { Person } from '../hiring.ts';
import type { FaultyNetwork } from '../servers/faulty-network.ts';
import type { RestartedServer } from '../servers/restarted-server.ts';
import type { Place } from './worker.ts';

export type World = {
  nadia: Person;
  leila: Person;
  network: FaultyNetwork;
  server: RestartedServer;
  place: Place;
};
