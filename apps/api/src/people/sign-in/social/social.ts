import type { GenericOAuthConfig } from 'better-auth/plugins';
import type { Clock } from '../../../platform/clock.ts';
import type { Config } from '../../../platform/config/config.ts';
import type { Provider, SocialParts } from '../provider.ts';
import { appleClient, applePlugin, nameOf, subjectShape } from './apple.ts';

export const socialProviderIds = ['google', 'facebook', 'apple', 'openid'] as const;
type SocialProviderId = (typeof socialProviderIds)[number];

/** Only configured providers get a button (spec §7). */
export const socialOptions = (config: Config) =>
  config.IDENTITY_PROVIDER === 'firebase'
    ? {
        google: config.FIREBASE_SOCIAL.includes('google'),
        facebook: config.FIREBASE_SOCIAL.includes('facebook'),
        apple: config.FIREBASE_SOCIAL.includes('apple'),
        openId: null,
      }
    : {
        google: Boolean(config.GOOGLE_CLIENT_ID && config.GOOGLE_CLIENT_SECRET),
        facebook: Boolean(config.FACEBOOK_CLIENT_ID && config.FACEBOOK_CLIENT_SECRET),
        apple: appleClient(config) !== null,
        openId: config.OPENID_ISSUER && config.OPENID_NAME ? { name: config.OPENID_NAME } : null,
      };

export function socialParts(config: Config, clock: Clock): SocialParts & { ids: SocialProviderId[] } {
  const configs = socialConfigs(config);
  const apple = appleClient(config);
  return {
    configs,
    plugins: apple ? [applePlugin(apple, clock)] : [],
    ids: [
      ...configs.map(({ providerId }) => providerId as SocialProviderId),
      ...(apple ? ['apple' as const] : []),
    ],
  };
}

/** The library rejects an empty subject. */
const subjectOf =
  (claim: 'sub' | 'id') =>
  ({ profile }: { profile: Record<string, unknown> }): string => {
    const subject = profile[claim];
    return typeof subject === 'string' && subjectShape.test(subject) ? subject : '';
  };

/** Rejects text that PostgreSQL refuses; the form is checked later. */
const emailOf = (email: unknown) => (typeof email === 'string' && !/\p{Cc}/u.test(email) ? email : undefined);

/** The library would accept any text as verified, even "false", which some providers send. */
const userOf = ({ name, email, email_verified: verified }: Record<string, unknown>) => ({
  name: nameOf(name),
  email: emailOf(email),
  image: undefined,
  emailVerified: verified === true || verified === 'true',
});

function socialConfigs(config: Config): GenericOAuthConfig[] {
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
      mapProfileToUser: userOf,
      accountSubject: subjectOf('sub'),
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
      // Facebook doesn't reveal whether the email is verified, so we ask for verification.
      mapProfileToUser: ({ name, email }) => ({
        name: nameOf(name),
        email: emailOf(email),
        image: undefined,
        emailVerified: false,
      }),
      accountSubject: subjectOf('id'),
    });
  if (options.openId)
    configs.push({
      providerId: 'openid',
      discoveryUrl: `${config.OPENID_ISSUER}/.well-known/openid-configuration`,
      clientId: config.OPENID_CLIENT_ID ?? '',
      clientSecret: config.OPENID_CLIENT_SECRET ?? '',
      authentication: config.OPENID_CLIENT_AUTH,
      scopes: ['openid', 'email', 'profile'],
      requireIdTokenVerification: true,
      mapProfileToUser: userOf,
      accountSubject: subjectOf('sub'),
    });
  return configs;
}

const retryMs = 10_000;

/** Created on demand, and again while an issuer is unreachable: metadata must not block other sign-ins. */
export function lazySocialProvider(clock: Clock, make: () => Provider, count: number) {
  let cachedProvider: { provider: Provider; complete: Promise<boolean>; at: number } | null = null;
  return async (): Promise<Provider> => {
    const now = clock.now().getTime();
    if (!cachedProvider || (now - cachedProvider.at > retryMs && !(await cachedProvider.complete))) {
      const provider = make();
      const complete = provider.$context.then(
        (context) => context.socialProviders.length >= count,
        () => false,
      );
      cachedProvider = { provider, complete, at: now };
    }
    return cachedProvider.provider;
  };
}
