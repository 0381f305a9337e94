import type { StoredFile } from '@nearhand/contract/people/files';
import { errorFromFailure, errorFromResponse } from './api-error.ts';
import { auth } from './auth-port.ts';
import { session } from './session.ts';

/** Where the browser finds a photo or a logo: the server tells the path under the API's address. Pass it on as `src`. */
export function fileUrl(path: string): string;
export function fileUrl(path: string | null | undefined): string | null;
export function fileUrl(path: string | null | undefined): string | null {
  return path ? `/api${path}` : null;
}

/** A file that only some may read, fetched with the access token; renewed once when it has run out. */
export async function readStoredFile(path: string): Promise<Blob> {
  const ask = async (token: string | null) => {
    try {
      return await fetch(fileUrl(path), token ? { headers: { authorization: `Bearer ${token}` } } : {});
    } catch (failure) {
      throw errorFromFailure(failure);
    }
  };
  let response = await ask(session.accessToken());
  if (response.status === 401 && session.user()) response = await ask(await auth().idToken({ fresh: true }));
  if (response.ok) return response.blob();
  throw errorFromResponse(await response.json().catch(() => null), response.status);
}

/** Long enough for the browser to take the file over. */
const keepMs = 60_000;

/**
 * Hands a private file to the browser: saved under its own name, since a page of ours may not be opened with somebody's document in it.
 * @throws ApiError
 */
export async function saveStoredFile(file: Pick<StoredFile, 'path' | 'name'>): Promise<void> {
  const address = URL.createObjectURL(await readStoredFile(file.path));
  const link = document.createElement('a');
  link.href = address;
  link.download = file.name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), keepMs);
}
