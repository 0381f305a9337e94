import { beforeAll, describe, expect, it, vi } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { pdfBytes } from './files.fixtures.ts';

const app = useTestApp({ UPLOADS_PER_DAY: '3' });
let leila: Person;
beforeAll(async () => {
  leila = await app.person();
});

const upload = (api: Person['api'], text: string) =>
  api.files.upload({ purpose: 'cv', file: new File([pdfBytes(text)], 'cv.pdf') });

describe("an account's daily uploads", () => {
  it('are limited per account, before any work is done', async () => {
    for (const text of ['one', 'two', 'three']) await upload(leila.api, text);
    const keysBefore = app.fileStore.keys();
    expect(await failure(upload(leila.api, 'four'))).toMatchObject({
      status: 429,
      code: 'file/daily-limit',
      data: { limit: 3 },
    });
    expect(app.fileStore.keys()).toEqual(keysBefore);
    await upload((await app.person()).api, 'mine');
    app.clock.forward({ days: 1, seconds: 1 });
    await upload(leila.api, 'four');
  });
});

describe('an upload without a row', () => {
  it('leaves no bytes: two concurrent uploads with one key leave one file', async () => {
    const sam = await app.person();
    const put = app.fileStore.put;
    let waiting = 2;
    let goOn = () => {};
    const bothPut = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const spy = vi.spyOn(app.fileStore, 'put').mockImplementation(async (...args) => {
      await put(...args);
      waiting -= 1;
      if (waiting === 0) goOn();
      await bothPut;
    });
    const before = app.fileStore.keys().length;
    const api = app.apiAs(sam.token, { 'idempotency-key': 'twice-at-once' });
    await Promise.allSettled([upload(api, 'twin'), upload(api, 'twin')]);
    spy.mockRestore();
    expect(app.fileStore.keys()).toHaveLength(before + 1);
    const { rows } = await app.pool.query('select id from files where account_id = $1', [sam.accountId]);
    expect(app.fileStore.keys()).toContain(rows[0].id);
  });

  it("returns an error even if the store can't remove it", async () => {
    const sam = await app.person();
    const remove = vi.spyOn(app.fileStore, 'remove').mockRejectedValue(new Error('the bucket is away'));
    const insert = vi.spyOn(app.fileStore, 'put').mockImplementation(async () => {
      // The account is deleted in the meantime, so its row can't be written.
      await app.pool.query('delete from accounts where id = $1', [sam.accountId]);
    });
    expect((await failure(upload(sam.api, 'gone'))).status).toBe(500);
    expect(remove).toHaveBeenCalledOnce();
    insert.mockRestore();
    remove.mockRestore();
  });
});
