import type { Answer, MyApplication } from '@nearhand/contract/hiring/applications';
import { answerMax } from '@nearhand/contract/hiring/applications.rules';
import type { JobQuestion } from '@nearhand/contract/hiring/job-posting';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
import { hasPhoneOrEmail } from '@nearhand/contract/people/contact-details.rules';
import type { StoredFile } from '@nearhand/contract/people/files';
import { plainDigits } from '@nearhand/contract/typed-digits';
import { del, get, set } from 'idb-keyval';
import { session } from '../../lib/session.ts';

/** A CV that is uploaded, or stored on the device until there is a connection (`storeCv`). */
export type DraftCv = { kind: 'stored'; file: StoredFile } | { kind: 'kept'; name: string; bytes: number };

/** A person's input for one job. Numbers stay text until they are sent. */
export type ApplicationDraft = {
  coverNote: string;
  answers: Record<string, string | boolean>;
  cv: DraftCv | null;
  /** True if the CV was chosen or removed by hand, so that the profile's is not restored. */
  cvTouched: boolean;
  step: number;
  editing: string | null;
  /** The shifts of the series not applied for; absent in drafts stored before there were series. */
  leftOut?: string[];
  /** One key per input: a double tap, a reload or a lost response makes one application. */
  key: string;
};

export const emptyDraft = (): ApplicationDraft => ({
  coverNote: '',
  answers: {},
  cv: null,
  cvTouched: false,
  step: 0,
  editing: null,
  key: crypto.randomUUID(),
});

export const applicationDraftKey = (jobId: string): string => `apply:${jobId}`;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function isApplicationDraft(value: unknown): value is ApplicationDraft {
  return (
    isRecord(value) &&
    typeof value.coverNote === 'string' &&
    isRecord(value.answers) &&
    Object.values(value.answers).every(
      (answer) => typeof answer === 'string' || typeof answer === 'boolean',
    ) &&
    (value.cv === null || (isRecord(value.cv) && (value.cv.kind === 'stored' || value.cv.kind === 'kept'))) &&
    typeof value.cvTouched === 'boolean' &&
    typeof value.step === 'number' &&
    (value.editing === null || typeof value.editing === 'string') &&
    (value.leftOut === undefined || Array.isArray(value.leftOut)) &&
    typeof value.key === 'string'
  );
}

export const toApplicationDraft = (application: MyApplication): ApplicationDraft => ({
  ...emptyDraft(),
  coverNote: application.coverNote,
  answers: typedAnswers(application.answers),
  cv: application.cv && { kind: 'stored', file: application.cv },
  cvTouched: true,
  editing: application.id,
});

/** Changed input is another request, so it gets another key. */
export const changeDraft = (draft: ApplicationDraft, part: Partial<ApplicationDraft>): ApplicationDraft => ({
  ...draft,
  ...part,
  key: crypto.randomUUID(),
});

/** Parses a typed number, which is never negative, with a decimal comma or grouping spaces. */
export function typedNumber(text: string): number | null {
  const plain = plainDigits(text)
    .replace(/[\s\u00a0\u202f’']/g, '')
    .replace(',', '.');
  return /^\d{1,12}(\.\d{1,6})?$/.test(plain) ? Number(plain) : null;
}

export type DraftProblem =
  | 'required'
  | 'not-a-number'
  | 'negative'
  | 'too-large'
  | 'too-long'
  | 'contact-details';

/** Problems by question; the server has the same rules. */
export function answerErrors(
  questions: readonly JobQuestion[],
  answers: ApplicationDraft['answers'],
): Record<string, DraftProblem> {
  return Object.fromEntries(
    questions.flatMap((question): [string, DraftProblem][] => {
      const value = answers[question.id];
      const isBlank = value === undefined || (typeof value === 'string' && value.trim() === '');
      if (isBlank) return question.required ? [[question.id, 'required']] : [];
      if (question.kind === 'number' && typedNumber(String(value)) === null)
        return [[question.id, /^\s*[-\u2212]\s*\d/.test(String(value)) ? 'negative' : 'not-a-number']];
      if (question.kind === 'number' && Number(typedNumber(String(value))) > answerMax(question.prompt))
        return [[question.id, 'too-large']];
      if (question.kind === 'text' && hasPhoneOrEmail(String(value)))
        return [[question.id, 'contact-details']];
      return typeof value === 'string' && value.trim().length > hiringLimits.answerMax
        ? [[question.id, 'too-long']]
        : [];
    }),
  );
}

/** The answers to send; answers to removed questions are dropped. */
export function answersOf(questions: readonly JobQuestion[], answers: ApplicationDraft['answers']): Answer[] {
  return questions.flatMap(({ id, kind, choices }): Answer[] => {
    const value = answers[id];
    if (value === undefined) return [];
    if (typeof value === 'boolean') return kind === 'yes_no' ? [{ questionId: id, value }] : [];
    const text = value.trim();
    if (text === '' || kind === 'yes_no' || (kind === 'choice' && !choices.includes(text))) return [];
    if (kind !== 'number') return [{ questionId: id, value: text }];
    const number = typedNumber(text);
    return number === null ? [] : [{ questionId: id, value: number }];
  });
}

const typedAnswers = (answers: readonly Answer[]): ApplicationDraft['answers'] =>
  Object.fromEntries(
    answers.map(({ questionId, value }) => [questionId, typeof value === 'number' ? String(value) : value]),
  );

const cvKey = (jobId: string) => `nearhand-apply-cv:${session.user()?.id ?? 'guest'}:${jobId}`;

/** Stores the bytes of a CV chosen offline. Returns whether the device stored them. */
export async function storeCv(jobId: string, file: Blob): Promise<boolean> {
  try {
    await set(cvKey(jobId), file);
    return true;
  } catch {
    return false;
  }
}

export async function readStoredCv(jobId: string): Promise<Blob | null> {
  try {
    return (await get<Blob>(cvKey(jobId))) ?? null;
  } catch {
    return null;
  }
}

export async function dropCv(jobId: string): Promise<void> {
  await del(cvKey(jobId)).catch(() => {});
}
