import { positionHeader } from '@nearhand/contract/read-position';
import { isNative } from './platform.ts';

let latest: string | null = null;

/** Keeps how far the database was after a write, in the app, whose web view sends no cookies (ADR 260). */
export function keepPosition({ headers }: Pick<Response, 'headers'>): void {
  latest = headers.get(positionHeader) ?? latest;
}

/** What an app sends with its reads, so that they contain its writes. A browser's cookie does it there. */
export const positionToSend = (): Record<string, string> =>
  isNative() && latest !== null ? { [positionHeader]: latest } : {};
