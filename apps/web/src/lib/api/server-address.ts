import { isNative } from '../device/platform.ts';

/** The server's origin: this page's, or the build's in the native shell (docs/mobile.md). */
export const serverOrigin = (): string =>
  isNative() ? ((import.meta.env.VITE_SERVER as string | undefined) ?? '') : globalThis.location.origin;

/** The address of an API path: relative in browsers, absolute in the native apps. */
export const apiUrl = (path: string): string => `${isNative() ? serverOrigin() : ''}/api${path}`;
