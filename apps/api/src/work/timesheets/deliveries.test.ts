import { addMs, dayMs } from '@nearhand/contract/durations';
import sharp from 'sharp';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { makeFile, pdfBytes } from '../../people/files/files.fixtures.ts';
import { signAccessToken } from '../../people/sign-in/access-tokens.ts';
import { viewEngagement } from '../engagements/engagement-views.ts';
import { makeEngagement } from '../engagements/engagements.fixtures.ts';

const app = useTestApp();
let nadia: Person;
let leila: Person;
let sam: Person;
let businessId: string;
let engagementId: string;

const as = async (person: Person) => app.apiAs(await signAccessToken(app.secret, app.clock, person));
const look = () => viewEngagement(app.db, app.scopeOf(leila), engagementId);
const picture = async () => {
  const image = sharp({ create: { width: 3_000, height: 1_500, channels: 3, background: '#336699' } });
  return new Uint8Array(await image.jpeg().toBuffer());
};
const workFile = async (person: Person, name = 'Fence.jpg') =>
  makeFile(app.db, app.scopeOf(person), { purpose: 'work', name, bytes: await picture() });
const content = async (path: string, person: Person | null) =>
  app.raw({
    method: 'GET',
    url: `/api${path}`,
    headers: person
      ? { authorization: `Bearer ${await signAccessToken(app.secret, app.clock, person)}` }
      : {},
  });

beforeAll(async () => {
  nadia = await app.person({ name: 'Nadia Brandt' });
  sam = await app.person({ name: 'Sam Okafor' });
  ({ id: businessId } = await makeBusiness(app.db, app.scopeOf(nadia)));
});
beforeEach(async () => {
  leila = await app.person({ name: 'Leila Haddad' });
  ({ id: engagementId } = await makeEngagement(
    app.db,
    { worker: app.scopeOf(leila), recruiter: app.scopeOf(nadia) },
    businessId,
    { kind: 'task', title: 'Paint the fence', payMinor: 12_000 },
  ));
});

async function delivered(note = 'All done.', fileIds: string[] = []) {
  const { version } = await look();
  return (await as(leila)).timesheets.deliver({ engagementId, version, note, fileIds });
}

