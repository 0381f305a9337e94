import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type {
  CreationOptions,
  NewPasskeyAnswer,
  PasskeyAnswer,
  RequestOptions,
} from '@nearhand/contract/people/passkeys';
import type { Db } from '../../platform/db.ts';
import type { ClockScope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { insertPasskey } from './passkeys.sql.ts';

const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest();
const text64 = (text: string) => Buffer.from(text).toString('base64url');
const uint = (value: number, bytes: 2 | 4) => {
  const buffer = Buffer.alloc(bytes);
  if (bytes === 2) buffer.writeUInt16BE(value);
  else buffer.writeUInt32BE(value);
  return buffer;
};

/** Authenticator flags: user present, user verified, new credential. */
const flags = { present: 0x01, verified: 0x04, credential: 0x40 };
const ordinary = flags.present + flags.verified;

/** The CBOR that WebAuthn needs: byte strings, texts, map headers, small integers (RFC 8949). */
const cbor = {
  bytes: (value: Uint8Array) => Buffer.concat([Buffer.from([0x58, value.length]), value]),
  longBytes: (value: Uint8Array) => Buffer.concat([Buffer.from([0x59]), uint(value.length, 2), value]),
  text: (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]),
  map: (pairs: number) => Buffer.from([0xa0 + pairs]),
  int: (value: number) => Buffer.from([value >= 0 ? value : 0x20 + (-1 - value)]),
};

function coseOf(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  return Buffer.concat([
    cbor.map(5),
    cbor.int(1),
    cbor.int(2),
    cbor.int(3),
    cbor.int(-7),
    cbor.int(-1),
    cbor.int(1),
    cbor.int(-2),
    cbor.bytes(Buffer.from(x, 'base64url')),
    cbor.int(-3),
    cbor.bytes(Buffer.from(y, 'base64url')),
  ]);
}

export class TestAuthenticator {
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly id = randomBytes(16).toString('base64url');
  #userHandle = '';
  /** Use counter; can be set back to imitate a copy. */
  counter = 0;
  origin: string;

  constructor(origin: string) {
    this.origin = origin;
  }

  verifies = true;

  #data(rpId: string, more: Buffer, extraFlags: number): Buffer {
    const set = (this.verifies ? ordinary : flags.present) + extraFlags;
    return Buffer.concat([sha256(rpId), Buffer.from([set]), uint(this.counter, 4), more]);
  }

  #clientData(type: 'webauthn.create' | 'webauthn.get', challenge: string): string {
    return text64(JSON.stringify({ type, challenge, origin: this.origin, crossOrigin: false }));
  }

  create({ challenge, rp, user }: Pick<CreationOptions, 'challenge' | 'rp' | 'user'>): NewPasskeyAnswer {
    this.#userHandle = user.id;
    const id = Buffer.from(this.id, 'base64url');
    const credential = Buffer.concat([
      Buffer.alloc(16),
      uint(id.length, 2),
      id,
      coseOf(this.#keys.publicKey),
    ]);
    const attestation = Buffer.concat([
      cbor.map(3),
      cbor.text('fmt'),
      cbor.text('none'),
      cbor.text('attStmt'),
      cbor.map(0),
      cbor.text('authData'),
      cbor.longBytes(this.#data(rp.id, credential, flags.credential)),
    ]);
    return {
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: this.#clientData('webauthn.create', challenge),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      },
    };
  }

  answer({ challenge, rpId }: Pick<RequestOptions, 'challenge' | 'rpId'>): PasskeyAnswer {
    this.counter += 1;
    const data = this.#data(rpId, Buffer.alloc(0), 0);
    const clientDataJSON = this.#clientData('webauthn.get', challenge);
    const signed = Buffer.concat([data, sha256(Buffer.from(clientDataJSON, 'base64url'))]);
    return {
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON,
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', signed, this.#keys.privateKey).toString('base64url'),
        ...(this.#userHandle === '' ? {} : { userHandle: this.#userHandle }),
      },
    };
  }
}

export async function keepPasskey(db: Db, { clock }: ClockScope, accountId: string): Promise<string> {
  const now = clock.now();
  const id = newId(now);
  await db.transaction().execute((tx) =>
    insertPasskey(tx, {
      id,
      accountId,
      now,
      name: 'Pixel 9',
      counter: 0,
      transports: [],
      synced: true,
      credentialId: randomBytes(16).toString('base64url'),
      publicKey: 'AA',
    }),
  );
  return id;
}
