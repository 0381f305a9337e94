import { mark } from '../../lib/device/storage-flag.ts';

/** What outlives a page without Firebase's part of the app being loaded. */
export const firebaseMark = {
  /** This device is signed in at Firebase. */
  signedIn: mark(() => localStorage, 'nearhand-firebase'),
  /** This tab left for Google or Facebook: only then may `/loading` finish a sign-in. */
  left: mark(() => sessionStorage, 'nearhand-firebase-redirect'),
};
