import { fieldIssues } from '../../lib/api/error-text.ts';
import type { BusinessErrors } from './business-form.rules.ts';

const fieldOfInput = (name: string): string =>
  name === 'logoFileId' ? 'logo' : name === 'lat' || name === 'lng' ? 'point' : name;

/** Maps a server error to the form's fields. */
export const errorsOfServer = (failure: unknown): BusinessErrors =>
  Object.fromEntries(fieldIssues(failure).map(({ field, message }) => [fieldOfInput(field), message]));
