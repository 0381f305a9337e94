import { storageFlag } from '../../lib/device/stored.ts';

/** Marks that outlive a page without loading Firebase's part of the app. */
export const firebaseMark = {
  signedIn: storageFlag(() => localStorage, 'nearhand-firebase'),
  /** This tab left for Google or Facebook: only then may `/loading` finish a sign-in. */
  left: storageFlag(() => sessionStorage, 'nearhand-firebase-redirect'),
};
