import { openAsBlob } from 'node:fs';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { AwsClient } from 'aws4fetch';
import { AppError } from '../app-error.ts';
import { recordLimit } from '../process/outside-calls.ts';
import type { FileStore } from './file-store-port.ts';

export type BucketSettings = { url: string; region: string; key: string; secret: string };

/** Milliseconds; `large` is for streamed files. */
const bucketTimes = { call: 30_000, large: 600_000 };

class LimitedClient extends AwsClient {
  override async sign(...call: Parameters<AwsClient['sign']>): Promise<Request> {
    return recordLimit(await super.sign(...call));
  }
}

/** One object per key, with our own request signing (ADR 15). Path style: `https://host/bucket/key`. */
export function bucketStore(settings: BucketSettings, times = bucketTimes): FileStore {
  const client = new LimitedClient({
    accessKeyId: settings.key,
    secretAccessKey: settings.secret,
    region: settings.region,
    service: 's3',
    retries: 2,
  });
  const asking = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      throw new AppError('request/unavailable', undefined, { cause: error });
    }
  };
  const send = async (key: string, init: RequestInit, fine: readonly number[], waitMs = times.call) => {
    const address = `${settings.url.replace(/\/+$/, '')}/${encodeURIComponent(key)}`;
    const response = await client.fetch(address, { ...init, signal: AbortSignal.timeout(waitMs) });
    if (response.ok || fine.includes(response.status)) return response;
    await response.body?.cancel();
    throw new Error(`the bucket answered ${response.status} to ${init.method} of a file`);
  };
  const call = (key: string, init: RequestInit, fine: readonly number[]) =>
    asking(async () => {
      const response = await send(key, init, fine);
      return { status: response.status, bytes: new Uint8Array(await response.arrayBuffer()) };
    });
  return {
    async put(key, bytes, mediaType) {
      await call(
        key,
        { method: 'PUT', body: new Uint8Array(bytes), headers: { 'content-type': mediaType } },
        [],
      );
    },
    async putFile(key, file, mediaType) {
      await asking(async () => {
        // A blob has a known length and is read while it is sent.
        const body = await openAsBlob(file, { type: mediaType });
        const reply = await send(
          key,
          { method: 'PUT', body, headers: { 'content-type': mediaType } },
          [],
          times.large,
        );
        await reply.body?.cancel();
      });
    },
    async get(key) {
      const { status, bytes } = await call(key, { method: 'GET' }, [404]);
      return status === 404 ? null : bytes;
    },
    open: (key) =>
      asking(async () => {
        const response = await send(key, { method: 'GET' }, [404], times.large);
        if (response.status !== 404 && response.body)
          return Readable.fromWeb(response.body as ReadableStream<Uint8Array>);
        await response.body?.cancel();
        return null;
      }),
    async remove(key) {
      await call(key, { method: 'DELETE' }, [404]);
    },
    // An object exists only when its upload is complete.
    sweep: async () => {},
    space: async () => null,
  };
}
