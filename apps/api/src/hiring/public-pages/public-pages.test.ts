import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { dayMs, hourMs } from '@nearhand/contract/durations';
import { publicBusinessPath, publicJobPath, shortIdOf } from '@nearhand/contract/hiring/public-pages.rules';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { failure, useTestApp } from '../../../test/harness.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { makeFile } from '../../people/files/files.fixtures.ts';
import { makeJob } from '../jobs/jobs.fixtures.ts';
import { pageFonts } from './fonts/page-fonts.ts';
import { pageTokens } from './page-style.ts';
import { pageKeptMs } from './public-pages.routes.ts';
import { sharedJob } from './shared-jobs.ts';

const fontBytes = pageFonts.display.bytes.length + pageFonts.text.bytes.length;

const app = useTestApp({ SITEMAP_FILE_ROWS: '2' });
const open = (url: string, headers: Record<string, string> = {}) => app.raw({ method: 'GET', url, headers });

async function hire(options: Parameters<typeof makeBusiness>[2] = {}) {
  const owner = await app.person({ name: 'Wilhelmina Quartermain' });
  const scope = app.scopeOf(owner);
  const business = await makeBusiness(app.db, scope, { area: 'Jordaan, Amsterdam', ...options });
  return { owner, scope, business };
}

