import { plural, t } from '@lingui/core/macro';
import { maxMinor } from '@nearhand/contract/arithmetic';
import type { Currency } from '@nearhand/contract/currencies';
import { dayMs, minuteMs } from '@nearhand/contract/durations';
import type { JobDraft, questionKinds } from '@nearhand/contract/hiring/job-posting';
import type { Job } from '@nearhand/contract/hiring/jobs';
import {
  flagsOf,
  instantProblems,
  type JobFlags,
  mapTexts,
  type OptionalText,
  optionalTextNames,
  optionalTexts,
} from '@nearhand/contract/hiring/jobs.rules';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
import { isTooLittlePay, payMinOf } from '@nearhand/contract/hiring/pay-units.rules';
import type { ShiftPart } from '@nearhand/contract/hiring/series-edits.rules';
import {
  type UnusualTerm,
  unusualTerms,
  unusualTermsOf,
} from '@nearhand/contract/hiring/unusual-terms.rules';
import { limits } from '@nearhand/contract/limits';
import type { Business } from '@nearhand/contract/people/businesses';
import { type OwnPayFloors, payFloorOn } from '@nearhand/contract/people/pay-floors.rules';
import type { CategoryId, SkillId } from '@nearhand/contract/people/taxonomy';
import { plainDigits } from '@nearhand/contract/typed-digits';
import type { JobRelation } from '@nearhand/contract/work/pay.rules';
import type { JobKind } from '@nearhand/contract/work/terms';
import { paidMinutes } from '@nearhand/contract/work/timesheets.rules';
import { tooLong } from '../../lib/forms/too-long.ts';
import { minorFromTyped, typedFromMinor } from '../../lib/forms/typed-amount.ts';
import { countOf, countProblem } from '../../lib/forms/typed-count.ts';
import { formatMoney, minorDigits } from '../../lib/words/format.ts';
import { clockIn, skippedText, skippedTime, spanAt } from '../../lib/words/zoned-time.ts';
import type { DoubtedTerms } from '../jobs/job-doubts.ts';
import { atBusiness, placeIn, type WhereForm, whereOfJob } from './job-place.rules.ts';

export type QuestionKind = (typeof questionKinds)[number];

export type QuestionForm = {
  key: string;
  prompt: string;
  kind: QuestionKind;
  choices: string[];
  required: boolean;
};

/** A job being edited. Everything is text until it is sent, so that no rule can lose input. */
export type JobForm = JobFlags &
  Record<OptionalText, string> &
  WhereForm & {
    kind: JobKind;
    title: string;
    category: CategoryId | '';
    description: string;
    requirements: string;
    skills: SkillId[];
    photoIds: string[];
    day: string;
    from: string;
    to: string;
    dueOn: string;
    relation: JobRelation | null;
    breakMinutes: string;
    breakPaid: boolean;
    pay: string;
    headCount: string;
    questions: QuestionForm[];
  };

const textsIn = (part: ShiftPart): OptionalText[] =>
  optionalTextNames.filter((name) => (optionalTexts[name].part as ShiftPart) === part);

export const jobSteps = {
  what: ['title', 'category', 'description', ...textsIn('description')],
  where: ['address', 'area', 'point', ...textsIn('place')],
  time: [
    'day',
    'from',
    'to',
    'breakMinutes',
    ...textsIn('hours'),
    'dueOn',
    'pay',
    ...textsIn('pay'),
    'headCount',
    'alsoOn',
  ],
  who: ['requirements', ...textsIn('requirements'), 'skills', 'questions', 'instantHire'],
  publish: [],
} as const;
export type JobStep = keyof typeof jobSteps;
export type JobField = (typeof jobSteps)[JobStep][number];
export type JobErrors = Partial<Record<JobField, string>>;
export const jobStepIds = Object.keys(jobSteps) as JobStep[];

export type JobSetting = {
  timeZone: string;
  currency: Currency;
  now: Date;
  /** The saved start: an old job can be edited without moving it. */
  savedStart?: string | null;
  /** An imported posting's hours in words replace set hours. */
  hoursNote?: string | null;
  /** The country whose minimum wage applies; absent if pay is not hourly. */
  country?: string;
  payFloors?: OwnPayFloors;
};

