import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../config/config.ts';
import { createSign } from '../sign.ts';
import { SealBrokenError, type SealingKey, seal, sealingKeys, unseal } from './sealed-files.ts';

const keyOf = (id: string): SealingKey => ({ id, key: randomBytes(32) });
const old = keyOf('2026');
const current = keyOf('2027');
const bytes = Buffer.from('the photo of a passport');

describe('sealed files', () => {
  it('open with their key, while several are in use', () => {
    expect(Buffer.from(unseal([current, old], 'a', seal(old, 'a', bytes)))).toEqual(bytes);
    expect(Buffer.from(unseal([current, old], 'a', seal(current, 'a', bytes)))).toEqual(bytes);
    expect(unseal([current], 'a', seal(current, 'a', new Uint8Array())).byteLength).toBe(0);
  });

  it('reveal nothing of their content, and differ each time', () => {
    const firstSealed = seal(current, 'a', bytes);
    const secondSealed = seal(current, 'a', bytes);
    expect(firstSealed.includes(bytes.subarray(0, 6))).toBe(false);
    expect(firstSealed.equals(secondSealed)).toBe(false);
  });

  it('fail with another key, as another file, or after any changed byte', () => {
    const sealed = seal(current, 'a', bytes);
    expect(() => unseal([old], 'a', sealed)).toThrow(new SealBrokenError('DOCUMENT_KEYS has no key 2027'));
    expect(() => unseal([{ ...old, id: '2027' }], 'a', sealed)).toThrow(SealBrokenError);
    expect(() => unseal([current], 'b', sealed)).toThrow(SealBrokenError);
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => unseal([current], 'a', changed), `byte ${at}`).toThrow(SealBrokenError);
    }
    for (const length of [0, 3, 5, 20, sealed.length - 1])
      expect(() => unseal([current], 'a', sealed.subarray(0, length))).toThrow(SealBrokenError);
    expect(() => unseal([current], 'a', bytes)).toThrow(SealBrokenError);
  });
});

describe('the keys of sealed files', () => {
  const text = (id: string) => `${id}:${randomBytes(32).toString('base64url')}`;

  it('come from the configuration, the first one for new files', () => {
    const config = readConfig({ DOCUMENT_KEYS: `${text('2027')}, ${text('2026')}` });
    expect(sealingKeys({ config, sign: createSign('x') }).map(({ id }) => id)).toEqual(['2027', '2026']);
  });

  it('derive from the secret when none are configured', () => {
    const config = readConfig({});
    const [sealingKey] = sealingKeys({ config, sign: createSign('x'.repeat(32)) });
    expect(sealingKey.key).toHaveLength(32);
    expect(sealingKey).toEqual(sealingKeys({ config, sign: createSign('x'.repeat(32)) })[0]);
    expect(sealingKey).not.toEqual(sealingKeys({ config, sign: createSign('y'.repeat(32)) })[0]);
  });
});