describe('timesheets.deliver', () => {
  it('submits a note and files, which only the worker and who may release its pay can read', async () => {
    const photo = await workFile(leila);
    const paper = await makeFile(app.db, app.scopeOf(leila), {
      purpose: 'work',
      name: 'Bill.pdf',
      bytes: pdfBytes('Paint, 2 tins'),
    });
    expect((await content(photo.path, nadia)).statusCode).toBe(404);
    const deliveredWork = await delivered('All done.', [photo.id, paper.id, photo.id]);
    expect(deliveredWork).toMatchObject({ status: 'delivered', next: { kind: 'auto-approve' } });
    expect(deliveredWork.deliveries).toMatchObject([
      {
        round: 1,
        note: 'All done.',
        changesAsked: null,
        files: [
          { id: photo.id, mediaType: 'image/webp', name: 'Fence.webp', path: photo.path },
          { id: paper.id, mediaType: 'application/pdf' },
        ],
      },
    ]);
    const finance = await app.person();
    await makeMember(app.db, app.clock, businessId, finance.accountId, 'finance');
    for (const [person, status] of [
      [leila, 200],
      [finance, 200],
      [nadia, 200],
      [sam, 404],
      [null, 404],
    ] as const)
      for (const { path } of [photo, paper])
        expect((await content(path, person)).statusCode, path).toBe(status);
    const response = await content(photo.path, nadia);
    expect(response.headers).toMatchObject({
      'cache-control': 'private, no-store',
      'content-disposition': 'inline',
    });
    expect(await sharp(response.rawPayload).metadata()).toMatchObject({ width: 2_048, height: 1_024 });
    expect((await content(paper.path, nadia)).headers['content-disposition']).toMatch(/^attachment/);
    const details = (await as(nadia)).files.details({ fileId: photo.id });
    expect(await details).toMatchObject({ purpose: 'work' });
    expect(await failure((await as(sam)).files.details({ fileId: photo.id }))).toMatchObject({ status: 404 });
    app.clock.forward({ days: 8 });
    await app.runDue();
    expect((await content(photo.path, leila)).statusCode).toBe(200);
  });

  it('rejects foreign files, files of another purpose and an empty delivery', async () => {
    const { version } = await look();
    const api = await as(leila);
    const deliver = (options: { note?: string; fileIds?: string[] }) =>
      failure(api.timesheets.deliver({ engagementId, version, ...options }));
    const foreign = await workFile(sam);
    const cv = await makeFile(app.db, app.scopeOf(leila));
    expect(await deliver({ fileIds: [foreign.id] })).toMatchObject({ status: 404, code: 'file/not-found' });
    expect(await deliver({ fileIds: [cv.id] })).toMatchObject({ status: 422, code: 'file/wrong-type' });
    expect(await deliver({ note: '  ' })).toMatchObject({ status: 422, code: 'timesheet/no-delivery' });
    expect(await deliver({ note: '\u0000' })).toMatchObject({ status: 400 });
    expect(await deliver({ fileIds: ['x'] })).toMatchObject({ status: 400 });
    expect(await deliver({ fileIds: Array.from({ length: 11 }, () => crypto.randomUUID()) })).toMatchObject({
      status: 400,
    });
    expect(await look()).toMatchObject({ status: 'booked', deliveries: [] });
  });

  it('allows only the worker, once per round', async () => {
    const deliveredWork = await delivered();
    const input = { engagementId, version: deliveredWork.version, note: 'Again.' };
    expect(await failure((await as(nadia)).timesheets.deliver(input))).toMatchObject({ status: 403 });
    expect(await failure((await as(sam)).timesheets.deliver(input))).toMatchObject({ status: 404 });
    const api = await as(leila);
    expect(await failure(api.timesheets.deliver(input))).toMatchObject({ code: 'engagement/wrong-state' });
    expect(await failure(api.timesheets.deliver({ ...input, version: 1 }))).toMatchObject({
      status: 409,
      code: 'engagement/stale',
    });
    expect(
      await failure(
        api.timesheets.submitHours({
          engagementId,
          version: deliveredWork.version,
          startsAt: '2026-11-20T08:00:00Z',
          endsAt: '2026-11-20T09:00:00Z',
          breakMinutes: 0,
        }),
      ),
    ).toMatchObject({ status: 409, code: 'engagement/wrong-state' });
    const bare = await app.raw({
      method: 'POST',
      url: `/api/engagements/${engagementId}/delivery`,
      headers: { 'idempotency-key': crypto.randomUUID() },
      payload: input,
    });
    expect(bare.statusCode).toBe(401);
  });

  it('is approved automatically after 14 days', async () => {
    await delivered();
    app.clock.forward({ days: 13, hours: 23 });
    await app.runDue();
    expect(await look()).toMatchObject({ status: 'delivered' });
    app.clock.forward({ hours: 1 });
    await app.runDue();
    expect(await look()).toMatchObject({
      status: 'completed',
      amountMinor: 12_000,
      releases: [{ kind: 'rest', amountMinor: 12_000 }],
    });
  });
});

describe('timesheets.requestChanges', () => {
  it('returns the delivery with the changes to make and stops the clock until the next round', async () => {
    const deliveredWork = await delivered();
    const input = { engagementId, version: deliveredWork.version, note: 'The gate is missing.' };
    expect(await failure((await as(leila)).timesheets.requestChanges(input))).toMatchObject({ status: 403 });
    expect(await failure((await as(sam)).timesheets.requestChanges(input))).toMatchObject({ status: 404 });
    const api = await as(nadia);
    expect(await failure(api.timesheets.requestChanges({ ...input, note: '' }))).toMatchObject({
      status: 400,
    });
    const back = await api.timesheets.requestChanges(input);
    expect(back).toMatchObject({ status: 'changes_requested', next: null });
    expect(back.deliveries[0]?.changesAsked?.note).toBe('The gate is missing.');
    expect(await failure(api.timesheets.requestChanges(input))).toMatchObject({ status: 409 });
    app.clock.forward({ days: 20 });
    await app.runDue();
    expect(await look()).toMatchObject({ status: 'changes_requested' });
    const again = await delivered('With the gate.');
    expect(again.deliveries.map(({ round }) => round)).toEqual([1, 2]);
    expect(again.next?.at).toBe(addMs(app.clock.now(), 14 * dayMs).toISOString());
    const done = await (await as(nadia)).timesheets.approve({ engagementId, version: again.version });
    expect(done).toMatchObject({ status: 'completed', amountMinor: 12_000 });
  });
});
