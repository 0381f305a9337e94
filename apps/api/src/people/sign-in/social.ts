import type { GenericOAuthConfig } from 'better-auth/plugins';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Provider } from './provider.ts';

export const socialProviderIds = ['google', 'facebook'] as const;
export type SocialProviderId = (typeof socialProviderIds)[number];

/** Which social providers are configured; only those get a button (spec §7). */
export const socialOptions = (config: Config): Record<SocialProviderId, boolean> =>
  config.IDENTITY_PROVIDER === 'firebase'
    ? {
        google: config.FIREBASE_SOCIAL.includes('google'),
        facebook: config.FIREBASE_SOCIAL.includes('facebook'),
      }
    : {
        google: Boolean(config.GOOGLE_CLIENT_ID && config.GOOGLE_CLIENT_SECRET),
        facebook: Boolean(config.FACEBOOK_CLIENT_ID && config.FACEBOOK_CLIENT_SECRET),
      };

/** Google is an OpenID issuer, Facebook plain OAuth; their addresses are configurable for tests. */
export function socialConfigs(config: Config): GenericOAuthConfig[] {
  const options = socialOptions(config);
  const configs: GenericOAuthConfig[] = [];
  if (options.google)
    configs.push({
      providerId: 'google',
      discoveryUrl: `${config.GOOGLE_ISSUER.replace(/\/+$/, '')}/.well-known/openid-configuration`,
      clientId: config.GOOGLE_CLIENT_ID ?? '',
      clientSecret: config.GOOGLE_CLIENT_SECRET ?? '',
      scopes: ['openid', 'email', 'profile'],
      requireIdTokenVerification: true,
      mapProfileToUser: (profile) => ({ name: nameOf(profile.name), image: undefined }),
    });
  if (options.facebook)
    configs.push({
      providerId: 'facebook',
      authorizationUrl: config.FACEBOOK_AUTHORIZE_URL,
      tokenUrl: config.FACEBOOK_TOKEN_URL,
      userInfoUrl: config.FACEBOOK_PROFILE_URL,
      clientId: config.FACEBOOK_CLIENT_ID ?? '',
      clientSecret: config.FACEBOOK_CLIENT_SECRET ?? '',
      scopes: ['public_profile', 'email'],
      // Facebook doesn't say whether the email is verified, so we ask for verification.
      mapProfileToUser: (profile) => ({ name: nameOf(profile.name), image: undefined, emailVerified: false }),
    });
  return configs;
}

const nameOf = (name: unknown): string =>
  typeof name === 'string'
    ? name
        .replace(/\p{Cc}/gu, ' ')
        .trim()
        .slice(0, 80)
        .toWellFormed()
    : '';

const retryMs = 10_000;

/**
 * The provider with Google and Facebook, created at the first social sign-in and again while an issuer is unreachable.
 * Reading the issuer's metadata over the network must not block anything else.
 */
export function lazySocialProvider(clock: Clock, make: () => Provider, wanted: number) {
  let made: { provider: Provider; complete: Promise<boolean>; at: number } | null = null;
  return async (): Promise<Provider> => {
    const now = clock.now().getTime();
    if (!made || (now - made.at > retryMs && !(await made.complete))) {
      const provider = make();
      const complete = provider.$context.then(
        (context) => context.socialProviders.length >= wanted,
        () => false,
      );
      made = { provider, complete, at: now };
    }
    return made.provider;
  };
}