export function emptyJobForm(): JobForm {
  return {
    kind: 'shift',
    title: '',
    category: '',
    description: '',
    requirements: '',
    skills: [],
    photoIds: [],
    ...atBusiness,
    day: '',
    from: '',
    to: '',
    dueOn: '',
    relation: null,
    breakMinutes: '',
    breakPaid: false,
    pay: '',
    ...mapTexts(() => ''),
    headCount: '1',
    ...flagsOf(),
    questions: [],
  };
}

export function formOfJob(job: Job, business: Business | undefined): JobForm {
  const start = job.startsAt ? clockIn(job.startsAt, job.timeZone) : null;
  const end = job.endsAt ? clockIn(job.endsAt, job.timeZone) : null;
  const savedTexts: Partial<Record<OptionalText, string | null>> = { ...job, ...job.member };
  return {
    kind: job.kind,
    title: job.title,
    category: job.category,
    description: job.description,
    requirements: job.requirements.join('\n'),
    skills: [...job.skills],
    photoIds: [...job.photoIds],
    ...whereOfJob(job, business),
    day: start?.day ?? '',
    from: start?.time ?? '',
    to: end?.time ?? '',
    dueOn: job.dueOn ?? '',
    relation: job.relation,
    breakMinutes: job.breakMinutes > 0 ? String(job.breakMinutes) : '',
    breakPaid: job.breakPaid,
    pay: job.pay.minor > 0 ? typedFromMinor(job.pay.minor, minorDigits(job.pay.currency)) : '',
    ...mapTexts((name) => savedTexts[name] ?? ''),
    headCount: String(job.headCount),
    ...flagsOf(job),
    questions: job.questions.map((question) => ({
      ...question,
      key: question.id,
      choices: [...question.choices],
    })),
  };
}

const headCounts = { min: 1, max: hiringLimits.headCountMax };
/** The number of people; null while none is typed. */
export const headCountOf = (form: Pick<JobForm, 'headCount'>): number | null =>
  countOf(form.headCount, headCounts);

/** The break in minutes, 0 if none is typed; null for one that isn't allowed. */
export const breakOf = (form: JobForm): number | null => {
  const text = plainDigits(form.breakMinutes).trim();
  if (text === '') return 0;
  return /^\d{1,3}$/.test(text) && Number(text) <= hiringLimits.breakMinutesMax ? Number(text) : null;
};

/** The paid minutes of the typed hours and break; null while the hours are incomplete. */
export function typedPaidMinutes(form: JobForm, timeZone: string): number | null {
  const span = spanAt(form, timeZone);
  if (!span) return null;
  return paidMinutes(new Date(span.startsAt), new Date(span.endsAt), breakOf(form) ?? 0, form.breakPaid);
}

/** The minimum hourly pay at the shift's place and time, in minor units; null if none is known. */
export const payFloorOf = (
  form: JobForm,
  { country, currency, payFloors = {} }: JobSetting,
): number | null =>
  country === undefined || form.kind !== 'shift' || form.day === ''
    ? null
    : payFloorOn({ country, currency }, form.day, payFloors);

/** Typed terms that need a reason, by the server's rule. */
export function typedUnusualTerms(form: JobForm, setting: JobSetting): UnusualTerm[] {
  const span = spanAt(form, setting.timeZone);
  return unusualTermsOf(
    {
      kind: form.kind,
      payMinor: typedPay(form, setting.currency),
      startsAt: span && new Date(span.startsAt),
      endsAt: span && new Date(span.endsAt),
      breakMinutes: breakOf(form) ?? 0,
      breakPaid: form.breakPaid,
    },
    payFloorOf(form, setting),
  );
}

/** Reasons are visible only while a term needs one. */
function visibleTexts(form: JobForm, setting: JobSetting): OptionalText[] {
  const required: readonly OptionalText[] = typedUnusualTerms(form, setting);
  const reasons: readonly OptionalText[] = unusualTerms;
  return optionalTextNames.filter((name) => required.includes(name) || !reasons.includes(name));
}

