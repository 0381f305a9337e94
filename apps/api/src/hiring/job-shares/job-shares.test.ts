import { runInNewContext } from 'node:vm';
import type { Job } from '@nearhand/contract/hiring/jobs';
import { publicJobPath, shortIdOf } from '@nearhand/contract/hiring/public-pages.rules';
import type { Business } from '@nearhand/contract/people/businesses';
import { decodeQR } from 'qr/decode.js';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { makeApplication } from '../applications/applications.fixtures.ts';
import { makeJob } from '../jobs/jobs.fixtures.ts';
import { posterCode } from './poster-pdf.ts';
import { isRobot } from './view-counter.ts';

const app = useTestApp();
const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15';
const hostile = '</script><script>alert(1)</script>"\'<b>&';
let owner: Person;
let finance: Person;
let stranger: Person;
let business: Business;

beforeAll(async () => {
  owner = await app.person({ name: 'Nadia Brandt' });
  finance = await app.person();
  stranger = await app.person();
  business = await makeBusiness(app.db, app.scopeOf(owner));
  await makeMember(app.db, app.clock, business.id, finance.accountId, 'finance');
});

const openJob = (options: { title?: string } = {}) =>
  makeJob(app.db, app.scopeOf(owner), business.id, options);
const close = (job: Pick<Job, 'id'>) =>
  app.db.updateTable('jobs').set({ status: 'closed' }).where('id', '=', job.id).execute();
const look = (url: string, agent = phone) =>
  app.raw({ method: 'GET', url, headers: { accept: 'text/html', 'user-agent': agent } });
const countsOf = async (jobId: string) =>
  Object.fromEntries(
    (await owner.api.jobShares.overview({ jobId })).channels.map(({ channel, views, applications }) => [
      channel,
      [views, applications],
    ]),
  );

describe('jobShares.overview', () => {
  it('counts views and applications by channel, one row per day and channel', async () => {
    const job = await openJob();
    expect(Object.values(await countsOf(job.id))).toEqual(Array(6).fill([0, 0]));
    for (const source of ['qr', 'qr', 'poster', 'embed', null, 'nonsense'])
      expect((await look(publicJobPath(job, source))).statusCode).toBe(200);
    await look(publicJobPath(job, 'qr'), 'Googlebot/2.1 (+http://www.google.com/bot.html)');
    const worker = await app.person();
    await worker.api.applications.submit({
      jobId: job.id,
      coverNote: '',
      answers: [],
      cvFileId: null,
      channel: 'qr',
    });
    await makeApplication(app.db, app.scopeOf(await app.person()), job.id);
    await vi.waitFor(
      async () =>
        expect(await countsOf(job.id)).toEqual({
          link: [0, 0],
          qr: [2, 1],
          poster: [1, 0],
          embed: [1, 0],
          share: [0, 0],
          directory: [2, 1],
        }),
      { timeout: 10_000, interval: 200 },
    );
    await look(publicJobPath(job, 'qr'));
    await vi.waitFor(async () => expect((await countsOf(job.id)).qr).toEqual([3, 1]), {
      timeout: 10_000,
      interval: 200,
    });
    const rows = await app.db.selectFrom('job_views').selectAll().where('jobId', '=', job.id).execute();
    expect(rows).toHaveLength(4);
  });

  it('counts no views of a closed or unknown job', async () => {
    const job = await openJob();
    await close(job);
    expect((await look(publicJobPath(job, 'qr'))).statusCode).toBe(410);
    expect((await look('/j/nothing-0000000000?s=qr')).statusCode).toBe(404);
    const marker = await openJob();
    await look(publicJobPath(marker, 'link'));
    await vi.waitFor(async () => expect((await countsOf(marker.id)).link).toEqual([1, 0]), {
      timeout: 10_000,
      interval: 200,
    });
    expect((await countsOf(job.id)).qr).toEqual([0, 0]);
  });

  it('allows only recruiters of the job', async () => {
    const { id: jobId } = await openJob();
    expect(await failure(stranger.api.jobShares.overview({ jobId }))).toMatchObject({ status: 403 });
    expect(await failure(finance.api.jobShares.overview({ jobId }))).toMatchObject({
      status: 403,
      code: 'job/not-allowed',
    });
    expect(await failure(owner.api.jobShares.overview({ jobId: crypto.randomUUID() }))).toMatchObject({
      status: 404,
      code: 'job/not-found',
    });
  });
});

describe('robots', () => {
  it.each([
    ['', true],
    ['curl/8.5.0', true],
    ['Mozilla/5.0 (compatible; bingbot/2.0)', true],
    ['WhatsApp/2.23', true],
    ['Mozilla/5.0 (X11; Linux x86_64) HeadlessChrome/141.0', true],
    [phone, false],
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0', false],
  ])('%s: %s', (agent, expected) => {
    expect(isRobot({ 'user-agent': agent })).toBe(expected);
  });
  it('ignores prefetches', () => {
    expect(isRobot({ 'user-agent': phone, 'sec-purpose': 'prefetch;prerender' })).toBe(true);
  });
});

