import { describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeFile } from '../files/files.fixtures.ts';
import { unzip } from './zip.fixtures.ts';

const app = useTestApp();

/** The path of the mailed link's ticket. */
function ticketTo(person: Pick<Person, 'email'>): string {
  const mail = app.mails.findLast(({ to }) => to === person.email);
  const link = new URL(/https?:\S+/.exec(mail?.text ?? '')?.[0] ?? 'http://none');
  expect(link.pathname).toBe('/account-settings');
  return link.searchParams.get('export') ?? '';
}
const download = (ticket: string, token: string | null) =>
  app.raw({
    method: 'GET',
    url: `/api/data-exports/file?ticket=${encodeURIComponent(ticket)}`,
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
  });

describe('dataExports.get', () => {
  it('is empty at first, and requires a verified account', async () => {
    const { api, email } = await app.person();
    expect(await api.dataExports.get()).toEqual({
      latest: null,
      leftToday: 3,
      perDay: 3,
      linkHours: 24,
      email,
    });
    const unverified = await app.person({ verified: false });
    expect((await failure(unverified.api.dataExports.get())).code).toBe('session/email-not-verified');
  });
});

describe('dataExports.request', () => {
  it('creates a ZIP with pages, JSON and files, and mails a link that only its owner can use', async () => {
    const person = await app.person({ name: 'Zoë <script>' });
    await person.api.profiles.save({ bio: 'Barista & more', phone: '+31612345678' });
    const cv = await makeFile(app.db, app.scopeOf(person), { name: 'Zoë CV.pdf' });
    const exportsView = await person.api.dataExports.request();
    expect(exportsView).toMatchObject({ latest: { status: 'running' }, leftToday: 2 });
    expect(await failure(person.api.dataExports.request())).toMatchObject({
      status: 409,
      code: 'data-export/running',
    });
    await app.runDue();
    const { latest } = await person.api.dataExports.get();
    expect(latest).toMatchObject({ status: 'ready', bytes: expect.any(Number) });

    const ticket = ticketTo(person);
    const response = await download(ticket, person.token);
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename="nearhand-data-2026-11-21.zip"',
      'cache-control': 'private, no-store',
    });
    const files = await unzip(response.rawPayload);
    expect(JSON.parse(String(files.get('data/profiles.json')))).toMatchObject([
      { account_id: person.accountId, bio: 'Barista & more', phone: '+31612345678' },
    ]);
    const index = String(files.get('index.html'));
    expect(index).toContain('Your Nearhand data');
    expect(index).not.toMatch(/<script|src=|https?:/);
    const page = String(files.get('pages/accounts.html'));
    expect(page).toContain('Zoë &lt;script&gt;');
    expect(String(files.get('data/sessions.json'))).not.toContain('token');
    const cvFile = files.get(`files/cv/${cv.id.slice(-8)}-Zoë CV.pdf`);
    expect(cvFile?.equals(Buffer.from((await app.fileStore.get(cv.id)) ?? []))).toBe(true);

    const stranger = await app.person();
    for (const [given, token, code] of [
      [ticket, null, 'session/required'],
      [ticket, stranger.token, 'data-export/link-expired'],
      [ticket.slice(0, -2), person.token, 'data-export/link-expired'],
      [`${crypto.randomUUID()}.${ticket.split('.')[1]}`, person.token, 'data-export/link-expired'],
      ['', person.token, 'data-export/link-expired'],
      ["' or 1=1", person.token, 'data-export/link-expired'],
    ] as const)
      expect((await download(given, token)).json().code).toBe(code);
  });

  it('deletes the file when the link expires', async () => {
    const person = await app.person();
    await person.api.dataExports.request();
    await app.runDue();
    const [key] = app.fileStore
      .keys()
      .filter((key) => key.startsWith('export-'))
      .slice(-1);
    expect(key).toBeDefined();
    const ticket = ticketTo(person);
    app.clock.forward({ hours: 24 });
    expect((await download(ticket, await freshToken(person))).json().code).toBe('data-export/link-expired');
    await app.runDue();
    expect(app.fileStore.keys()).not.toContain(key);
    expect((await person.api.dataExports.get()).latest?.status).toBe('expired');
  });

  it('allows three a day and one at a time, even concurrently', async () => {
    const person = await app.person();
    const answers = await Promise.allSettled(
      Array.from({ length: 5 }, () => person.api.dataExports.request()),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (let nth = 0; nth < 2; nth += 1) {
      await app.runDue();
      app.clock.forward({ minutes: 1 });
      await person.api.dataExports.request();
    }
    await app.runDue();
    expect(await failure(person.api.dataExports.request())).toMatchObject({
      status: 429,
      code: 'data-export/daily-limit',
      data: { limit: 3 },
    });
    expect((await person.api.dataExports.get()).leftToday).toBe(0);
    app.clock.forward({ days: 1 });
    expect((await person.api.dataExports.request()).latest?.status).toBe('running');
  });

  it('gives up a stuck export and lets its owner try again', async () => {
    const person = await app.person();
    const { latest } = await person.api.dataExports.request();
    app.clock.forward({ minutes: 61 });
    expect((await person.api.dataExports.get()).latest?.status).toBe('failed');
    const again = await person.api.dataExports.request();
    expect(again.latest?.id).not.toBe(latest?.id);
    await app.runDue();
    expect((await person.api.dataExports.get()).latest).toMatchObject({
      id: again.latest?.id,
      status: 'ready',
    });
    expect(app.mails.filter(({ to }) => to === person.email)).toHaveLength(1);
  });
});

const freshToken = async (person: Person): Promise<string> => {
  const { signAccessToken } = await import('../sign-in/access-tokens.ts');
  return signAccessToken(app.secret, app.clock, person);
};