const payMinFor = ({ kind }: JobForm, currency: Currency): number =>
  payMinOf(currency, kind === 'shift' ? 'hour' : 'fixed');
const payMax = ({ kind }: JobForm): number => (kind === 'shift' ? hiringLimits.hourlyPayMaxMinor : maxMinor);
/** The typed pay in minor units; null if it isn't an amount or is out of bounds. */
export const typedPay = (form: JobForm, currency: Currency): number | null => {
  const minor = minorFromTyped(form.pay, minorDigits(currency));
  return minor !== null && minor >= payMinFor(form, currency) && minor <= payMax(form) ? minor : null;
};

/** The typed terms that may be typing errors (`jobDoubts`). */
export function doubtedTermsOf(form: JobForm, { currency, timeZone }: JobSetting): DoubtedTerms {
  const span = form.kind === 'shift' ? spanAt(form, timeZone) : null;
  return {
    pay: { minor: typedPay(form, currency), unit: form.kind === 'shift' ? 'hour' : 'fixed', currency },
    startsAt: span?.startsAt ?? null,
    endsAt: span?.endsAt ?? null,
    dueOn: form.kind === 'task' && form.dueOn !== '' ? form.dueOn : null,
    timeZone,
    headCount: headCountOf(form),
    description: form.description,
  };
}

export const requirementLines = (form: JobForm): string[] =>
  form.requirements
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

export function questionError(question: QuestionForm): string | undefined {
  if (question.prompt.trim() === '') return t`Enter the question.`;
  const long = tooLong(question.prompt, hiringLimits.questionMax);
  if (long || question.kind !== 'choice') return long;
  const choices = question.choices.map((choice) => choice.trim()).filter(Boolean);
  if (choices.length < 2) return t`Add at least two answers.`;
  if (new Set(choices).size < choices.length) return t`Two of the answers are the same.`;
  const max = hiringLimits.choiceMax;
  return choices.some(({ length }) => length > max)
    ? t`Shorten the answers to ${max} characters.`
    : undefined;
}

/** Problems that prevent publishing, by field. The server decides; this shows them earlier. */
export function jobErrors(form: JobForm, setting: JobSetting): JobErrors {
  const { timeZone, now } = setting;
  const errors: JobErrors = {};
  const addError = (field: JobField, text: string | undefined) => {
    if (text && !errors[field]) errors[field] = text;
  };
  addError(
    'title',
    form.title.trim() === '' ? t`Give the job a title.` : tooLong(form.title, hiringLimits.titleMax),
  );
  addError('category', form.category === '' ? t`Choose a category.` : undefined);
  addError(
    'description',
    form.description.trim() === ''
      ? t`Describe the work in a sentence or two.`
      : tooLong(form.description, hiringLimits.descriptionMax),
  );
  if (form.elsewhere) {
    addError(
      'address',
      form.place.address.trim() === ''
        ? t`Enter the address.`
        : tooLong(form.place.address, limits.addressMax),
    );
    addError(
      'area',
      form.place.area.trim() === ''
        ? t`Enter the town or neighbourhood.`
        : tooLong(form.place.area, limits.areaMax),
    );
    addError('point', form.place.point ? undefined : t`Place the pin on the map.`);
  }
  if (form.kind === 'shift') setShiftErrors(form, setting, addError);
  else {
    const today = clockIn(now.toISOString(), timeZone).day;
    addError(
      'dueOn',
      form.dueOn !== '' && form.dueOn < today
        ? t`This day has passed. Choose a later one.`
        : farDay(form.dueOn, form.dueOn, null, now),
    );
  }
  addError('pay', payError(form, setting));
  addError('headCount', countProblem(form.headCount, headCounts));
  const whyMissing: Partial<Record<OptionalText, string>> = {
    payReason: t`Say why the pay is below the minimum wage.`,
    shortReason: t`Say why the shift is so short.`,
  };
  for (const name of visibleTexts(form, setting))
    addError(name, form[name].trim() === '' ? whyMissing[name] : tooLong(form[name], limits.reasonMax));
  const lines = requirementLines(form);
  const { requirementsMax, requirementMax, jobSkillsMax } = hiringLimits;
  if (lines.length > requirementsMax) addError('requirements', t`Use up to ${requirementsMax} lines.`);
  if (lines.some(({ length }) => length > requirementMax))
    addError('requirements', t`Shorten each line to ${requirementMax} characters.`);
  const ruledOut = form.instantHire
    ? instantProblems({ kind: form.kind, payMinor: 0, startsAt: '', endsAt: '' }, form)
    : [];
  addError(
    'instantHire',
    ruledOut.includes('cvRequired')
      ? t`Instant hire doesn't work with a CV, because nobody reads it first. Turn off one of the two.`
      : undefined,
  );
  addError(
    'questions',
    ruledOut.includes('questions')
      ? t`Instant hire doesn't work with written answers. Use yes or no, a number or choices, or turn it off.`
      : undefined,
  );
  if (form.skills.length > jobSkillsMax) addError('skills', t`Choose up to ${jobSkillsMax} skills.`);
  const bad = form.questions.filter((question) => questionError(question) !== undefined).length;
  addError(
    'questions',
    bad > 0
      ? plural(bad, { one: "# question isn't finished.", other: "# questions aren't finished." })
      : undefined,
  );
  return errors;
}

