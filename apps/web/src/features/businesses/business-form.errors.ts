import { fieldIssues } from '../../lib/error-text.ts';
import { type BusinessErrors, type BusinessField, businessFields } from './business-form.rules.ts';

const fieldOfInput = (name: string): string =>
  name === 'logoFileId' ? 'logo' : name === 'lat' || name === 'lng' ? 'point' : name;

/** What a refusal of the server means for the fields of the form. */
export const errorsOfServer = (failure: unknown): BusinessErrors =>
  Object.fromEntries(fieldIssues(failure).map(({ field, message }) => [fieldOfInput(field), message]));

/** The errors in the order of the page, for the summary above it. */
export const summaryOf = (
  errors: BusinessErrors,
  idOf: (field: BusinessField) => string,
): { id: string; text: string }[] =>
  businessFields.flatMap((field) => {
    const text = errors[field];
    return text ? [{ id: idOf(field), text }] : [];
  });
