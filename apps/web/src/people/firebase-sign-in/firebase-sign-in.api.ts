import type { SignInOptions } from '@nearhand/contract/people/sign-in';
import { api } from '../../lib/api/api.ts';

/** Which identity provider the server uses. Asked before anyone is signed in. */
export const signInOptions = (): Promise<SignInOptions> => api.signIn.options();