/** A day beyond two years is a typing error in the year; a saved one can stay. */
function farDay(
  day: string,
  startsAt: string,
  savedStart: string | null | undefined,
  now: Date,
): string | undefined {
  if (day === '' || Date.parse(startsAt) === Date.parse(savedStart ?? '')) return undefined;
  const year = day.slice(0, 4);
  return Date.parse(startsAt) > now.getTime() + hiringLimits.jobAheadDaysMax * dayMs
    ? t`${year} is too far ahead. Choose a day within two years.`
    : undefined;
}

function setShiftErrors(
  form: JobForm,
  { timeZone, now, savedStart, hoursNote }: JobSetting,
  put: (field: JobField, text: string | undefined) => void,
): void {
  if (hoursNote && form.day === '' && form.from === '' && form.to === '') return;
  put('day', form.day === '' ? t`Choose a day.` : undefined);
  put('from', form.from === '' ? t`Choose a start time.` : undefined);
  put('to', form.to === '' ? t`Choose an end time.` : undefined);
  if (form.day === '' || form.from === '' || form.to === '') return;
  if (form.from === form.to) {
    put('to', t`Start and end are the same. Change one of them.`);
    return;
  }
  const skipped = skippedTime(form, timeZone);
  if (skipped) {
    put(skipped, skippedText(form[skipped]));
    return;
  }
  const span = spanAt(form, timeZone);
  if (!span) {
    put('day', t`Check the day and the times.`);
    return;
  }
  if (new Date(span.startsAt) <= now && Date.parse(span.startsAt) !== Date.parse(savedStart ?? '')) {
    const today = clockIn(now.toISOString(), timeZone).day;
    if (form.day < today) put('day', t`This day has passed. Choose a later one.`);
    else put('from', t`This is in the past. Choose a later time.`);
  }
  put('day', farDay(form.day, span.startsAt, savedStart, now));
  const pause = breakOf(form);
  put(
    'breakMinutes',
    pause === null ? t`Enter the break in minutes, up to ${hiringLimits.breakMinutesMax}.` : undefined,
  );
  const length = (Date.parse(span.endsAt) - Date.parse(span.startsAt)) / minuteMs;
  put(
    'breakMinutes',
    pause !== null && pause >= length ? t`The break can't be as long as the shift.` : undefined,
  );
}

