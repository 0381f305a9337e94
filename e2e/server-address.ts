/** Where the server of the journeys listens; another port when the usual one is taken. */
export const serverPort = Number(process.env.E2E_PORT ?? 24_110);
export const address = `http://localhost:${serverPort}`;
