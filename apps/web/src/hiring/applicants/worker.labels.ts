import { t } from '@lingui/core/macro';
import type { Availability, SpokenLanguage } from '@nearhand/contract/people/profiles';
import { joined, locale, weekdayText } from '../../lib/words/format.ts';

type Day = Availability[number]['day'];
type Part = Availability[number]['part'];

const days: readonly Day[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const parts: readonly Part[] = ['morning', 'afternoon', 'evening', 'night'];

function partText(part: Part): string {
  switch (part) {
    case 'morning':
      return t`morning`;
    case 'afternoon':
      return t`afternoon`;
    case 'evening':
      return t`evening`;
    case 'night':
      return t`night`;
  }
}

export function freeTimes(availability: Availability): { day: string; parts: string }[] {
  return days.flatMap((day) => {
    const free = parts.filter((part) => availability.some((slot) => slot.day === day && slot.part === part));
    if (free.length === 0) return [];
    return [
      {
        day: weekdayText(day, 'short'),
        parts: free.length === parts.length ? t`all day` : joined(...free.map(partText)),
      },
    ];
  });
}

function levelText(level: SpokenLanguage['level']): string {
  switch (level) {
    case 'basic':
      return t`basic`;
    case 'good':
      return t`good`;
    case 'fluent':
      return t`fluent`;
    case 'native':
      return t`native`;
  }
}

export function languageText({ code, level }: SpokenLanguage): string {
  let name = code;
  try {
    name = new Intl.DisplayNames(locale(), { type: 'language' }).of(code) ?? code;
  } catch {
    // An unknown language code is shown as it is.
  }
  return `${name} (${levelText(level)})`;
}