describe('GET /j/{slug}-{short id}', () => {
  it('returns an open job to anyone, complete without a script', async () => {
    const { scope, business } = await hire({ name: 'Kopi & Crumb' });
    const job = await makeJob(app.db, scope, business.id, {
      title: 'Weekend barista',
      requirements: ['Latte art'],
      relation: 'self_employed',
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
      'Self-employed',
      '2 spots left',
    ])
      expect(text, words).toContain(words);
    expect(text).toContain(`href="/job-apply-form/${job.id}"`);
    expect(text).toContain(`href="/job-desc/${job.id}?save=1"`);
    expect(text).toContain(`href="/tabs/menu/report/job/${job.id}" rel="nofollow"`);
    expect(text.match(/<script(?! type="application\/ld\+json")/)).toBeNull();
    expect(response.headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+';/,
    );
  });

  it("uses the language of the address, otherwise the reader's first", async () => {
    const { scope, business } = await hire({ name: 'Café Zon' });
    const job = await makeJob(app.db, scope, business.id, { title: 'Barista' });
    const path = publicJobPath(job);
    const inDutch = { 'accept-language': 'sv, nl-BE;q=0.8, en;q=0.5' };
    const openPage = async (url: string, headers: Record<string, string> = {}) => {
      const { body, headers: answered } = await open(url, headers);
      const { 'content-language': language, vary } = answered;
      return { start: /<html[^>]*>/.exec(body)?.[0], language, vary, body };
    };
    const page = (language: string, dir = 'ltr') => ({
      start: `<html lang="${language}" dir="${dir}">`,
      language,
    });

    const plain = await openPage(path);
    expect(plain).toMatchObject({ ...page('en'), vary: 'accept-encoding, accept-language' });
    const dutch = await openPage(path, inDutch);
    expect(dutch).toMatchObject({ ...page('nl'), vary: 'accept-encoding, accept-language' });
    expect(dutch.body).toContain('Solliciteren');
    expect(dutch.body).toContain('href="/jobs">');
    const arabic = await openPage(`${path}?lang=ar`, inDutch);
    expect(arabic).toMatchObject({ ...page('ar', 'rtl'), vary: 'accept-encoding' });
    expect(arabic.body).toContain('بقي شاغران');
    for (const inside of [
      '/jobs',
      '/tabs/menu/account',
      '/register',
      '/tabs/menu/terms',
      `/job-apply-form/${job.id}`,
    ])
      expect(arabic.body).toContain(`href="${inside}?lang=ar"`);
    expect(await openPage(`${path}?lang=en`, inDutch)).toMatchObject({
      ...page('en'),
      vary: 'accept-encoding',
    });
    for (const wrong of ['xx', '', '%00', 'ar&lang=nl'])
      expect(await openPage(`${path}?lang=${wrong}`)).toMatchObject(page('en'));
    expect(await openPage(path)).toMatchObject(page('en'));

    const origin = new URL(/rel="canonical" href="([^"]*)"/.exec(plain.body)?.[1] ?? '').origin;
    const links = (body: string) =>
      [...body.matchAll(/<link rel="(canonical|alternate)"(?: hreflang="([a-z-]+)")? href="([^"]*)"/g)].map(
        ([, , language = 'canonical', href]) => [language, href?.replace(origin, '')],
      );
    const alternates = ['nl', 'de', 'fr', 'es', 'ar'].map((language) => [
      language,
      `${path}?lang=${language}`,
    ]);
    const all = [['en', path], ...alternates, ['x-default', path]];
    expect(links(plain.body)).toEqual([['canonical', path], ...all]);
    expect(links(dutch.body)).toEqual([['canonical', `${path}?lang=nl`], ...all]);
    expect(links(arabic.body)).toEqual([['canonical', `${path}?lang=ar`], ...all]);

    const old = await open(`/j/old-${shortIdOf(job.id)}?s=qr&lang=de`);
    expect(old.headers.location).toBe(`${path}?s=qr&lang=de`);
  });

  it.each(['/jobs', '/jobs/nowhere', '/j/x', '/b/x'])('%s contains no English in Arabic', async (url) => {
    const { body } = await open(`${url}?lang=ar`);
    const text = body.replace(/<(style|script|svg)[\s\S]*?<\/\1>/g, '').replace(/<[^>]*>/g, ' ');
    const ours = text.replace(/nearhand|English|Nederlands|Deutsch|Français|Español/gi, '');
    expect(ours.match(/\b(jobs?|town|page|found|sign|browse|newest|link)\b/gi)).toBeNull();
  });

  it('gives the database and the contract the same short id', async () => {
    const { rows } = await app.pool.query<{ id: string; short: string }>(
      'select id, short_id(id) as short from (select gen_random_uuid() as id from generate_series(1, 200)) made',
    );
    expect(rows.map(({ id }) => shortIdOf(id))).toEqual(rows.map(({ short }) => short));
  });

  it('redirects an old title to the current one with its channel', async () => {
    const { scope, business } = await hire();
    const job = await makeJob(app.db, scope, business.id, { title: 'Öffnungshelfer مقهى' });
    const path = publicJobPath(job);
    expect((await open(path)).statusCode).toBe(200);
    for (const old of [`/j/old-title-${shortIdOf(job.id)}`, `/j/${shortIdOf(job.id)}`]) {
      const response = await open(`${old}?s=qr`);
      expect([response.statusCode, response.headers.location]).toEqual([301, `${path}?s=qr`]);
    }
    expect((await open(`${path}?s=qr`)).body).toContain(`href="/job-apply-form/${job.id}?s=qr"`);
    expect((await open(`${path}?s=qr&lang=nl`)).body).toContain(
      `href="/job-apply-form/${job.id}?lang=nl&amp;s=qr"`,
    );
    expect((await open(`${path}?s=%22%3E%3Cb%3E`)).body).toContain(`href="/job-apply-form/${job.id}"`);
  });

  it('opens in the app for a browser with a verified user, even after the job is gone', async () => {
    const { scope, business } = await hire();
    const job = await makeJob(app.db, scope, business.id, { title: 'Barista' });
    const cookie = 'nearhand-place=52,4; nearhand-signed-in=1';
    const response = await open(publicJobPath(job, 'share'), { cookie });
    expect([response.statusCode, response.headers.location]).toEqual([302, `/job-desc/${job.id}`]);
    expect(response.headers['cache-control']).toBe('private, no-store');
    expect((await open(publicJobPath(job), { cookie: 'nearhand-signed-in=0' })).statusCode).toBe(200);
    expect((await open('/j/nothing-0000000000', { cookie })).statusCode).toBe(404);
    await app.db.updateTable('jobs').set({ status: 'closed' }).where('id', '=', job.id).execute();
    expect((await open(publicJobPath(job), { cookie })).statusCode).toBe(302);
  });

  it('shows the photos of a job to everyone', async () => {
    const { scope, business } = await hire({});
    const grey = sharp({ create: { width: 9, height: 9, channels: 3, background: '#888' } });
    const name = 'door.png';
    const bytes = new Uint8Array(await grey.png().toBuffer());
    const { id } = await makeFile(app.db, scope, { purpose: 'photo', name, bytes });
    const job = await makeJob(app.db, scope, business.id, { photoIds: [id] });
    const { body } = await open(publicJobPath(job));
    expect(body).toContain(`<img src="/api/files/${id}/content" alt="Photo 1 of 1" loading="lazy">`);
    expect((await app.raw({ url: `/api/files/${id}/content` })).statusCode).toBe(200);
  });

  it('escapes user text in text, attributes and linked data', async () => {
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

  it("shows the business's average rating from three reviews on, on its page and cards too", async () => {
    const { scope, business } = await hire({ name: 'Rated & Co' });
    const [job] = [await makeJob(app.db, scope, business.id), await makeJob(app.db, scope, business.id)];
    const pages = [publicJobPath(job), publicBusinessPath(business)];
    const rate = (stars: string) =>
      app.pool.query('update businesses set review_stars = $1 where id = $2', [stars, business.id]);
    await rate('{0,0,0,0,2}');
    for (const url of pages) expect((await open(url)).body).not.toMatch(/ reviews?<|\(2\)/);
    await rate('{0,0,1,0,1021}');
    app.clock.forward({ minutes: 1 });
    for (const url of pages) {
      const { body } = await open(url);
      expect(body).toContain('5.0 from 1,022 reviews');
      expect(body).toContain('<span aria-hidden="true">5.0 (1,022)</span>');
    }
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

  it('returns 404 for an unknown job and for one that was never public', async () => {
    const { scope, business } = await hire();
    const draft = await makeJob(app.db, scope, business.id, { status: 'draft' });
    for (const url of [publicJobPath(draft), '/j/barista-0123456789', '/j/x', '/j/%00', '/j/%E0%A4%A'])
      expect((await open(url)).statusCode, url).toBe(url === '/j/%E0%A4%A' ? 400 : 404);
  });

  it('offers to share the job and shows the distance of similar ones elsewhere', async () => {
    const { scope, business } = await hire({ area: 'Sharetown', lat: 53.2 });
    const job = await makeJob(app.db, scope, business.id, { title: 'Share me' });
    await makeJob(app.db, scope, business.id, { title: 'In the same house' });
    const next = await hire({ area: 'Sharetown', lat: 53.2018 });
    await makeJob(app.db, next.scope, next.business.id, { title: 'In the next street' });
    const { body } = await open(publicJobPath(job));
    expect(body).toMatch(/href="mailto:\?subject=Share%20me[^"]*body=[^"]*%3Fs%3Dshare"/);
    expect(body).toContain('Distances from this job.');
    expect(body).toContain('In the same house');
    expect(body).toContain('<span>200 m</span>');
    expect(body).not.toContain('<span>50 m</span>');
  });

  it('returns 410 with similar jobs once applications are closed', async () => {
    const { owner, scope, business } = await hire({ area: 'Gonetown' });
    const job = await makeJob(app.db, scope, business.id, { title: 'Soon over' });
    await makeJob(app.db, scope, business.id, { title: 'Still open' });
    const before = await open(publicJobPath(job));
    const seconds = Number(/max-age=(\d+)/.exec(String(before.headers['cache-control']))?.[1]);
    expect(pageKeptMs + seconds * 1_000).toBeLessThanOrEqual(60_000);
    await owner.api.jobs.pause({ jobId: job.id });
    app.clock.forward({ seconds: 60 });
    const paused = await open(publicJobPath(job));
    expect(paused.statusCode).toBe(410);
    expect(paused.body).not.toContain('Soon over');
    expect(paused.body).toContain('Still open');
    await owner.api.jobs.close({ jobId: job.id });
    app.clock.forward({ seconds: 60 });
    const closed = await open(publicJobPath(job));
    expect(closed.statusCode).toBe(410);
    expect(closed.body).toContain('Soon over');
    expect(closed.body).toContain('noindex');
  });
});

function dataIn(body: string): Record<string, Record<string, unknown>> {
  const scripts = [...body.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)];
  return Object.fromEntries(scripts.map(([, text = '']) => [JSON.parse(text)['@type'], JSON.parse(text)]));
}

describe('linked data of a job', () => {
  it('contains every field that search engines require or recommend', async () => {
    const { scope, business } = await hire({ area: 'Jordaan, Amsterdam' });
    const job = await makeJob(app.db, scope, business.id, {
      title: 'Cook',
      description: 'One & <two>\n\nThree',
    });
    const { JobPosting: posting, BreadcrumbList: crumbs } = dataIn((await open(publicJobPath(job))).body);
    expect(posting).toMatchObject({
      '@context': 'https://schema.org',
      title: 'Cook',
      description: '<p>One &amp; &lt;two&gt;</p><p>Three</p>',
      datePosted: job.publishedAt,
      validThrough: job.expiresAt,
      hiringOrganization: { '@type': 'Organization', name: business.name },
      jobLocation: {
        '@type': 'Place',
        address: { '@type': 'PostalAddress', addressLocality: 'Amsterdam', addressCountry: 'NL' },
      },
      baseSalary: {
        '@type': 'MonetaryAmount',
        currency: 'EUR',
        value: { '@type': 'QuantitativeValue', value: 17.5, unitText: 'HOUR' },
      },
      employmentType: 'TEMPORARY',
      directApply: true,
    });
    expect(crumbs?.itemListElement).toMatchObject([
      { position: 1, name: 'Jobs' },
      { position: 2, name: 'Amsterdam', item: `${app.config.PUBLIC_URL}/jobs/amsterdam` },
      { position: 3, name: 'Hospitality' },
      { position: 4, name: 'Cook' },
    ]);
  });

  it('omits the street of a private address, and a fixed price, which has no unit at Google', async () => {
    const { scope, business } = await hire({
      privateAddress: true,
      address: 'Geheimlaan 9',
      area: 'Noord, Utrecht',
    });
    const job = await makeJob(app.db, scope, business.id, { kind: 'task' });
    const { JobPosting: posting } = dataIn((await open(publicJobPath(job))).body);
    expect(posting?.jobLocation).toEqual({
      '@type': 'Place',
      address: { '@type': 'PostalAddress', addressLocality: 'Utrecht', addressCountry: 'NL' },
    });
    expect(posting).not.toHaveProperty('baseSalary');
  });

  it('has the same links for guests and signed-in users, since caches share it', async () => {
    const { scope, business } = await hire();
    const { body } = await open(publicJobPath(await makeJob(app.db, scope, business.id)));
    expect(body).not.toMatch(/href="\/login"|Sign in|Sign up/);
    for (const path of ['account', 'help/imprint', 'help/privacy', 'help/cookies-and-storage'])
      expect(body).toContain(`href="/tabs/menu/${path}"`);
  });
});

describe('publicPages.job', () => {
  it('resolves an address to its id for anyone, and returns 404 if it was never public', async () => {
    const { scope, business } = await hire();
    const job = await makeJob(app.db, scope, business.id);
    const draft = await makeJob(app.db, scope, business.id, { status: 'draft' });
    const guest = app.apiAs(null);
    expect(await guest.publicPages.job({ shortId: shortIdOf(job.id) })).toEqual({ jobId: job.id });
    for (const shortId of [shortIdOf(draft.id), '0123456789'])
      expect(await failure(guest.publicPages.job({ shortId })), shortId).toMatchObject({
        status: 404,
        code: 'job/not-found',
      });
    for (const shortId of ['', 'ilou456789', '01234567890'])
      expect(await failure(guest.publicPages.job({ shortId })), shortId).toMatchObject({
        status: shortId === '' ? 404 : 400,
      });
  });
});

describe('GET /b/{slug}-{short id}', () => {
  it('shows a verified business with its open jobs, page by page', async () => {
    const { scope, business } = await hire({ name: 'Zilver & Linde', area: 'Westtown' });
    const jobs = [];
    for (let count = 0; count < 21; count += 1) {
      app.clock.forward({ seconds: 1 });
      jobs.push(await makeJob(app.db, scope, business.id, { title: `Job ${count}` }));
    }
    const path = publicBusinessPath(business);
    const first = await open(path);
    expect(first.statusCode).toBe(200);
    expect(first.body).toContain('21 open jobs');
    expect(first.body).toContain(`href="/tabs/menu/report/business/${business.id}" rel="nofollow"`);
    expect(first.body).toContain(`<link rel="canonical" href="${app.config.PUBLIC_URL}${path}">`);
    const next = /rel="next" href="([^"]+)"/.exec(first.body)?.[1] ?? '';
    const second = await open(next);
    expect(second.body).toContain('noindex');
    const listed = (body: string) => [...body.matchAll(/<h3><a href="([^"]+)"/g)].map(([, href]) => href);
    expect([...listed(first.body), ...listed(second.body)]).toEqual(
      jobs.reverse().map((job) => publicJobPath(job)),
    );
    expect((await open(`/b/old-${shortIdOf(business.id)}`)).headers.location).toBe(path);
  });

  it('returns 404 for an unverified business and for a cursor of another list', async () => {
    const { business } = await hire();
    await app.pool.query("update businesses set status = 'submitted' where id = $1", [business.id]);
    for (const url of [publicBusinessPath(business), '/b/none', `/b/x-${shortIdOf(business.id)}?after=x`])
      expect((await open(url)).statusCode, url).toBe(404);
  });
});

