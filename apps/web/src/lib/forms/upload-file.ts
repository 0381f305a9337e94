import type { FilePurpose, StoredFile } from '@nearhand/contract/people/files';
import { ApiError, errorFromFailure, errorFromResponse } from '../api/api-error.ts';
import { auth } from '../api/auth-provider.ts';
import { apiUrl } from '../api/server-address.ts';
import { session } from '../session.ts';

type Upload = {
  purpose: FilePurpose;
  file: Blob;
  name: string;
  /** Store it with the file's record: after a lost response, a resend stores the file once. */
  idempotencyKey: string;
  onProgress?: (bytesSent: number) => void;
  signal?: AbortSignal;
};

/**
 * Uploads a file with progress, which fetch can't report. Renews an expired token once.
 * @throws ApiError
 */
export async function uploadFile(upload: Upload): Promise<StoredFile> {
  const first = await send(upload, session.accessToken());
  if (first.status !== 401 || !session.user()) return readFile(first);
  return readFile(await send(upload, await auth().idToken({ fresh: true })));
}

type Answer = { status: number; text: string };

function send(upload: Upload, token: string | null): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const form = new FormData();
    form.set('purpose', upload.purpose);
    form.set('file', upload.file, upload.name);
    const request = new XMLHttpRequest();
    request.open('POST', apiUrl('/files'));
    request.setRequestHeader('idempotency-key', upload.idempotencyKey);
    if (token) request.setRequestHeader('authorization', `Bearer ${token}`);
    request.upload.onprogress = (event) => {
      if (event.lengthComputable && event.total > 0) upload.onProgress?.(event.loaded / event.total);
    };
    request.onload = () => resolve({ status: request.status, text: request.responseText });
    request.onerror = () => reject(errorFromFailure(new TypeError('upload failed')));
    request.ontimeout = request.onerror;
    request.onabort = () => reject(new ApiError('network/cancelled'));
    upload.signal?.addEventListener('abort', () => request.abort(), { once: true });
    if (upload.signal?.aborted) {
      reject(new ApiError('network/cancelled'));
      return;
    }
    request.send(form);
  });
}

function readFile({ status, text }: Answer): StoredFile {
  let body: unknown = null;
  try {
    body = JSON.parse(text);
  } catch {
    // A proxy answered with a page of its own, so the status has to do.
  }
  const isOk = status >= 200 && status < 300;
  if (isOk && body !== null) return body as StoredFile;
  // A captive portal responds to every address with 200.
  if (isOk) throw errorFromFailure(new ApiError('network/failed'));
  throw errorFromResponse(body, status);
}
