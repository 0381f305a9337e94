import { tmpdir } from 'node:os';
import path from 'node:path';

export const serverPort = Number(process.env.E2E_PORT ?? 24_110);
export const address = `http://localhost:${serverPort}`;
export const dataDirOf = (port: number): string => path.join(tmpdir(), `nearhand-e2e-${port}`);
export const dataDir = dataDirOf(serverPort);
export const tilesFile = `${dataDir}.pmtiles`;
export const openIdPort = serverPort + 1;
export const openIdAddress = `http://localhost:${openIdPort}`;
export const appleAddress = `http://127.0.0.1:${openIdPort}`;
/** A dedicated server for each Playwright worker whose journeys move the clock; each takes two ports. */
export const portOfOwnServer = (worker: number): number => serverPort + 2 + 2 * worker;
