import type { FilePurpose } from '@nearhand/contract/people/files';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { makeFile } from '../../people/files/files.fixtures.ts';
import { purgeUnusedFiles } from '../../people/files/files.ts';
import { hireFor } from '../../work/engagements/engagements.fixtures.ts';
import { makeJob } from './jobs.fixtures.ts';

const app = useTestApp();

async function hirer() {
  const person = await app.person();
  const business = await makeBusiness(app.db, app.scopeOf(person));
  return { ...person, business };
}
async function photoOf({ accountId }: Person, purpose: FilePurpose = 'photo'): Promise<string> {
  const picture = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#123' } })
    .png()
    .toBuffer();
  const file = { purpose, name: 'door.png', bytes: new Uint8Array(picture) };
  return (await makeFile(app.db, app.scopeOf({ accountId }), file)).id;
}

describe('photos of a job', () => {
  it('appear in order to everyone who sees the job and to hired workers', async () => {
    const owner = await hirer();
    const photoIds = [await photoOf(owner), await photoOf(owner)];
    const job = await makeJob(app.db, app.scopeOf(owner), owner.business.id, {
      photoIds,
      headCount: 1,
    });
    const publicJob = await app.apiAs(null).jobs.get({ jobId: job.id });
    expect(publicJob.photoIds).toEqual(photoIds);
    const bytes = await app.raw({ url: `/api/files/${photoIds[0]}/content` });
    expect(bytes.headers['content-type']).toBe('image/webp');
    const worker = await app.person();
    const { id: engagementId } = await hireFor(
      app.db,
      { worker: app.scopeOf(worker), recruiter: app.scopeOf(owner) },
      job.id,
    );
    expect((await worker.api.engagements.get({ engagementId })).photoIds).toEqual(photoIds);

    const { version } = await owner.api.jobs.get({ jobId: job.id });
    const [first = '', second = ''] = photoIds;
    const turned = { jobId: job.id, version, photoIds: [second, first] };
    expect((await owner.api.jobs.update(turned)).photoIds).toEqual([second, first]);
    const words = { jobId: job.id, version: version + 1, title: 'Same photos' };
    expect((await owner.api.jobs.update(words)).photoIds).toEqual([second, first]);
    const gone = await owner.api.jobs.update({ jobId: job.id, version: version + 2, photoIds: [] });
    expect(gone.photoIds).toEqual([]);
    expect((await worker.api.engagements.get({ engagementId })).photoIds).toEqual([]);
  });

  it("must be the uploader's own pictures, unique and at most six; a colleague's edit keeps existing ones", async () => {
    const owner = await hirer();
    const stranger = await app.person();
    const of = {
      businessId: owner.business.id,
      ...({ kind: 'task', title: 'Paint', category: 'trades' } as const),
    };
    const add = (photoIds: string[]) => failure(owner.api.jobs.create({ ...of, photoIds }));
    expect(await add([await photoOf(stranger)])).toMatchObject({ status: 404, code: 'file/not-found' });
    expect(await add([await photoOf(owner, 'work')])).toMatchObject({ status: 422, code: 'file/wrong-type' });
    const own = await photoOf(owner);
    expect(await add([own, own])).toMatchObject({ status: 400, code: 'request/invalid' });
    const many = Array.from({ length: 7 }, () => crypto.randomUUID());
    expect(await add(many)).toMatchObject({ status: 400, code: 'request/invalid' });

    const draft = await owner.api.jobs.create({ ...of, photoIds: [own] });
    const colleague = await app.person();
    await makeMember(app.db, app.clock, owner.business.id, colleague.accountId, 'recruiter');
    const next = await photoOf(colleague);
    const edit = { jobId: draft.id, version: draft.version, photoIds: [own, next] };
    expect((await colleague.api.jobs.update(edit)).photoIds).toEqual([own, next]);
    await owner.api.jobs.update({ ...edit, version: 2, photoIds: [own] });
    const back = owner.api.jobs.update({ ...edit, version: 3, photoIds: [own, next] });
    expect(await failure(back)).toMatchObject({ code: 'file/not-found' });
  });

  it('are copied with the job, and purged when no job uses them', async () => {
    const owner = await hirer();
    const photo = await photoOf(owner);
    const job = await makeJob(app.db, app.scopeOf(owner), owner.business.id, {
      status: 'draft',
      photoIds: [photo],
    });
    const copy = await owner.api.jobs.duplicate({ jobId: job.id });
    expect(copy.photoIds).toEqual([photo]);
    await owner.api.jobs.deleteDraft({ jobId: job.id });
    app.clock.forward({ days: 8 });
    await purgeUnusedFiles(app.db, app);
    expect(app.fileStore.keys()).toContain(photo);
    await owner.api.jobs.deleteDraft({ jobId: copy.id });
    await purgeUnusedFiles(app.db, app);
    expect(app.fileStore.keys()).not.toContain(photo);
  });
});
