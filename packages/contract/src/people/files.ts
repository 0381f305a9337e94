import { z } from 'zod';
import { id, operation } from '../operation.ts';

/**
 * Purposes of files, which decide readers, size limit and type. Images are re-encoded.
 * - `photo`, `logo`: public images. `cv`: PDF or DOCX for its owner and the recruiters it was sent to.
 * - `work`: images and PDFs for the worker and the recruiters. `chat`: also DOCX, for both sides. `ticket`:
 *   the same, for staff and the request's author.
 * - `business`: proof for its managers and staff. `identity`, `certificate`: encrypted, for the case's
 *   operator (ADR 183).
 */
export const filePurposes = [
  'photo',
  'logo',
  'cv',
  'work',
  'chat',
  'ticket',
  'report',
  'business',
  'identity',
  'certificate',
] as const;
export type FilePurpose = (typeof filePurposes)[number];

export const storedFile = z.object({
  id,
  purpose: z.enum(filePurposes),
  name: z.string(),
  mediaType: z.string(),
  bytes: z.number().int(),
  /** Path of the bytes under the API; all but `photo` and `logo` need the access token. */
  path: z.string(),
});
export type StoredFile = z.infer<typeof storedFile>;

/** Files are uploaded first and then referenced by id. */
export const files = {
  upload: operation({
    access: 'verified',
    errors: [
      'file/too-large',
      'file/wrong-type',
      'file/unreadable',
      'file/daily-limit',
      'file/active-content',
      'file/locked',
      'file/unpacks-too-large',
    ],
    effects: [],
    whileSuspended: 'account',
  })
    .route({
      method: 'POST',
      path: '/files',
      summary:
        'Upload a CV, photo, logo, picture of work, chat file, file for staff, or document of a business or a person',
      successStatus: 201,
    })
    .input(z.object({ purpose: z.enum(filePurposes), file: z.file() }))
    .output(storedFile),
  details: operation({ access: 'verified', errors: ['file/not-found'] })
    .route({ method: 'GET', path: '/files/{fileId}/details', summary: 'Name, type and size of a file' })
    .input(z.object({ fileId: id }))
    .output(storedFile),
};
