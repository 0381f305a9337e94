import { plural, t } from '@lingui/core/macro';
import type { OptionalText } from '@nearhand/contract/hiring/jobs.rules';
import type { Business } from '@nearhand/contract/people/businesses';
import { fieldName } from '../../lib/api/issue.labels.ts';
import { categoryText } from '../../lib/words/category.labels.ts';
import { shiftCount } from '../../lib/words/counts.ts';
import { formatMinutes, formatMoney, formatSpan, joined } from '../../lib/words/format.ts';
import { perUnit } from '../../lib/words/job.labels.ts';
import { skillText } from '../../lib/words/taxonomy.labels.ts';
import { spanAt } from '../../lib/words/zoned-time.ts';
import {
  breakOf,
  headCountOf,
  type JobField,
  type JobForm,
  type JobSetting,
  type JobStep,
  requirementLines,
  typedPay,
} from './job-form.rules.ts';
import { placeIn } from './job-place.rules.ts';

/** `empty` describes an optional step without input. */
export function jobStepTexts(step: JobStep): {
  name: string;
  question: string;
  next: string;
  holds: string;
  empty?: string;
} {
  switch (step) {
    case 'what':
      return {
        name: t`What`,
        question: t`What's the job?`,
        next: t`Next: what's the job`,
        holds: t`Shift or task, title`,
      };
    case 'where':
      return {
        name: t`Where`,
        question: t`Where is it?`,
        next: t`Next: where it is`,
        holds: t`Address and pin`,
      };
    case 'time':
      return {
        name: t`Time and pay`,
        question: t`When is it, and what does it pay?`,
        next: t`Next: time and pay`,
        holds: t`Hours, pay, people`,
      };
    case 'who':
      return {
        name: t`Who`,
        question: t`Who are you looking for?`,
        next: t`Next: who you're looking for`,
        holds: t`Skills, questions`,
        empty: t`No requirements: anyone can apply`,
      };
    case 'publish':
      return {
        name: t`Publish`,
        question: t`Ready to publish?`,
        next: t`Next: review and publish`,
        holds: t`Review and publish`,
      };
  }
}

const clippedAt = 60;
const clip = (text: string): string =>
  text.length > clippedAt ? `${text.slice(0, clippedAt - 3).trimEnd()}...` : text;

export function stepSummary(
  step: JobStep,
  form: JobForm,
  setting: JobSetting,
  business: Business,
  shifts = 1,
): string | null {
  switch (step) {
    case 'what': {
      const kind = form.kind === 'shift' ? t`Shift` : t`Task`;
      const title = form.title.trim() || (form.category ? categoryText(form.category) : '');
      return title ? clip(joined(kind, title)) : null;
    }
    case 'where':
      return clip(placeIn(form, business).address.trim() || form.place.area.trim()) || null;
    case 'time': {
      const span = form.kind === 'shift' ? spanAt(form, setting.timeZone) : null;
      const pay = typedPay(form, setting.currency);
      const when = span ? formatSpan(span.startsAt, span.endsAt, setting.timeZone, setting.now) : null;
      const amount =
        pay === null
          ? null
          : perUnit(formatMoney(pay, setting.currency), form.kind === 'shift' ? 'hour' : 'fixed');
      if (!when && !amount) return null;
      const people = headCountOf(form);
      const breakLength = form.kind === 'shift' && breakOf(form) ? formatMinutes(breakOf(form) ?? 0) : null;
      return joined(
        when,
        shifts > 1 && shiftCount(shifts),
        breakLength && (form.breakPaid ? t`${breakLength} paid break` : t`${breakLength} unpaid break`),
        people !== null && plural(people, { one: '# person', other: '# people' }),
        amount,
      );
    }
    case 'who': {
      const questionCount = form.questions.length;
      const needs = requirementLines(form).length;
      const hasOthers = form.skills.length + needs + questionCount > 0 || form.cvRequired;
      return hasOthers || form.instantHire
        ? joined(
            form.skills.length > 0 && clip(joined(...form.skills.map(skillText))),
            needs > 0 && plural(needs, { one: '# requirement', other: '# requirements' }),
            questionCount > 0 && plural(questionCount, { one: '# question', other: '# questions' }),
            form.cvRequired && t`CV`,
            form.instantHire && (hasOthers ? t`instant hire` : t`Instant hire`),
          )
        : null;
    }
    case 'publish':
      return null;
  }
}

export function jobFieldText(field: keyof JobForm | JobField): string {
  switch (field) {
    case 'kind':
      return t`kind of job`;
    case 'title':
      return t`title`;
    case 'category':
      return t`category`;
    case 'description':
      return t`description`;
    case 'requirements':
      return t`requirements`;
    case 'skills':
      return t`skills`;
    case 'branchId':
      return t`branch`;
    case 'elsewhere':
    case 'place':
    case 'point':
      return t`place`;
    case 'address':
      return t`street and number`;
    case 'area':
      return t`town or neighbourhood`;
    case 'day':
      return t`day`;
    case 'from':
      return t`start`;
    case 'to':
      return t`end`;
    case 'dueOn':
      return t`last day`;
    case 'breakMinutes':
    case 'breakPaid':
      return t`break`;
    case 'pay':
      return t`pay`;
    case 'relation':
      return t`type of work`;
    case 'payReason':
      return t`reason for the pay`;
    case 'shortReason':
      return t`reason for the short shift`;
    case 'headCount':
      return t`number of people`;
    case 'alsoOn':
      return t`other days`;
    case 'cvRequired':
      return t`CV`;
    case 'instantHire':
      return t`instant hire`;
    case 'questions':
      return t`questions`;
    case 'photoIds':
      return t`photos`;
    default:
      // Other texts have the name that a refused input calls them by.
      return fieldName(field satisfies OptionalText) ?? '';
  }
}
