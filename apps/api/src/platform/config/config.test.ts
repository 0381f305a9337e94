import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { configurationDoc, writtenConfigurationDoc } from '../../../scripts/configuration-doc.ts';
import { StartRefusedError } from '../start-refused.ts';
import { configWarnings, constants, readConfig, settings } from './config.ts';

const ecKey = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();

const refusal = (environment: Record<string, string>): string => {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof StartRefusedError) return error.message;
    throw error;
  }
  throw new Error('the configuration was accepted');
};

describe('the configuration', () => {
  it('starts without any settings', () => {
    expect(readConfig({})).toMatchObject({
      PORT: 8080,
      PUBLIC_URL: 'http://localhost:8080',
      BUSINESS_FEE_BASIS_POINTS: 1000,
    });
  });

  it('lists what Firebase requires, and never starts a production server with an emulator', () => {
    const firebase = { IDENTITY_PROVIDER: 'firebase', FIREBASE_PROJECT_ID: 'nearhand-test' };
    const emulator = { FIREBASE_AUTH_EMULATOR: 'http://127.0.0.1:9099' };
    expect(refusal(firebase)).toMatch(/FIREBASE_API_KEY: must.*\nFIREBASE_SERVICE_ACCOUNT: must/);
    const ready = { ...firebase, FIREBASE_API_KEY: 'a-web-api-key' };
    expect(readConfig({ ...ready, ...emulator }).IDENTITY_PROVIDER).toBe('firebase');
    expect(refusal({ ...emulator, NODE_ENV: 'production' })).toContain(
      'FIREBASE_AUTH_EMULATOR: not in production',
    );
    expect(refusal({ FIREBASE_AUTH_EMULATOR: 'http://emulator.example' })).toContain(
      'an address of this machine',
    );
    const key = { client_email: 'a@b', private_key: 'PRIVATE KEY', token_uri: 'http://127.0.0.1/token' };
    const other = JSON.stringify({ ...key, project_id: 'other-project' });
    const refused = refusal({ ...ready, FIREBASE_SERVICE_ACCOUNT: other });
    expect(refused).toContain('belongs to another project');
    expect(refused).not.toContain('PRIVATE KEY');
  });

  it('treats an empty text as unset', () => {
    expect(readConfig({ PORT: '', SMTP_URL: '' }).PORT).toBe(8080);
  });

  it.each([
    ['PORT', 'eighty'],
    ['PORT', '0'],
    ['PORT', '70000'],
    ['PUBLIC_URL', 'nearhand'],
    ['TRUST_PROXY', 'yes'],
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', '10.0.0.1,'],
    ['TRUST_PROXY', '2'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['DATABASE_URL', 'postgres://near@one:5432,two:5432/nearhand'],
    ['DATABASE_URL', 'postgres://near@one/nearhand?target_session_attrs=read-write'],
    ['DATABASE_DIRECT_URL', 'postgres:///nearhand?host=one,two'],
    ['DATABASE_DIRECT_URL', 'postgres://near@one/nearhand'],
    ['DATABASE_OWNER_URL', 'postgres://near@one/nearhand'],
    ['MAP_START', 'Amsterdam'],
    ['BUSINESS_FEE_BASIS_POINTS', '10.5'],
    ['BUSINESS_FEE_BASIS_POINTS', '5001'],
    ['LOG_LEVEL', 'loud'],
    ['DOCUMENT_KEYS', '2026'],
    ['DOCUMENT_KEYS', '2026:short'],
    ['DOCUMENT_KEYS', `2026:${'k'.repeat(43)},`],
    ['DOCUMENT_KEYS', `2026:${'k'.repeat(43)},2026:${'l'.repeat(43)}`],
    ['PORT', '8e3'],
    ['PUBLIC_URL', 'ftp://nearhand.example'],
    ['PUBLIC_URL', 'http://localhost:8080/jobs'],
    ['PUBLIC_URL', 'http://localhost:8080/?a=1'],
    ['PUBLIC_URL', 'http://me:hush@localhost:8080'],
    ['FILES_S3_URL', 'ftp://files.example/bucket'],
    ['MAP_STYLE_URL', 'ftp://map.example/style.json'],
    ['GEOCODER_URL', 'ftp://photon.example/api'],
    ['GOOGLE_ISSUER', 'ftp://accounts.example'],
    ['DATABASE_URL', 'ftp://127.0.0.1/nearhand'],
    ['DATABASE_URL', 'postgres://near:a#b/c@one/nearhand'],
    ['SMTP_URL', 'ftp://mail.example'],
    ['SMTP_URL', 'smtp://'],
    ['MAIL_FROM', 'nonsense'],
    ['MAIL_FROM', 'Nearhand no-reply@nearhand.example'],
    ['MAIL_FROM', 'a@nearhand.example, b@nearhand.example'],
    ['MAIL_FROM', 'Nearhand <a@nearhand.example>\nBcc: <b@nearhand.example>'],
    ['SECRET', 'short'],
    ['DEMO', 'yes'],
  ])('rejects %s=%s by name', (name, value) => {
    expect(refusal({ [name]: value })).toContain(name);
  });

  it.each([
    ['SECRET', 'short', 'SECRET: must be at least 32 characters long.'],
    ['PORT', 'eighty', 'PORT=eighty: must be a whole number from 1 to 65535.'],
    ['DEMO', 'yes', 'DEMO=yes: must be true or false.'],
    ['LOG_LEVEL', 'loud', 'LOG_LEVEL=loud: must be one of fatal, error, warn, info, debug, silent.'],
    ['FILES_S3_URL', 'ftp://x', 'FILES_S3_URL=ftp://x: must be an address such as https://host.'],
    ['DATABASE_URL', 'ftp://me:hush@x', 'DATABASE_URL: must be an address such as postgres://user:'],
    ['PUBLIC_URL', 'http://localhost/a', 'PUBLIC_URL=http://localhost/a: must be an address without a path'],
  ])('reports that %s must be %s', (name, value, sentence) => {
    const message = refusal({ [name]: value });
    expect(message.startsWith(sentence), message).toBe(true);
    expect(message).not.toMatch(/hush|Invalid|Too small|expected/);
  });

  it.each([
    { FILES_S3_URL: 'https://files.example/bucket', FILES_S3_KEY: 'key', FILES_S3_SECRET: 'secret' },
    { INBOUND_MAIL_DOMAIN: 'reply.example.org', INBOUND_MAIL_SECRET: 'x'.repeat(32) },
    { VAPID_PUBLIC_KEY: 'k'.repeat(87), VAPID_PRIVATE_KEY: 'k'.repeat(43) },
    { APNS_TEAM_ID: 'team', APNS_KEY_ID: 'key', APNS_PRIVATE_KEY: ecKey },
    {
      TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
      TWILIO_AUTH_TOKEN: 'x'.repeat(16),
      TWILIO_FROM: '+15550100',
    },
    { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' },
    { FACEBOOK_CLIENT_ID: 'id', FACEBOOK_CLIENT_SECRET: 'secret' },
    { APPLE_CLIENT_ID: 'id', APPLE_TEAM_ID: 'team', APPLE_KEY_ID: 'key', APPLE_PRIVATE_KEY: ecKey },
    {
      OPENID_NAME: 'Harbour ID',
      OPENID_ISSUER: 'https://id.example',
      OPENID_CLIENT_ID: 'id',
      OPENID_CLIENT_SECRET: 'secret',
    },
  ] as Record<string, string>[])('accepts $0 only together', (group) => {
    expect(readConfig(group)).toBeDefined();
    for (const name of Object.keys(group)) {
      const { [name]: _missing, ...rest } = group;
      expect(refusal(rest)).toContain(`${name}: must be set too, or none of`);
    }
  });

  it.each([
    ['FILES_S3_REGION', 'eu-1', 'FILES_S3_URL'],
    ['GEOCODER_KIND', 'photon', 'GEOCODER_URL'],
    ['ROUTER_KIND', 'osrm', 'ROUTER_URL'],
    ['OPENID_CLIENT_AUTH', 'post', 'OPENID_ISSUER'],
    ['DATABASE_OWNER_URL', 'postgres://owner@one/nearhand', 'DATABASE_URL'],
  ])('rejects %s without the setting that it belongs to', (name, value, other) => {
    expect(refusal({ [name]: value })).toContain(`${name}: also set ${other}.`);
  });

  it.each([
    ['SMPT_URL', 'did you mean SMTP_URL?'],
    ['REDIS_URI', 'did you mean REDIS_URL?'],
    ['SECRT', 'did you mean SECRET?'],
    ['HOTS', 'did you mean HOST?'],
    ['DATABASE_DIRECT_URI', 'did you mean DATABASE_DIRECT_URL?'],
    ['DATABASE_TIMEOUT', 'has no effect'],
    ['NEARHAND_PORT_NUMBER', 'has no effect'],
  ])('warns of %s', (name, words) => {
    const [warning = '', ...others] = configWarnings(readConfig({ [name]: 'x' }), { [name]: 'x' });
    expect(others).toEqual([]);
    expect(warning).toContain(name);
    expect(warning).toContain(words);
    expect(refusal({ [name]: 'x', NODE_ENV: 'production' })).toContain(words);
  });

  it.each([
    'HOME',
    'PATH',
    'HOSTNAME',
    'MAIL',
    'NODE_OPTIONS',
    'NODE_VERSION',
    'ANDROID_HOME',
    'LANG',
    'PWD',
    'TERM',
    'GOOGLE_APPLICATION_CREDENTIALS',
    'POSTGRES_PASSWORD',
    'DATABASE_SERVICE_HOST',
    'DATABASE_PORT_5432_TCP',
  ])('ignores %s, which other programs use', (name) => {
    expect(configWarnings(readConfig({}), { [name]: 'x' })).toEqual([]);
  });

  it('reports every problem at once and prints no secret', () => {
    const message = refusal({ PORT: 'x', SECRET: 'short secret', CLEARING_DAYS: '400' });
    expect(message).toContain('PORT');
    expect(message).toContain('SECRET');
    expect(message).toContain('CLEARING_DAYS');
    expect(message).not.toContain('short secret');
  });

  it('requires secret, address, mail server and document keys in production', () => {
    const message = refusal({ NODE_ENV: 'production' });
    for (const name of ['SECRET', 'PUBLIC_URL', 'SMTP_URL', 'DOCUMENT_KEYS']) expect(message).toContain(name);
  });

  it('rejects a database and Redis over the internet without TLS in production', () => {
    const production = {
      NODE_ENV: 'production',
      SECRET: 'x'.repeat(32),
      SMTP_URL: 'smtp://127.0.0.1',
      PUBLIC_URL: 'https://nearhand.example',
      DOCUMENT_KEYS: `2026:${'k'.repeat(43)}`,
      PAYMENT_SANDBOX_IN_PRODUCTION: 'true',
    };
    const outside = {
      DATABASE_URL: 'postgres://near@db.example/nearhand?sslmode=disable',
      DATABASE_DIRECT_URL: 'postgres://near@8.8.8.8/nearhand',
      DATABASE_OWNER_URL: 'postgres://owner@[2001:db8::1]/nearhand?sslmode=prefer',
      REDIS_URL: 'redis://cache.example:6379',
    };
    const message = refusal({ ...production, ...outside });
    for (const name of Object.keys(outside)) expect(message).toMatch(new RegExp(`${name}: .*own network`));
    expect(readConfig(outside).REDIS_URL).toBe(outside.REDIS_URL);
    const inside = {
      DATABASE_URL: 'postgres://near@database/nearhand',
      DATABASE_DIRECT_URL: 'postgres://near@10.1.2.3/nearhand',
      DATABASE_OWNER_URL: 'postgres://owner@db.example/nearhand?sslmode=verify-full',
      REDIS_URL: 'rediss://cache.example:6379',
    };
    expect(readConfig({ ...production, ...inside }).NODE_ENV).toBe('production');
  });

  it('allows signing in as anyone in development only', () => {
    const google = { GOOGLE_CLIENT_ID: 'real', GOOGLE_CLIENT_SECRET: 'secret' };
    expect(readConfig({})).toMatchObject({
      LOCAL_SIGN_IN: true,
      GOOGLE_ISSUER: 'http://localhost:8080/dev/identity/google',
      FACEBOOK_TOKEN_URL: 'http://localhost:8080/dev/identity/facebook/token',
    });
    expect(readConfig(google)).toMatchObject({
      ...google,
      GOOGLE_ISSUER: 'https://accounts.google.com',
      FACEBOOK_CLIENT_ID: 'local',
    });
    for (const environment of [{ NODE_ENV: 'test' }, { LOCAL_SIGN_IN: 'false' }]) {
      const config = readConfig(environment);
      expect([config.LOCAL_SIGN_IN, config.GOOGLE_CLIENT_ID]).toEqual([false, undefined]);
    }
    expect(refusal({ NODE_ENV: 'production', LOCAL_SIGN_IN: 'true' })).toContain('LOCAL_SIGN_IN=true');
    expect(refusal({ NODE_ENV: 'production' })).not.toContain('LOCAL_SIGN_IN');
  });

  it('requires all settings of Apple and of an OpenID provider, or none', () => {
    expect(refusal({ APPLE_CLIENT_ID: 'a', APPLE_KEY_ID: 'b' })).toContain(
      'APPLE_TEAM_ID, APPLE_PRIVATE_KEY: must be set too',
    );
    expect(refusal({ OPENID_NAME: 'Harbour ID' })).toContain('OPENID_ISSUER, OPENID_CLIENT_ID');
    expect(refusal({ OPENID_ISSUER: 'http://id.example' })).toContain('an https address');
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    for (const key of ['no key', rsa.export({ type: 'pkcs8', format: 'pem' }).toString()]) {
      const answer = refusal({ APPLE_PRIVATE_KEY: key });
      expect(answer).toContain('the text of the .p8 file');
      expect(answer).not.toContain(key);
    }
  });

  it.each(['normal', 'shuffled', 'lossy', 'copies=5,lost=10%,spread=60s', 'copies=0,lost=100%,spread=0s'])(
    'accepts the webhook plan %s',
    (plan) => {
      expect(readConfig({ SANDBOX_WEBHOOKS: plan }).SANDBOX_WEBHOOKS).toBe(plan);
    },
  );

  it.each(['Normal', 'lossy ', 'copies=5', 'copies=10,lost=1%,spread=1s', 'copies=1,lost=101%,spread=1s'])(
    'rejects the webhook plan %j',
    (plan) => {
      expect(refusal({ SANDBOX_WEBHOOKS: plan })).toContain('SANDBOX_WEBHOOKS');
    },
  );

  it('accepts proxy addresses and trusts none by default', () => {
    expect(readConfig({}).TRUST_PROXY).toBeUndefined();
    expect(readConfig({ TRUST_PROXY: '10.0.0.0/8, ::1' }).TRUST_PROXY).toEqual(['10.0.0.0/8', '::1']);
  });

  it.each([
    'https://nearhand.example',
    'http://192.168.1.4:8080',
    'http://127.0.0.1.example',
    'http://localhost.example',
  ])('requires production for the publicly reachable %s', (address) => {
    for (const NODE_ENV of ['development', 'test'])
      expect(refusal({ NODE_ENV, PUBLIC_URL: address })).toContain('NODE_ENV=production');
  });

  it.each(['http://localhost:9', 'http://town.localhost', 'http://127.0.0.2', 'http://[::1]:9'])(
    'accepts %s in development',
    (address) => {
      expect(readConfig({ PUBLIC_URL: address }).PUBLIC_URL).toBe(address);
    },
  );

  it.each(['0.0.0.0', '::', '192.168.1.4', 'town.example', 'not a host'])(
    'warns about listening on %s outside production',
    (HOST) => {
      expect(configWarnings(readConfig({ HOST }))).toEqual([expect.stringContaining(`HOST=${HOST}`)]);
    },
  );

  const named = { PLATFORM_COMPANY: readConfig({}).PLATFORM_COMPANY, CONTACT_EMAIL: 'hello@work.example' };

  it('warns in production without an operator of the service', () => {
    const production = { NODE_ENV: 'production', HOST: '127.0.0.1', PUBLIC_URL: 'http://localhost' } as const;
    const unnamed = { PLATFORM_COMPANY: undefined, CONTACT_EMAIL: undefined };
    expect(configWarnings({ ...production, TRUST_PROXY: undefined, ...unnamed })).toEqual([
      expect.stringContaining('PLATFORM_COMPANY and CONTACT_EMAIL not set'),
    ]);
    expect(configWarnings({ ...production, TRUST_PROXY: undefined, ...named })).toEqual([]);
    expect(configWarnings(readConfig({}))).toEqual([]);
  });

  const company = {
    legalName: 'Werk BV',
    street: 'Keizersgracht 1',
    postcode: '1015 CC',
    town: 'Amsterdam',
    countryCode: 'NL',
    registrationNumber: '81264097',
    vatId: '0044.95.445.B01',
    email: 'books@work.example',
    timeZone: 'Europe/Amsterdam',
  };
  const companyOf = (change: object) =>
    readConfig({ PLATFORM_COMPANY: JSON.stringify({ ...company, ...change }) }).PLATFORM_COMPANY;

  it("reads the platform's company, with an example only outside production", () => {
    expect(companyOf({})).toEqual({ ...company, vatId: 'NL004495445B01' });
    expect(companyOf({ vatId: undefined, iban: 'be68 5390 0754 7034' })).toMatchObject({
      vatId: '',
      iban: 'BE68539007547034',
    });
    expect(readConfig({}).PLATFORM_COMPANY).toMatchObject({ legalName: 'Nearhand NV', countryCode: 'BE' });
    const production = {
      NODE_ENV: 'production',
      PUBLIC_URL: 'https://work.example',
      SECRET: 's'.repeat(32),
      SMTP_URL: 'smtp://mail.example',
      DOCUMENT_KEYS: `k1:${Buffer.alloc(32).toString('base64url')}`,
      PAYMENT_SANDBOX_IN_PRODUCTION: 'true',
    };
    expect(readConfig(production).PLATFORM_COMPANY).toBeUndefined();
  });

  it.each([
    ['postcode', '12'],
    ['registrationNumber', 'abc'],
    ['vatId', 'BE0791348269'],
    ['iban', 'BE68539007547035'],
    ['timeZone', 'Amsterdam'],
    ['legalName', ''],
    ['email', 'books'],
    ['fax', '1'],
  ])('rejects a company whose %s is %s', (field, value) => {
    expect(() => companyOf({ [field]: value })).toThrow(new RegExp(`PLATFORM_COMPANY.*${field}`));
  });

  it('warns in production about data that others can read, and about a missing proxy', () => {
    const facing = (PUBLIC_URL: string, TRUST_PROXY?: string[]) =>
      configWarnings({ HOST: '0.0.0.0', NODE_ENV: 'production', PUBLIC_URL, TRUST_PROXY, ...named });
    expect(facing('https://work.example', ['10.0.0.1'])).toEqual([]);
    expect(facing('http://localhost:8080')).toEqual([]);
    expect(facing('https://work.example')).toEqual([expect.stringContaining('TRUST_PROXY')]);
    expect(facing('http://work.example')).toEqual([expect.stringContaining('not https')]);
  });

  it.each(['127.0.0.1', '::1', 'localhost'])("doesn't warn about listening on %s", (HOST) => {
    expect(configWarnings(readConfig({ HOST }))).toEqual([]);
  });

  it('contains constants that tests can replace, but not the environment', () => {
    const name = 'JOB_LIFE_DAYS';
    expect(readConfig({ [name]: '7' })[name]).toBe(30);
    expect(readConfig({}, { [name]: 7 })[name]).toBe(7);
    expect(Object.keys(constants).filter((constant) => constant in settings)).toEqual([]);
  });

  it('is documented', async () => {
    expect(await writtenConfigurationDoc()).toBe(configurationDoc());
  });
});
