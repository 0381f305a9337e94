import { appPathShape, handOverPath } from '@nearhand/contract/app-paths';
import { useLocation } from 'react-router';
import { isNative } from '../device/platform.ts';
import { nativePlugin } from '../native/plugins.ts';

/**
 * The page to return to from the person's bank or a page of the provider; empty if the server would refuse
 * its address. The phone's app opens such pages in the phone's browser, which hands the way back to the app.
 */
export function useReturnTo(): { returnTo?: string } {
  const { pathname, search } = useLocation();
  const page = `${pathname}${search}`;
  const path = isNative() ? handOverPath(page) : page;
  return appPathShape.test(path) ? { returnTo: path } : {};
}

/**
 * Leaves for a page of the payment provider: in the phone's browser from the app, since it must not see what
 * is entered.
 */
export async function leaveForProvider(url: string): Promise<void> {
  const browser = isNative() ? nativePlugin('Browser') : undefined;
  if (browser) await browser.open({ url });
  else globalThis.location.assign(url);
}