describe('GET /jobs', () => {
  it('lists towns, a town, and a category in it', async () => {
    const { scope, business } = await hire({ area: 'Centrum, Düren-Öst' });
    const cook = await makeJob(app.db, scope, business.id, { title: 'Cook' });
    const guard = await makeJob(app.db, scope, business.id, { title: 'Night guard', category: 'security' });
    app.clock.forward({ seconds: 30 });
    expect((await open('/jobs')).body).toContain('<a href="/jobs/duren-ost" dir="auto">Düren-Öst</a>');
    const town = (await open('/jobs/duren-ost')).body;
    expect(town).toContain('<title>Jobs in Düren-Öst – Nearhand</title>');
    expect([town.includes(publicJobPath(cook)), town.includes(publicJobPath(guard))]).toEqual([true, true]);
    expect(town).toContain('href="/jobs/duren-ost/security"');
    expect(town).toMatch(/<form [^>]*action="\/tabs\/menu\/explore"><input type="search" name="q"/);
    expect(town).toMatch(/name="lat" value="[\d.]+".*name="at" value="Düren-Öst"/);
    expect((await open('/jobs?lang=nl')).body).toMatch(/<form .*name="lang" value="nl"/);
    expect((await open('/jobs')).headers['content-security-policy']).toContain("form-action 'self'");
    const trade = (await open('/jobs/duren-ost/security')).body;
    const positions = (page: string) =>
      ['security', 'hospitality'].map((category) => page.indexOf(`href="/jobs/duren-ost/${category}"`));
    expect(positions(trade).toSorted((a, b) => a - b)).toEqual(positions(trade));
    const hospitality = positions((await open('/jobs/duren-ost/hospitality')).body);
    expect(hospitality[1]).toBeLessThan(hospitality[0] ?? 0);
    expect([trade.includes(publicJobPath(cook)), trade.includes(publicJobPath(guard))]).toEqual([
      false,
      true,
    ]);
    for (const url of [
      '/jobs/duren-ost/care',
      '/jobs/duren-ost/x',
      '/jobs/nowhere',
      '/jobs/%00',
      '/jobs/duren-ost?after=x',
    ])
      expect((await open(url)).statusCode, url).toBe(404);
  });

  it('links to further pages of towns', async () => {
    await app.pool.query(
      `insert into jobs (id, business_id, business_name, kind, status, title, category, pay_minor, pay_unit, currency, time_zone, address,
         area, lat, lng, public_lat, public_lng, business_fee_basis_points, worker_fee_basis_points, published_at, created_at, updated_at)
       select gen_random_uuid(), business_id, business_name, kind, 'open', title, category, pay_minor, pay_unit, currency, time_zone, address,
         'Village ' || n, lat, lng, public_lat, public_lng, business_fee_basis_points, worker_fee_basis_points, published_at, created_at, updated_at
       from (select * from jobs limit 1) one, generate_series(1, 130) n`,
    );
    app.clock.forward({ seconds: 30 });
    const first = (await open('/jobs')).body;
    const more = /href="(\/jobs\?towns=[^"]+)"/.exec(first)?.[1] ?? '';
    const second = (await open(more)).body;
    const slugs = [...`${first}${second}`.matchAll(/href="\/jobs\/(village-\d+)"/g)].map(([, slug]) => slug);
    expect(new Set(slugs).size).toBe(130);
    expect(slugs).toHaveLength(130);
    await app.pool.query("delete from jobs where area like 'Village %'");
  });
});

