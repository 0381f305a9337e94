import { AuthError, type AuthPort } from '../lib/auth-port.ts';
import { session } from '../lib/session.ts';

const refuse = async (): Promise<never> => {
  throw new AuthError('auth/internal-error');
};

/** Stands in until an adapter is built in: nobody can sign in, and everything says so. */
export const absentAuth: AuthPort = {
  createAccount: refuse,
  sendEmailVerification: refuse,
  signIn: refuse,
  signInWithGoogle: refuse,
  signInWithFacebook: refuse,
  sendPasswordReset: refuse,
  confirmEmail: refuse,
  confirmPasswordReset: refuse,
  reauthenticate: refuse,
  updatePassword: refuse,
  signOut: async () => session.clear(),
  currentUser: session.user,
  subscribe: (listener) => session.subscribe(() => listener(session.user())),
  idToken: async () => session.accessToken(),
  ready: async () => session.user(),
};