describe('jobShares.poster', () => {
  it.each(['a4', 'a6'] as const)('returns a PDF of %s through a link that expires', async (size) => {
    const job = await openJob({ title: 'Weekend barista ☕ مقهى' });
    const { path, fileName } = await owner.api.jobShares.poster({ jobId: job.id, size });
    expect(fileName).toMatch(new RegExp(`^nearhand-weekend-barista.*-${size}\\.pdf$`));
    const answer = await app.raw({ method: 'GET', url: `/api${path}` });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/pdf']);
    const text = answer.rawPayload.toString('latin1');
    expect(text.startsWith('%PDF-')).toBe(true);
    const box = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(text);
    expect(Number(box?.[1])).toBeCloseTo(size === 'a4' ? 595.28 : 297.64, 0);
    expect((text.match(/\/Type \/Page\b/g) ?? []).length).toBe(1);
    expect((await app.raw({ method: 'GET', url: `/api${path}x` })).statusCode).toBe(403);
    app.clock.forward({ minutes: 6 });
    expect((await app.raw({ method: 'GET', url: `/api${path}` })).json()).toMatchObject({
      code: 'file/link-expired',
    });
  });

  it('rejects a closed job, even through an older link, and other users', async () => {
    const job = await openJob();
    const jobId = job.id;
    const { path } = await owner.api.jobShares.poster({ jobId, size: 'a4' });
    expect(await failure(finance.api.jobShares.poster({ jobId, size: 'a4' }))).toMatchObject({
      code: 'job/not-allowed',
    });
    expect(await failure(owner.api.jobShares.poster({ jobId, size: 'a5' as 'a4' }))).toMatchObject({
      status: 400,
    });
    await close(job);
    expect(await failure(owner.api.jobShares.poster({ jobId, size: 'a4' }))).toMatchObject({
      status: 409,
      code: 'job/not-open',
    });
    expect((await app.raw({ method: 'GET', url: `/api${path}` })).json()).toMatchObject({
      code: 'job/not-open',
    });
  });

  it('has a QR code with the page address and its channel', () => {
    const url = 'https://nearhand.example/j/weekend-barista-0a1b2c3d4e?s=poster';
    const rows = posterCode(url);
    const scale = 6;
    const width = (rows.length + 8) * scale;
    const data = new Uint8ClampedArray(width * width * 4).fill(255);
    for (const [y, row] of rows.entries())
      for (const [x, dark] of row.entries())
        for (let at = 0; dark && at < scale * scale; at += 1) {
          const px = (x + 4) * scale + (at % scale);
          const py = (y + 4) * scale + Math.floor(at / scale);
          data.set([0, 0, 0, 255], (py * width + px) * 4);
        }
    expect(decodeQR({ data, width, height: width })).toBe(url);
  });
});

describe('an embedded card', () => {
  it('can be framed anywhere, escapes user text and runs no script', async () => {
    const job = await openJob({ title: hostile });
    const answer = await look(`/embed/j/${shortIdOf(job.id)}`);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['x-frame-options']).toBeUndefined();
    expect(answer.headers['content-security-policy']).toContain('frame-ancestors *');
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
    expect(answer.body).not.toContain('<script');
    expect(answer.body).toContain('&lt;/script&gt;');
    expect(answer.body).toContain('?s=embed');
    // Every other page refuses frames.
    const page = await look(publicJobPath(job));
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
  });

  it('shows that a job is closed', async () => {
    const job = await openJob();
    await close(job);
    const answer = await look(`/embed/j/${shortIdOf(job.id)}`);
    expect(answer.statusCode).toBe(410);
    expect(answer.body).toContain('This job is no longer open');
    expect((await look('/embed/j/%27%3Balert(1)')).statusCode).toBe(410);
  });
});

describe('an embedded list', () => {
  it('builds links from escaped user text', async () => {
    const verified = await makeBusiness(app.db, app.scopeOf(owner));
    await app.db
      .updateTable('businesses')
      .set({ status: 'verified' })
      .where('id', '=', verified.id)
      .execute();
    await makeJob(app.db, app.scopeOf(owner), verified.id, { title: hostile });
    const answer = await look(`/embed/b/${shortIdOf(verified.id)}.js`);
    expect(answer.headers['cross-origin-resource-policy']).toBe('cross-origin');
    expect(answer.headers['content-type']).toContain('text/javascript');
    expect(answer.body).not.toContain('</script');
    type Made = { tag: string; textContent: string; href: string; children: Made[] };
    const element = (tag: string) => {
      const node = { tag, textContent: '', href: '', children: [] as Made[] };
      const root = {
        ...node,
        children: node.children,
        appendChild: (child: Made) => node.children.push(child),
      };
      return Object.assign(node, {
        appendChild: (child: Made) => node.children.push(child),
        attachShadow: () => root,
      });
    };
    const placed: Made[] = [];
    runInNewContext(answer.body, {
      CSSStyleSheet: class {
        replaceSync() {}
      },
      document: {
        createElement: element,
        currentScript: { parentNode: { insertBefore: (node: Made) => placed.push(node) }, nextSibling: null },
      },
    });
    const all = (made: Made): Made[] => [made, ...made.children.flatMap(all)];
    const links = placed.flatMap(all).filter(({ tag }) => tag === 'a');
    expect(links).toHaveLength(1);
    expect(links[0]?.href).toMatch(/\/j\/.*\?s=embed$/);
    expect(links[0]?.children[0]?.textContent).toBe(hostile);
  });

  it('returns an empty list for an unverified or unknown business', async () => {
    await app.db.updateTable('businesses').set({ status: 'draft' }).where('id', '=', business.id).execute();
    for (const file of [`${shortIdOf(business.id)}.js`, '0000000000.js', 'x', '..%2Fx.js'])
      expect((await look(`/embed/b/${file}`)).statusCode).toBe(404);
  });
});
