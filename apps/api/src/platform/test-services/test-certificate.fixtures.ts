import { generateKeyPairSync, sign } from 'node:crypto';

/** DER with the shortest form of a length, since browsers refuse others. */
const der = (tag: number, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  const { length } = body;
  return Buffer.concat([Buffer.from([tag, ...sizeBytes(length)]), body]);
};

/** A length in DER: one byte, or the number of bytes and the length. */
function sizeBytes(length: number): number[] {
  if (length < 128) return [length];
  return length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
}
const sequence = (...parts: Buffer[]) => der(0x30, ...parts);
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const text = (value: string) => der(0x0c, Buffer.from(value));
/** Browsers refuse a date before 2050 in the long form. */
const soon = (value: string) => der(0x17, Buffer.from(value));
const late = (value: string) => der(0x18, Buffer.from(value));

const ecdsaSha256 = sequence(oid('2a8648ce3d040302'));
const name = sequence(der(0x31, sequence(oid('550403'), text('Nearhand test'))));

/** A self-signed key and certificate, generated per run so that none is in the repository. */
export function testCertificate(hosts: readonly string[] = ['localhost']): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const names = sequence(
    ...hosts.map((host) => der(0x82, Buffer.from(host))),
    der(0x87, Buffer.from([127, 0, 0, 1])),
  );
  const extensions = der(
    0xa3,
    sequence(
      sequence(
        oid('551d13'),
        der(0x01, Buffer.from([0xff])),
        der(0x04, sequence(der(0x01, Buffer.from([0xff])))),
      ),
      sequence(oid('551d11'), der(0x04, names)),
    ),
  );
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaSha256,
    name,
    sequence(soon('200101000000Z'), late('21200101000000Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    extensions,
  );
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', body, privateKey)]));
  const lines =
    sequence(body, ecdsaSha256, signature)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
  };
}
