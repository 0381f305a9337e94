import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, exportPKCS8, generateKeyPair, type JWK, SignJWT, UnsecuredJWT } from 'jose';
import type { Clock } from '../../platform/clock.ts';

const projectId = 'nearhand-test';

type Kept = {
  localId: string;
  email: string;
  emailVerified: boolean;
  password: string | null;
  disabled: boolean;
  validSince: number;
  displayName: string;
  providers: string[];
};

type TokenOptions = {
  provider?: string;
  project?: string;
  signedInAt?: Date;
  issuedAt?: Date;
  key?: 'ours' | 'stranger' | 'none';
  claims?: Record<string, unknown>;
};

/** Fakes Firebase: accounts, ID tokens with real keys over HTTP, and our Identity Toolkit calls. */
export class FakeFirebase {
  #added = 0;
  readonly accounts = new Map<string, Kept>();
  readonly codes = new Map<string, string>();
  readonly calls: string[] = [];
  down = false;
  keysDown = false;
  readonly url: string;
  readonly #server: Server;
  readonly #clock: Clock;
  #keys: Keys;
  readonly #stranger: Keys;
  readonly #servicePrivate: string;

  private constructor(
    server: Server,
    clock: Clock,
    keys: { signing: Keys; stranger: Keys; service: string },
  ) {
    this.#server = server;
    this.#clock = clock;
    this.#keys = keys.signing;
    this.#stranger = keys.stranger;
    this.#servicePrivate = keys.service;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (request, response) => {
      void this.#answer(request).then(({ status, body }) => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(body));
      });
    });
  }

  static async start(clock: Clock): Promise<FakeFirebase> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { privateKey } = await generateKeyPair('RS256', { extractable: true });
    const [signing, stranger] = await Promise.all([newKeys('one'), newKeys('one')]);
    return new FakeFirebase(server, clock, { signing, stranger, service: await exportPKCS8(privateKey) });
  }

  close = () => new Promise((resolve) => this.#server.close(resolve));

  settings = (): Record<string, string> => ({
    IDENTITY_PROVIDER: 'firebase',
    FIREBASE_PROJECT_ID: projectId,
    FIREBASE_API_KEY: 'a-web-api-key',
    FIREBASE_SOCIAL: 'google',
    FIREBASE_API_URL: this.url,
    FIREBASE_KEYS_URL: `${this.url}/keys`,
    FIREBASE_SERVICE_ACCOUNT: JSON.stringify({
      project_id: projectId,
      client_email: 'server@nearhand-test.iam.gserviceaccount.com',
      private_key: this.#servicePrivate,
      token_uri: `${this.url}/token`,
    }),
  });

  add(account: Partial<Kept> & { email: string }): Kept {
    // Never reuse a deleted account's id: the next one would take over its link.
    const localId = account.localId ?? `uid-${++this.#added}`;
    const newAccount = {
      localId,
      emailVerified: false,
      password: 'correct horse',
      disabled: false,
      validSince: 0,
      displayName: '',
      providers: ['password'],
      ...account,
    };
    this.accounts.set(localId, newAccount);
    return newAccount;
  }

  async token(account: Kept, options: TokenOptions = {}): Promise<string> {
    const now = this.#clock.now();
    const { provider = 'password', project = projectId, signedInAt = now, issuedAt = now } = options;
    const seconds = (at: Date) => Math.floor(at.getTime() / 1_000);
    const payload = {
      name: account.displayName,
      auth_time: seconds(signedInAt),
      user_id: account.localId,
      email: account.email,
      email_verified: account.emailVerified,
      firebase: { identities: {}, sign_in_provider: provider },
      ...options.claims,
    };
    const issuer = `https://securetoken.google.com/${project}`;
    const iat = seconds(issuedAt);
    const exp = seconds(issuedAt) + 3_600;
    if (options.key === 'none')
      return new UnsecuredJWT(payload)
        .setIssuer(issuer)
        .setAudience(project)
        .setSubject(account.localId)
        .setIssuedAt(iat)
        .setExpirationTime(exp)
        .encode();
    const keys = options.key === 'stranger' ? this.#stranger : this.#keys;
    return new SignJWT(payload)
      .setProtectedHeader({ alg: 'RS256', kid: keys.kid })
      .setIssuer(issuer)
      .setAudience(project)
      .setSubject(account.localId)
      .setIssuedAt(iat)
      .setExpirationTime(exp)
      .sign(keys.privateKey);
  }

  async rotateKeys(): Promise<void> {
    this.#keys = await newKeys('two');
  }

  async #answer(request: IncomingMessage): Promise<{ status: number; body: unknown }> {
    const url = new URL(request.url ?? '', this.url);
    const path = url.pathname.replace('/identitytoolkit.googleapis.com', '');
    this.calls.push(path);
    if (path === '/keys')
      return this.keysDown ? { status: 503, body: {} } : { status: 200, body: { keys: [this.#keys.jwk] } };
    if (this.down) return { status: 503, body: {} };
    if (path === '/token') return { status: 200, body: { access_token: 'an admin', expires_in: 3_600 } };
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = JSON.parse(Buffer.concat(parts).toString()) as Record<string, never>;
    const verb = path.split(':')[1] ?? '';
    const asAdmin = path.startsWith(`/v1/projects/${projectId}/`);
    if (asAdmin && !/^Bearer (an admin|owner)$/.test(request.headers.authorization ?? ''))
      return { status: 401, body: {} };
    if (!asAdmin && url.searchParams.get('key') !== 'a-web-api-key') return refuse('API_KEY_INVALID');
    return asAdmin ? this.#admin(verb, body) : this.#person(verb, body);
  }

  #admin(verb: string, body: Record<string, never>): { status: number; body: unknown } {
    if (verb === 'lookup') {
      const account = body.email
        ? [...this.accounts.values()].find(({ email }) => email === body.email?.[0])
        : this.accounts.get(body.localId?.[0] ?? '');
      return { status: 200, body: account ? { users: [viewOf(account)] } : {} };
    }
    if (verb === 'sendOobCode') {
      const account = [...this.accounts.values()].find(({ email }) => email === body.email);
      if (account) this.codes.set(`verify-${account.localId}`, account.localId);
      return { status: 200, body: {} };
    }
    const target = this.accounts.get(body.localId ?? '');
    if (!target) return refuse('USER_NOT_FOUND');
    if (verb === 'delete') this.accounts.delete(target.localId);
    else if (verb === 'update') {
      const {
        localId: _,
        deleteProvider = [],
        disableUser,
        ...change
      } = body as unknown as Partial<Kept> & {
        deleteProvider?: string[];
        disableUser?: boolean;
      };
      if (
        change.email &&
        [...this.accounts.values()].some((account) => account !== target && account.email === change.email)
      )
        return refuse('EMAIL_EXISTS');
      Object.assign(target, change, disableUser === undefined ? {} : { disabled: disableUser });
      target.providers = target.providers.filter((provider) => !deleteProvider.includes(provider));
      // Firebase revokes sign-ins when the address or password changes.
      if (change.email || change.password)
        target.validSince = Math.floor(this.#clock.now().getTime() / 1_000);
    }
    return { status: 200, body: {} };
  }

  async #person(verb: string, body: Record<string, never>): Promise<{ status: number; body: unknown }> {
    if (verb === 'signInWithPassword') {
      const account = [...this.accounts.values()].find(({ email }) => email === body.email);
      if (!account || account.password === null || account.password !== body.password)
        return refuse('INVALID_LOGIN_CREDENTIALS');
      if (account.disabled) return refuse('USER_DISABLED : The account was disabled.');
      return { status: 200, body: { idToken: await this.token(account) } };
    }
    const target = this.accounts.get(this.codes.get(body.oobCode ?? '') ?? '');
    if (!target) return refuse('INVALID_OOB_CODE');
    this.codes.delete(body.oobCode ?? '');
    target.emailVerified = true;
    return { status: 200, body: { localId: target.localId, email: target.email, emailVerified: true } };
  }
}

type Keys = { kid: string; jwk: JWK; privateKey: Awaited<ReturnType<typeof generateKeyPair>>['privateKey'] };

async function newKeys(kid: string): Promise<Keys> {
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' } };
}

const refuse = (message: string) => ({ status: 400, body: { error: { code: 400, message } } });

const viewOf = ({ password: _, providers, validSince, ...account }: Kept) => ({
  ...account,
  validSince: String(validSince),
  providerUserInfo: providers.map((providerId) => ({ providerId })),
});
