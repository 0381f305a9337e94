import { isNative } from '../device/platform.ts';

/** The server's origin: this page's, or in the native shell, whose page is on the phone, the one of the build (docs/mobile.md). */
export const serverOrigin = (): string =>
  isNative() ? ((import.meta.env.VITE_SERVER as string | undefined) ?? '') : globalThis.location.origin;

export const apiUrl = (path: string): string => `${isNative() ? serverOrigin() : ''}/api${path}`;