function payError(form: JobForm, { currency, timeZone }: JobSetting): string | undefined {
  if (form.pay.trim() === '')
    return form.kind === 'shift' ? t`Enter the hourly pay.` : t`Enter the total pay.`;
  const pay = typedPay(form, currency);
  if (pay !== null) {
    const minutes = form.kind === 'shift' ? typedPaidMinutes(form, timeZone) : null;
    if (!isTooLittlePay(pay, form.kind === 'shift' ? 'hour' : 'fixed', currency, minutes)) return undefined;
    const whole = formatMoney(payMinOf(currency, 'fixed'), currency);
    const hourly = formatMoney(payMinOf(currency, 'hour', minutes), currency);
    return t`A shift pays ${whole} or more in all. Enter ${hourly} an hour or more, or make it longer.`;
  }
  const digits = minorDigits(currency);
  const payText = form.pay.replace(/[\s\u00a0\u202f']/g, '');
  if (/^[-\u2212]\d/.test(payText) || minorFromTyped(payText, digits) === 0)
    return t`The pay must be more than ${formatMoney(0, currency)}.`;
  const minor = minorFromTyped(payText, digits);
  if (minor !== null && minor < payMinFor(form, currency))
    return t`Enter ${formatMoney(payMinFor(form, currency), currency)} or more.`;
  return new RegExp(`^\\d+([.,]\\d{0,${digits}})?$`).test(payText)
    ? t`Enter ${formatMoney(payMax(form), currency)} or less.`
    : t`Enter the pay as a number, for example 18 or 18.50.`;
}

/** The problems of one step, in the order of its fields. */
export const errorsOfStep = (step: JobStep, errors: JobErrors): { field: JobField; text: string }[] =>
  (jobSteps[step] as readonly JobField[]).flatMap((field) => {
    const text = errors[field];
    return text ? [{ field, text }] : [];
  });

/** The server needs a title and a category to store a draft. */
export const canSaveDraft = (form: JobForm): boolean =>
  form.title.trim() !== '' && form.title.trim().length <= hiringLimits.titleMax && form.category !== '';

/** The valid part to send, so that a half-typed amount does not prevent saving the rest. */
export function toJobDraft(form: JobForm, setting: JobSetting, business: Business): JobDraft {
  const { timeZone, currency } = setting;
  const errors = jobErrors(form, setting);
  const span = form.kind === 'shift' ? spanAt(form, timeZone) : null;
  const texts = visibleTexts(form, setting).filter((name) => !errors[name]);
  const pause = breakOf(form);
  const place = placeIn(form, business);
  const at =
    place.point && !errors.address && !errors.area
      ? {
          address: place.address.trim(),
          area: place.area.trim(),
          ...place.point,
          privateAddress: place.privateAddress,
          ...(place.timeZone ? { timeZone: place.timeZone } : {}),
        }
      : undefined;
  return {
    kind: form.kind,
    title: form.title.trim(),
    category: form.category as CategoryId,
    description: form.description.trim().slice(0, hiringLimits.descriptionMax),
    ...(errors.requirements ? {} : { requirements: requirementLines(form) }),
    ...(errors.skills ? {} : { skills: form.skills }),
    ...(form.pay.trim() === '' || typedPay(form, currency) !== null
      ? { payMinor: typedPay(form, currency) }
      : {}),
    ...(headCountOf(form) === null ? {} : { headCount: headCountOf(form) ?? 1 }),
    startsAt: span?.startsAt ?? null,
    endsAt: span?.endsAt ?? null,
    ...(form.kind === 'shift' && pause !== null && !errors.breakMinutes
      ? { breakMinutes: pause, breakPaid: form.breakPaid }
      : {}),
    ...mapTexts((name) => (texts.includes(name) && form[name].trim()) || null),
    relation: form.relation ?? null,
    dueOn: form.kind === 'task' && form.dueOn !== '' ? form.dueOn : null,
    branchId: form.branchId || null,
    ...(at ? { place: at } : {}),
    ...flagsOf(form),
    photoIds: form.photoIds,
    questions: form.questions
      .filter((question) => questionError(question) === undefined)
      .map(({ prompt, kind, choices, required }) => ({
        prompt: prompt.trim(),
        kind,
        choices: kind === 'choice' ? choices.map((choice) => choice.trim()).filter(Boolean) : [],
        required,
      })),
  };
}