describe('the page of a job', () => {
  it('shows within how many days the business must reply, unless it hires instantly', async () => {
    const { scope, business } = await hire();
    const startingIn = async (days: number) => {
      const start = app.clock.now().getTime() + days * dayMs;
      const startsAt = new Date(start).toISOString();
      const endsAt = new Date(start + 4 * hourMs).toISOString();
      return (await open(publicJobPath(await makeJob(app.db, scope, business.id, { startsAt, endsAt }))))
        .body;
    };
    const later = await startingIn(20);
    expect(later).toContain('An answer within 14 days');
    expect(later).toContain('Counted from when you apply.');
    const tomorrow = await startingIn(1);
    expect(tomorrow).toContain('An answer before it starts');
    expect(tomorrow).not.toContain('An answer within');
    const instant = await makeJob(app.db, scope, business.id, { instantHire: true, headCount: 1 });
    expect((await open(publicJobPath(instant))).body).not.toContain('An answer within');
  });
});

describe('public pages', () => {
  it('are fresh for half a minute and revalidate without a body', async () => {
    const { scope, business } = await hire();
    const path = publicJobPath(await makeJob(app.db, scope, business.id));
    const first = await open(path, { 'accept-encoding': 'gzip' });
    expect(first.headers).toMatchObject({
      'content-encoding': 'gzip',
      vary: 'accept-encoding, accept-language',
    });
    const again = await open(path, { 'if-none-match': String(first.headers.etag) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    expect((await open(path)).body).toBe(gunzipSync(first.rawPayload).toString());
  });

  it('stay under 40 KiB with their fonts when full', async () => {
    const { scope, business } = await hire({ area: 'Longtown' });
    const jobs = [];
    for (let count = 0; count < 8; count += 1)
      jobs.push(
        await makeJob(app.db, scope, business.id, {
          title: 'A long title of a job that needs two lines on a phone, and then some',
          description: 'Words that someone reads. '.repeat(60),
          requirements: Array.from({ length: 8 }, (_, index) => `Requirement ${index}`),
        }),
      );
    for (const url of [
      publicJobPath(jobs[0] ?? never()),
      publicBusinessPath(business),
      '/jobs',
      '/jobs/longtown',
    ])
      for (const [encoding, others, kibibytes] of [
        ['identity', 0, 42],
        ['gzip', fontBytes, 40],
      ] as const) {
        const { rawPayload } = await open(url, { 'accept-encoding': encoding });
        expect(rawPayload.length + others, `${url} ${encoding}`).toBeLessThan(kibibytes * 1_024);
      }
  });

  it("use the app's colours", () => {
    const css = readFileSync(path.resolve(import.meta.dirname, '../../../../web/src/ui/tokens.css'), 'utf8');
    for (const [name, [light, dark]] of Object.entries(pageTokens))
      expect(css).toContain(`--${name}:light-dark(${light},${dark})`);
  });
});

describe('GET /pictures/job-{short id}-{version}.png', () => {
  it('renders a job for link previews, with a title in any script', async () => {
    const { scope, business } = await hire({ name: 'Kopi & Crumb', area: 'Jordaan, Amsterdam' });
    const title =
      'Öffnungshelfer مقهى with a very long title that goes on until it needs a fourth line 東京 and an end';
    const job = await makeJob(app.db, scope, business.id, { title });
    const url =
      /property="og:image" content="([^"]+)"/.exec((await open(publicJobPath(job))).body)?.[1] ?? '';
    const path = url.replace(app.config.PUBLIC_URL, '');
    const response = await open(path);
    expect(response.headers['content-type']).toBe('image/png');
    expect(await sharp(response.rawPayload).metadata()).toMatchObject({
      format: 'png',
      width: 1_200,
      height: 630,
    });
    expect(response.rawPayload.length).toBeLessThan(100 * 1_024);
    expect((await open(path, { 'if-none-match': String(response.headers.etag) })).statusCode).toBe(304);
    const old = path.replace(/-\d+\.png$/, '-0.png');
    expect((await open(old)).headers.location).toBe(path);
    for (const none of ['/pictures/x.png', '/pictures/job-0123456789-1.png'])
      expect((await open(none)).statusCode, none).toBe(404);
  });
});

