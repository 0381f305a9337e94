import { mark } from '../../lib/device/stored.ts';

/** Marks that outlive a page without loading Firebase's part of the app. */
export const firebaseMark = {
  signedIn: mark(() => localStorage, 'nearhand-firebase'),
  /** This tab left for Google or Facebook: only then may `/loading` finish a sign-in. */
  left: mark(() => sessionStorage, 'nearhand-firebase-redirect'),
};
