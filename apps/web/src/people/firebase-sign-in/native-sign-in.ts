import { type AuthCredential, FacebookAuthProvider, GoogleAuthProvider, OAuthProvider } from '@firebase/auth';
import { AuthError } from '../../lib/api/auth-port.ts';
import { type NativePlugins, plugin } from '../../lib/native/plugins.ts';

type Phone = NativePlugins['FirebaseAuthentication'];
export type SocialProvider = 'google' | 'facebook' | 'apple';

/** What a phone says when someone closes its sheet has no code of its own. */
const asCancelled = (failure: unknown): unknown =>
  /cancel/i.test((failure as Error | null)?.message ?? '')
    ? new AuthError('auth/user-cancelled', failure)
    : failure;

async function tokensOf(signIn: Phone['signInWithGoogle'], scopes?: string[]) {
  const { credential } = await signIn({ skipNativeAuth: true, ...(scopes ? { scopes } : {}) }).catch(
    (failure: unknown) => {
      throw asCancelled(failure);
    },
  );
  if (!credential) throw new AuthError('auth/internal-error');
  return credential;
}

const ways: Record<SocialProvider, (phone: Phone) => Promise<AuthCredential>> = {
  async google(phone) {
    const { idToken, accessToken } = await tokensOf((options) => phone.signInWithGoogle(options));
    return GoogleAuthProvider.credential(idToken, accessToken);
  },
  async facebook(phone) {
    const { idToken, accessToken, nonce } = await tokensOf((options) => phone.signInWithFacebook(options));
    // On iOS without permission to track, Facebook gives an ID token and nothing else.
    if (idToken) return new OAuthProvider('facebook.com').credential({ idToken, rawNonce: nonce });
    return FacebookAuthProvider.credential(accessToken ?? '');
  },
  async apple(phone) {
    const { idToken, nonce } = await tokensOf((options) => phone.signInWithApple(options), ['email', 'name']);
    return new OAuthProvider('apple.com').credential({ idToken, rawNonce: nonce });
  },
};

/** The phone's own sign-in at a provider, as a credential for Firebase; null in browsers, and in apps without the plugin. */
export function nativeCredential(provider: SocialProvider): (() => Promise<AuthCredential>) | null {
  const phone = plugin('FirebaseAuthentication');
  return phone ? () => ways[provider](phone) : null;
}
