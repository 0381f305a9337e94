import type { StoredFile } from '@nearhand/contract/people/files';
import { ApiError, errorFromFailure, errorFromResponse } from '../api/api-error.ts';
import { auth } from '../api/auth-provider.ts';
import { apiUrl } from '../api/server-address.ts';
import { savesFiles } from '../device/platform.ts';
import { session } from '../session.ts';

export function fileUrl(path: string): string;
export function fileUrl(path: string | null | undefined): string | null;
export function fileUrl(path: string | null | undefined): string | null {
  return path ? apiUrl(path) : null;
}

/** Fetches a private file with the access token, renewed once if expired. */
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

function requireSaving(): void {
  if (!savesFiles()) throw new ApiError('device/cannot-save');
}

/** Long enough for the browser to read the file. */
const keepMs = 60_000;

/**
 * Downloads a private file; it is never opened as a page of our origin.
 * @throws ApiError
 */
export async function saveStoredFile(file: Pick<StoredFile, 'path' | 'name'>): Promise<void> {
  requireSaving();
  saveBlob(await readStoredFile(file.path), file.name);
}

export function saveBlob(blob: Blob, name: string): void {
  requireSaving();
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), keepMs);
}
