import { isApiError } from '../../lib/api/api-error.ts';
import { errorText, fieldIssues } from '../../lib/api/error.labels.ts';
import type { BusinessErrors } from './business-form.rules.ts';

const fieldOfInput = (name: string): string =>
  (({ logoFileId: 'logo', coverFileId: 'cover', lat: 'point', lng: 'point' }) as Record<string, string>)[
    name
  ] ?? name;

export const errorsOfServer = (failure: unknown): BusinessErrors =>
  isApiError(failure, 'business/currency-fixed')
    ? { countryCode: errorText(failure) }
    : Object.fromEntries(fieldIssues(failure).map(({ field, message }) => [fieldOfInput(field), message]));
