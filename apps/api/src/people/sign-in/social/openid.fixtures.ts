import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Listens on its own port, so that parallel runs don't collide. */
export async function freshServer(): Promise<{ server: Server; port: number }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, port: (server.address() as AddressInfo).port };
}

export type SentBack = { url: URL; posted: Record<string, string> | null };

/** Logs in as `login` on the provider's pages, or cancels, until redirected to `home`. */
export async function throughPages(start: string, login: string | null, home: string): Promise<SentBack> {
  const cookies = new Map<string, string>();
  let url = start;
  let form: Record<string, string> | null = null;
  for (let step = 0; step < 20; step += 1) {
    const response: Response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    });
    form = null;
    for (const cookie of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split('=');
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location !== null) {
      url = new URL(location, url).href;
      if (url.startsWith(home)) return { url: new URL(url), posted: null };
      continue;
    }
    const page = await response.text();
    const action = /action="([^"]+)"/.exec(page)?.[1] ?? '';
    const hidden = [...page.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)];
    const fields = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value]));
    if (action.startsWith(home)) return { url: new URL(action), posted: fields };
    if (login === null) {
      url = new URL(/href="([^"]*\/abort)"/.exec(page)?.[1] ?? '', url).href;
      continue;
    }
    url = new URL(action, url).href;
    form = fields.prompt === 'login' ? { ...fields, login, password: 'x' } : fields;
  }
  throw new Error('the provider never sent the browser back');
}
