import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../api/api-error.ts';
import { type AuthPort, registerAuth } from '../api/auth-provider.ts';
import { session } from '../session.ts';
import { uploadFile } from './upload-file.ts';

class FakeRequest {
  static all: FakeRequest[] = [];
  readonly headers: Record<string, string> = {};
  readonly upload: { onprogress?: (event: object) => void } = {};
  target = '';
  body: FormData | null = null;
  aborted = false;
  status = 0;
  responseText = '';
  onload = () => {};
  onerror = () => {};
  ontimeout = () => {};
  onabort = () => {};

  constructor() {
    FakeRequest.all.push(this);
  }
  open(method: string, path: string): void {
    this.target = `${method} ${path}`;
  }
  setRequestHeader(name: string, value: string): void {
    this.headers[name] = value;
  }
  send(body: FormData): void {
    this.body = body;
  }
  abort(): void {
    this.aborted = true;
    this.onabort();
  }
  answer(status: number, body: unknown): void {
    this.status = status;
    this.responseText = typeof body === 'string' ? body : JSON.stringify(body);
    this.onload();
  }
}

const storedFile = { id: 'f1', path: '/files/f1', name: 'cv.pdf' };
const user = { id: 'u1', email: 'leila@example.org', emailVerified: true, name: 'Leila' };
const idToken = vi.fn(() => Promise.resolve<string | null>('renewed'));
const upload = (change: Partial<Parameters<typeof uploadFile>[0]> = {}) =>
  uploadFile({
    purpose: 'cv',
    file: new Blob(['text'], { type: 'application/pdf' }),
    name: 'cv.pdf',
    idempotencyKey: 'key-1',
    ...change,
  });
const request = (index = 0) => {
  const request = FakeRequest.all[index];
  if (!request) throw new Error(`there is no request ${index}`);
  return request;
};

beforeEach(() => {
  FakeRequest.all = [];
  idToken.mockClear();
  vi.stubGlobal('XMLHttpRequest', FakeRequest);
  registerAuth({ idToken } as unknown as AuthPort);
  session.start({ user, accessToken: 'old' });
});
afterEach(() => {
  vi.unstubAllGlobals();
  session.clear();
});

describe('uploading a file', () => {
  it("treats a captive network's page as a lost connection", async () => {
    const sent = upload();
    request().answer(200, '<h1>Hotel Wifi</h1>');
    await expect(sent).rejects.toMatchObject({ code: 'network/failed' });
  });

  it('sends it with its purpose, its name, its key and the token', async () => {
    const set = vi.spyOn(FormData.prototype, 'set');
    const file = new Blob(['text']);
    const result = upload({ file });
    const { target, headers } = request();
    expect([target, headers]).toEqual([
      'POST /api/files',
      { 'idempotency-key': 'key-1', authorization: 'Bearer old' },
    ]);
    expect(set.mock.calls).toEqual([
      ['purpose', 'cv'],
      ['file', file, 'cv.pdf'],
    ]);
    set.mockRestore();
    request().answer(201, storedFile);
    expect(await result).toEqual(storedFile);
  });

  it('reports its progress, if the browser supports it', async () => {
    const done: number[] = [];
    const result = upload({ onProgress: (share) => done.push(share) });
    const progress = request().upload.onprogress;
    progress?.({ lengthComputable: true, loaded: 1, total: 4 });
    progress?.({ lengthComputable: false, loaded: 2, total: 0 });
    progress?.({ lengthComputable: true, loaded: 0, total: 0 });
    progress?.({ lengthComputable: true, loaded: 4, total: 4 });
    request().answer(200, storedFile);
    await result;
    expect(done).toEqual([0.25, 1]);
  });

  it('renews an expired token once, with the same key', async () => {
    const result = upload();
    request().answer(401, { code: 'session/expired' });
    await vi.waitFor(() => expect(FakeRequest.all).toHaveLength(2));
    expect(idToken).toHaveBeenCalledExactlyOnceWith({ fresh: true });
    expect(request(1).headers).toEqual({ 'idempotency-key': 'key-1', authorization: 'Bearer renewed' });
    request(1).answer(401, { code: 'session/required', message: '', requestId: 'r1' });
    await expect(result).rejects.toBeInstanceOf(ApiError);
    expect(FakeRequest.all).toHaveLength(2);
  });

  it("doesn't renew for a guest", async () => {
    session.clear();
    const result = upload();
    expect(request().headers).toEqual({ 'idempotency-key': 'key-1' });
    request().answer(401, { code: 'session/required', message: '', requestId: 'r1' });
    await expect(result).rejects.toMatchObject({ code: 'session/required' });
    expect(idToken).not.toHaveBeenCalled();
  });

  it("returns the server's rejection by its code", async () => {
    const result = upload();
    request().answer(413, { code: 'file/too-large', message: '', requestId: 'r1', data: { maxBytes: 1 } });
    await expect(result).rejects.toMatchObject({ code: 'file/too-large', requestId: 'r1' });
  });

  it.each([
    [502, '<html>Bad gateway</html>'],
    [413, ''],
    [200, '<html>Log in to this Wi-Fi</html>'],
  ])('fails on the page of a proxy with status %i', async (status, page) => {
    const result = upload();
    request().answer(status, page);
    await expect(result).rejects.toBeInstanceOf(ApiError);
  });

  it.each(['onerror', 'ontimeout'] as const)('fails without a network (%s)', async (event) => {
    const result = upload();
    request()[event]();
    await expect(result).rejects.toMatchObject({ code: 'network/failed' });
  });

  it("stops when it is cancelled, and doesn't start when it was before", async () => {
    const controller = new AbortController();
    const result = upload({ signal: controller.signal });
    controller.abort();
    await expect(result).rejects.toMatchObject({ code: 'network/cancelled' });
    expect(request().aborted).toBe(true);
    await expect(upload({ signal: controller.signal })).rejects.toMatchObject({ code: 'network/cancelled' });
    expect(request(1).body).toBeNull();
  });
});
