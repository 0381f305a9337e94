import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { IssueRule } from '@nearhand/contract/field-issues.rules';
import { limits } from '@nearhand/contract/limits';
import { peopleLimits } from '@nearhand/contract/people/limits';
import {
  type DayPart,
  dayParts,
  type Findable,
  type LanguageLevel,
  weekdays,
} from '@nearhand/contract/people/profile-choices';
import type { Profile } from '@nearhand/contract/people/profiles';
import { type ProfileProblem, profileProblems } from '@nearhand/contract/people/profiles.rules';
import { issueText } from '../../lib/api/issue.labels.ts';
import { phoneProblem } from '../../lib/forms/phone.ts';
import { joined, locale, weekdayText } from '../../lib/words/format.ts';
import type { ProfileField, ProfileForm } from './profile-form.rules.ts';

const levels: Record<LanguageLevel, MessageDescriptor> = {
  basic: msg`Basic`,
  good: msg`Good`,
  fluent: msg`Fluent`,
  native: msg`Native`,
};
const parts: Record<DayPart, MessageDescriptor> = {
  morning: msg`Morning`,
  afternoon: msg`Afternoon`,
  evening: msg`Evening`,
  night: msg`Night`,
};
const hours: Record<DayPart, MessageDescriptor> = {
  morning: msg`6 to 12`,
  afternoon: msg`12 to 18`,
  evening: msg`18 to 24`,
  night: msg`0 to 6`,
};
const problems: Record<'name-missing' | 'name-long' | 'bio-long', MessageDescriptor> = {
  'name-missing': msg`Enter your name.`,
  'name-long': msg`Use ${limits.nameMax} characters or fewer.`,
  'bio-long': msg`Use ${peopleLimits.bioMax} characters or fewer.`,
};
const fields: Record<ProfileField, MessageDescriptor> = {
  name: msg`Name`,
  phone: msg`Phone`,
  bio: msg`About you`,
  home: msg`Home area`,
  languages: msg`Languages`,
  availability: msg`Availability`,
  weekHoursMax: msg`Hours a week`,
  skills: msg`Skills`,
  findable: msg`Who can find you`,
};
const findableTexts: Record<Findable, MessageDescriptor> = {
  off: msg`Only businesses I apply to`,
  unnamed: msg`Businesses nearby, without my name`,
  named: msg`Businesses nearby, with my name`,
};

export const findableText = (findable: Findable): string => i18n._(findableTexts[findable]);
export const languageLevelText = (level: LanguageLevel): string => i18n._(levels[level]);
export const dayPartText = (part: DayPart): string => i18n._(parts[part]);
export const dayPartHours = (part: DayPart): string => i18n._(hours[part]);
function problemText(problem: ProfileProblem, phone: string): string | null {
  if (problem === 'phone-form') return phoneProblem(phone);
  return problem in problems
    ? i18n._(problems[problem as keyof typeof problems])
    : issueText({ path: '', rule: problem as IssueRule });
}
export function profileErrors(form: ProfileForm): Partial<Record<ProfileField, string>> {
  const unrated = form.languages.find(({ level }) => level === '');
  return {
    ...Object.fromEntries(
      Object.entries(profileProblems(form)).map(([field, problem]) => [
        field,
        problemText(problem, form.phone),
      ]),
    ),
    languages: unrated && i18n._(msg`Choose how well you speak ${languageName(unrated.code)}.`),
  };
}
export const profileFieldText = (field: ProfileField): string => i18n._(fields[field]);

export function languageName(code: string): string {
  try {
    const name = new Intl.DisplayNames([locale()], { type: 'language' }).of(code) ?? code;
    return name.charAt(0).toLocaleUpperCase(locale()) + name.slice(1);
  } catch {
    return code;
  }
}

export function profileFreeTimes(availability: Profile['availability']): { day: string; parts: string }[] {
  return weekdays.flatMap((day) => {
    const free = dayParts.filter((part) =>
      availability.some((slot) => slot.day === day && slot.part === part),
    );
    if (free.length === 0) return [];
    const words = free.length === dayParts.length ? i18n._(msg`All day`) : joined(...free.map(dayPartText));
    return [{ day: weekdayText(day), parts: words }];
  });
}

/** Selectable languages by code: the most spoken in the world and in Europe. */
export const languageCodes =
  'ar bg bn ca cs da de el en es et fa fi fr ga gu he hi hr hu hy id is it ja ka kk km kn ko ku lo lt lv mk ml mn mr ms mt my ne nl no pa pl ps pt ro ru sk sl so sq sr sv sw ta te th ti tl tr uk ur uz vi yo zh zu'.split(
    ' ',
  );
