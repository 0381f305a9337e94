import { id } from '@nearhand/contract/operation';
import { files } from '@nearhand/contract/people/files';
import { AppError } from '../../platform/app-error.ts';
import { read, writePrepared } from '../../platform/http/bind.ts';
import type { PlainRoutes } from '../../platform/http/server.ts';
import { attachment, isPrivate } from './files.rules.ts';
import { dropUpload, fileDetails, prepareUpload, readFileContent, uploadFile } from './files.service.ts';

export const filesRoutes = {
  upload: writePrepared(files.upload, prepareUpload, uploadFile, dropUpload),
  details: read(files.details, fileDetails),
};

/**
 * `GET /files/{fileId}/content`: the bytes of a file, outside the contract since they aren't JSON. Images are immutable and cached;
 * documents are always downloads, and private files are never cached by proxies.
 */
export const registerFileContent: PlainRoutes = (api, { db, scopeOf, limitReads }) => {
  api.get<{ Params: { fileId: string } }>(
    '/files/:fileId/content',
    { onRequest: limitReads },
    async (request, reply) => {
      const fileId = id.safeParse(request.params.fileId);
      if (!fileId.success) throw new AppError('file/not-found');
      const { row, bytes } = await readFileContent(db, scopeOf(request), fileId.data);
      // Pictures of work are shown inline, documents never.
      const download = !row.media_type.startsWith('image/');
      const closed = isPrivate(row.purpose);
      return reply
        .header('content-type', row.media_type)
        .header('content-disposition', download ? attachment(row.name) : 'inline')
        .header('cache-control', closed ? 'private, no-store' : 'public, max-age=31536000, immutable')
        .header('content-security-policy', "default-src 'none'; sandbox")
        .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    },
  );
};
