import { z } from 'zod';
import { id, operation } from '../operation.ts';

/**
 * A file's purpose decides who may read it, its size limit and its type. `photo` and `logo` are public images; `cv` is PDF or DOCX
 * for its owner and recruiters it was sent to; `work` is an image or PDF for the worker and the business's recruiters;
 * `chat` is an image, PDF or DOCX for both sides of a conversation; `ticket` the same for staff; `business` is an image or PDF that proves a business,
 * for its managers and staff; `identity` is a photo for the operator who has the case of its check, stored encrypted, and so is `certificate`, an image or PDF (ADR 183). Images are
 * re-encoded.
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
      ...(['file/too-large', 'file/wrong-type', 'file/unreadable', 'file/daily-limit'] as const),
      ...(['file/active-content', 'file/locked', 'file/unpacks-too-large'] as const),
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
