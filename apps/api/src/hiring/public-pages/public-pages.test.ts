import { readFileSync } from 'node:fs';
import path from 'node:path';
import { publicJobPath, shortIdOf } from '@nearhand/contract/hiring/public-pages.rules';
import { describe, expect, it } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { makeJob } from '../jobs/jobs.fixtures.ts';
import { pageTokens } from './page-style.ts';

const app = useTestApp();
const open = (url: string, headers: Record<string, string> = {}) => app.raw({ method: 'GET', url, headers });

async function hire(options: Parameters<typeof makeBusiness>[2] = {}) {
  const owner = await app.person({ name: 'Wilhelmina Quartermain' });
  const scope = app.scopeOf(owner.accountId);
  const business = await makeBusiness(app.db, scope, { area: 'Jordaan, Amsterdam', ...options });
  return { owner, scope, business };
}

describe('GET /j/{slug}-{short id}', () => {
  it('returns an open job to anyone, complete without a script', async () => {
    const { scope, business } = await hire({ name: 'Kopi & Crumb' });
    const job = await makeJob(app.db, scope, business.id, {
      title: 'Weekend barista',
      requirements: ['Latte art'],
    });
    const response = await open(publicJobPath(job), { accept: '*/*' });
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
    const text = response.body;
    for (const words of [
      'Weekend barista',
      'Kopi &amp; Crumb',
      'Latte art',
      '€17.50 an hour',
      '09:00–17:00',
      '30 min unpaid break',
      '2 spots left',
    ])
      expect(text, words).toContain(words);
    expect(text).toContain(`href="/job-apply-form/${job.id}"`);
    expect(text.match(/<script(?! type="application\/ld\+json")/)).toBeNull();
    expect(response.headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+';/,
    );
  });

  it('gives the database and the contract the same short id', async () => {
    const { rows } = await app.pool.query<{ id: string; short: string }>(
      'select id, short_id(id) as short from (select gen_random_uuid() as id from generate_series(1, 200)) made',
    );
    expect(rows.map(({ id }) => shortIdOf(id))).toEqual(rows.map(({ short }) => short));
  });

  it('redirects an old title to the current one and keeps the channel', async () => {
    const { scope, business } = await hire();
    const job = await makeJob(app.db, scope, business.id, { title: 'Öffnungshelfer مقهى' });
    const path = publicJobPath(job);
    expect((await open(path)).statusCode).toBe(200);
    for (const old of [`/j/old-title-${shortIdOf(job.id)}`, `/j/${shortIdOf(job.id)}`]) {
      const response = await open(`${old}?s=qr`);
      expect([response.statusCode, response.headers.location]).toEqual([301, `${path}?s=qr`]);
    }
    expect((await open(`${path}?s=qr`)).body).toContain(`href="/job-apply-form/${job.id}?s=qr"`);
    expect((await open(`${path}?s=%22%3E%3Cb%3E`)).body).toContain(`href="/job-apply-form/${job.id}"`);
  });

  it('escapes what people wrote, in text, attributes and linked data', async () => {
    const attack = `"><script>alert(1)</script></title>'</script><!--`;
    const { scope, business } = await hire({ name: `B ${attack}`, area: `A ${attack}, T ${attack}` });
    const job = await makeJob(app.db, scope, business.id, {
      title: `T ${attack}`,
      description: `${attack}\n\n<img src=x onerror=alert(1)>`,
      requirements: [attack],
    });
    const { body } = await open(publicJobPath(job));
    expect(body).not.toContain('<script>alert');
    expect(body).not.toContain('<img');
    const [data = ''] = /(?<=<script type="application\/ld\+json">).*?(?=<\/script>)/s.exec(body) ?? [];
    expect(JSON.parse(data)).toMatchObject({ '@type': 'JobPosting', title: `T ${attack}` });
    expect(body.match(/<script/g)?.length).toBe(body.match(/<\/script>/g)?.length);
  });

  it('never shows a private place or the name of a person', async () => {
    const place = {
      privateAddress: true,
      address: 'Rue Secrète 3',
      area: 'Le Marais, Paris',
      lat: 48.8566,
      lng: 2.3522,
    };
    const { owner, scope, business } = await hire(place);
    const job = await makeJob(app.db, scope, business.id);
    const { body } = await open(publicJobPath(job));
    expect(body).toContain('Le Marais, Paris');
    for (const secret of ['Secr', '48.85', '2.35', 'Quartermain', 'Wilhelmina', owner.accountId, owner.email])
      expect(body, secret).not.toContain(secret);
  });

  it('answers 404 for an unknown job and for one that was never public', async () => {
    const { scope, business } = await hire();
    const draft = await makeJob(app.db, scope, business.id, { status: 'draft' });
    for (const url of [publicJobPath(draft), '/j/barista-0123456789', '/j/x', '/j/%00', '/j/%E0%A4%A'])
      expect((await open(url)).statusCode, url).toBe(url === '/j/%E0%A4%A' ? 400 : 404);
  });

  it('answers 410 with similar jobs once nobody can apply', async () => {
    const { owner, scope, business } = await hire({ area: 'Gonetown' });
    const job = await makeJob(app.db, scope, business.id, { title: 'Soon over' });
    await makeJob(app.db, scope, business.id, { title: 'Still open' });
    await owner.api.jobs.pause({ jobId: job.id });
    const paused = await open(publicJobPath(job));
    expect(paused.statusCode).toBe(410);
    expect(paused.body).not.toContain('Soon over');
    expect(paused.body).toContain('Still open');
    await owner.api.jobs.close({ jobId: job.id });
    const closed = await open(publicJobPath(job));
    expect(closed.statusCode).toBe(410);
    expect(closed.body).toContain('Soon over');
    expect(closed.body).toContain('noindex');
  });
});

describe('public pages', () => {
  it("draw with the app's colours", () => {
    const css = readFileSync(path.resolve(import.meta.dirname, '../../../../web/src/ui/tokens.css'), 'utf8');
    for (const [name, [light, dark]] of Object.entries(pageTokens))
      expect(css).toContain(`--${name}:light-dark(${light},${dark})`);
  });
});
