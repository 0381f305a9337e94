import { positionHeader } from '@nearhand/contract/read-position';
import { isNative } from './platform.ts';

let latest: string | null = null;

/** Stores the write position in the app, whose web view sends no cookies (ADR 260). */
export function storePosition({ headers }: Pick<Response, 'headers'>): void {
  latest = headers.get(positionHeader) ?? latest;
}

/** Headers with which the app's reads include its writes. Browsers send a cookie instead. */
export const positionToSend = (): Record<string, string> =>
  isNative() && latest !== null ? { [positionHeader]: latest } : {};
