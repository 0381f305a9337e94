/** Where the server of the journeys listens; another port when the usual one is taken. */
export const serverPort = Number(process.env.E2E_PORT ?? 24_110);
export const address = `http://localhost:${serverPort}`;

/** The OpenID provider that stands in for Google. */
export const openIdPort = serverPort + 1;
export const openIdAddress = `http://127.0.0.1:${openIdPort}`;
