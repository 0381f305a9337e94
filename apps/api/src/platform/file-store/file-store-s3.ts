import { AwsClient } from 'aws4fetch';
import { AppError } from '../app-error.ts';
import type { FileStore } from './file-store-port.ts';

export type BucketSettings = { url: string; region: string; key: string; secret: string };

/** Files in an S3-compatible bucket, one object per key, with our own request signing (ADR 0015). Path style: `https://host/bucket/key`. */
export function bucketStore(settings: BucketSettings): FileStore {
  const client = new AwsClient({
    accessKeyId: settings.key,
    secretAccessKey: settings.secret,
    region: settings.region,
    service: 's3',
    retries: 2,
  });
  const call = async (key: string, init: RequestInit, fine: readonly number[]) => {
    const address = `${settings.url.replace(/\/+$/, '')}/${encodeURIComponent(key)}`;
    try {
      const response = await client.fetch(address, { ...init, signal: AbortSignal.timeout(30_000) });
      const bytes = new Uint8Array(await response.arrayBuffer());
      if (response.ok || fine.includes(response.status)) return { status: response.status, bytes };
      throw new Error(`the bucket answered ${response.status} to ${init.method} of a file`);
    } catch (error) {
      throw new AppError('request/unavailable', undefined, { cause: error });
    }
  };
  return {
    async put(key, bytes, mediaType) {
      await call(
        key,
        { method: 'PUT', body: new Uint8Array(bytes), headers: { 'content-type': mediaType } },
        [],
      );
    },
    async get(key) {
      const { status, bytes } = await call(key, { method: 'GET' }, [404]);
      return status === 404 ? null : bytes;
    },
    async remove(key) {
      await call(key, { method: 'DELETE' }, [404]);
    },
  };
}