describe('GET /sitemap.xml', () => {
  const addresses = (xml: string) =>
    [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, loc = '']) => loc.replace(app.config.PUBLIC_URL, ''));

  it('lists files of the configured size that together contain every open page once', async () => {
    const { owner, scope, business } = await hire({ area: 'Mapville' });
    const closed = await makeJob(app.db, scope, business.id, { title: 'Closed' });
    await owner.api.jobs.close({ jobId: closed.id });
    const open5 = [];
    for (let count = 0; count < 5; count += 1)
      open5.push(await makeJob(app.db, scope, business.id, { title: `Map ${count}` }));
    app.clock.forward({ seconds: 30 });
    const files = addresses((await open('/sitemap.xml')).body);
    const listed: string[] = [];
    for (const file of files.filter((name) => name.startsWith('/sitemaps/jobs-'))) {
      const inFile = addresses((await open(file)).body);
      expect(inFile.length).toBeLessThanOrEqual(2);
      listed.push(...inFile);
    }
    const { rows } = await app.pool.query<{ id: string; title: string }>(
      "select id, title from jobs where status = 'open'",
    );
    expect(listed.sort()).toEqual(rows.map((row) => publicJobPath(row)).sort());
    expect(listed).toContain(publicJobPath(open5[0] ?? never()));
    expect(listed).not.toContain(publicJobPath(closed));
    const businesses = files.filter((name) => name.startsWith('/sitemaps/businesses-'));
    expect(addresses((await open(businesses.at(-1) ?? '')).body).length).toBeGreaterThan(0);
    const zipped = await open(businesses[0] ?? '', { 'accept-encoding': 'gzip' });
    expect(gunzipSync(zipped.rawPayload).toString()).toContain('</urlset>');
    expect((await open('/sitemaps/jobs-x.xml')).statusCode).toBe(404);
    expect(addresses((await open('/sitemaps/lists.xml')).body)).toContain('/jobs');
  });

  it('lists a series once, by its first open shift, which alone is a posting', async () => {
    const { owner, scope, business } = await hire();
    const draft = await makeJob(app.db, scope, business.id, { title: 'Every day', status: 'draft' });
    const day = (days: number) =>
      new Date(Date.parse(draft.startsAt ?? '') + days * 86_400_000).toISOString().slice(0, 10);
    await owner.api.jobs.publish({ jobId: draft.id, alsoOn: [day(1), day(2)] });
    const { dates } = await owner.api.jobs.get({ jobId: draft.id });
    const [first, second, third] = dates.map(({ jobId }) => publicJobPath({ id: jobId, title: 'Every day' }));
    const read = async () => {
      app.clock.forward({ seconds: 30 });
      const files = addresses((await open('/sitemap.xml')).body).filter((name) => name.includes('/jobs-'));
      const listed = [];
      for (const file of files) listed.push(...addresses((await open(file)).body));
      const { body } = await open(third ?? '');
      return {
        listed: listed.filter((path) => path.includes('/every-day-')),
        canonical: /rel="canonical" href="([^"]+)"/.exec(body)?.[1]?.replace(app.config.PUBLIC_URL, ''),
        isPosting: body.includes('"JobPosting"'),
      };
    };
    expect(await read()).toEqual({ listed: [first], canonical: first, isPosting: false });
    expect((await open(first ?? '')).body).toContain('"JobPosting"');
    await owner.api.jobs.close({ jobId: draft.id });
    expect(await read()).toEqual({ listed: [second], canonical: second, isPosting: false });
    await owner.api.jobs.close({ jobId: dates[1]?.jobId ?? '' });
    expect(await read()).toEqual({ listed: [third], canonical: third, isPosting: true });
  });

  it('shows every shift of a series and its lowest pay, on its page, card and poster', async () => {
    const { owner, scope, business } = await hire();
    const draft = await makeJob(app.db, scope, business.id, { title: 'Week of bar', status: 'draft' });
    const day = (days: number) =>
      new Date(Date.parse(draft.startsAt ?? '') + days * dayMs).toISOString().slice(0, 10);
    await owner.api.jobs.publish({ jobId: draft.id, alsoOn: [day(1), day(2)] });
    const { dates } = await owner.api.jobs.get({ jobId: draft.id });
    const [first, second, third] = dates.map(({ jobId }) => jobId);
    await app.pool.query('update jobs set pay_minor = pay_minor + 200 where id = any($1)', [[first, third]]);
    const path = (jobId = '') => publicJobPath({ id: jobId, title: 'Week of bar' });
    const { body } = await open(path(third));
    const total = (dates[1]?.pay.totalMinor ?? never()) / 100;
    for (const words of ['>3 shifts<', '3 shifts from', `>from €${total}<`, '€17.50–€19.50 an hour'])
      expect(body).toContain(words);
    for (const jobId of [first, second]) expect(body).toContain(`<a href="${path(jobId)}">`);
    expect(body).toContain(`<a href="${path(third)}" aria-current="page">`);
    const shared = await sharedJob(app.db, { ...scope, actor: null }, shortIdOf(third ?? ''));
    expect(shared).toMatchObject({ figure: `from €${total}`, when: expect.stringMatching(/^3 shifts, /) });
    app.clock.forward({ minutes: 1 });
    expect((await open(publicBusinessPath(business))).body).toContain('€17.50–€19.50 an hour');
    const posting = await open(path(first));
    expect(posting.body.match(/"JobPosting"/g)).toHaveLength(1);
  });

  it('appears in robots.txt, which keeps crawlers out of the app', async () => {
    const { body } = await open('/robots.txt');
    expect(body).toContain(`Sitemap: ${app.config.PUBLIC_URL}/sitemap.xml`);
    expect(body).toContain('Disallow: /api/');
  });
});

describe('GET /.well-known/security.txt', () => {
  it('returns where to report a vulnerability, valid for half a year', async () => {
    const { statusCode, body, headers } = await open('/.well-known/security.txt');
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(body).toContain(`Contact: ${app.config.PUBLIC_URL}/help-center`);
    const expires = new Date(/^Expires: (.+)$/m.exec(body)?.[1] ?? 0).getTime();
    expect(expires - app.clock.now().getTime()).toBeGreaterThan(100 * 86_400_000);
  });
});

describe('GET /.well-known/change-password', () => {
  it('redirects password managers to the page, and returns 404 for any other name', async () => {
    const { statusCode, headers } = await open('/.well-known/change-password');
    expect([statusCode, headers.location]).toEqual([302, '/change-password']);
    const probe = '/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200';
    expect((await open(probe)).statusCode).toBe(404);
  });
});

function never(): never {
  throw new Error('a job should be there');
}
