import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

type Answer = { status: number; body: unknown };
/** The next response of each kind; `hang up` closes the connection. */
type Answers = Record<string, Answer | 'hang up'>;

const uid = 'uid-leila';

/** An unsigned ID token, as the emulator issues them. */
export function unsignedToken(subject = uid): string {
  const part = (value: object) => btoa(JSON.stringify(value)).replaceAll('=', '');
  const now = Math.floor(Date.now() / 1_000);
  return `${part({ alg: 'none' })}.${part({ sub: subject, iat: now, exp: now + 3_600 })}.`;
}

const ok = (body: unknown): Answer => ({ status: 200, body });

export const refusedBy = (message: string): Answer => ({
  status: 400,
  body: { error: { code: 400, message } },
});

const granted = (): Record<string, Answer> => {
  const tokens = { localId: uid, idToken: unsignedToken(), refreshToken: 'r', expiresIn: '3600' };
  return {
    signInWithPassword: ok({ ...tokens, email: 'leila@example.org' }),
    signUp: ok({ ...tokens, email: 'leila@example.org' }),
    lookup: ok({
      users: [
        {
          localId: uid,
          email: 'leila@example.org',
          emailVerified: true,
          providerUserInfo: [{ providerId: 'password', email: 'leila@example.org' }],
        },
      ],
    }),
    projects: ok({ authorizedDomains: ['elsewhere.example'] }),
    passwordPolicy: ok({ schemaVersion: 99, customStrengthOptions: {} }),
  };
};

/** A browser's `fetch` to this machine; happy-dom's prints every refusal. */
export const fetchByHttp = (url: string, init: RequestInit = {}): Promise<Response> =>
  new Promise((resolve, reject) => {
    const headers = Object.fromEntries(new Headers(init.headers));
    const forwarded = request(url, { method: init.method ?? 'GET', headers }, (answer) => {
      text(answer).then((body) => resolve(new Response(body, { status: answer.statusCode ?? 500 })), reject);
    });
    forwarded.once('error', () => reject(new TypeError('Failed to fetch')));
    forwarded.end(init.body);
  });

/**
 * Replaces Google's Identity Toolkit over HTTP for the real SDK; succeeds unless a test requests a failure.
 */
export async function startIdentityToolkit() {
  let answers: Answers = {};
  const calls: string[] = [];
  const server = createServer((request, response) => {
    const name = (request.url ?? '').split('?')[0]?.split(/[/:]/).at(-1) ?? '';
    calls.push(name);
    const answer = answers[name] ?? granted()[name] ?? refusedBy('NO_SUCH_CALL');
    if (answer === 'hang up') return request.socket.destroy();
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    answer: (next: Answers) => {
      answers = next;
    },
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
