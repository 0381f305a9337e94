import { hashPassword } from 'better-auth/crypto';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../config/config.ts';
import { firebaseHash, matchesHash, readFirebaseHash, readOwnHash } from './password-hashes.ts';

/** The example in the README of github.com/firebase/scrypt. */
const hashConfig =
  'hash_config { algorithm: SCRYPT, base64_signer_key: jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==, base64_salt_separator: Bw==, rounds: 8, mem_cost: 14, }';
const example = {
  hash: 'lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==',
  salt: '42xEC+ixf3L2lw==',
};

describe('a password hash', () => {
  const config = readConfig({ FIREBASE_HASH_CONFIG: hashConfig });

  it('of Firebase matches only its password', async () => {
    const hash = firebaseHash(example);
    expect(readFirebaseHash(hash)).toEqual(example);
    expect(await matchesHash(config, { hash, password: 'user1password' })).toBe(true);
    for (const password of ['user1passwore', 'User1password', ''])
      expect(await matchesHash(config, { hash, password })).toBe(false);
    const cut = firebaseHash({ ...example, hash: example.hash.slice(0, 40) });
    expect(await matchesHash(config, { hash: cut, password: 'user1password' })).toBe(false);
  });

  it('of Firebase returns an error without the project’s parameters, and never a match', async () => {
    const attempt = matchesHash(readConfig({}), {
      hash: firebaseHash(example),
      password: 'user1password',
    });
    await expect(attempt).rejects.toThrow('FIREBASE_HASH_CONFIG');
  });

  it('of ours matches as before', async () => {
    const hash = await hashPassword('user1password');
    expect(readFirebaseHash(hash)).toBeNull();
    expect(readOwnHash(hash)?.hash).toHaveLength(64);
    expect(await matchesHash(config, { hash, password: 'user1password' })).toBe(true);
    expect(await matchesHash(config, { hash, password: 'another' })).toBe(false);
  });

  it.each(['/', '+'])('has parameters whose key begins with %s', (first) => {
    const config = readConfig({ FIREBASE_HASH_CONFIG: hashConfig.replace('jxspr8Ki', `${first}xspr8Ki`) });
    expect(config.FIREBASE_HASH_CONFIG?.signerKey.toString('base64')).toContain(`${first}xspr8Ki`);
  });

  it.each([
    ['another algorithm', hashConfig.replace('SCRYPT', 'BCRYPT')],
    ['a key that is cut off', hashConfig.replace('jxspr8Ki', '')],
    ['too many rounds', hashConfig.replace('rounds: 8', 'rounds: 80')],
    ['no text of the console', 'SCRYPT'],
  ])('has no parameters in %s', (_name, text) => {
    expect(() => readConfig({ FIREBASE_HASH_CONFIG: text })).toThrow('FIREBASE_HASH_CONFIG');
  });
});
