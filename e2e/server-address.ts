import { tmpdir } from 'node:os';
import path from 'node:path';

/** The address of the journeys' server and its database; another port if the usual one is taken. */
export const serverPort = Number(process.env.E2E_PORT ?? 24_110);
export const address = `http://localhost:${serverPort}`;
export const dataDirOf = (port: number): string => path.join(tmpdir(), `nearhand-e2e-${port}`);
export const dataDir = dataDirOf(serverPort);
/** The street tiles that the server sends. */
export const tilesFile = `${dataDir}.pmtiles`;
/** The OpenID provider in place of Google. */
export const openIdPort = serverPort + 1;
export const openIdAddress = `http://localhost:${openIdPort}`;
/** In place of Apple: for a browser, another site than the app. */
export const appleAddress = `http://127.0.0.1:${openIdPort}`;
/** A dedicated server for each Playwright worker whose journeys move the clock; each takes two ports. */
export const portOfOwnServer = (worker: number): number => serverPort + 2 + 2 * worker;
