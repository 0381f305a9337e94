import { hasBack, type IdentityDocument } from '@nearhand/contract/people/identity-checks.rules';
import sharp from 'sharp';
import type { Db } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { makeFile } from '../files/files.fixtures.ts';

async function makePhoto(db: Db, scope: Scope, background: string): Promise<string> {
  const bytes = await sharp({ create: { width: 640, height: 400, channels: 3, background } })
    .jpeg()
    .toBuffer();
  const upload = { purpose: 'identity', name: 'photo.jpg', bytes: new Uint8Array(bytes) } as const;
  return (await makeFile(db, scope, upload)).id;
}

export async function makeIdentityPhotos(db: Db, scope: Scope, document: IdentityDocument = 'id_card') {
  return {
    document,
    frontFileId: await makePhoto(db, scope, '#8aa'),
    backFileId: hasBack(document) ? await makePhoto(db, scope, '#688') : null,
    selfieFileId: await makePhoto(db, scope, '#c96'),
  };
}
