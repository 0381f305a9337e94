import { z } from 'zod';
import { id, operation } from './operation.ts';

/**
 * What a file is for decides who may read it, how large it may be and what it must be.
 * `photo` and `logo` are images, re-encoded, readable by anyone with the address; `cv` is PDF or DOCX, readable by its owner and by members
 * of a business to which the owner applied with it. `work` is an image, re-encoded, or a PDF that shows delivered work, readable by the worker and the
 * recruiters of the business. `chat` is an image, re-encoded, a PDF or a DOCX, readable by whoever sent it and by the two sides of a conversation it was sent in.
 */
export const filePurposes = ['photo', 'logo', 'cv', 'work', 'chat'] as const;
export type FilePurpose = (typeof filePurposes)[number];

/** A file as whoever may read it sees it. */
export const storedFile = z.object({
  id,
  purpose: z.enum(filePurposes),
  name: z.string(),
  mediaType: z.string(),
  bytes: z.number().int(),
  /** Where its bytes are, under the API's address; a `cv`, `work` and `chat` need the access token. */
  path: z.string(),
});
/** The `path` of a file by its id, also for `logoPath` and `photoPath`. */
export const fileContentPath = (fileId: string): string => `/files/${fileId}/content`;
export type StoredFile = z.infer<typeof storedFile>;

/** Files are stored first and named by their id afterwards, in what they belong to. */
export const files = {
  upload: operation({
    access: 'verified',
    errors: ['file/too-large', 'file/wrong-type', 'file/unreadable', 'file/daily-limit'],
  })
    .route({
      method: 'POST',
      path: '/files',
      summary: 'Store a CV, a photo, a logo, a picture of work or a file for a message',
      successStatus: 201,
    })
    .input(z.object({ purpose: z.enum(filePurposes), file: z.file() }))
    .output(storedFile),
  details: operation({ access: 'verified', errors: ['file/not-found'] })
    .route({ method: 'GET', path: '/files/{fileId}/details', summary: 'Name, type and size of a file' })
    .input(z.object({ fileId: id }))
    .output(storedFile),
};
