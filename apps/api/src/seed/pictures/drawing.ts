import { prepareUpload, uploadFile } from '../../people/files/files.service.ts';
import type { Town } from '../town/town.ts';

/** A number from a name, so that a drawing needs none of the town's random numbers. */
export const seedOf = (name: string): number =>
  [...name].reduce((sum, letter) => (Math.imul(sum, 31) + (letter.codePointAt(0) ?? 0)) >>> 0, 7);

/** Uploads a drawing as this person's picture, the way a phone would. @returns the file's id */
export async function uploadDrawing(
  town: Town,
  accountId: string,
  at: Date,
  picture: { purpose: 'photo' | 'logo'; name: string; svg: string },
): Promise<string> {
  const { default: sharp } = await import('sharp');
  const bytes = new Uint8Array(await sharp(Buffer.from(picture.svg)).png().toBuffer());
  const input = { purpose: picture.purpose, file: new File([bytes], picture.name) };
  const scope = town.scopeOf(accountId, at);
  return (await uploadFile(town.tx, scope, input, await prepareUpload(scope, input, town.tx))).id;
}
