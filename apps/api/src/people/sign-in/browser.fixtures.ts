import type { FastifyInstance, InjectOptions } from 'fastify';

/** A test browser: keeps cookies and sends an origin. */
export class TestBrowser {
  readonly cookies = new Map<string, string>();
  readonly #server: FastifyInstance;
  readonly #origin: string;

  readonly #address: string;

  constructor(server: FastifyInstance, origin: string, address = '127.0.0.1') {
    this.#address = address;
    this.#server = server;
    this.#origin = origin;
  }

  async send(
    method: 'GET' | 'POST',
    url: string,
    payload?: unknown,
    headers: Record<string, string | undefined> = {},
  ) {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const all = { origin: this.#origin, ...(cookie ? { cookie } : {}), ...headers };
    const response = await this.#server.inject({
      method,
      url,
      remoteAddress: this.#address,
      headers: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Record<
        string,
        string
      >,
      ...(payload === undefined ? {} : { payload: payload as InjectOptions['payload'] }),
    });
    for (const set of response.cookies) {
      if (set.value === '' || set.maxAge === 0) this.cookies.delete(set.name);
      else this.cookies.set(set.name, encodeURIComponent(set.value));
    }
    return response;
  }

  post = (path: string, payload: unknown = {}, headers: Record<string, string | undefined> = {}) =>
    this.send('POST', `/api/auth${path}`, payload, headers);
}
