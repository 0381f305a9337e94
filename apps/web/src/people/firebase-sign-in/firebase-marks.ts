const mark = (storage: () => Storage, key: string) => ({
  set(on: boolean): void {
    try {
      if (on) storage().setItem(key, '1');
      else storage().removeItem(key);
    } catch {
      // Storage is blocked: Firebase then keeps nothing either.
    }
  },
  get(): boolean {
    try {
      return storage().getItem(key) !== null;
    } catch {
      return false;
    }
  },
});

/** What outlives a page without Firebase's part of the app being loaded. */
export const firebaseMark = {
  /** This device is signed in at Firebase. */
  signedIn: mark(() => localStorage, 'nearhand-firebase'),
  /** This tab left for Google or Facebook: only then may `/loading` finish a sign-in. */
  left: mark(() => sessionStorage, 'nearhand-firebase-redirect'),
};
